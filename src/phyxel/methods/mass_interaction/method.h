#pragma once

#include "phyxel/methods/mass_interaction/material.h"
#include "phyxel/methods/mass_interaction/passes.h"
#include "phyxel/methods/skeleton/neighbour_method.h"
#include "phyxel/neighbours/pair_state.h"

namespace phyxel::mass_interaction {

/// Heat reaches the second neighbours of closest packing, whatever the law does: with the first
/// alone conduction would depend strongly on their distance.
constexpr double heat_reach_in_spacings = 1.8;

inline namespace PHYXEL_BACKEND {

/// Memory of pairs, an element for each entry of neighbour rows.
struct PairMemory {
  PairState<std::uint8_t> state;
  PairState<Real> rest, slip[3];
  ParticleMatch match;

  void give_back() {
    match = {};
    state.give_back();
    rest.give_back();
    for (PairState<Real>& s : slip) s.give_back();
  }
};

/// Rows and what their pairs remember, on the host.
struct HostPairs {
  HostColumn<Index> start, count, neighbour;
  HostColumn<ParticleId> ids;
  HostColumn<std::uint8_t> state;
  HostColumn<Real> rest, slip[3];
};

/// Masses whose pairs are automata: pastes, gels, powders and bonds that break or give way, after
/// Guilbaud, Luciani and Castagne.
class Solver final : public NeighbourMethod {
 public:
  Solver();
  void begin(const Environment& environment) override;
  Diagnostics diagnostics(const Environment& environment) override;
  std::vector<FrameColumn> save_pairs() override;
  void load_pairs(const std::vector<FrameColumn>& columns) override;

 private:
  void refresh_laws(const Environment& environment) override;
  void build_neighbours(const Environment& environment) override;
  void advance(const Environment& environment, Real dt) override;
  StableStep limit_of_step(const Environment& environment) override;
  void refresh_heat_of_masses(const Environment& environment);
  void carry_memory(const Exec& exec);
  Real cutoff() const;
  Real reach() const;
  double largest_force() const;
  void give_back_memory() override;
  StepView view(const Environment& environment);
  void add_spins(Diagnostics& d);
  /// visit(column, its copy) for all that files keep of pairs.
  template <class Visit>
  void for_pair_columns(HostPairs& pairs, const Visit& visit);

  SharedColumn<Vec3> spin_;  // 1/s
  Column<Real>& energy_ = own_.scratch(&StepView::energy);
  HostColumn<Real> shown_energy_;       // of the last diagnostics
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
  PairMemory memory_;
  NeighbourRows old_rows_;
  Column<ParticleId> ids_, old_ids_;  // in the order of rows
  bool spares_memory_ = false;        // until rows were built for fewer particles
  Real speed_squared_ = 0;            // m^2/s^2, the largest now
};

std::unique_ptr<Method> make_solver();

}  // namespace PHYXEL_BACKEND

}  // namespace phyxel::mass_interaction
