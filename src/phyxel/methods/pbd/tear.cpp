#include <algorithm>
#include <limits>

#include "phyxel/methods/pbd/method.h"

namespace phyxel::pbd {

inline namespace PHYXEL_BACKEND {

namespace {

/// Lengths squared over the longest that they may be: the largest share of all springs.
Real largest_share(const Exec& exec, const Vec3* x, const RowsView<Distance>& rows,
                   const Real* longest_squared, Index count) {
  const Index *const a = rows.at[0], *const b = rows.at[1];
  return reduce_max(
      exec, "pbd.tear", count, Real(0), PHYXEL_LAMBDA(Index row) {
        const Real limit = longest_squared[row];
        return limit > 0 ? length_squared(x[a[row]] - x[b[row]]) / limit : Real(0);
      });
}

}  // namespace

/// Rows that join nothing, or springs that do not tear, have the limit 0.
void Solver::set_tear_limits() {
  tears_ = std::ranges::any_of(lots_, [](const LotNumbers& lot) { return lot.tear > 0; });
  if (!tears_) return;
  const auto& springs = model_.of<Distance>();
  const std::vector<Index>& origin = std::get<Rows<Distance>>(rows_of_kinds_).origin();
  HostColumn<Real> limit(origin.size(), 0);
  for (std::size_t row = 0; row < origin.size(); ++row) {
    if (origin[row] < 0) continue;
    const auto& spring = springs[origin[row]];
    const Real longest = spring.rest[0] * (1 + lots_[spring.lot].tear);
    if (lots_[spring.lot].tear > 0) limit[row] = longest * longest;
  }
  assign(longest_squared_, limit);
  tearing_.learn(model_);
}

/// Parts vertices where springs are too long, and makes all rows anew.
void Solver::tear(const Environment& environment) {
  auto& rows = std::get<Rows<Distance>>(rows_of_kinds_);
  if (!tears_ || rows.size() == 0) return;
  const Real share = largest_share(environment.exec, store_.for_kernels().x.data(),
                                   rows.view(false), longest_squared_.data(), rows.size());
  if (!(share > 1)) return;
  const HostColumn<Vec3>& at = store_.for_reading().x;
  std::vector<Vec3d> x(model_.id.size(), Vec3d::zero());
  for (std::size_t v = 0; v < x.size(); ++v)
    if (const Index i = particle_of_vertex_[v]; i >= 0) x[v] = cast<double>(at[i]);
  std::vector<double> longest;
  for (const LotNumbers& lot : lots_)
    longest.push_back(lot.tear > 0 ? 1 + double(lot.tear) : infinity);
  const std::size_t known = tearing_.tears().size();
  if (tearing_.tear(model_, std::move(x), longest) == 0) return;
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
