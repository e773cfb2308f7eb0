#include "phyxel/surfaces/surfels/blend.h"

#include <cmath>

#include "phyxel/surfaces/surfels/bind.h"
#include "phyxel/surfaces/surfels/disc.h"

namespace phyxel {

namespace {

/// Changes of the boundary probability of phyxels.
Column<Real> changes_of_boundary(const SurfelPhyxels& before, const SurfelPhyxels& now) {
  Column<Real> change(now.boundary.size());
  for (std::size_t i = 0; i < change.size(); ++i) change[i] = now.boundary[i] - before.boundary[i];
  return change;
}
/// The mean of those that carry a surfel.
Real mean_change(const Column<Real>& change, const LinkPhyxels& phyxel, const LinkWeights& weight) {
  Real sum = 0;
  for (int k = 0; k < most_links && weight[k] > 0; ++k) sum += weight[k] * change[phyxel[k]];
  return sum;
}

/// What of the change counts. It goes into the play first, which a dead zone bounds on both sides:
/// noise stays in it, and slow changes come out of it as quick ones do.
Real beyond_play(Real change, Real dead_zone, Real& play) {
  const Real sum = play + change;
  play = clamp(sum, -dead_zone, dead_zone);
  return std::abs(sum - play);
}

/// Mueller et al. 2004, section 5.2.2 put right: docs/surfels.md#detail.
Real blend_factor(Real before, Real now) {
  return before < 1 ? clamp((now - before) / (1 - before), Real(0), Real(1)) : Real(1);
}

constexpr Real matter_reach = Real(0.7);  // of the support of a phyxel

}  // namespace

bool is_away(const SurfelPhyxels& p, const Links& links, const Vec3& x) {
  for (int k = 0; k < most_links && links.weight[k] > 0; ++k) {
    const Real reach = matter_reach * p.support[links.phyxel[k]];
    if (length_squared(p.x[links.phyxel[k]] - x) < reach * reach) return false;
  }
  return true;
}

void place(const Column<AffineRow>& maps, const Vec3& x, const Vec3& normal, Index s,
           CarriedSurfels& surfels) {
  const Vec3 was = disc_normal(surfels.u[s], surfels.v[s]);
  surfels.x[s] = x;
  surfels.u[s] = turned(surfels.u[s], was, normal);
  surfels.v[s] = turned(surfels.v[s], was, normal);
  if (!surfels.flows[s])
    move_anchor(mean_map(maps, surfels.links(s), 0), surfels.anchor[s], s, surfels);
}

void blend_detail(const Exec& exec, const SurfelPhyxels& before, const SurfelPhyxels& now,
                  const Column<AffineRow>& maps, const PointField& blobs,
                  const SurfelOptions& options, CarriedSurfels& s, Column<std::uint8_t>& moved) {
  moved.assign(s.x.size(), 0);
  Column<std::uint8_t> kept(s.x.size(), 1);
  const Column<Real> changes = changes_of_boundary(before, now);
  for_each(exec, "surfels.blend", s.size(), [&](Index k) {
    const Real change =
        beyond_play(mean_change(changes, s.phyxel[k], s.weight[k]), options.dead_zone, s.play[k]);
    const Real was = s.blend[k];
    s.blend[k] = min(was + options.gain * change, Real(1));
    if (s.flows[k] && is_away(now, s.links(k), s.x[k])) s.blend[k] = 1;
    // A surfel that has become the implicit surface stays on it while matter flows.
    if (s.blend[k] == was && (was < 1 || !s.flows[k])) return;
    const SurfaceFoot foot = foot_on_implicit(blobs, s.x[k], disc_normal(s.u[k], s.v[k]),
                                              implicit_reach * blobs.options.spacing);
    kept[k] = foot.found || s.blend[k] < 1;
    if (!foot.found) return;
    const Real b = blend_factor(was, s.blend[k]);
    const Vec3 normal = normalized(foot.normal * b + disc_normal(s.u[k], s.v[k]) * (1 - b));
    place(maps, foot.x * b + s.x[k] * (1 - b), normal, k, s);
    moved[k] = 1;
  });
  Index left = 0;
  for (Index k = 0; k < s.size(); ++k)
    if (kept[k]) moved[left++] = moved[k];
  moved.resize(left);
  keep_surfels(kept, s);
}

void project_on_implicit(const Exec& exec, const PointField& blobs, const Column<AffineRow>& maps,
                         CarriedSurfels& s, Column<std::uint8_t>& kept) {
  kept.assign(s.x.size(), 0);
  for_each(exec, "surfels.implicit", s.size(), [&](Index k) {
    const SurfaceFoot foot = foot_on_implicit(blobs, s.x[k], disc_normal(s.u[k], s.v[k]),
                                              implicit_reach * blobs.options.spacing);
    kept[k] = foot.found;
    if (foot.found) place(maps, foot.x, foot.normal, k, s);
  });
}

}  // namespace phyxel
