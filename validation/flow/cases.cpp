#include "flow/cases.h"

#include <algorithm>
#include <cmath>

#include "phyxel/core/error.h"
#include "phyxel/core/random.h"
#include "phyxel/geometry/sampling.h"
#include "phyxel/surfaces/flow_cells.h"
#include "phyxel/surfaces/mean_distance.h"
#include "phyxel/surfaces/point_runs.h"

namespace phyxel::validation {

namespace {

constexpr double helix_radius = 4, helix_pitch = 5;  // of the thread, in its thicknesses
constexpr double helix_length = 30;

/// A point of the middle line of the thread, whose thickness is 1.
Vec3 on_helix(double s) {
  const double rise = helix_pitch / std::hypot(2 * M_PI * helix_radius, helix_pitch);
  const double angle = s * std::sqrt(1 - rise * rise) / helix_radius;
  return {static_cast<Real>(helix_radius * std::cos(angle)), static_cast<Real>(rise * s),
          static_cast<Real>(helix_radius * std::sin(angle))};
}

/// Balls along a helix, so close that their union is a thread.
Shape thread_shape() {
  constexpr int balls = 241;
  Shape all = transformed(shape_sphere(Real(0.5)), {Mat3::identity(), on_helix(0)});
  for (int k = 1; k < balls; ++k)
    all = unite(all, transformed(shape_sphere(Real(0.5)),
                                 {Mat3::identity(), on_helix(helix_length * k / (balls - 1))}));
  return all;
}

Shape shape_of(const std::string& name) {
  if (name == "ball") return shape_sphere(1);
  if (name == "torus") return shape_torus(1, Real(0.35));
  if (name == "slab") return shape_box({4, Real(0.5), 4});
  if (name == "box") return shape_box({1, 1, 1});
  if (name == "thread") return thread_shape();
  throw InputError(name + ": no such body");
}

/// Share of the places with a point nearer than `reach`.
double share_near(const Column<Vec3>& places, const Column<Vec3>& points, Real reach) {
  const IndexedCells indexed = index_cells({}, points, reach);
  double near = 0;
  for (const Vec3& p : places) {
    bool found = false;
    visit_runs(indexed, p, reach, 1, [&](Index first, Index last) {
      for (Index k = first; k < last; ++k)
        found |= length(points[indexed.cells.order[k]] - p) < reach;
    });
    near += found;
  }
  return places.empty() ? 0 : near / double(places.size());
}

}  // namespace

PointBody point_body(const std::string& name, double n, Real noise) {
  const Shape shape = shape_of(name);
  PointBody body;
  body.name = name;
  body.spacing = static_cast<Real>(std::cbrt(std::sqrt(2.0) * volume(shape) / n));
  body.layer = body.spacing * std::sqrt(Real(2) / 3);
  const Random random{7, 0};
  for (const Vec3& p : sample_inside(shape, Packing::closest, body.spacing, 1, 3)) {
    const Vec3 off = random.uniform3(body.x.size()) * 2 - Vec3{1, 1, 1};
    body.x.push_back(p + off * (noise * body.spacing));
    body.depth.push_back(-signed_distance(shape, body.x.back()).distance);
  }
  return body;
}

BorderScore score_border(const PointBody& body, const FlowOptions& options) {
  const Exec exec;
  const PairDistances pairs = pair_distances(exec, body.x);
  FlowScratch scratch;
  FlowStructure flow;
  structure_flow(exec, body.x, longest_edge(options, mean_distance({&pairs, 1}).mean), options,
                 scratch, flow);
  BorderScore s;
  const auto n = static_cast<Index>(body.x.size());
  s.points = n;
  s.mean_neighbours = 2 * flow.edges / n;
  Column<Vec3> border, outer;
  double right = 0, near = 0;
  for (Index i = 0; i < n; ++i) {
    const bool outermost = body.depth[i] < body.layer;
    s.outermost += outermost;
    if (outermost) outer.push_back(body.x[i]);
    if (!flow.border[i]) continue;
    border.push_back(body.x[i]);
    s.marked += 1;
    right += outermost;
    near += body.depth[i] < 2 * body.layer;
  }
  s.precision = right / std::max(1.0, s.marked);
  s.near = near / std::max(1.0, s.marked);
  s.recall = right / std::max(1.0, s.outermost);
  s.covered = share_near(outer, border, std::max(flow.longest_edge / 2, body.spacing));
  return s;
}

}  // namespace phyxel::validation
