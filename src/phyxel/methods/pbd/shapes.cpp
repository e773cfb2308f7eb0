#include "phyxel/methods/pbd/shapes.h"

#include <map>

namespace phyxel::pbd {

inline namespace PHYXEL_BACKEND {

namespace {

PHYXEL_FN Vec3 end_of(const StepView& s, Index i) {
  return {s.p[i].c[0], s.p[i].c[1], s.p[i].c[2]};
}

/// Positions at the end of the step, or as they are.
struct TermOfEnds {
  StepView s;
  ShapesView v;
  PHYXEL_FN ShapeSums operator()(Index e) const {
    const Index i = v.groups.member[e];
    const Vec3 p = end_of(s, i) - end_of(s, v.groups.anchor[v.groups.group[e]]);
    return shape_term(double(s.mass[i]), cast<double>(p), cast<double>(v.rest[e]));
  }
};
struct TermOfPresent {
  StepView s;
  ShapesView v;
  PHYXEL_FN ShapeSums operator()(Index e) const {
    const Index i = v.groups.member[e];
    const Vec3 p = s.x[i] - s.x[v.groups.anchor[v.groups.group[e]]];
    return shape_term(double(s.mass[i]), cast<double>(p), cast<double>(v.rest[e]));
  }
};

void fit_all(const Exec& exec, const ShapesView& view, double dt) {
  const ShapesView v = view;
  for_each(
      exec, "pbd.shapes", v.groups.groups, PHYXEL_LAMBDA(Index g) {
        ShapeState& state = v.state[g];
        state.fit = fit_shape(v.sums[g], v.shape[g].mass, v.shape[g].square);
        const double change = shape_change(state.fit, state.lambda, v.give[g], dt);
        state.lambda += change;
        state.factor = state.fit.value > 0 ? change / state.fit.value : 0;
      });
}

/// p += w m (p - g) dl / C.
PHYXEL_FN void move_entry(const StepView& s, const ShapesView& v, const Vec3* base, Index e) {
  const Index g = v.groups.group[e], i = v.groups.member[e];
  const ShapeState& state = v.state[g];
  const Vec3d goal = state.fit.centre + state.fit.rotation * cast<double>(v.rest[e]);
  const Vec3d away = cast<double>(end_of(s, i) - base[g]) - goal;
  const Vec3 push = cast<Real>(away * (state.factor * double(s.mass[i])));
  const Real w = s.p[i].c[3];
  if (s.pull && w == 0) s.pull[i] += push;
  // Corrections of a shape are smooth: rounded to nearest they would push it as a whole.
  const Dither dither{true, s.dither.salt};
  const std::uint32_t number = scrambled(static_cast<std::uint32_t>(i));
  for (int c = 0; c < 3; ++c) s.p[i].c[c] = dither.sum(s.p[i].c[c], w * push[c], number, 24 + c);
}

}  // namespace

void Shapes::build(const Model& model, const std::vector<Index>& particle,
                   const HostParticles& particles, const std::vector<char>& has_shape) {
  std::map<Index, std::vector<Index>> vertices_of;  // by body
  for (std::size_t v = 0; v < particle.size(); ++v)
    if (particle[v] >= 0 && has_shape[particles.material[particle[v]]])
      vertices_of[model.body[v]].push_back(static_cast<Index>(v));
  std::vector<std::vector<Index>> members;
  std::vector<Vec3> rest;
  std::vector<RestShape> shapes;
  materials_.clear();
  for (const auto& [body, vertices] : vertices_of) {
    double mass = 0, square = 0;
    Vec3d centre = Vec3d::zero();
    std::vector<Index>& group = members.emplace_back();
    for (const Index v : vertices) {
      group.push_back(particle[v]);
      const double m = double(particles.mass[particle[v]]);
      mass += m;
      centre += cast<double>(model.rest[v]) * m;
    }
    centre = centre / mass;
    for (const Index v : vertices) {
      const Vec3d q = cast<double>(model.rest[v]) - centre;
      square += double(particles.mass[particle[v]]) * length_squared(q);
      rest.push_back(cast<Real>(q));
    }
    shapes.push_back({mass, square});
    materials_.push_back(particles.material[group.front()]);
  }
  groups_.build(members);
  assign(rest_, rest);
  assign(shape_, shapes);
  sums_.resize(groups_.view());
  base_.resize(shapes.size());
  assign(state_, std::vector<ShapeState>(shapes.size()));
}

void Shapes::set_give(const std::vector<ShapeGive>& of_group) {
  gives_ = of_group;
  give_.assign(of_group);
}

ShapesView Shapes::view() {
  return {groups_.view(), rest_.data(),          shape_.data(),
          give_.data(),   sums_.of_group.data(), state_.data()};
}

void Shapes::clear(const Exec& exec) {
  if (!empty()) fill(exec, "pbd.shapes", state_, ShapeState{});
}

void Shapes::project(const Exec& exec, const StepView& view_of_step, double dt) {
  if (empty()) return;
  const StepView s = view_of_step;
  const ShapesView v = view();
  sum_pieces(exec, "pbd.shapes", v.groups, TermOfEnds{s, v}, sums_.of_piece.data());
  sum_groups(exec, "pbd.shapes", v.groups, sums_);
  fit_all(exec, v, dt);
  // Places count from where the first particle was before it moves itself.
  Vec3* const base = base_.data();
  for_each(
      exec, "pbd.shapes", v.groups.groups,
      PHYXEL_LAMBDA(Index g) { base[g] = end_of(s, v.groups.anchor[g]); });
  for_each(
      exec, "pbd.shapes", v.groups.entries, PHYXEL_LAMBDA(Index e) { move_entry(s, v, base, e); });
}

double Shapes::energy(const Exec& exec, const StepView& view_of_step) {
  if (empty()) return 0;
  const StepView s = view_of_step;
  const ShapesView v = view();
  sum_pieces(exec, "pbd.shapes", v.groups, TermOfPresent{s, v}, sums_.of_piece.data());
  sum_groups(exec, "pbd.shapes", v.groups, sums_);
  HostColumn<ShapeSums> sums;
  HostColumn<RestShape> shapes;
  copy_to_host(sums_.of_group, sums);
  copy_to_host(shape_, shapes);
  double energy = 0;
  for (std::size_t g = 0; g < sums.size(); ++g) {
    const double c = fit_shape(sums[g], shapes[g].mass, shapes[g].square).value;
    energy += gives_[g].stiffness * c * c / 2;
  }
  return energy;
}

}  // namespace PHYXEL_BACKEND

}  // namespace phyxel::pbd
