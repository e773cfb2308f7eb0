#pragma once

#include <limits>
#include <vector>

#include "phyxel/core/random.h"
#include "phyxel/methods/lattice/assignment.h"
#include "phyxel/methods/lattice/fit.h"

// Neighbourhoods to try the pure functions on. The spacing is 0.1 m throughout.

namespace phyxel::lattice::test {

template <class T>
constexpr T spacing = T(0.1);

template <class T>
constexpr T eps = std::numeric_limits<T>::epsilon();

template <class T, int Dim>
struct Neighbour {
  int slot;
  T w;
  Vec<T, Dim> l, r, v;
  T mass;
};

template <class T, int Dim>
using Neighbourhood = std::vector<Neighbour<T, Dim>>;

template <class T, int Dim>
Vec<T, Dim> random_vector(std::uint64_t a, std::uint64_t b) {
  const Vec3 u = Random{7, 1}.uniform3(a, b);
  Vec<T, Dim> v;
  for (int k = 0; k < Dim; ++k) v[k] = T(2) * T(u[k]) - T(1);
  return v;
}
template <class T, int Dim>
Mat<T, Dim> random_matrix(std::uint64_t a, std::uint64_t b) {
  Mat<T, Dim> m;
  for (int k = 0; k < Dim; ++k) m[k] = random_vector<T, Dim>(a, 100 * b + k);
  return m;
}
template <class T, int Dim>
Mat<T, Dim> random_rotation(std::uint64_t a) {
  return polar(random_matrix<T, Dim>(a, 77)).rotation;
}

/// All slots of the shells, neighbours where `a` takes their lattice points.
template <class T, int Dim>
Neighbourhood<T, Dim> whole(const Mat<T, Dim>& a, int shells) {
  const ShellWeights<T> weights{{T(1), T(0.4), T(0.2)}, shells};
  Neighbourhood<T, Dim> n;
  for (int s = 0; s < slot_count<Dim>(shells); ++s) {
    const Vec<T, Dim> l = slot_offset<Dim>(s, spacing<T>);
    n.push_back({s, weight_of<Dim>(weights, s), l, a * l, Vec<T, Dim>::zero(), T(1)});
  }
  return n;
}

/// Some of the slots of two shells, turned, disturbed by up to a fifth of the spacing, with random
/// velocities and masses.
template <class T, int Dim>
Neighbourhood<T, Dim> random_neighbourhood(std::uint64_t seed) {
  const Random random{seed == 0 ? 1u : static_cast<std::uint32_t>(seed), 2};
  Neighbourhood<T, Dim> some;
  for (Neighbour<T, Dim> n : whole(random_rotation<T, Dim>(seed), 2)) {
    if (random.uniform(seed, n.slot) < Real(0.4)) continue;
    n.r += random_vector<T, Dim>(seed, 1000 + n.slot) * (T(0.2) * spacing<T>);
    n.v = random_vector<T, Dim>(seed, 2000 + n.slot);
    n.mass = T(0.5) + T(random.uniform(seed, 3000 + n.slot));
    some.push_back(n);
  }
  return some;
}

template <class T, int Dim>
Moments<T, Dim> moments(const Neighbourhood<T, Dim>& n) {
  Moments<T, Dim> m;
  for (const auto& e : n) add(m, e.w, e.r, e.l);
  return m;
}
template <class T, int Dim>
Fit<T, Dim> fit(const Neighbourhood<T, Dim>& n,
                const Mat<T, Dim>& before = Mat<T, Dim>::identity()) {
  return fit_lattice(moments(n), before);
}

template <class T, int Dim>
T distance(const Mat<T, Dim>& a, const Mat<T, Dim>& b) {
  return sqrt(norm_squared(a - b));
}

}  // namespace phyxel::lattice::test
