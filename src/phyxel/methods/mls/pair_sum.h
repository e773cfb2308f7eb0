#pragma once

#include "phyxel/core/quad.h"
#include "phyxel/matter/moving.h"
#include "phyxel/methods/mls/moments.h"
#include "phyxel/methods/mls/rows.h"
#include "phyxel/neighbours/neighbour_rows.h"

// Sums over a row of neighbours, one pair at a time: what a GPU thread does, and what the packs of
// the CPU are tested against.

namespace phyxel::mls {

/// What the sums over neighbours read. Columns have one more element, a phyxel far away that pads
/// of rows name.
struct PairView {
  const Moving* place = nullptr;  // X and mass; x and h
  const Row16* pull = nullptr;    // see pull_row
  const Quad* other = nullptr;    // k, pressure / density^2, mass, h; null where k is `hold` of all
  const Real* molten = nullptr;   // fraction, see counted(); null where it is the same of all
  const Index* start = nullptr;
  const Index* count = nullptr;
  const Index* neighbour = nullptr;
  Period period;
  bool periodic = false;
  bool flat = false;
  Real hold = 0;  // N/m
};

/// The kernel of pressure, (h - r)^3 of Mueller et al. 2004, section 4.4, in the plane too.
template <class T>
PHYXEL_FN T pressure_weight(const T& r, const T& h, bool flat) {
  const T over = T(Real(1)) / h, rest = max(T(Real(1)) - r * over, T(Real(0)));
  // 15 / (pi h^3) and 10 / (pi h^2) make the integral one.
  const T factor =
      flat ? over * over * T(Real(10 / M_PI)) : over * over * over * T(Real(15 / M_PI));
  return factor * (rest * rest * rest);
}
/// Its slope.
template <class T>
PHYXEL_FN T pressure_slope(const T& r, const T& h, bool flat) {
  const T over = T(Real(1)) / h, rest = max(T(Real(1)) - r * over, T(Real(0)));
  const T factor =
      flat ? over * over * T(Real(10 / M_PI)) : over * over * over * T(Real(15 / M_PI));
  return factor * over * (rest * rest) * T(Real(-3));
}

/// Sums over the neighbours of a phyxel: X and x relative to its own.
struct GradientSum {
  Mat3 product = Mat3::zero();  // sum w x X^T
  Vec3 moved = Vec3::zero();    // sum w x
};
/// What follows from the reference shape alone.
struct MomentSum {
  Symmetric<Real> moment = Symmetric<Real>::zero();  // sum w X X^T
  Vec3 lean = Vec3::zero();                          // sum w X
  Real weight = 0;                                   // sum w, of neighbours that do not count too
};

PHYXEL_FN Vec3 vector_of(const Quad& q) {
  return {q.c[0], q.c[1], q.c[2]};
}
PHYXEL_FN Vec3 nearest_copy(const PairView& in, Vec3 d) {
  for (int k = 0; k < 3; ++k) d[k] = nearest(d[k], in.period.size[k], in.period.half[k]);
  return d;
}

/// Of phyxel j in the neighbourhood of i.
PHYXEL_FN Real counted_between(const PairView& in, Index i, Index j) {
  return in.molten ? counted(in.molten[i], in.molten[j]) : Real(1);
}

PHYXEL_FN GradientSum sum_gradient_one_by_one(const PairView& in, Index i, Real inverse_h2) {
  GradientSum sum;
  const Moving own = in.place[i];
  const Index end = in.start[i] + in.count[i];
  for (Index e = in.start[i]; e < end; ++e) {
    const Index j = in.neighbour[e];
    const Moving& other = in.place[j];
    const Vec3 d = nearest_copy(in, vector_of(other.x) - vector_of(own.x));
    const Vec3 y = nearest_copy(in, vector_of(other.v) - vector_of(own.v));
    const Real w = weight(length_squared(d), inverse_h2) * counted_between(in, i, j);
    sum.product += outer(y, d * w);
    sum.moved += y * w;
  }
  return sum;
}

PHYXEL_FN MomentSum sum_moment_one_by_one(const PairView& in, Index i, Real inverse_h2) {
  MomentSum sum;
  const Vec3 own = vector_of(in.place[i].x);
  const Index end = in.start[i] + in.count[i];
  for (Index e = in.start[i]; e < end; ++e) {
    const Index j = in.neighbour[e];
    const Vec3 d = nearest_copy(in, vector_of(in.place[j].x) - own);
    const Real all = weight(length_squared(d), inverse_h2);
    const Real w = all * counted_between(in, i, j);
    sum.moment += square(d) * w;
    sum.lean += d * w;
    sum.weight += all;
  }
  return sum;
}

/// sum w |x - F X|^2: how far neighbours are from where F would have them, m^2.
PHYXEL_FN Real sum_stray_one_by_one(const PairView& in, Index i, Real inverse_h2, const Mat3& f) {
  Real sum = 0;
  const Moving own = in.place[i];
  const Index end = in.start[i] + in.count[i];
  for (Index e = in.start[i]; e < end; ++e) {
    const Index j = in.neighbour[e];
    const Moving& other = in.place[j];
    const Vec3 d = nearest_copy(in, vector_of(other.x) - vector_of(own.x));
    const Vec3 y = nearest_copy(in, vector_of(other.v) - vector_of(own.v));
    const Real w = weight(length_squared(d), inverse_h2) * counted_between(in, i, j);
    sum += w * length_squared(y - f * d);
  }
  return sum;
}

/// kg/m^3 where neighbours are now, by the kernel of pressure; the phyxel itself included.
PHYXEL_FN Real sum_density_one_by_one(const PairView& in, Index i) {
  const Moving own = in.place[i];
  Real sum = own.x.c[3] * pressure_weight(Real(0), own.v.c[3], in.flat);
  const Index end = in.start[i] + in.count[i];
  for (Index e = in.start[i]; e < end; ++e) {
    const Moving& other = in.place[in.neighbour[e]];
    const Vec3 y = nearest_copy(in, vector_of(other.v) - vector_of(own.v));
    sum += other.x.c[3] * pressure_weight(length(y), (own.v.c[3] + other.v.c[3]) / 2, in.flat);
  }
  return sum;
}

/// Force on a phyxel by the neighbourhoods that it is in, N; its own is not among them.
PHYXEL_FN Vec3 sum_force_one_by_one(const PairView& in, Index i) {
  Vec3 sum = Vec3::zero();
  const Row16& own = in.pull[i];
  const Vec3 reference{own.c[0], own.c[1], own.c[2]}, position{own.c[3], own.c[4], own.c[5]};
  const Index end = in.start[i] + in.count[i];
  for (Index e = in.start[i]; e < end; ++e) {
    const Index j = in.neighbour[e];
    const Row16& q = in.pull[j];
    const Vec3 d = nearest_copy(in, Vec3{q.c[0], q.c[1], q.c[2]} - reference);
    const Vec3 y = nearest_copy(in, Vec3{q.c[3], q.c[4], q.c[5]} - position);
    const Real w = weight(length_squared(d), q.c[pull_row::inverse_h2]) * counted_between(in, j, i);
    const Real hold = in.other ? in.other[j].c[0] : in.hold;
    for (int k = 0; k < 3; ++k)
      sum[k] +=
          w * (q.c[6 + 3 * k] * d[0] + q.c[7 + 3 * k] * d[1] + q.c[8 + 3 * k] * d[2] + hold * y[k]);
    if (!in.other || in.other[i].c[3] <= 0) continue;
    // Pressure: m_i m_j (p_i / rho_i^2 + p_j / rho_j^2) W' along the pair.
    const Quad &a = in.other[i], &b = in.other[j];
    const Real r = length(y);
    if (!(r > 0)) continue;
    const Real push =
        a.c[2] * b.c[2] * (a.c[1] + b.c[1]) * pressure_slope(r, (a.c[3] + b.c[3]) / 2, in.flat) / r;
    sum += y * push;
  }
  return sum;
}

}  // namespace phyxel::mls
