#include "phyxel/matter/diagnostics.h"

#include <algorithm>

namespace phyxel {

inline namespace PHYXEL_BACKEND {

namespace {

/// What is summed over the particles.
struct Sums {
  double kinetic_energy = 0;
  Vec3d momentum = Vec3d::zero();
  Vec3d angular_momentum = Vec3d::zero();
  Vec3d mass_moment = Vec3d::zero();
  double mass = 0;
  double max_speed = 0;
  double min_temperature = 1e300;
  double max_temperature = -1e300;
};

struct Added {
  PHYXEL_FN Sums operator()(Sums a, const Sums& b) const {
    a.kinetic_energy += b.kinetic_energy;
    a.momentum += b.momentum;
    a.angular_momentum += b.angular_momentum;
    a.mass_moment += b.mass_moment;
    a.mass += b.mass;
    a.max_speed = max(a.max_speed, b.max_speed);
    a.min_temperature = min(a.min_temperature, b.min_temperature);
    a.max_temperature = max(a.max_temperature, b.max_temperature);
    return a;
  }
};

PHYXEL_FN Sums of_particle(const Vec3& position, const Vec3& velocity, double m,
                           double temperature) {
  const Vec3d x = cast<double>(position), v = cast<double>(velocity);
  const double speed = length(v);
  Sums s;
  s.kinetic_energy = 0.5 * m * speed * speed;
  s.momentum = v * m;
  s.angular_momentum = cross(x, v) * m;
  s.mass_moment = x * m;
  s.mass = m;
  s.max_speed = speed;
  s.min_temperature = s.max_temperature = temperature;
  return s;
}

}  // namespace

Diagnostics measure(const Exec& exec, const Particles& p, const Vec3d& origin) {
  const Vec3 *const x = p.x.data(), *const v = p.v.data();
  const Real *const mass = p.mass.data(), *const temperature = p.temperature.data();
  const Sums s = reduce(
      exec, "diagnostics", p.size(), Sums{},
      PHYXEL_LAMBDA(Index i) { return of_particle(x[i], v[i], mass[i], temperature[i]); }, Added{});
  Diagnostics d;
  d.particles = p.x.size();
  d.kinetic_energy = s.kinetic_energy;
  d.momentum = s.momentum;
  d.angular_momentum = s.angular_momentum;
  d.mass_moment = s.mass_moment;
  d.mass = s.mass;
  d.max_speed = s.max_speed;
  d.min_temperature = s.min_temperature;
  d.max_temperature = s.max_temperature;
  d.origin = origin;
  if (origin == Vec3d::zero()) return d;
  d.angular_momentum += cross(origin, d.momentum);
  d.mass_moment += origin * d.mass;
  return d;
}

}  // namespace PHYXEL_BACKEND

#ifndef __CUDACC__
Diagnostics combine(Diagnostics a, const Diagnostics& b) {
  a.particles += b.particles;
  a.kinetic_energy += b.kinetic_energy;
  a.potential_energy += b.potential_energy;
  a.momentum += b.momentum;
  a.angular_momentum += b.angular_momentum;
  a.mass_moment += b.mass_moment;
  a.mass += b.mass;
  a.field_impulse += b.field_impulse;
  a.origin = b.origin;
  a.max_speed = std::max(a.max_speed, b.max_speed);
  a.min_temperature = std::min(a.min_temperature, b.min_temperature);
  a.max_temperature = std::max(a.max_temperature, b.max_temperature);
  for (const auto& [name, value] : b.extra) {
    auto same =
        std::find_if(a.extra.begin(), a.extra.end(), [&](auto& e) { return e.first == name; });
    if (same == a.extra.end())
      a.extra.emplace_back(name, value);
    else
      same->second += value;
  }
  return a;
}
#endif

}  // namespace phyxel
