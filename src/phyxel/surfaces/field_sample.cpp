#include <array>
#include <cmath>

#include "phyxel/core/pack_shuffle.h"
#include "phyxel/surfaces/field.h"

namespace phyxel {

namespace {

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
template <class T>
struct FieldSums {
  T weight = T(Real(0));                      // sum w
  Vec<T, 3> slope = Vec<T, 3>::zero();        // sum -(dw/dr^2) d, up to a factor
  Vec<T, 3> moment = Vec<T, 3>::zero();       // sum w d
  Vec<T, 3> spread = Vec<T, 3>::zero();       // sum -(dw/dr^2) d d^T, the same factor: xx yy zz
  Vec<T, 3> spread_side = Vec<T, 3>::zero();  // xy yz zx
};

/// Which of the sums a question needs.
template <FieldKind kind, bool with_gradient>
struct Needed {
  static constexpr bool slope = with_gradient, moment = kind == FieldKind::zhu_bridson,
                        spread = slope && moment;
};

/// Weights and slopes of a pack of points.
template <FieldKind kind>
struct PackWeights {
  Pack support, over_support2, peak, bell;

  explicit PackWeights(const PointField& f)
      : support(f.support),
        over_support2(1 / (f.support * f.support)),
        peak(f.peak),
        bell(-f.bell) {}

  PHYXEL_INLINE Pack::batch_bool_type reached(const Vec3Pack& d, const Pack& squared) const {
    // Bells end at the faces of a cube, because those of the axes do: see BellTable.
    if constexpr (kind == FieldKind::blobs)
      return (abs(d[0]) < support) & (abs(d[1]) < support) & (abs(d[2]) < support);
    else
      return squared < support * support;
  }
  struct Both {
    Pack weight, slope;
  };
  PHYXEL_INLINE Both at(const Pack& squared) const {
    if constexpr (kind == FieldKind::blobs) {
      const Pack w = peak * exp(bell * squared);
      return {w, w};
    }
    const Pack t = xsimd::fnma(squared, over_support2, Pack(Real(1))), t2 = t * t;
    return {peak * t2 * t, t2};
  }
};

template <class Need, FieldKind kind>
PHYXEL_INLINE void add_pack(const PackWeights<kind>& weights, const Vec3Pack& d, Index left,
                            FieldSums<Pack>& sums) {
  const Pack zero(Real(0));
  const Pack squared = xsimd::fma(d[2], d[2], xsimd::fma(d[1], d[1], d[0] * d[0]));
  const auto near = weights.reached(d, squared) & lanes_below(left);
  if (!any(near)) return;
  auto [weight, slope] = weights.at(select(near, squared, zero));
  weight = select(near, weight, zero), slope = select(near, slope, zero);
  sums.weight += weight;
  for (int k = 0; k < 3; ++k) {
    if constexpr (Need::moment) sums.moment[k] = xsimd::fma(weight, d[k], sums.moment[k]);
    if constexpr (Need::slope) sums.slope[k] = xsimd::fma(slope, d[k], sums.slope[k]);
    if constexpr (Need::spread) {
      const Pack along = slope * d[k];
      sums.spread[k] = xsimd::fma(along, d[k], sums.spread[k]);
      sums.spread_side[k] = xsimd::fma(along, d[(k + 1) % 3], sums.spread_side[k]);
    }
  }
}

template <class Need>
FieldSums<Real> over_lanes(const FieldSums<Pack>& p) {
  const auto vector = [](const Quad& q) { return Vec3{q.c[0], q.c[1], q.c[2]}; };
  const auto summed = [&](const Vec3Pack& v, const Pack& last) {
    return sums_of_lanes(v[0], v[1], v[2], last);
  };
  FieldSums<Real> sums;
  const Quad first = summed(Need::slope ? p.slope : p.moment, p.weight);
  sums.weight = first.c[3];
  if constexpr (Need::slope) sums.slope = vector(first);
  if constexpr (Need::moment)
    sums.moment = vector(Need::slope ? summed(p.moment, p.weight) : first);
  if constexpr (Need::spread) {
    sums.spread = vector(summed(p.spread, p.weight));
    sums.spread_side = vector(summed(p.spread_side, p.weight));
  }
  return sums;
}

template <FieldKind kind, bool with_gradient>
FieldSums<Real> sum_around(const PointField& field, const Vec3& p) {
  using Need = Needed<kind, with_gradient>;
  const PackWeights<kind> weights(field);
  const Vec3Pack at = {Pack(p[0]), Pack(p[1]), Pack(p[2])};
  FieldSums<Pack> sums;
  visit_runs(field.cells, field.rows, p, 1, [&](Index first, Index last) {
    for (Index k = first; k < last; k += lanes)
      add_pack<Need>(weights,
                     {at[0] - Pack::load_unaligned(field.x.data() + k),
                      at[1] - Pack::load_unaligned(field.y.data() + k),
                      at[2] - Pack::load_unaligned(field.z.data() + k)},
                     last - k, sums);
  });
  return over_lanes<Need>(sums);
}

/// In a crevice the mean of points on both sides lies between them, and the surface would grow
/// bubbles there (Solenthaler et al. 2007). They weigh little; the skin of a lone point weighs 0.8.
constexpr Real least_weight = Real(0.7);

/// The gradient of |u|, u = sum w d / sum w, with dw/dx = -6 t^2 d / R^2.
Vec3 slope_of_distance(const PointField& f, const FieldSums<Real>& sums) {
  const Real weight = sums.weight, factor = 6 / (f.support * f.support);
  const Vec3 u = sums.moment * (1 / weight), along = normalized(u);
  const Vec3 &d = sums.spread, &o = sums.spread_side;
  const Vec3 turned = {d[0] * along[0] + o[0] * along[1] + o[2] * along[2],
                       o[0] * along[0] + d[1] * along[1] + o[1] * along[2],
                       o[2] * along[0] + o[1] * along[1] + d[2] * along[2]};
  return along + (sums.slope * length(u) - turned) * (factor / weight);
}

Vec3 gradient_from_sums(const PointField& f, const FieldSums<Real>& sums) {
  const Real kernel = 6 / (f.support * f.support);
  switch (f.options.kind) {
    case FieldKind::blobs:
      return sums.slope * (-2 * f.bell * value_scale(f).length);
    case FieldKind::sph:
      return sums.slope * (-kernel * f.peak * value_scale(f).length);
    case FieldKind::zhu_bridson:
      break;
  }
  if (sums.weight <= 0) return Vec3::zero();
  const Real distance = length(sums.moment) / sums.weight;
  const bool is_light = (sums.weight - least_weight) * f.shell < f.shell - distance;
  return is_light ? sums.slope * (-kernel * f.shell) : -slope_of_distance(f, sums);
}

template <bool with_gradient>
FieldSums<Real> sum_around(const PointField& field, const Vec3& x) {
  switch (field.options.kind) {
    case FieldKind::blobs:
      return sum_around<FieldKind::blobs, with_gradient>(field, x);
    case FieldKind::sph:
      return sum_around<FieldKind::sph, with_gradient>(field, x);
    case FieldKind::zhu_bridson:
      break;
  }
  return sum_around<FieldKind::zhu_bridson, with_gradient>(field, x);
}

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
  return std::min(f.shell - moment / weight, (weight - least_weight) * f.shell);
}

Real field_value(const PointField& field, const Vec3& x) {
  const FieldSums<Real> sums = sum_around<false>(field, x);
  return value_from_sums(field, value_scale(field), sums.weight, length(sums.moment));
}

FieldSample sample_at(const PointField& field, const Vec3& x) {
  const FieldSums<Real> sums = sum_around<true>(field, x);
  return {value_from_sums(field, value_scale(field), sums.weight, length(sums.moment)),
          gradient_from_sums(field, sums)};
}

Vec3 field_normal(const PointField& field, const Vec3& x) {
  return -normalized(sample_at(field, x).gradient);
}

void weigh_points(const PointField& field, const Vec3& x, std::vector<WeighedPoint>& found) {
  found.clear();
  const Real limit = field.support * field.support;
  visit_runs(field.cells, field.rows, x, 1, [&](Index first, Index last) {
    for (Index k = first; k < last; ++k) {
      const Real squared = length_squared(Vec3{field.x[k], field.y[k], field.z[k]} - x);
      if (squared >= limit) continue;
      const Real t = 1 - squared / limit;
      found.push_back({field.cells.order[k], t * t * t});
    }
  });
}

}  // namespace phyxel
