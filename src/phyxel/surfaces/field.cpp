#include "phyxel/surfaces/field.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>

#include "phyxel/core/error.h"
#include "phyxel/core/pack_shuffle.h"
#include "phyxel/core/quad.h"

namespace phyxel {

namespace {

/// visit(first, last) for the runs of points in the cells at most `width` from that of a place.
template <class Visit>
void visit_around(const CellTable& cells, const Vec3& x, Index width, const Visit& visit) {
  const CellTableView view = cells.view();
  const Int3 cell = cell_of(cells.grid, x);
  for (Index z = cell[2] - width; z <= cell[2] + width; ++z)
    for (Index y = cell[1] - width; y <= cell[1] + width; ++y) {
      const Index row = find_row(view, y, z);
      if (row < 0) continue;
      Index cursor = first_cell(view, row, cell[0] - width);
      const PlaceRange places = find_places(view, row, cell[0] - width, cell[0] + width, cursor);
      if (places.first < places.last) visit(places.first, places.last);
    }
}

/// The first `count` lanes.
PHYXEL_INLINE Pack::batch_bool_type lanes_below(Index count) {
  alignas(64) static constexpr auto number = [] {
    std::array<Real, lanes> each{};
    for (Index l = 0; l < lanes; ++l) each[l] = static_cast<Real>(l);
    return each;
  }();
  return Pack::load_aligned(number.data()) < Pack(static_cast<Real>(count));
}

/// Sums over the points around a place, with d from the point to the place.
struct FieldSums {
  Real weight = 0;             // sum w
  Vec3 moment = Vec3::zero();  // sum w d
  Vec3 slope = Vec3::zero();   // sum -(dw/dr^2) d, up to a factor
  Quad spread[2] = {};         // sum -(dw/dr^2) d d^T, the same factor: xx yy zz, xy yz zx
};

struct PackWeight {
  Pack weight, slope;
};
PHYXEL_INLINE PackWeight pack_weight(const PointField& field, const Pack& squared) {
  if (field.options.kind == FieldKind::blobs) {
    const Pack w = Pack(field.peak) * exp(Pack(-field.bell) * squared);
    return {w, w};
  }
  const Pack t = Pack(Real(1)) - squared * Pack(1 / (field.support * field.support));
  return {Pack(field.peak) * t * t * t, t * t};
}

template <bool with_spread>
FieldSums sum_around(const PointField& field, const Vec3& p) {
  // Bells end at the faces of a cube, because those of the axes do: see BellTable.
  const bool cube = field.options.kind == FieldKind::blobs;
  const Pack zero(Real(0)), reach(field.support), limit(field.support * field.support);
  Pack sums[13];
  std::fill(std::begin(sums), std::end(sums), zero);
  visit_around(field.cells, p, 1, [&](Index first, Index last) {
    for (Index k = first; k < last; k += lanes) {
      const Pack dx = Pack(p[0]) - Pack::load_unaligned(field.x.data() + k);
      const Pack dy = Pack(p[1]) - Pack::load_unaligned(field.y.data() + k);
      const Pack dz = Pack(p[2]) - Pack::load_unaligned(field.z.data() + k);
      const Pack squared = xsimd::fma(dz, dz, xsimd::fma(dy, dy, dx * dx));
      const auto near =
          cube ? (abs(dx) < reach) & (abs(dy) < reach) & (abs(dz) < reach) : squared < limit;
      const auto wanted = near & lanes_below(last - k);
      if (!any(wanted)) continue;
      const PackWeight w = pack_weight(field, select(wanted, squared, zero));
      const Pack weight = select(wanted, w.weight, zero), slope = select(wanted, w.slope, zero);
      const Pack s[3] = {slope * dx, slope * dy, slope * dz};
      const Pack terms[7] = {weight, weight * dx, weight * dy, weight * dz, s[0], s[1], s[2]};
      for (int t = 0; t < 7; ++t) sums[t] += terms[t];
      if constexpr (with_spread) {
        const Pack more[6] = {s[0] * dx, s[1] * dy, s[2] * dz, s[0] * dy, s[1] * dz, s[2] * dx};
        for (int t = 0; t < 6; ++t) sums[7 + t] += more[t];
      }
    }
  });
  const Quad a = sums_of_lanes(sums[0], sums[1], sums[2], sums[3]);
  const Quad b = sums_of_lanes(sums[4], sums[5], sums[6], zero);
  FieldSums found{a.c[0], {a.c[1], a.c[2], a.c[3]}, {b.c[0], b.c[1], b.c[2]}, {}};
  if constexpr (with_spread) {
    found.spread[0] = sums_of_lanes(sums[7], sums[8], sums[9], zero);
    found.spread[1] = sums_of_lanes(sums[10], sums[11], sums[12], zero);
  }
  return found;
}

Real squared_distance_to_nearest(const CellTable& cells, const Column<Vec3>& sorted, Index k) {
  Real nearest = std::numeric_limits<Real>::max();
  visit_around(cells, sorted[k], 1, [&](Index first, Index last) {
    for (Index j = first; j < last; ++j)
      if (j != k) nearest = std::min(nearest, length_squared(sorted[j] - sorted[k]));
  });
  return nearest;
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

/// The sum of bells exp(-bell r^2) at a place.
Real density_at(const PointField& f, const Vec3& p, Index width, Real bell) {
  Pack sum(Real(0));
  visit_around(f.cells, p, width, [&](Index first, Index last) {
    for (Index k = first; k < last; k += lanes) {
      const Pack dx = Pack(p[0]) - Pack::load_unaligned(f.x.data() + k);
      const Pack dy = Pack(p[1]) - Pack::load_unaligned(f.y.data() + k);
      const Pack dz = Pack(p[2]) - Pack::load_unaligned(f.z.data() + k);
      const Pack squared = xsimd::fma(dz, dz, xsimd::fma(dy, dy, dx * dx));
      sum += select(lanes_below(last - k), exp(Pack(-bell) * squared), Pack(Real(0)));
    }
  });
  return xsimd::hadd(sum);
}

/// Volume of a particle deep inside: the inverse of the density of points smoothed over a bell as
/// wide as the spacing, where that is high.
Real measured_volume(const Exec& exec, const PointField& f) {
  const Real s = f.options.spacing;
  const auto width = static_cast<Index>(std::ceil(Real(3.5) * s / f.cells.edge));  // of the bell
  const Index samples = std::min(f.size(), Index{500});
  std::vector<Real> densities(samples);
  for_each_coarse(exec, "surface.volume", samples, [&](Index k) {
    const auto i = static_cast<Index>(std::int64_t{f.size()} * k / samples);
    densities[k] = density_at(f, {f.x[i], f.y[i], f.z[i]}, width, Real(0.5) / (s * s));
  });
  return std::pow(Real(2 * M_PI), Real(1.5)) * s * s * s / quantile(densities, 0.75);
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
  if (o.radius == 0) o.radius = 2 * o.spacing;
  f.support = o.radius;
  f.peak = 1;
  // Distance of the mean of half a ball from its face, with weights (1 - r^2)^3.
  f.shell = Real(0.24611) * f.support;
  if (o.kind != FieldKind::sph) return;
  f.peak = Real(315.0 / 64 / M_PI) * f.volume / (f.support * f.support * f.support);
  f.deep = 1;
  if (o.iso == 0) o.iso = Real(0.5);
}

}  // namespace

const std::vector<std::string>& field_names() {
  static const std::vector<std::string> names = {"blobs", "sph", "zhu_bridson"};
  return names;
}

Real measured_spacing(const Exec& exec, const Column<Vec3>& x) {
  if (x.size() < 2) return 0;
  // Cells from the extent are too wide where points lie far apart in clusters: measured again.
  Real edge = first_edge(x), spacing = edge;
  for (int pass = 0; pass < 3 && edge > 0; ++pass, edge = 3 * spacing) {
    CellTable cells;
    build_cells(exec, x, edge, {}, cells);
    const Column<Vec3> sorted = in_order(x, cells.order);
    std::vector<Real> nearest;
    for (Index k = 0; k < static_cast<Index>(x.size()); k += stride_of_sample(x.size())) {
      const Real d2 = squared_distance_to_nearest(cells, sorted, k);
      if (d2 > 0 && d2 < edge * edge) nearest.push_back(std::sqrt(d2));
    }
    if (nearest.empty()) break;
    spacing = quantile(nearest, 0.5);
    if (edge < 4 * spacing) break;
  }
  return spacing;
}

namespace {

void sort_points(const Exec& exec, const Column<Vec3>& x, Real edge, PointField& f) {
  const TimerScope scope(exec.timers, "surface.sort");
  build_cells(exec, x, edge, {}, f.cells);
  for (Column<Real>* column : {&f.x, &f.y, &f.z}) column->resize(x.size() + lanes);
  for_each(exec, "surface.points", f.size(), [&](Index k) {
    const Vec3 p = x[f.cells.order[k]];
    f.x[k] = p[0], f.y[k] = p[1], f.z[k] = p[2];
  });
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
  // Not finer than the points, however small their reach: nothing would be found sooner.
  sort_points(exec, x, std::max(Real(1.02) * f.support, s / 2), f);
  if (f.size() < 20) return;
  f.volume = measured_volume(exec, f);
  f.options.radius = options.radius;
  f.options.iso = options.iso;
  set_kernel(f);
  if (f.support > f.cells.edge) sort_points(exec, x, f.support, f);
}

namespace {

/// In a crevice the mean of points on both sides lies between them, and the surface would grow
/// bubbles there (Solenthaler et al. 2007). They weigh little; the skin of a lone point weighs 0.8.
constexpr Real least_weight = Real(0.7);

}  // namespace

ValueScale value_scale(const PointField& f) {
  switch (f.options.kind) {
    case FieldKind::blobs:  // of a half space: deep/2 erfc(d sqrt(a))
      return {f.options.iso, std::sqrt(Real(M_PI) / f.bell) / f.deep};
    case FieldKind::sph:  // slope of a half space at its face: -(315/256) / support
      return {f.options.iso, f.support * Real(256.0 / 315)};
    default:
      return {};
  }
}

Real value_from_sums(const PointField& f, const ValueScale& scale, Real weight, Real moment) {
  if (f.options.kind != FieldKind::zhu_bridson) return (weight - scale.iso) * scale.length;
  if (weight <= 0) return f.shell - f.support;
  // In a crevice the mean of points on both sides lies between them, and the surface would grow
  // bubbles there (Solenthaler et al. 2007). They weigh little; the skin of a lone point weighs
  // 0.8.
  constexpr Real least_weight = Real(0.7);
  return std::min(f.shell - moment / weight, (weight - least_weight) * f.shell);
}

Real field_value(const PointField& field, const Vec3& x) {
  const FieldSums sums = sum_around<false>(field, x);
  return value_from_sums(field, value_scale(field), sums.weight, length(sums.moment));
}

namespace {

/// The gradient of |u|, u = sum w d / sum w, with dw/dx = -6 t^2 d / R^2.
Vec3 slope_of_distance(const PointField& f, const FieldSums& sums) {
  const Real weight = sums.weight, factor = 6 / (f.support * f.support);
  const Vec3 u = sums.moment * (1 / weight), along = normalized(u);
  const Real *const d = sums.spread[0].c, *const o = sums.spread[1].c;
  const Vec3 turned = {d[0] * along[0] + o[0] * along[1] + o[2] * along[2],
                       o[0] * along[0] + d[1] * along[1] + o[1] * along[2],
                       o[2] * along[0] + o[1] * along[1] + d[2] * along[2]};
  return along + (sums.slope * length(u) - turned) * (factor / weight);
}

}  // namespace

Vec3 field_normal(const PointField& field, const Vec3& x) {
  if (field.options.kind != FieldKind::zhu_bridson)
    return normalized(sum_around<false>(field, x).slope);
  const FieldSums sums = sum_around<true>(field, x);
  if (sums.weight <= 0) return Vec3::zero();
  const Real distance = length(sums.moment) / sums.weight;
  const bool is_light = (sums.weight - least_weight) * field.shell < field.shell - distance;
  return normalized(is_light ? sums.slope : slope_of_distance(field, sums));
}

void weigh_points(const PointField& field, const Vec3& x, std::vector<WeighedPoint>& found) {
  found.clear();
  const Real limit = field.support * field.support;
  visit_around(field.cells, x, 1, [&](Index first, Index last) {
    for (Index k = first; k < last; ++k) {
      const Real squared = length_squared(Vec3{field.x[k], field.y[k], field.z[k]} - x);
      if (squared >= limit) continue;
      const Real t = 1 - squared / limit;
      found.push_back({field.cells.order[k], t * t * t});
    }
  });
}

}  // namespace phyxel
