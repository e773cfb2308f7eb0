#pragma once

#include "phyxel/colliders/kernel_colliders.h"
#include "phyxel/methods/method.h"
#include "phyxel/methods/mpm/cuda_step.h"
#include "phyxel/methods/mpm/material.h"

namespace phyxel::mpm {

inline namespace PHYXEL_BACKEND {

/// What this method adds to the columns of particles.
template <template <class> class ColumnOf>
struct OwnColumns {
  ColumnOf<Mat3> gradient;     // of the velocity, 1/s
  ColumnOf<Mat3> deformation;  // elastic
  ColumnOf<Real> memory;       // of the law
  ColumnOf<Real> volume;       // at rest, m^3
};

/// Numbers of the steps of a frame that come back to the host while it goes on.
class StatusBoard {
 public:
  StatusBoard();
  ~StatusBoard();
  StatusBoard(const StatusBoard&) = delete;
  StatusBoard& operator=(const StatusBoard&) = delete;

  /// Where step k writes on the device; three follow each other in turn.
  StepStatus* on_device(long k) { return device_.data() + k % places; }
  /// Starts to fetch what step k has written so far.
  void fetch_decision(long k);
  void fetch_limits(long k);
  /// Waits for what was fetched last.
  const StepStatus& decision(long k);
  const StepStatus& limits(long k);
  void clear();
  /// Step k will be measured once more.
  void reset(long k);
  /// Gives step `to` the numbers of step `from`.
  void copy(long from, long to);

 private:
  static constexpr int places = 4;
  struct Pinned;
  void fetch(long k, int part);
  const StepStatus& waited(long k, int part);
  Column<StepStatus> device_;
  Pinned* pinned_;
};

/// The material point method on a GPU; see Solver of method.h. Rows of particles stay where they
/// are from the beginning of a frame to its end; blocks have their indices.
class Solver final : public Method {
 public:
  HostParticles& particles() override { return store_.for_host(); }
  void begin(const Environment& environment) override;
  StableStep stable_dt(const Environment& environment) override;
  bool plans_ahead() const override { return true; }
  StableStep prepare(const Environment& environment, Real dt) override;
  void step(const Environment& environment, Real dt) override;
  std::vector<ColumnView> columns() override;
  Diagnostics diagnostics(const Environment& environment) override;
  std::map<std::string, double> save() override { return {}; }
  void load(const std::map<std::string, double>&) override {}

 private:
  void read_materials(const Environment& environment);
  void set_cell(const Environment& environment);
  void add_new_particles();
  void check_places(const Exec& exec);
  void fetch_own_columns();
  void sort_particles(const Exec& exec);
  void make_rows(const Exec& exec);
  void resize_tiles();
  void rebin(const Exec& exec);
  void advance(const Exec& exec, const StepNumbers& in, bool may_stop);
  void finish_step(const Exec& exec);
  void look_around(const Environment& environment, Real dt);
  void shorten_tiles(const Exec& exec, Real dt);
  void move_nodes(const Exec& exec, const StepNumbers& in);
  double path_of(const StepStatus& status, Real dt) const;
  bool is_doubtful(const Environment& environment, Real dt);
  void take_in_parts(const Exec& exec, double path);
  std::vector<Real> pin_arms(const Environment& environment) const;
  AdvanceView advance_view(const StepNumbers& in);

  ParticleStore store_;
  OwnColumns<Column> own_;
  OwnColumns<HostColumn> own_host_;
  bool own_host_is_newer_ = false, own_host_is_current_ = true;

  std::vector<AnyLaw> laws_;   // by material; those of other methods are not used
  std::vector<Index> used_;    // materials that are ours
  std::vector<Real> density_;  // by material, kg/m^3
  Column<Real> density_column_;
  Real dx_ = 1;  // m

  DeviceBlocks blocks_;
  PlaceTable old_table_;
  Int3 origin_ = Int3::zero();
  BlocksScratch blocks_scratch_;
  Column<std::uint64_t> keys_;
  Column<Index> order_, sorted_;
  Column<std::uint8_t> cells_;
  ReorderScratch reorder_scratch_;
  Column<Mat3> matrix_scratch_;
  Column<Row16> rows_;
  Column<Quad> tiles_, nodes_, node_scratch_;
  Index chunk_rows_ = 0;

  DeviceBoundaries boundaries_ = {};
  KernelColliders colliders_;
  Column<std::uint8_t> near_chunks_, near_nodes_;
  std::vector<PinView> pins_;
  Column<PinView> pin_column_;

  StatusBoard status_;
  long step_ = 0;             // counts from the beginning of the frame
  bool is_pending_ = false;   // the last step may have stopped itself
  StepNumbers pending_;       // its numbers
  bool tiles_valid_ = false;  // they hold particles to grid for the next step
  Real tiles_dt_ = 0;         // s, of that step
  Real prepared_dt_ = 0;      // s, of the step that nodes are ready for; 0: none
  Real carried_ = 0;          // m/s, by which colliders make particles faster than nodes
  Column<Quad> more_tiles_;   // of shorten_tiles
};

std::unique_ptr<Method> make_solver();

}  // namespace PHYXEL_BACKEND

}  // namespace phyxel::mpm
