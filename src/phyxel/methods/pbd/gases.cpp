#include "phyxel/methods/pbd/gases.h"

#include <algorithm>

#include "phyxel/core/reduce_into.h"

namespace phyxel::pbd {

inline namespace PHYXEL_BACKEND {

namespace {

struct AddSums {
  PHYXEL_FN GasSums operator()(const GasSums& a, const GasSums& b) const {
    return {a.volume + b.volume, a.weight + b.weight};
  }
};

/// Positions at the end of the step.
struct Predicted {
  const Quad* p;
  PHYXEL_FN Vec3 operator()(Index i) const { return {p[i].c[0], p[i].c[1], p[i].c[2]}; }
};
/// Positions as they are.
struct Present {
  const Vec3* x;
  PHYXEL_FN Vec3 operator()(Index i) const { return x[i]; }
};

/// The gradient of the volume by one corner: a sixth of the cross products around it, taken from
/// the corner itself.
template <class Position>
PHYXEL_FN Vec3 volume_gradient(const BalloonView& b, const Position& at, Index m) {
  const Vec3 x = at(b.member[m]);
  Vec3 sum = Vec3::zero();
  for (Index e = b.start[m]; e < b.start[m + 1]; ++e)
    sum += cross(at(b.others[e][0]) - x, at(b.others[e][1]) - x);
  return sum / Real(6);
}

/// The volume is a third of the sum of x . grad V (Euler), from a corner of the surface.
template <class Position>
PHYXEL_FN double volume_share(const BalloonView& b, const Position& at, Index m,
                              const Vec3& gradient) {
  return double(dot(at(b.member[m]) - at(b.member[0]), gradient)) / 3;
}

PHYXEL_FN GasSums gather_sums(const StepView& s, const BalloonView& b, Index m) {
  const Predicted at{s.p};
  const Vec3 gradient = volume_gradient(b, at, m);
  b.gradient[m] = gradient;
  return {volume_share(b, at, m, gradient),
          double(s.p[b.member[m]].c[3] * length_squared(gradient))};
}

PHYXEL_FN void move_member(const StepView& s, const BalloonView& b, Index m) {
  const Index i = b.member[m];
  const Real change = static_cast<Real>(b.state->change), w = s.p[i].c[3];
  if (s.pull && w == 0) s.pull[i] += b.gradient[m] * change;
  const std::uint32_t number = scrambled(static_cast<std::uint32_t>(i));
  for (int c = 0; c < 3; ++c)
    s.p[i].c[c] = s.dither.sum(s.p[i].c[c], b.gradient[m][c] * (w * change), number, 27 + c);
}

}  // namespace

void Gases::build(const Model& model, const std::vector<Index>& particle) {
  balloons_.clear();
  for (std::size_t number = 0; number < model.balloons.size(); ++number) {
    const ClosedBody& body = model.balloons[number];
    std::vector<std::pair<Index, Vec<Index, 2>>> corners;
    bool whole = !body.burst;
    for (const Int3& t : body.triangles)
      for (int k = 0; k < 3; ++k) {
        const Index i = particle[t[k]];
        whole = whole && i >= 0;
        corners.push_back({i, {particle[t[(k + 1) % 3]], particle[t[(k + 2) % 3]]}});
      }
    if (!whole) continue;
    std::ranges::stable_sort(corners, {}, [](const auto& corner) { return corner.first; });
    std::vector<Index> member, start;
    std::vector<Vec<Index, 2>> others;
    for (const auto& [i, pair] : corners) {
      if (member.empty() || member.back() != i) {
        member.push_back(i);
        start.push_back(static_cast<Index>(others.size()));
      }
      others.push_back(pair);
    }
    start.push_back(static_cast<Index>(others.size()));
    Balloon& balloon = balloons_.emplace_back();
    balloon.number = static_cast<Index>(number);
    balloon.rest_volume = body.volume;
    assign(balloon.member, member);
    assign(balloon.start, start);
    assign(balloon.others, others);
    balloon.gradient.resize(member.size());
    assign(balloon.state, std::vector<GasState>(1));
  }
}

BalloonView Gases::view_of(Balloon& b) {
  return {b.member.data(),
          b.start.data(),
          b.others.data(),
          b.gradient.data(),
          b.state.data(),
          static_cast<Index>(b.member.size()),
          static_cast<Real>(b.rest_volume)};
}

void Gases::clear(const Exec& exec) {
  for (Balloon& balloon : balloons_) fill(exec, "pbd.gas", balloon.state, GasState{});
}

void Gases::project(const Exec& exec, const StepView& view, double dt) {
  const StepView s = view;
  for (Balloon& balloon : balloons_) {
    const BalloonView b = view_of(balloon);
    const Gas gas = gas_of_[balloon.number];
    reduce_into(
        exec, "pbd.volume", b.members, GasSums{},
        PHYXEL_LAMBDA(Index m) { return gather_sums(s, b, m); }, AddSums{}, &b.state->sums);
    for_each(
        exec, "pbd.gas", 1, PHYXEL_LAMBDA(Index) {
          GasState& state = *b.state;
          state.change = gas_change(gas, state.sums.volume, double(b.rest_volume),
                                    state.sums.weight, state.lambda, dt);
          state.lambda += state.change;
        });
    for_each(
        exec, "pbd.inflate", b.members, PHYXEL_LAMBDA(Index m) { move_member(s, b, m); });
  }
}

Gases::Totals Gases::measure(const Exec& exec, const StepView& view) {
  Totals totals;
  const Present at{view.x};
  for (Balloon& balloon : balloons_) {
    const BalloonView b = view_of(balloon);
    const double volume = reduce_sum(
        exec, "pbd.volume", b.members,
        PHYXEL_LAMBDA(Index m) { return volume_share(b, at, m, volume_gradient(b, at, m)); });
    const Gas& gas = gas_of_[balloon.number];
    totals.volume += volume;
    totals.energy += gas_energy(gas, volume, balloon.rest_volume);
    totals.amount += (gauge_pressure(gas, volume) + gas.ambient) * volume;
  }
  return totals;
}

}  // namespace PHYXEL_BACKEND

}  // namespace phyxel::pbd
