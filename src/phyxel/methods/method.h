#pragma once

#include <map>
#include <string>
#include <vector>

#include "phyxel/matter/contact_shell.h"
#include "phyxel/matter/diagnostics.h"
#include "phyxel/matter/environment.h"
#include "phyxel/matter/frame.h"
#include "phyxel/matter/reactions.h"

namespace phyxel {

struct BodySeed;

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
  /// The same, only to look at.
  virtual const HostParticles& particles_to_read() { return particles(); }

  /// Particle k becomes what order[k] was, with all columns; those that `order` does not name are
  /// gone. Between steps at which particles() is valid; begin() has to follow.
  virtual void keep(const Exec& exec, const HostColumn<Index>& order) = 0;

  /// Called once for each body, after its particles were appended to particles() and before the
  /// first begin(), also when a run is resumed. A method that needs a mesh or rest positions keeps
  /// what it wants of them; the seed ends with the call.
  virtual void add_body(const BodySeed&) {}

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

  /// What frames show beside the particles, with positions relative to the environment's origin.
  virtual std::vector<FrameSet> sets(const Environment&) { return {}; }

  /// Gives the mesh of a body, as it was made, the tears that a frame has whose particles have ids
  /// up to `last_id`.
  virtual void tear_mesh(ParticleId /*last_id*/, BodySeed&) {}

  /// Energies and momenta now, and what the method adds to stats.csv.
  virtual Diagnostics diagnostics(const Environment& environment) = 0;

  /// The skin of its matter as it is now, for what is outside of the method. As given here, balls
  /// as large as the spacing of their material, with its Young's or bulk modulus; a method that
  /// knows its particles better says so. Not for every step.
  virtual ContactShell contact_shell(const Environment& environment);

  /// Impulses that matter got from outside in the steps since the last call.
  virtual ReactionSums take_reactions(const Environment&) { return {}; }

  /// Sums that are not columns, such as dissipated energy.
  virtual std::map<std::string, double> save() = 0;
  virtual void load(const std::map<std::string, double>& numbers) = 0;

  /// State beside the columns, such as that of pairs of particles: columns of any length. Most
  /// methods have none.
  virtual std::vector<FrameColumn> save_pairs() { return {}; }
  virtual void load_pairs(const std::vector<FrameColumn>&) {}
};

}  // namespace phyxel
