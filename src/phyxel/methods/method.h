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
#include "phyxel/methods/benchmark_world.h"

namespace phyxel {

/// What limits a step; tells where to look for the particle that needs the short step.
enum class StepLimit { setting, speed, stiffness, contact, viscosity, other };

/// The largest step a method accepts now, and what limits it.
struct StableStep {
  double dt = infinity;     // s
  const char* reason = "";  // a literal
  StepLimit by = StepLimit::other;
  double power = 1;     // dt is proportional to this power of the spacing, all else the same
  Index material = -1;  // into environment.materials, the one that needs it; -1: not known

  /// Becomes `other` where that is shorter.
  void tighten(const StableStep& other) {
    if (other.dt < dt) *this = other;
  }
};

/// A way to move particles. Owns the particles of all bodies whose material names it, in an order
/// of its own.
class Method {
 public:
  virtual ~Method() = default;

  /// The columns every method has, in the memory of the host. Changes take effect with the next
  /// call of begin(), or of step() where only velocities change; references are valid until then.
  /// The order of particles is the method's own.
  virtual HostParticles& particles() = 0;

  /// Discards all that would differ between an uninterrupted and a resumed run (neighbour rows,
  /// saved forces), and prepares for changed parameters. Called at the start of every frame and
  /// after every event.
  virtual void begin(const Environment& environment) = 0;

  virtual StableStep stable_dt(const Environment& environment) = 0;

  /// Whether step() needs environment.next_dt. Steps are then chosen one step earlier.
  virtual bool plans_ahead() const { return false; }

  /// Checks the step of dt that ends at environment.time before any method takes it; nothing moves.
  /// Returns the longest step that the method can take: where it is less than dt, prepare() is
  /// called again with a shorter one.
  virtual StableStep prepare(const Environment&, Real) { return {}; }

  /// Advances by dt to environment.time; the method moves its own particles only.
  virtual void step(const Environment& environment, Real dt) = 0;

  /// All columns, shared ones first: checkpoints have all, files those with in_files.
  virtual std::vector<ColumnView> columns() = 0;

  /// Energies and momenta now, and what the method adds to stats.csv.
  virtual Diagnostics diagnostics(const Environment& environment) = 0;

  /// Sums that are not columns, such as dissipated energy.
  virtual std::map<std::string, double> save() = 0;
  virtual void load(const std::map<std::string, double>& numbers) = 0;

  /// State beside the columns, such as that of pairs of particles: columns of any length. Most
  /// methods have none.
  virtual std::vector<FrameColumn> save_pairs() { return {}; }
  virtual void load_pairs(const std::vector<FrameColumn>&) {}
};

/// A method for the rest of the program: what `info()` of its folder returns, completed by the
/// registry. One line in registry.cpp adds a method.
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
  /// Why a parameter has no effect with the values of the others, and what to do about it; empty
  /// where it has one. `given`: the names that the scene has. Null where all are always used.
  std::string (*idle)(const std::any& parameters, const std::set<std::string>& given,
                      const std::string& name) = nullptr;
  /// Distance between neighbours of matter at rest, m; not_given when the user has to give it.
  double (*rest_spacing)(const Material& material, int dimensions) = [](const Material&, int) {
    return double(not_given);
  };
  /// Fills what follows from other parameters once spacing and dimensions are known; throws Error
  /// when it cannot.
  void (*resolve)(Material& material) = nullptr;
  /// Lines for `phyxel check`: derived properties of a material.
  std::vector<std::string> (*report)(const Material& material) = nullptr;
  /// A picture of how pairs of a material behave, as SVG; null where there is none to draw.
  std::string (*diagram)(const Material& material) = nullptr;
  /// Memory of a particle of the material while it runs: columns, their copies, neighbours.
  double (*bytes_per_particle)(const Material& material) = nullptr;
  bool has_contact_kinds = false;  // slip and sticky colliders; refused where false
  bool has_phases = false;         // its particles are solid or liquid, in a column `phase`
  bool conducts_heat = false;      // from colliders too; their temperatures are refused where false
  /// Materials that particles of one may turn into, by the parameters that name them; null where a
  /// particle always keeps its material.
  std::map<std::string, std::string> (*turns_into)(const Material& material) = nullptr;
  /// Edge of a cell of the grid for particles of a volume (m^3; m^2 of a flat scene), m; null where
  /// the method has no grid.
  double (*grid_cell)(const Material& material, double particle_volume, int dimensions) = nullptr;
  std::unique_ptr<Method> (*make)() = nullptr;

  // The registry fills these.
  const char* presets = "";  // TOML, a [material.NAME] table for each, with a summary
  std::vector<BenchmarkWorld> benchmark_worlds;
  std::unique_ptr<Method> (*make_cuda)() = nullptr;  // null: not in this build
};

/// The info of a method whose materials have these Parameters; describe(fields, parameters) is
/// beside them.
template <class Parameters>
MethodInfo info_of(std::string name, std::string summary) {
  MethodInfo info;
  info.name = std::move(name);
  info.summary = std::move(summary);
  info.default_parameters = [] { return std::any(Parameters{}); };
  info.describe = [](Fields& fields, std::any& parameters) {
    describe(fields, std::any_cast<Parameters&>(parameters));
  };
  return info;
}

}  // namespace phyxel
