#include "pbd/statics.h"

#include <cmath>
#include <fmt/format.h>

#include "phyxel/core/error.h"
#include "phyxel/matter/material.h"
#include "phyxel/scene/body_seed.h"

namespace phyxel::validation::pbd {

using phyxel::pbd::Constraints;

namespace {

using Field = std::vector<Vec3d>;

double product(const Field& a, const Field& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += dot(a[i], b[i]);
  return sum;
}
void add(Field& to, const Field& more, double times) {
  for (std::size_t i = 0; i < to.size(); ++i) to[i] += more[i] * times;
}

template <class Kind>
double add_energy(const Springs& springs, const Constraints<Kind>& list, const Field& x,
                  Field& slope) {
  double energy = 0;
  for (const auto& c : list) {
    const double stiffness = springs.modulus[c.lot] / double(c.softness);
    Vec3d at[Kind::points];
    for (int k = 0; k < Kind::points; ++k) at[k] = x[c.vertex[k]];
    const auto s = Kind::slope(at, cast<double>(c.rest));
    energy += stiffness * s.value * s.value / 2;
    for (int k = 0; k < Kind::points; ++k)
      slope[c.vertex[k]] += s.gradient[k] * (stiffness * s.value);
  }
  return energy;
}

/// Energy less the work of the force.
double potential(const Springs& springs, const Field& x, const Field& force) {
  Field unused(x.size(), Vec3d::zero());
  return energy_at(springs, x, unused) - product(force, x);
}

/// What is not balanced where particles may move.
Field residual(const Springs& springs, const Field& x, const Field& force) {
  Field r(x.size(), Vec3d::zero());
  energy_at(springs, x, r);
  for (std::size_t i = 0; i < x.size(); ++i)
    r[i] = springs.held[i] ? Vec3d::zero() : force[i] - r[i];
  return r;
}

/// The second derivatives along d, by central differences.
Field stiffness_product(const Springs& springs, const Field& x, const Field& d, double size) {
  const double step = size / std::sqrt(product(d, d));
  Field ahead = x, behind = x, none(x.size(), Vec3d::zero());
  add(ahead, d, step);
  add(behind, d, -step);
  Field difference = residual(springs, behind, none);
  add(difference, residual(springs, ahead, none), -1);
  for (Vec3d& v : difference) v = v / (2 * step);
  return difference;
}

/// Conjugate gradients for the correction of a Newton step.
Field correction(const Springs& springs, const Field& x, const Field& r, double size) {
  Field c(x.size(), Vec3d::zero()), left = r, d = r;
  const double first = product(r, r);
  double now = first;
  for (int k = 0; k < 20000 && now > 1e-4 * first; ++k) {
    const Field kd = stiffness_product(springs, x, d, size);
    const double curvature = product(d, kd);
    if (!(curvature > 0)) break;
    const double step = now / curvature;
    add(c, d, step);
    add(left, kd, -step);
    const double next = product(left, left);
    for (std::size_t i = 0; i < d.size(); ++i) d[i] = left[i] + d[i] * (next / now);
    now = next;
  }
  return c;
}

}  // namespace

Springs springs_of(const Scene& scene, World& world) {
  Springs springs;
  ShapeFiles files;
  const BodySeed seed = body_seed(scene, 0, 0, files);
  const Material& material = world.environment.materials[seed.material];
  phyxel::pbd::add_to(springs.model, seed, material);
  for (const auto& lot : springs.model.lots)
    springs.modulus.push_back(double(phyxel::pbd::value_of(
        phyxel::parameters_of<phyxel::pbd::Parameters>(material), lot.modulus)));
  const HostParticles& p = world.methods.front()->particles();
  springs.held.resize(springs.model.id.size());
  for (Index i = 0; i < p.size(); ++i)
    if (p.id[i] < springs.held.size()) springs.held[p.id[i]] = p.pin[i] >= 0;
  return springs;
}

double energy_at(const Springs& springs, const std::vector<Vec3d>& x, std::vector<Vec3d>& slope) {
  double energy = 0;
  phyxel::pbd::for_each_kind(springs.model.constraints, [&](const auto& list) {
    energy += add_energy(springs, list, x, slope);
  });
  return energy;
}

std::vector<Vec3d> equilibrium(const Springs& springs, const std::vector<Vec3d>& force,
                               double tolerance) {
  Field x;
  for (const Vec3& at : springs.model.rest) x.push_back(cast<double>(at));
  const double size = 1e-4 * length(x.back() - x.front()), goal = tolerance * tolerance;
  Field r = residual(springs, x, force);
  const double most = product(force, force);
  for (int round = 0; round < 60; ++round) {
    if (product(r, r) < goal * most) return x;
    const Field c = correction(springs, x, r, size);
    const double before = potential(springs, x, force);
    // Slender bodies move on circles, from which long steps lead far away.
    Field next = x;
    for (double share = 1; share > 1e-4; share /= 2) {
      next = x;
      add(next, c, share);
      if (potential(springs, next, force) < before) break;
    }
    x = next;
    r = residual(springs, x, force);
  }
  throw Error(fmt::format("pbd.equilibrium: {:.3g} of the load is not balanced after 60 rounds",
                          std::sqrt(product(r, r) / most)));
}

}  // namespace phyxel::validation::pbd
