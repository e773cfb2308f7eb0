#include "phyxel/methods/pbd/spins.h"

#ifndef __CUDACC__
#include "phyxel/core/pack_shuffle.h"
#endif

namespace phyxel::pbd {

inline namespace PHYXEL_BACKEND {

namespace {

struct SpinTerm {
  StepView s;
  GroupsView groups;
  Real dt;
  PHYXEL_FN SpinSums operator()(Index e) const {
    const Index i = groups.member[e];
    const Vec3 p = {s.p[i].c[0], s.p[i].c[1], s.p[i].c[2]};
    const Vec3 from = s.x[groups.anchor[groups.group[e]]];
    const Vec3 change = p - predicted_end(s.x[i], s.v[i], dt);
    SpinSums sum = spin_term(double(s.mass[i]), cast<double>(s.x[i] - from), cast<double>(p - from),
                             cast<double>(change) / double(dt));
    sum.held = s.is_pinned(i) ? 1 : 0;
    return sum;
  }
};

#ifndef __CUDACC__

/// Particles i, i + 1, ... as many as there are lanes; sums in Real, one for each lane. A piece of
/// a group has a few of them, so that they lose no more than positions do.
struct LaneSums {
  static constexpr int numbers = 13;
  alignas(64) Real sum[numbers][lanes] = {};

  void add(const StepView& s, Index i, const Vec3& from, Real dt) {
    const Vec3 *const xs = s.x + i, *const vs = s.v + i;
    const Quad* const ps = s.p + i;
    const Real* const masses = s.mass + i;
    for (Index l = 0; l < lanes; ++l) {
      const Real m = masses[l];
      const Vec3 end = {ps[l].c[0], ps[l].c[1], ps[l].c[2]}, x = xs[l] - from, p = end - from;
      const Vec3 change = (end - predicted_end(xs[l], vs[l], dt)) * m;
      const Real number[numbers] = {m,
                                    p[0] * m,
                                    p[1] * m,
                                    p[2] * m,
                                    p[0] * p[0] * m,
                                    p[1] * p[1] * m,
                                    p[2] * p[2] * m,
                                    p[1] * p[2] * m,
                                    p[2] * p[0] * m,
                                    p[0] * p[1] * m,
                                    x[1] * change[2] - x[2] * change[1],
                                    x[2] * change[0] - x[0] * change[2],
                                    x[0] * change[1] - x[1] * change[0]};
      for (int k = 0; k < numbers; ++k) sum[k][l] += number[k];
    }
  }
  SpinSums total(Real dt) const {
    double of[numbers] = {};
    for (int k = 0; k < numbers; ++k)
      for (Index l = 0; l < lanes; ++l) of[k] += double(sum[k][l]);
    return {of[0],
            {of[1], of[2], of[3]},
            {of[4], of[5], of[6]},
            {of[7], of[8], of[9]},
            Vec3d{of[10], of[11], of[12]} / double(dt),
            0};
  }
};

/// The sums of each piece; pieces of particles in a row that no pin may hold by lanes.
void sum_pieces_by_lanes(const Exec& exec, const StepView& s, const GroupsView& groups, Real dt,
                         SpinSums* of_piece) {
  for_each(exec, "pbd.spin", groups.pieces, [=](Index piece) {
    const Index first = groups.start[piece], end = groups.start[piece + 1];
    const Index i = groups.member[first], g = groups.group[first];
    const SpinTerm term{s, groups, dt};
    SpinSums sum;
    Index e = first;
    if (!s.pin && groups.member[end - 1] - i == end - 1 - first) {
      const Vec3 from = s.x[groups.anchor[g]];
      LaneSums lane_sums;
      for (; e + lanes <= end; e += lanes) lane_sums.add(s, groups.member[e], from, dt);
      sum = lane_sums.total(dt);
    }
    for (; e < end; ++e) sum = sum + term(e);
    of_piece[piece] = sum;
  });
}

#endif

}  // namespace

void Spins::build(const std::vector<std::vector<Index>>& pieces, const std::vector<char>& is_thin,
                  Index particles) {
  groups_.build(pieces);
  std::vector<Index> group_of(particles, -1), thin;
  all_thin_ = true;
  for (std::size_t g = 0; g < pieces.size(); ++g) {
    for (const Index i : pieces[g]) group_of[i] = static_cast<Index>(g);
    thin.push_back(is_thin[pieces[g].front()]);
    all_thin_ = all_thin_ && thin.back() != 0;
  }
  assign(group_of_, group_of);
  assign(is_thin_, thin);
  held_.resize(pieces.size());
  sums_.resize(groups_.view());
  turns_.resize(pieces.size());
}

SpinsView Spins::view() const {
  return {turning_ ? group_of_.data() : nullptr, turns_.data()};
}

void Spins::find_turns(const Exec& exec, const StepView& view_of_step, bool thin_touch, Real dt) {
  turning_ = !empty() && !(thin_touch && all_thin_);
  if (!turning_) return;
  const StepView s = view_of_step;
  const GroupsView groups = groups_.view();
  const Index *const thin = is_thin_.data(), *const group_of = group_of_.data();
  Index* const held = held_.data();
  for_each(
      exec, "pbd.spin", groups.groups,
      PHYXEL_LAMBDA(Index g) { held[g] = thin_touch && thin[g] != 0 ? 1 : 0; });
  for_each(
      exec, "pbd.spin", s.near_count, PHYXEL_LAMBDA(Index k) {
        const Index g = group_of[s.near[k]];
        // Several write the same 1.
        for (Index t = touches_of_particle * k; t < touches_of_particle * (k + 1); ++t)
          if (g >= 0 && s.touch[t].collider >= 0 && s.touch[t].press > 0) held[g] = 1;
      });
#ifdef __CUDACC__
  sum_pieces(exec, "pbd.spin", groups, SpinTerm{s, groups, dt}, sums_.of_piece.data());
#else
  sum_pieces_by_lanes(exec, s, groups, dt, sums_.of_piece.data());
#endif
  sum_groups(exec, "pbd.spin", groups, sums_);
  const SpinSums* const sums = sums_.of_group.data();
  PieceTurn* const turns = turns_.data();
  for_each(
      exec, "pbd.spin", groups.groups, PHYXEL_LAMBDA(Index g) {
        PieceTurn& to = turns[g];
        to = {};
        if (held[g] != 0 || sums[g].held > 0) return;
        const Turn turn = turn_of(sums[g]);
        to = {cast<Real>(turn.rate), cast<Real>(turn.centre) + s.x[groups.anchor[g]]};
      });
}

}  // namespace PHYXEL_BACKEND

}  // namespace phyxel::pbd
