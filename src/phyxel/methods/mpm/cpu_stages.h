#pragma once

#include "phyxel/methods/mpm/implicit.h"
#include "phyxel/methods/mpm/pins.h"

namespace phyxel::mpm {

inline namespace PHYXEL_BACKEND {

/// The stages of a step on the CPU, with the rows, blocks and nodes they work on. Stages on a GPU:
/// cuda_stages.h.
class Stages {
 public:
  /// Refuses materials with what this back end does not have: here nothing.
  static void check_support(const Material&, const Parameters&) {}
  /// Cells that particles may cross along an axis in a step.
  static double room(const StepNumbers& in) { return in.transfer == Transfer::flip ? 0.5 : 1; }

  /// Discards all that belongs to the frame before.
  void restart() { solves_ = {}; }
  /// Of particles that are gone. sort() has to follow.
  void give_back_memory() { *this = {}; }
  /// Makes blocks; returns the order in which particles are sorted by block, material and id.
  const Column<Index>& sort(const StepContext& with, const Column<ParticleId>& ids);
  /// Rows of particles that are in that order.
  void make_rows(const StepContext& with);
  /// Volume and density from the first rasterisation (Umenhoffer, section 5.2).
  void rasterise_volumes(const StepContext& with);
  /// The limits of a step; nothing moves.
  void measure(const StepContext& with);

  /// The sums of the nodes for a step of with.in.dt, from the columns.
  void particles_to_grid(const StepContext& with);
  /// Adds what the stresses give in a time `more` to the sums; it is negative where the step is
  /// shorter than announced. Velocity gradients are not kept, so that viscous stresses keep their
  /// impulse of the longer one, for this step.
  void shorten(const StepContext& with, Real more);
  /// Velocities of the nodes at the end of the step. `doubtful`: particles may cross more than a
  /// cell.
  MovedGrid move_grid(const StepContext& with, bool doubtful);
  /// Grid to particles, law, and particles to grid of the next step; or the columns at the end of a
  /// frame.
  void advance(const StepContext& with);
  /// What fields do to matter in the step that nodes are ready for, kg m/s.
  Vec3d field_impulse(const StepContext& with) const;
  /// Takes the last step again where it has stopped itself, and returns its dt: here it never does.
  Real finish_step(const StepContext&) { return 0; }
  /// Where kernels find whether the last step has stopped itself; null: it has not.
  const int* stopped() { return nullptr; }

  /// change(particle, row) for all rows; they are sorted again before the next grid to particles,
  /// as their materials may have changed.
  template <class Change>
  void change_rows(const Change& change) {
    for (std::size_t r = 0; r < rows_.row.size(); ++r) change(rows_.particle[r], rows_.row[r]);
    must_rebin_ = true;
  }
  /// Copies rows to the columns; velocities are there already.
  void write_particles(const StepContext& with) const;

  /// What limits the next step. `within`: a frame.
  ChunkLimits limits([[maybe_unused]] bool within) const { return limits_; }
  /// The one of the smallest id that is not finite.
  BadPoint find_bad(const StepContext& with) const;
  /// Blocks with particles.
  BlockExtent extent() const { return extent_; }
  SolveCounts solves() const { return solves_; }

 private:
  void resize_chunks();
  void start_blocks(const StepContext& with);
  void rebin(const StepContext& with);
  void remap(const Exec& exec, Column<Quad>& nodes);
  GridSpeeds update_nodes(const StepContext& with);
  Real longest_path(const StepContext& with, const GridSpeeds& speeds) const;
  Real path_of(const StepContext& with, const GridSpeeds& speeds);
  void total_limits();

  Blocks blocks_;
  BlockExtent extent_;
  BlockMap old_nodes_;
  Rows rows_;
  Nodes nodes_;
  PinnedPlaces pinned_places_;
  bool must_rebin_ = false;  // before the step that nodes are ready for
  ChunkLimits limits_;
  ImplicitSpace implicit_space_;
  SolveCounts solves_;

  // Scratch space, kept so that steps allocate nothing.
  Column<Row16> row_scratch_;
  Column<Quad> quad_scratch_;
  Column<Index> index_scratch_, sorted_;
  Column<std::uint64_t> keys_;
  SortScratch sort_scratch_;
};

}  // namespace PHYXEL_BACKEND

}  // namespace phyxel::mpm
