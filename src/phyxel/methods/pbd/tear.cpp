#include "phyxel/methods/pbd/method.h"

namespace phyxel::pbd {

inline namespace PHYXEL_BACKEND {

namespace {

/// Lengths squared over the longest that they may be: the largest share of all edges.
Real largest_share(const Exec& exec, const Vec3* x, const Column<Vec<Index, 2>>& edges,
                   const Column<Real>& longest_squared) {
  const Vec<Index, 2>* const edge = edges.data();
  const Real* const limit = longest_squared.data();
  return reduce_max(
      exec, "pbd.tear", static_cast<Index>(edges.size()), Real(0),
      PHYXEL_LAMBDA(Index k) { return length_squared(x[edge[k][1]] - x[edge[k][0]]) / limit[k]; });
}

}  // namespace

void Solver::set_tear_limits(const Environment& environment) {
  longest_.clear();
  for (const BodyStart& start : model_.starts) {
    const Parameters& p = parameters_of<Parameters>(environment.materials[start.material]);
    if (is_given(p.tear_strain)) longest_[start.body] = 1 + double(p.tear_strain);
  }
  if (longest_.empty()) return;
  HostColumn<Vec<Index, 2>> edges;
  HostColumn<Real> limits;
  for (const Vec<Index, 2>& e : model_.edges) {
    const auto limit = longest_.find(model_.body[e[0]]);
    const Index a = particle_of_vertex_[e[0]], b = particle_of_vertex_[e[1]];
    if (limit == longest_.end() || a < 0 || b < 0) continue;
    const Vec3d along = cast<double>(model_.rest[e[1]]) - cast<double>(model_.rest[e[0]]);
    edges.push_back({a, b});
    limits.push_back(static_cast<Real>(length_squared(along) * limit->second * limit->second));
  }
  assign(tearing_edges_, edges);
  assign(longest_squared_, limits);
  tearing_.learn(model_);
}

/// Parts vertices where edges are too long, and makes all rows anew.
void Solver::tear(const Environment& environment) {
  if (longest_.empty() || tearing_edges_.size() == 0) return;
  const Vec3* const now = store_.for_kernels().x.data();
  if (!(largest_share(environment.exec, now, tearing_edges_, longest_squared_) > 1)) return;
  const HostColumn<Vec3>& at = store_.for_reading().x;
  std::vector<Vec3d> x(model_.id.size(), Vec3d::zero());
  for (std::size_t v = 0; v < x.size(); ++v)
    if (const Index i = particle_of_vertex_[v]; i >= 0) x[v] = cast<double>(at[i]);
  const std::size_t known = tearing_.tears().size();
  if (tearing_.tear(model_, std::move(x), longest_) == 0) return;
  add_copies(known);
  resize_columns();
  find_vertices(environment);
  contacts_.forget();
  refresh_laws(environment);
  rows_valid_ = false;
}

/// Particles of the copies that were made after the first `known`. They share the mass of what they
/// are copies of, and all else is the same: mass and both momenta stay.
void Solver::add_copies(std::size_t known) {
  HostParticles& p = store_.for_host();
  for (std::size_t k = known; k < tearing_.tears().size(); ++k) {
    const Tear& tear = tearing_.tears()[k];
    const Index from = particle_of_vertex_[tear.vertex], to = p.size();
    particle_of_vertex_.push_back(to);
    resize(p, std::size_t(to) + 1);
    p.x[to] = p.x[from];
    p.v[to] = p.v[from];
    p.mass[to] = static_cast<Real>(p.mass[from] * tear.share);
    p.mass[from] -= p.mass[to];
    p.temperature[to] = p.temperature[from];
    p.id[to] = model_.id[tear.copy];
    p.material[to] = p.material[from];
    p.body[to] = p.body[from];
    p.pin[to] = p.pin[from];
  }
}

void Solver::tear_mesh(ParticleId last_id, BodySeed& seed) {
  phyxel::pbd::tear_mesh(model_, tearing_.tears(), last_id, seed);
}

}  // namespace PHYXEL_BACKEND

}  // namespace phyxel::pbd
