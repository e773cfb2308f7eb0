#pragma once

#include "phyxel/methods/mpm/cuda_status.h"

namespace phyxel::mpm {

inline namespace PHYXEL_BACKEND {

/// The stages of a step on a GPU; see those of cpu_stages.h, which have the same names. Rows of
/// particles stay where they are from the beginning of a frame to its end; blocks have their
/// indices. The host does not wait for a step: see cuda_step.h.
class Stages {
 public:
  static void check_support(const Material& material, const Parameters& p);
  /// A tile has room for one cell, less rounding.
  static double room(const StepNumbers&) { return 0.98; }

  void restart();
  void give_back_memory();
  const Column<Index>& sort(const StepContext& with, const Column<ParticleId>& ids);
  void make_rows(const StepContext& with);
  void rasterise_volumes(const StepContext&) {}  // check_support refuses it
  void measure(const StepContext& with);

  void particles_to_grid(const StepContext& with);
  void shorten(const StepContext& with, Real more);
  /// Waits for the nodes where the step is `doubtful`. All others start at once, and are checked
  /// one step later.
  MovedGrid move_grid(const StepContext& with, bool doubtful);
  void advance(const StepContext& with);
  /// What fields do to matter in the step that nodes are ready for, kg m/s. Waits for it.
  Vec3d field_impulse(const StepContext& with);
  /// Takes the last step again if it stopped itself, and returns its dt; 0: it did not. Boundaries
  /// are still those of that step.
  Real finish_step(const StepContext& with);
  /// Where kernels find whether the last step has stopped itself; null: it is known to be taken.
  const int* stopped() { return is_pending_ ? &status_.on_device(step_)->stop : nullptr; }

  /// Within a frame, of the step before the last one, which is known by now.
  ChunkLimits limits(bool within) const;
  BadPoint find_bad(const StepContext& with) const;
  BlockExtent extent() const { return {blocks_.low, blocks_.high}; }
  SolveCounts solves() const { return {}; }

 private:
  void resize_tiles();
  void rebin(const StepContext& with);
  void launch(const StepContext& with, bool may_stop);
  void launch_all(const StepContext& with, AdvanceView& view);
  NodesView nodes_view(const StepContext& with);
  void move_nodes(const StepContext& with);
  void move_with_pins(const StepContext& with, NodesView nodes);
  double path_of(const StepStatus& status, const StepContext& with) const;
  void take_in_parts(const StepContext& with, double path);
  AdvanceView advance_view(const StepContext& with);

  DeviceBlocks blocks_;
  PlaceTable old_table_;
  Int3 origin_ = Int3::zero();
  BlocksScratch blocks_scratch_;
  Column<std::uint64_t> keys_;
  Column<Index> order_, sorted_;
  Column<std::uint8_t> cells_;
  Column<Row16> rows_;
  Column<Quad> tiles_, nodes_, node_scratch_;
  Index chunk_rows_ = 0;
  Column<std::uint8_t> near_chunks_, near_nodes_;

  StatusBoard status_;
  long step_ = 0;            // counts from the beginning of the frame
  bool is_moved_ = false;    // nodes are ready for a step that particles have not begun
  bool is_pending_ = false;  // the last step may have stopped itself
  StepNumbers pending_;      // its numbers
  Column<Quad> more_tiles_;  // of shorten and of pins
  Column<Index> node_pin_;   // that moves a node, where reactions have to know
};

}  // namespace PHYXEL_BACKEND

}  // namespace phyxel::mpm
