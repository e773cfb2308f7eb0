#include "phyxel/matter/diagnostics.h"

#include <algorithm>

namespace phyxel {

namespace {

Diagnostics of_particle(const Particles& p, Index i) {
  const Vec3d x = cast<double>(p.x[i]), v = cast<double>(p.v[i]);
  const double m = p.mass[i], speed = length(v);
  Diagnostics d;
  d.particles = 1;
  d.kinetic_energy = 0.5 * m * speed * speed;
  d.momentum = v * m;
  d.angular_momentum = cross(x, v) * m;
  d.mass_moment = x * m;
  d.mass = m;
  d.max_speed = speed;
  d.min_temperature = d.max_temperature = p.temperature[i];
  return d;
}

}  // namespace

Diagnostics combine(Diagnostics a, const Diagnostics& b) {
  a.particles += b.particles;
  a.kinetic_energy += b.kinetic_energy;
  a.potential_energy += b.potential_energy;
  a.momentum += b.momentum;
  a.angular_momentum += b.angular_momentum;
  a.mass_moment += b.mass_moment;
  a.mass += b.mass;
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

Diagnostics measure(const Exec& exec, const Particles& p) {
  return reduce(
      exec, "diagnostics", p.size(), Diagnostics{}, [&](Index i) { return of_particle(p, i); },
      [](const Diagnostics& a, const Diagnostics& b) { return combine(a, b); });
}

}  // namespace phyxel
