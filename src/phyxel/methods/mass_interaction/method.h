#pragma once

#include "phyxel/colliders/kernel_colliders.h"
#include "phyxel/core/kernel_table.h"
#include "phyxel/matter/shared_column.h"
#include "phyxel/methods/mass_interaction/material.h"
#include "phyxel/methods/mass_interaction/passes.h"
#include "phyxel/methods/method.h"
#include "phyxel/neighbours/pair_state.h"

namespace phyxel::mass_interaction {

inline namespace PHYXEL_BACKEND {

/// What pairs remember, an element for each entry of neighbour rows.
struct PairMemory {
  PairState<std::uint8_t> state;
  PairState<Real> rest, slip[3];
  ParticleMatch match;
};

/// Masses whose pairs are automata: pastes, gels, powders and bonds that break or give way, after
/// Guilbaud, Luciani and Castagne.
class Solver final : public Method {
 public:
  HostParticles& particles() override { return store_.for_host(); }
  void begin(const Environment& environment) override;
  StableStep stable_dt(const Environment& environment) override;
  void step(const Environment& environment, Real dt) override;
  std::vector<ColumnView> columns() override;
  Diagnostics diagnostics(const Environment& environment) override;
  std::map<std::string, double> save() override { return {}; }
  void load(const std::map<std::string, double>&) override {}
  std::vector<FrameColumn> save_pairs() override;
  void load_pairs(const std::vector<FrameColumn>& columns) override;

 private:
  void refresh_laws(const Environment& environment);
  void update_surroundings(const Environment& environment, Real dt);
  void build_neighbours(const Environment& environment);
  void carry_memory(const Exec& exec);
  void update_forces(const Environment& environment);
  Real cutoff() const;
  Real row_radius(const PeriodicBox& box) const;
  double largest_force() const;
  StepView view(const Environment& environment);
  void add_spins(Diagnostics& d);
  [[noreturn]] void report_non_finite();

  ParticleStore store_;
  SharedColumn<Vec3> spin_;             // 1/s
  std::vector<Index> used_;             // materials of this method
  std::vector<Material> known_;         // that laws were made of
  Real least_mass_ = 0;                 // kg
  std::vector<Thresholds> thresholds_;  // by pair of materials
  std::vector<Automaton> automata_;
  std::vector<Real> radius_;  // m, by material
  KernelTable<Thresholds> threshold_table_;
  KernelTable<Automaton> automaton_table_;
  KernelTable<Real> radius_table_;
  bool remembers_ = false, rests_ = false, rubs_ = false;
  bool all_pairs_ = false;
  StepColumns columns_;
  HostColumn<Real> energy_;  // of the last diagnostics, for files
  PairMemory memory_;
  std::vector<PinView> pins_;
  KernelTable<PinView> pin_table_;
  KernelColliders colliders_;
  CellTable cells_;
  NeighbourRows rows_, old_rows_;
  Column<ParticleId> ids_, old_ids_;  // in the order of rows
  ReorderScratch scratch_;
  Extremes extremes_;
  Real speed_squared_ = 0;  // m^2/s^2, the largest now
  bool rows_valid_ = false;
  bool forces_valid_ = false;
  bool colliders_moved_ = true;  // since near particles were found
};

std::unique_ptr<Method> make_solver();

}  // namespace PHYXEL_BACKEND

MethodInfo info();

}  // namespace phyxel::mass_interaction
