#include "phyxel/methods/skeleton/reaction_counter.h"

#include <algorithm>
#include <utility>

#include "phyxel/core/exec.h"

namespace phyxel {

inline namespace PHYXEL_BACKEND {

namespace {

/// Copies of all sums: on a GPU so that few threads meet at one, on the CPU one for each thread, or
/// fewer where there are many colliders.
Index copies_for(Index slots, [[maybe_unused]] int threads) {
#ifdef __CUDACC__
  return std::clamp(Index(256) / std::max(slots, Index(1)), Index(1), Index(32));
#else
  return std::clamp(Index(4096) / std::max(slots, Index(1)), Index(1), Index(threads));
#endif
}

int threads_now() {
#ifdef __CUDACC__
  return 0;
#else
  return loop_threads();
#endif
}

template <class T>
void clear(const Exec& exec, Column<T>& column) {
  fill(exec, "reactions.clear", column, T{});
}

/// numbers += factor x what all copies hold, which become zero.
PHYXEL_FN void drain(ReactionDigits* sums, Index slot, Index slots, Index copies, double factor,
                     double* numbers) {
  ReactionDigits all{};
  for (Index copy = 0; copy < copies; ++copy) {
    ReactionDigits& one = sums[copy * slots + slot];
    if (one.touched == 0) continue;
    for (int k = 0; k < reaction_numbers; ++k) merge(one.number[k], all.number[k]);
    all.touched = 1;
    one = ReactionDigits{};
  }
  if (all.touched == 0) return;
  for (int k = 0; k < reaction_numbers; ++k) numbers[k] += factor * value_of(all.number[k]);
}

PHYXEL_FN Vec3d vector_at(const double* numbers) {
  return {numbers[0], numbers[1], numbers[2]};
}

PHYXEL_FN void add_step(const double* step, const Vec3d& pivot, double dt, ReactionTotals& totals) {
  const Vec3d impulse = vector_at(step);
  const Vec3d angular = vector_at(step + reaction_angular) - cross(pivot, impulse);
  for (int k = 0; k < reaction_numbers; ++k) totals.number[k] += step[k];
  totals.pivot_angular += angular;
  totals.peak_force = max(totals.peak_force, length(impulse) / dt);
  totals.peak_torque = max(totals.peak_torque, length(angular) / dt);
}

ReactionSum sum_of(const ReactionTotals& t) {
  return {vector_at(t.number),
          vector_at(t.number + reaction_friction),
          t.number[reaction_pressed],
          vector_at(t.number + reaction_angular),
          t.pivot_angular,
          t.peak_force,
          t.peak_torque};
}

/// The totals of a slot begin anew; forces stay known for the next step.
PHYXEL_FN void restart(ReactionTotals& totals) {
  for (double& number : totals.number) number = 0;
  totals.pivot_angular = Vec3d::zero();
  totals.peak_force = totals.peak_torque = 0;
}

}  // namespace

ReactionView ReactionCounter::view_of(Column<ReactionDigits>& sums) {
  if (!counts_) return {};
  return {sums.data(), slots_, copies_, colliders_, copies_ < threads_};
}

ReactionView ReactionCounter::forces() {
  if (counts_ && forces_.size() == 0) forces_.resize(impulses_.size());
  return view_of(forces_);
}

Impulse* ReactionCounter::damping() {
  damps_ = counts_;
  return counts_ ? damping_.data() : nullptr;
}

/// Room for all; what was counted for others is lost.
void ReactionCounter::resize(const Environment& environment) {
  colliders_ = static_cast<Index>(environment.colliders.size());
  slots_ = colliders_ + static_cast<Index>(environment.pins.size());
  threads_ = threads_now();
  copies_ = copies_for(slots_, threads_);
  counts_ = slots_ > 0;
  impulses_.resize(std::size_t(slots_) * copies_);
  totals_.resize(counts_ ? std::size_t(slots_) + 1 : 0);
  damping_.resize(1);
  clear(environment.exec, impulses_);
  clear(environment.exec, totals_);
  clear(environment.exec, damping_);
  if (forces_.size() > 0) {
    forces_.resize(impulses_.size());
    clear(environment.exec, forces_);
  }
  gravity_ = Vec3d::zero();
}

void ReactionCounter::update_pivots(const Environment& environment) {
  pivots_.clear();
  const Vec3d& origin = environment.origin;
  for (const Collider& c : environment.colliders)
    pivots_.push_back(torque_pivot(c.motion, c.pose, origin));
  for (const Pin& p : environment.pins) pivots_.push_back(torque_pivot(p.motion, p.pose, origin));
  pivots_.push_back(-origin);  // of damping
  pivot_table_.assign(pivots_);
}

void ReactionCounter::start_step(const Environment& environment) {
  const auto colliders = static_cast<Index>(environment.colliders.size());
  const auto slots = colliders + static_cast<Index>(environment.pins.size());
  if (colliders != colliders_ || slots != slots_ || threads_ != threads_now()) resize(environment);
  if (counts_) update_pivots(environment);
}

void ReactionCounter::discard_step(const Exec& exec) {
  if (!counts_) return;
  ReactionDigits* const sums = impulses_.data();
  for_each(
      exec, "reactions.clear", static_cast<Index>(impulses_.size()), PHYXEL_LAMBDA(Index k) {
        if (sums[k].touched != 0) sums[k] = ReactionDigits{};
      });
}

void ReactionCounter::finish_step(const Environment& environment, Real dt,
                                  const ForceShares& shares, const int* stopped) {
  if (!counts_) return;
  Vec3d gravity = cast<double>(environment.gravity);
  if (environment.dimensions == 2) gravity[2] = 0;
  gravity_ += gravity * (mass_ * double(dt));
  add_up(environment.exec, dt, shares, stopped);
}

void ReactionCounter::add_up(const Exec& exec, Real dt, const ForceShares& shares,
                             const int* stopped) {
  if (!counts_ || (!(dt > 0) && forces_.size() == 0)) return;
  ReactionDigits *const impulses = impulses_.data(), *const forces = forces_.data();
  ReactionTotals* const totals = totals_.data();
  Impulse* const damping = damps_ ? damping_.data() : nullptr;
  const Vec3d* const pivots = pivot_table_.data();
  const Index slots = slots_, copies = copies_;
  const bool has_forces = forces_.size() > 0;
  for_each(
      exec, "reactions.step", slots + 1, PHYXEL_LAMBDA(Index k) {
        if (stopped && *stopped != 0) return;
        double step[reaction_numbers] = {}, now[reaction_numbers] = {};
        if (k == slots) {
          if (!damping) return;
          for (int c = 0; c < 3; ++c) {
            step[c] = damping->linear[c];
            step[reaction_angular + c] = damping->angular[c];
          }
          *damping = Impulse{};
        } else {
          drain(impulses, k, slots, copies, 1, step);
        }
        if (has_forces && k < slots) {
          drain(forces, k, slots, copies, 1, now);
          for (int n = 0; n < reaction_numbers; ++n) {
            const double before = totals[k].force_before[n];
            step[n] += double(dt) * (shares.before * before + shares.after * now[n]);
            totals[k].force_before[n] = now[n];
          }
        }
        if (dt > 0) add_step(step, pivots[k], dt, totals[k]);
      });
}

ReactionSums ReactionCounter::take(const Environment& environment) {
  const std::size_t colliders = environment.colliders.size(), pins = environment.pins.size();
  ReactionSums sums;
  sums.are_counted = true;
  sums.colliders.resize(colliders);
  sums.pins.resize(pins);
  if (!counts_ || colliders_ != Index(colliders) || slots_ != Index(colliders + pins)) return sums;
  copy_to_host(totals_, fetched_);
  for (std::size_t k = 0; k < colliders; ++k) sums.colliders[k] = sum_of(fetched_[k]);
  for (std::size_t k = 0; k < pins; ++k) sums.pins[k] = sum_of(fetched_[colliders + k]);
  sums.damping = sum_of(fetched_[colliders + pins]);
  sums.gravity = std::exchange(gravity_, Vec3d::zero());
  ReactionTotals* const totals = totals_.data();
  for_each(
      environment.exec, "reactions.clear", slots_ + 1,
      PHYXEL_LAMBDA(Index k) { restart(totals[k]); });
  return sums;
}

double mass_of(const Exec& exec, const Column<Real>& mass) {
  const Real* const value = mass.data();
  return reduce_sum(
      exec, "reactions.mass", static_cast<Index>(mass.size()),
      PHYXEL_LAMBDA(Index i) { return double(value[i]); });
}

}  // namespace PHYXEL_BACKEND

}  // namespace phyxel
