#pragma once

#include <any>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "phyxel/matter/diagnostics.h"
#include "phyxel/matter/environment.h"
#include "phyxel/matter/frame.h"
#include "phyxel/matter/parameters.h"

namespace phyxel {

/// The largest step a method accepts now, and what limits it.
struct StableStep {
  double dt = infinity;     // s
  const char* reason = "";  // a literal
};

/// A way to move particles. Owns the particles of all bodies whose material names it, in an order
/// of its own.
class Method {
 public:
  virtual ~Method() = default;

  /// The columns every method has, in the memory of the host. What is written there counts from the
  /// next call of begin() on, or of step() where only velocities change; a reference is good until
  /// then.
  virtual HostParticles& particles() = 0;

  /// Forgets whatever would differ between an uninterrupted and a resumed run (neighbour rows,
  /// saved forces), and makes ready for changed parameters. Called at the start of every frame and
  /// after every event.
  virtual void begin(const Environment& environment) = 0;

  virtual StableStep stable_dt(const Environment& environment) = 0;

  /// Whether step() wants to know environment.next_dt. Steps are then chosen one step earlier.
  virtual bool plans_ahead() const { return false; }

  /// Advances by dt from environment.time; the method moves a copy of nothing but its own
  /// particles.
  virtual void step(const Environment& environment, Real dt) = 0;

  /// All columns, shared ones first: what checkpoints hold, and files where in_files says so.
  virtual std::vector<ColumnView> columns() = 0;

  /// Energies and momenta now, and what the method adds to stats.csv.
  virtual Diagnostics diagnostics(const Environment& environment) = 0;

  /// Sums that are not columns, such as dissipated energy.
  virtual std::map<std::string, double> save() = 0;
  virtual void load(const std::map<std::string, double>& numbers) = 0;

  /// What pairs of particles remember: columns with an element for each pair. Most remember
  /// nothing.
  virtual std::vector<FrameColumn> save_pairs() { return {}; }
  virtual void load_pairs(const std::vector<FrameColumn>&) {}
};

/// What the rest of the program knows of a method. One line in registry.cpp adds a method.
struct MethodInfo {
  std::string name;
  std::string summary;  // one line
  std::any (*default_parameters)() = nullptr;
  void (*describe)(Fields& fields, std::any& parameters) = nullptr;
  /// Names of which at most one may be given; an event that sets one takes the place of the others.
  std::vector<std::vector<std::string>> alternatives;
  /// Parameters that are lengths in m of the order of the spacing; the scene's `resolution` divides
  /// them.
  std::vector<std::string> lengths;
  /// Parameters that describe particles of one size; refused with another `resolution` than 1.
  std::vector<std::string> of_one_particle;
  /// Why a parameter does nothing beside what the others say, and what to do about it; empty where
  /// it does. `given`: the names that the scene has. Null where all are used always.
  std::string (*idle)(const std::any& parameters, const std::set<std::string>& given,
                      const std::string& name) = nullptr;
  /// Distance between neighbours of matter at rest, m; not_given when the user has to say.
  double (*rest_spacing)(const Material& material, int dimensions) = nullptr;
  /// Fills what follows from other parameters once spacing and dimensions are known; throws Error
  /// when it cannot.
  void (*resolve)(Material& material) = nullptr;
  /// Lines for `phyxel check`: derived properties of a material.
  std::vector<std::string> (*report)(const Material& material) = nullptr;
  /// A picture of how pairs of a material behave, as SVG; null where there is none to draw.
  std::string (*diagram)(const Material& material) = nullptr;
  double bytes_per_particle = 0;   // columns and neighbours together
  bool has_contact_kinds = false;  // slip and sticky colliders; refused where false
  bool has_phases = false;         // its particles are solid or liquid, in a column `phase`
  bool conducts_heat = false;      // from colliders too; their temperatures are refused where false
  std::unique_ptr<Method> (*make)() = nullptr;
  std::unique_ptr<Method> (*make_cuda)() = nullptr;  // null: not in this build
};

}  // namespace phyxel
