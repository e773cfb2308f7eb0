#include "phyxel/surfaces/field.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

#include "phyxel/core/error.h"
#include "phyxel/surfaces/anisotropic.h"
#include "phyxel/surfaces/first_lanes.h"

namespace phyxel {

namespace {

constexpr int counted_neighbours = 4;

/// Squared distance to the fourth nearest point, or to the last of fewer within the cells' edge; 0:
/// there is none. In a lattice the fourth is as near as the first, and points out of order have
/// some neighbours too near.
Real squared_distance_to_fourth(const IndexedCells& indexed, const Column<Vec3>& sorted, Index k) {
  const Real edge = indexed.cells.edge;
  Real nearest[counted_neighbours];
  int found = 0;
  visit_runs(indexed, sorted[k], edge, 1, [&](Index first, Index last) {
    for (Index j = first; j < last; ++j) {
      const Real d2 = length_squared(sorted[j] - sorted[k]);
      if (!(d2 > 0) || d2 >= edge * edge) continue;
      int at = found < counted_neighbours ? found++ : counted_neighbours;
      for (; at > 0 && nearest[at - 1] > d2; --at)
        if (at < counted_neighbours) nearest[at] = nearest[at - 1];
      if (at < counted_neighbours) nearest[at] = d2;
    }
  });
  return found > 0 ? nearest[found - 1] : 0;
}

/// Every so many points, so that about 4000 are looked at.
Index stride_of_sample(std::size_t n) {
  return std::max<Index>(1, static_cast<Index>(n / 4000));
}

Column<Vec3> in_order(const Column<Vec3>& x, const Column<Index>& order) {
  Column<Vec3> sorted(order.size());
  for (std::size_t k = 0; k < order.size(); ++k) sorted[k] = x[order[k]];
  return sorted;
}

Real quantile(std::vector<Real>& values, double part) {
  const auto at = values.begin() + static_cast<std::ptrdiff_t>(part * (values.size() - 1));
  std::nth_element(values.begin(), at, values.end());
  return *at;
}

/// Edge of cells that would hold some eight points each if they filled their bounds.
Real first_edge(const Column<Vec3>& x) {
  Bounds bounds;
  for (const Vec3& p : x) bounds.include(p);
  const Vec3 size = bounds.max - bounds.min;
  const Real longest = std::max({size[0], size[1], size[2]});
  return std::max(2 * longest / std::cbrt(static_cast<Real>(x.size())), longest * Real(1e-6));
}

/// The sum of bells of this deviation (m) at a place, up to 3.5 of them away.
Real density_at(const PointField& f, const Vec3& p, Real deviation) {
  const Real reach = Real(3.5) * deviation;
  const Pack bell(Real(-0.5) / (deviation * deviation)), limit(reach * reach);
  const auto width = static_cast<Index>(std::ceil(reach / f.cells.edge));
  Pack sum(Real(0));
  visit_runs(f, p, reach, width, [&](Index first, Index last) {
    for (Index k = first; k < last; k += lanes) {
      const Pack dx = Pack(p[0]) - Pack::load_unaligned(f.x.data() + k);
      const Pack dy = Pack(p[1]) - Pack::load_unaligned(f.y.data() + k);
      const Pack dz = Pack(p[2]) - Pack::load_unaligned(f.z.data() + k);
      const Pack squared = xsimd::fma(dz, dz, xsimd::fma(dy, dy, dx * dx));
      const auto near = (squared < limit) & lanes_below(last - k);
      sum += select(near, exp(bell * squared), Pack(Real(0)));
    }
  });
  return xsimd::hadd(sum);
}

/// Volume of a particle deep inside: the inverse of the density of points smoothed over a bell as
/// wide as the spacing, where that is high.
Real measured_volume(const Exec& exec, const PointField& f) {
  const Real s = f.options.spacing;
  const Index samples = std::min(f.size(), Index{500});
  std::vector<Real> densities(samples);
  for_each_coarse(exec, "surface.volume", samples, [&](Index k) {
    const auto i = static_cast<Index>(std::int64_t{f.size()} * k / samples);
    densities[k] = density_at(f, f.place(i), s);
  });
  constexpr Real within_reach = Real(0.99339);  // of the integral of a bell
  return within_reach * std::pow(Real(2 * M_PI), Real(1.5)) * s * s * s / quantile(densities, 0.75);
}

void check(const FieldOptions& o) {
  const auto demand = [](bool fine, const char* name, Real value, const char* limit) {
    if (!fine)
      throw InputError(
          fmt::format("{} = {}: must be {}; leave it out for a good value", name, value, limit));
  };
  demand(o.spacing >= 0 && std::isfinite(o.spacing), "spacing", o.spacing, "above 0 m");
  demand(o.radius >= 0 && std::isfinite(o.radius), "radius", o.radius, "above 0 m");
  demand(o.iso >= 0 && std::isfinite(o.iso), "iso", o.iso, "above 0");
  demand(o.blobbiness >= Real(0.01) && o.blobbiness <= 20, "blobbiness", o.blobbiness,
         "between 0.01 and 20");
}

/// Blinn's bells. A lone particle has the given radius. Without one they are as wide as makes a
/// surface smooth, and it lies where the sum is half of that deep inside.
void set_bells(PointField& f) {
  FieldOptions& o = f.options;
  const bool is_given = o.radius > 0;
  if (!is_given) o.radius = std::sqrt(o.blobbiness / 2) * o.spacing;
  f.bell = o.blobbiness / (o.radius * o.radius);
  f.peak = std::exp(o.blobbiness);
  f.deep = f.peak * std::pow(Real(M_PI) / f.bell, Real(1.5)) / f.volume;
  if (o.iso == 0) o.iso = is_given ? Real(1) : f.deep / 2;
  // Down to a thousandth of the sum on the surface.
  f.support = std::sqrt(std::log(std::max(1000 * f.peak / o.iso, Real(10))) / f.bell);
}

/// Numbers of the kernels. With the default radii the surface of a half space lies where matter
/// ends, so that volumes come out right.
void set_kernel(PointField& f) {
  FieldOptions& o = f.options;
  if (o.kind == FieldKind::blobs) return set_bells(f);
  const bool is_anisotropic = o.kind == FieldKind::anisotropic;
  if (o.radius == 0) o.radius = (is_anisotropic ? Real(2.5) : Real(2)) * o.spacing;
  f.support = o.radius;
  f.peak = 1;
  // Distance of the mean of half a ball from its face, with weights (1 - r^2)^3.
  f.shell = Real(0.24611) * f.support;
  if (o.kind == FieldKind::zhu_bridson) return;
  f.peak = kernel_height * f.volume / (o.radius * o.radius * o.radius);
  f.deep = 1;
  // Flat kernels see a little less of the empty half than of the full one: measured on lattices.
  if (o.iso == 0) o.iso = is_anisotropic ? Real(0.54) : Real(0.5);
  if (is_anisotropic) f.support = anisotropic::longest * o.radius;
}

}  // namespace

const std::vector<std::string>& field_names() {
  static const std::vector<std::string> names = {"blobs", "sph", "zhu_bridson", "anisotropic"};
  return names;
}

FieldKind field_kind(const std::string& name) {
  const auto found = std::find(field_names().begin(), field_names().end(), name);
  return found == field_names().end() ? FieldKind::zhu_bridson
                                      : static_cast<FieldKind>(found - field_names().begin());
}

Real measured_spacing(const Exec& exec, const Column<Vec3>& x) {
  if (x.size() < 2) return 0;
  // Cells from the extent are too wide where points lie far apart in clusters: measured again.
  Real edge = first_edge(x), spacing = edge;
  for (int pass = 0; pass < 3 && edge > 0; ++pass, edge = 3 * spacing) {
    const IndexedCells indexed = index_cells(exec, x, edge);
    const Column<Vec3> sorted = in_order(x, indexed.cells.order);
    std::vector<Real> nearest;
    for (Index k = 0; k < static_cast<Index>(x.size()); k += stride_of_sample(x.size())) {
      const Real d2 = squared_distance_to_fourth(indexed, sorted, k);
      if (d2 > 0) nearest.push_back(std::sqrt(d2));
    }
    if (nearest.empty()) break;
    spacing = quantile(nearest, 0.5);
    if (edge < 4 * spacing) break;
  }
  return spacing;
}

void fill_cells(const Exec& exec, const char* name, const Column<Vec3>& x, SortedPoints& f) {
  build_row_index(f.cells, f.rows);
  for (Column<Real>* column : {&f.x, &f.y, &f.z}) column->resize(x.size() + lanes);
  for_each(exec, name, f.size(), [&](Index k) {
    const Vec3 p = x[f.cells.order[k]];
    f.x[k] = p[0], f.y[k] = p[1], f.z[k] = p[2];
  });
}

namespace {

void sort_points(const Exec& exec, const Column<Vec3>& x, Real edge, PointField& f) {
  const TimerScope scope(exec.timers, "surface.sort");
  build_cells(exec, x, edge, {}, f.cells);
  fill_cells(exec, "surface.points", x, f);
}

/// Not finer than the points, however small their reach: nothing would be found sooner.
Real cell_edge(const PointField& f) {
  if (f.options.kind == FieldKind::anisotropic)
    return std::max(anisotropic::look_around * f.options.radius, f.options.spacing) / 2;
  return std::max(Real(1.02) * f.support, f.options.spacing / 2);
}

}  // namespace

void make_field(const Exec& exec, const Column<Vec3>& x, const FieldOptions& options,
                PointField& f) {
  check(options);
  f.options = options;
  if (f.options.spacing == 0) f.options.spacing = measured_spacing(exec, x);
  if (f.options.spacing == 0) f.options.spacing = f.options.radius;
  if (f.options.spacing == 0)
    throw InputError("spacing: cannot be measured with fewer than two different points; give it");
  const Real s = f.options.spacing;
  // Closest packing; where the points say something else, their volume is measured below.
  f.volume = s * s * s / std::sqrt(Real(2));
  set_kernel(f);
  f.width = f.options.kind == FieldKind::anisotropic ? 2 : 1;
  sort_points(exec, x, cell_edge(f), f);
  if (f.size() >= 20) {
    f.volume = measured_volume(exec, f);
    f.options.radius = options.radius;
    f.options.iso = options.iso;
    set_kernel(f);
    if (f.support > f.width * f.cells.edge) sort_points(exec, x, f.support, f);
  }
  if (f.options.kind == FieldKind::anisotropic) shape_kernels(exec, f);
}

}  // namespace phyxel
