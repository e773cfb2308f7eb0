#pragma once

#include <type_traits>
#include <vector>

#include "methods/lattice/neighbourhood.h"
#include "phyxel/methods/lattice/damping.h"
#include "phyxel/methods/lattice/force.h"

// A lump of matter moved by the pure functions alone, slowly and plainly: every particle looks at
// all others that were near at the start.

namespace phyxel::lattice::test {

template <class T, int Dim, class Law>
struct Lump {
  Law law;
  ShellWeights<T> weights{{T(1), T(0.4), T(0.2)}, 1};
  T mass = T(1), eta = T(0);
  std::vector<Vec<T, Dim>> x, v, force;
  std::vector<Mat<T, Dim>> a, inverse_a;
  std::vector<std::vector<int>> near;
  double energy = 0;  // elastic, J; of the hookean law, at the last forces
};

/// All lattice points p with inside(p).
template <class T, int Dim, class Law, class Inside>
Lump<T, Dim, Law> make_lump(const Law& law, int shells, Inside&& inside) {
  constexpr int reach = 40;
  Lump<T, Dim, Law> lump;
  lump.law = law;
  lump.weights.shells = shells;
  LatticePoint<Dim> p;
  for (int c = Dim == 3 ? -reach : 0; c <= (Dim == 3 ? reach : 0); ++c)
    for (p[1] = -reach; p[1] <= reach; ++p[1])
      for (p[0] = -reach; p[0] <= reach; ++p[0]) {
        if constexpr (Dim == 3) p[2] = c;
        if (((p[0] + p[1] + c) & 1) == 0 && inside(p)) lump.x.push_back(offset(p, spacing<T>));
      }
  const std::size_t n = lump.x.size();
  lump.v.assign(n, Vec<T, Dim>::zero());
  lump.force = lump.v;
  lump.a.assign(n, Mat<T, Dim>::identity());
  lump.inverse_a = lump.a;
  lump.near.resize(n);
  const T limit = slot_count<Dim>(shells) > 12 || Dim == 2 ? T(2.05) : T(1.2);
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j)
      if (i != j && length(lump.x[j] - lump.x[i]) < limit * spacing<T>)
        lump.near[i].push_back(static_cast<int>(j));
  return lump;
}

/// Slots of particle i, as entry of its list of near particles.
template <class T, int Dim, class Law>
Assignment<T, slot_count<Dim>(3)> assignment_of(Lump<T, Dim, Law>& lump, int i) {
  Assignment<T, slot_count<Dim>(3)> assignment;
  clear(assignment);
  for (const int j : lump.near[i]) {
    const NearestSlot<T> nearest =
        nearest_slot(lump.inverse_a[i], lump.x[j] - lump.x[i], spacing<T>, lump.weights.shells);
    assign_nearest(assignment, nearest, j, static_cast<SlotId>(j));
  }
  return assignment;
}

/// Forces of all neighbourhoods, and the change of velocity that damping makes in dt.
template <class T, int Dim, class Law>
void find_forces(Lump<T, Dim, Law>& lump, T dt) {
  for (auto& f : lump.force) f = Vec<T, Dim>::zero();
  lump.energy = 0;
  const T fraction = damped_fraction(lump.eta, dt, lump.mass, full_weight<Dim>(lump.weights));
  for (int i = 0; i < static_cast<int>(lump.x.size()); ++i) {
    const auto assignment = assignment_of(lump, i);
    Moments<T, Dim> m;
    MotionMoments<T, Dim> motion(lump.mass);
    const auto each = [&](auto&& visit) {
      for (int s = 0; s < slot_count<Dim>(lump.weights.shells); ++s)
        if (const int j = assignment.entry[s]; j >= 0)
          visit(j, weight_of<Dim>(lump.weights, s), Vec<T, Dim>(lump.x[j] - lump.x[i]),
                slot_offset<Dim>(s, spacing<T>));
    };
    each([&](int j, T w, const Vec<T, Dim>& r, const Vec<T, Dim>& l) {
      add(m, w, r, l);
      add(motion, w * lump.mass, r, lump.v[j] - lump.v[i]);
    });
    const Fit<T, Dim> f = fit_lattice(m, lump.a[i]);
    lump.a[i] = f.a;
    lump.inverse_a[i] = to_lattice(f);
    const auto force = neighbourhood_force(lump.law, m, f);
    const auto rigid = rigid_motion(motion);
    const T damping_force = fraction * lump.mass / dt;
    const Vec<T, Dim> zero = Vec<T, Dim>::zero();
    lump.force[i] += force_on_centre(force, m) + damping(rigid, damping_force, T(1), zero, zero);
    each([&](int j, T w, const Vec<T, Dim>& r, const Vec<T, Dim>& l) {
      lump.force[j] += force_on_assigned(force, w, r, l) +
                       damping(rigid, damping_force, w, r, lump.v[j] - lump.v[i]);
      lump.energy += residual_energy(lump.law, force, f, w, r, l);
    });
    if constexpr (std::is_same_v<Law, HookeanLaw<T>>) lump.energy += strain_energy(lump.law, f);
  }
}

template <class T, int Dim, class Law>
void advance(Lump<T, Dim, Law>& lump, T dt) {
  find_forces(lump, dt);
  for (std::size_t i = 0; i < lump.x.size(); ++i) {
    lump.v[i] += lump.force[i] * (dt / lump.mass);
    lump.x[i] += lump.v[i] * dt;
  }
}

template <class T, int Dim, class Law>
double kinetic_energy(const Lump<T, Dim, Law>& lump) {
  double sum = 0;
  for (const auto& v : lump.v) sum += 0.5 * double(lump.mass) * double(length_squared(v));
  return sum;
}
template <class T, int Dim, class Law>
Vec<double, Dim> momentum(const Lump<T, Dim, Law>& lump) {
  Vec<double, Dim> sum = Vec<double, Dim>::zero();
  for (const auto& v : lump.v) sum += cast<double>(v) * double(lump.mass);
  return sum;
}
template <class T, int Dim, class Law>
Spin<double, Dim> angular_momentum(const Lump<T, Dim, Law>& lump) {
  Spin<double, Dim> sum = Spin<double, Dim>::zero();
  for (std::size_t i = 0; i < lump.x.size(); ++i)
    sum += wedge(cast<double>(lump.x[i]), cast<double>(lump.v[i])) * double(lump.mass);
  return sum;
}

}  // namespace phyxel::lattice::test
