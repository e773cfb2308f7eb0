#pragma once

#include "phyxel/core/column.h"
#include "phyxel/core/kernel_table.h"
#include "phyxel/matter/environment.h"
#include "phyxel/matter/reactions.h"
#include "phyxel/methods/skeleton/reaction_view.h"

namespace phyxel {

inline namespace PHYXEL_BACKEND {

/// Of one collider or pin since the last fetch; kept where kernels run.
struct ReactionTotals {
  double number[reaction_numbers];
  Vec3d pivot_angular;
  double peak_force, peak_torque;
  double force_before[reaction_numbers];  // N, at the end of the last step
};

/// Parts of a step for which the forces at its beginning and its end act.
struct ForceShares {
  double before = 0, after = 0;
};

/// Sums of the impulses that colliders and pins give to the matter of a method: those of a step,
/// and over all steps since the last fetch. Nothing is counted where there are neither.
class ReactionCounter {
 public:
  /// Called before the loops of a step that ends now.
  void start_step(const Environment& environment);
  /// Called when particles may have changed. `mass`: of all, kg.
  void set_mass(double mass) { mass_ = mass; }

  bool counts() const { return counts_; }
  ReactionView impulses() { return view_of(impulses_); }
  /// Forces at the end of the step, for methods that apply them to two steps; N instead of N s.
  ReactionView forces();
  /// Where a loop leaves the impulse of damping; null where nothing is counted.
  Impulse* damping();

  /// Forgets the step: it will be taken again.
  void discard_step(const Exec& exec);
  /// Adds the step to the totals. With dt = 0 only forces are noted. Where `stopped` is not null
  /// and kernels find it not to be zero, the step was not taken yet: add_up() has to follow.
  void finish_step(const Environment& environment, Real dt, const ForceShares& shares = {},
                   const int* stopped = nullptr);
  /// The same for a step, or a part of it, that is taken again; gravity has been counted.
  void add_up(const Exec& exec, Real dt, const ForceShares& shares = {},
              const int* stopped = nullptr);

  /// What was counted since the last call.
  ReactionSums take(const Environment& environment);

 private:
  ReactionView view_of(Column<ReactionDigits>& sums);
  void resize(const Environment& environment);
  void update_pivots(const Environment& environment);

  bool counts_ = false;
  Index colliders_ = 0, slots_ = 0, copies_ = 0;
  int threads_ = 0;
  double mass_ = 0;  // kg
  Vec3d gravity_ = Vec3d::zero();
  Column<ReactionDigits> impulses_, forces_;
  Column<ReactionTotals> totals_;  // and one of damping
  Column<Impulse> damping_;        // one: of the step
  bool damps_ = false;
  std::vector<Vec3d> pivots_;
  KernelTable<Vec3d> pivot_table_;
  HostColumn<ReactionTotals> fetched_;
};

/// Mass of all particles, kg.
double mass_of(const Exec& exec, const Column<Real>& mass);

}  // namespace PHYXEL_BACKEND

}  // namespace phyxel
