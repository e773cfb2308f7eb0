#pragma once

#include "phyxel/colliders/collider_tree.h"
#include "phyxel/grid/blocks.h"
#include "phyxel/matter/environment.h"
#include "phyxel/matter/force_fields/force_field_view.h"
#include "phyxel/methods/mpm/contact_step.h"
#include "phyxel/methods/mpm/material.h"
#include "phyxel/methods/skeleton/reaction_counter.h"

namespace phyxel::mpm {

/// The numbers of a step.
struct StepNumbers {
  Real dt = 0;       // s
  Real next_dt = 0;  // s, of the step that follows
  Real dx = 1;       // m, edge of a cell
  Transfer transfer = Transfer::apic;
  Real flip = 0;                  // share of FLIP
  Real least_mass = 0;            // kg, of a particle
  Real cell_volume = 1;           // m^3; m^2 of a flat scene
  bool grid_to_particles = true;  // whether the step has this part
  bool particles_to_grid = true;  // the same, for the next step

  /// Tiles of a chunk: of a blend with FLIP, impulses have one of their own.
  int passes() const { return transfer == Transfer::flip ? 2 : 1; }
};

/// The numbers of the solve of an implicit step.
struct ImplicitNumbers {
  Real share = 1;          // beta: 1/2 trapezoidal, 1 backward Euler
  Real tolerance = 1e-3f;  // share of speeds by which the last iterations may change velocities
  int most_iterations = 200;
};

/// Solves of implicit steps since the beginning of the frame.
struct SolveCounts {
  int iterations = 0, unfinished = 0;
};

/// What acts on matter from outside in a step.
struct Boundaries {
  Vec3 gravity = Vec3::zero();  // m/s^2
  bool flat = false;            // nothing moves along z
  ForceFieldViews fields;
  Index material = 0;  // one of this method, for fields: they act on all or none
  ColliderViews colliders;
  Real collider_speed = 0;        // m/s, of those near matter
  const PinView* pins = nullptr;  // null: there are none
  ReactionView reactions;         // that count what colliders and pins do
};

inline namespace PHYXEL_BACKEND {

/// The velocity of a node at x after a step of dt in gravity and the fields, from that without
/// them: half of what fields do comes before gravity and half after it, as on free particles of
/// other methods.
PHYXEL_FN Vec3 pushed_from_outside(const Boundaries& boundaries, const Vec3& x, Vec3 v, Real dt) {
  const auto push = [&] {
    v = pushed_by_fields(boundaries.fields, boundaries.material, x, v, boundaries.flat, dt / 2);
  };
  push();
  v += boundaries.gravity * dt;
  push();
  return v;
}

}  // namespace PHYXEL_BACKEND

/// Whether reactions have to know which pin moves a node.
PHYXEL_FN bool names_pins(const Boundaries& boundaries) {
  const ReactionView& reactions = boundaries.reactions;
  return reactions.counts() && reactions.slots > reactions.first_pin + 1;
}

/// Counts the impulse by which a pin gives matter its own velocity.
PHYXEL_FN void count_pin(const ReactionView& reactions, Index pin, Real mass, const Vec3& x,
                         const Vec3& v, const Vec3& after) {
  if (reactions.counts())
    add_impulse(reactions, reactions.first_pin + pin, impulse_between(mass, x, v, x, after));
}

/// The columns of the particles, for kernels. Within a frame their rows know better.
struct Points {
  Index n = 0;
  Vec3* x = nullptr;
  Vec3* v = nullptr;
  const Real* mass = nullptr;
  const Index* material = nullptr;
  const ParticleId* id = nullptr;
  const Index* pin = nullptr;
  Mat3* gradient = nullptr;
  Mat3* deformation = nullptr;
  Real* memory = nullptr;
  Real* memory_2 = nullptr;  // null: all laws have one number
  Real* volume = nullptr;
};

/// What the stages of a step work with.
struct StepContext {
  const Exec& exec;
  StepNumbers in;
  const std::vector<AnyLaw>& laws;  // by material
  const std::vector<Index>& used;   // materials of this method
  const ImplicitNumbers* implicit;  // null: steps are explicit
  Boundaries boundaries;
  Points points;
  ReactionCounter& reactions;
};

/// What is known of a step when its nodes have their velocities.
struct MovedGrid {
  double path = 0;   // cells that particles cross at most; 0 where the step checks itself
  bool fits = true;  // they have room for that
};

/// Numbers of a row, beside the memory (law_memory.h); it begins with the place in the block's
/// tile, in cells.
constexpr int row_f = 4, row_volume = 13, row_mass = 14;

PHYXEL_FN Row16 row_of(const Points& p, Index i, Real dx) {
  const BlockPlace at = block_place(p.x[i], dx);
  Row16 row;
  for (int k = 0; k < 3; ++k) row.c[k] = at.local[k];
  row.c[row_memory] = p.memory[i];
  for (int k = 0; k < 9; ++k) row.c[row_f + k] = p.deformation[i][k / 3][k % 3];
  row.c[row_volume] = p.volume[i];
  row.c[row_mass] = p.mass[i];
  row.c[row_memory_2] = p.memory_2 ? p.memory_2[i] : 0;
  return row;
}

/// A particle that is not finite.
struct BadPoint {
  ParticleId id = 0;
  const char* part = nullptr;  // of it; null: there is none
};
PHYXEL_FN bool is_finite_number(Real number) {
  return number - number == 0;
}
PHYXEL_FN bool is_finite_row(const Row16& row) {
  bool finite = true;
  for (int k = 0; k < 16; ++k) finite = finite && is_finite_number(row.c[k]);
  return finite;
}
/// What is not finite of a row that is not.
inline const char* bad_part(const Row16& row) {
  for (int k = 0; k < 3; ++k)
    if (!is_finite_number(row.c[k])) return "position";
  for (int k = 0; k < 9; ++k)
    if (!is_finite_number(row.c[row_f + k])) return "deformation";
  return is_finite_number(row.c[row_memory]) ? "volume or mass" : "memory";
}
/// A row, and the id of its particle.
struct NamedRow {
  ParticleId id = std::numeric_limits<ParticleId>::max();
  Index row = -1;
};
struct SmallerId {
  PHYXEL_FN NamedRow operator()(const NamedRow& a, const NamedRow& b) const {
    return b.row >= 0 && (a.row < 0 || b.id < a.id) ? b : a;
  }
};

/// Nodes with this part of their mass under pins move with them.
constexpr Real pinned_part = Real(0.1);

/// What limits the next step, over the particles of a chunk.
struct ChunkLimits {
  Real speed_squared = 0;       // m^2/s^2
  Real wave_speed_squared = 0;  // m^2/s^2
  Real margin = 16;             // cells that a particle has left before it leaves its tile
  Real path = 0;                // cells, longest of the step; 0 where not measured
};

}  // namespace phyxel::mpm
