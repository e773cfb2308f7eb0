#include <cmath>

#include "phyxel/surfaces/field.h"
#include "phyxel/surfaces/first_lanes.h"

namespace phyxel {

namespace {

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

/// The same for stretched kernels: the slope is the sum of 3 t^2 times height times the shape times
/// d, up to a factor.
template <class Need>
PHYXEL_INLINE void add_stretched(const PointField& f, const Vec3Pack& d, Index k, Index left,
                                 FieldSums<Pack>& sums) {
  const auto shape = [&](int c) { return Pack::load_unaligned(f.shape[c].data() + k); };
  const Pack xy = shape(3), yz = shape(4), zx = shape(5);
  const Vec3Pack turned = {xsimd::fma(shape(0), d[0], xsimd::fma(xy, d[1], zx * d[2])),
                           xsimd::fma(xy, d[0], xsimd::fma(shape(1), d[1], yz * d[2])),
                           xsimd::fma(zx, d[0], xsimd::fma(yz, d[1], shape(2) * d[2]))};
  const Pack t = Pack(Real(1)) - dot(d, turned);
  const auto near = (t > Pack(Real(0))) & lanes_below(left);
  if (!any(near)) return;
  const Pack height = Pack::load_unaligned(f.height.data() + k);
  const Pack slope = select(near, height * t * t, Pack(Real(0)));
  sums.weight += select(near, slope * t, Pack(Real(0)));
  if constexpr (Need::slope)
    for (int c = 0; c < 3; ++c) sums.slope[c] = xsimd::fma(slope, turned[c], sums.slope[c]);
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
  // Bells end at the faces of a cube.
  const Real reach = field.support * (kind == FieldKind::blobs ? Real(1.7320509) : Real(1));
  visit_runs(field, p, reach, field.width, [&](Index first, Index last) {
    for (Index k = first; k < last; k += lanes) {
      const Vec3Pack d = {at[0] - Pack::load_unaligned(field.x.data() + k),
                          at[1] - Pack::load_unaligned(field.y.data() + k),
                          at[2] - Pack::load_unaligned(field.z.data() + k)};
      if constexpr (kind == FieldKind::anisotropic)
        add_stretched<Need>(field, d, k, last - k, sums);
      else
        add_pack<Need>(weights, d, last - k, sums);
    }
  });
  return over_lanes<Need>(sums);
}

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
      return sums.slope * (-2 * f.bell * value_scale(f).slope(sums.weight));
    case FieldKind::sph:
      return sums.slope * (-kernel * f.peak * value_scale(f).slope(sums.weight));
    case FieldKind::anisotropic:
      return sums.slope * (-6 * value_scale(f).slope(sums.weight));
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
    case FieldKind::anisotropic:
      return sum_around<FieldKind::anisotropic, with_gradient>(field, x);
    case FieldKind::zhu_bridson:
      break;
  }
  return sum_around<FieldKind::zhu_bridson, with_gradient>(field, x);
}

/// Half axis of a kernel across the face of a flat body, in radii: measured on lattices.
constexpr Real across_face = Real(0.45);

}  // namespace

ValueScale value_scale(const PointField& f) {
  switch (f.options.kind) {
    case FieldKind::blobs:  // of a half space: deep/2 erfc(d sqrt(a))
      return {f.options.iso, std::sqrt(Real(M_PI) / f.bell) / f.deep};
    case FieldKind::sph:  // slope of a half space at its face: -(315/256) / support
      return {f.options.iso, f.support * Real(256.0 / 315)};
    case FieldKind::anisotropic:  // as of sph, with the half axis of a kernel across a flat face
      return {f.options.iso, across_face * f.options.radius * Real(256.0 / 315), 2};
    case FieldKind::zhu_bridson:
      break;
  }
  return {};
}

Real value_from_sums(const PointField& f, Real weight, Real moment) {
  if (f.options.kind == FieldKind::zhu_bridson) return value_from_moment(f, weight, moment);
  return value_scale(f).value(weight);
}

Real field_value(const PointField& field, const Vec3& x) {
  const FieldSums<Real> sums = sum_around<false>(field, x);
  return value_from_sums(field, sums.weight, length(sums.moment));
}

FieldSample sample_at(const PointField& field, const Vec3& x) {
  const FieldSums<Real> sums = sum_around<true>(field, x);
  return {value_from_sums(field, sums.weight, length(sums.moment)),
          gradient_from_sums(field, sums)};
}

Vec3 field_normal(const PointField& field, const Vec3& x) {
  return -normalized(sample_at(field, x).gradient);
}

void weigh_points(const PointField& field, const Vec3& x, std::vector<WeighedPoint>& found) {
  found.clear();
  const bool stretched = field.options.kind == FieldKind::anisotropic;
  const Real reach = stretched ? field.options.radius : field.support;
  const Real over_reach2 = 1 / (reach * reach);
  visit_runs(field, x, reach, field.width, [&](Index first, Index last) {
    for (Index k = first; k < last; ++k) {
      const Real squared = length_squared(field.place(k) - x);
      const Real t = 1 - squared * over_reach2;
      if (t > 0) found.push_back({field.cells.order[k], t * t * t});
    }
  });
}

}  // namespace phyxel
