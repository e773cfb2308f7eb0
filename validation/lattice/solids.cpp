#include "lattice/solids.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

#include "phyxel/methods/lattice/material.h"

namespace phyxel::validation::lattice {

namespace {

const phyxel::lattice::Parameters& parameters_of(const World& world) {
  return phyxel::parameters_of<phyxel::lattice::Parameters>(world.environment.materials.front());
}

double wave_speed(const World& world) {
  return std::sqrt(double(parameters_of(world).youngs_modulus) /
                   world.environment.materials.front().density);
}

/// Of all particles at rest, m^3; m^2 in the plane.
double volume_of(World& world) {
  const HostParticles& p = particles_of(world);
  return double(p.x.size()) * rest_volume(world.environment.materials.front(), p.mass[0]);
}

Vec3d size_of(const World& world) {
  return cast<double>(world.live.bodies.front().shape.size);
}

/// Of a square section, or of a strip that is one metre deep.
double area_of(const World& world) {
  const double height = size_of(world)[1];
  return world.environment.dimensions == 2 ? height : height * height;
}

/// Distance of layers across x, m.
double layer_of(const World& world) {
  const double spacing = world.live.bodies.front().spacing;
  return world.environment.dimensions == 2 ? spacing / 2 : spacing * std::sqrt(0.5);
}

/// Slope of the displacement along an axis over the place on it, in the middle third of the bar.
double strain_along(const std::vector<Vec3d>& before, const std::vector<Vec3d>& after, int axis,
                    double length) {
  Curve curve;
  for (std::size_t i = 0; i < before.size(); ++i)
    if (std::abs(before[i][0] - length / 2) < length / 6)
      curve.push_back({before[i][axis], after[i][axis] - before[i][axis]});
  return straight_line(curve).x;
}

}  // namespace

double spacing_of(int count, double size, int dimensions) {
  return size / count / (dimensions == 2 ? std::sqrt(0.75) : std::sqrt(0.5));
}

Changes layers(const std::string& body, int count, double size, int dimensions) {
  Changes changes = {
      fmt::format("dimensions={}", dimensions),
      fmt::format("body.{}.spacing={:.9g}", body, spacing_of(count, size, dimensions))};
  if (dimensions == 2) changes.push_back("world.plane=stress");  // as the theory of bars and beams
  return changes;
}

Pulled pull_bar(const Changes& changes) {
  World world = world_of("pulled_bar", changes);
  const Vec3d size = size_of(world);
  const double modulus = parameters_of(world).youngs_modulus, strain = 0.005;
  const double layer = layer_of(world);
  const std::vector<Vec3d> before = places_of(world);
  Loading loading;
  loading.loaded = group_where(world, [&](const Vec3& x) { return x[0] > size[0] - 1.1 * layer; });
  loading.force[0] = modulus * area_of(world) * strain;
  // Critical for the slowest vibration, of period 4 L / c.
  const double period = 4 * size[0] / wave_speed(world);
  loading.drag = 4 * M_PI / period;
  load_for(world, loading, 3 * period);
  const std::vector<Vec3d> after = places_of(world);
  const double along = strain_along(before, after, 0, size[0]);
  return {strain / along, -strain_along(before, after, 1, size[0]) / along,
          volume_of(world) / (size[0] * area_of(world))};
}

Changes slender(int count, double slenderness, int dimensions) {
  const double height = 0.1, spacing = spacing_of(count, height, dimensions);
  const double layer = dimensions == 2 ? spacing / 2 : height / count;
  const double length = layer * std::round(slenderness * height / layer);
  Changes changes = layers("beam", count, height, dimensions);
  changes.push_back(fmt::format("body.beam.shape.centre=[{:.9g},0,0]", length / 2 - 2 * layer));
  changes.push_back(
      fmt::format("body.beam.shape.size=[{:.9g},{},{}]", length + 5 * layer, height, height));
  return changes;
}

std::vector<Bent> bend_beam(const std::vector<double>& loads, const Changes& changes) {
  World world = world_of("cantilever", changes);
  const double height = size_of(world)[1], layer = layer_of(world);
  const std::vector<Vec3d> before = places_of(world);
  double end = 0;
  for (const Vec3d& x : before) end = std::max(end, x[0]);
  const Group last = group_where(world, [&](const Vec3& x) { return x[0] > end - 1.1 * layer; });
  const Group held =
      group_where(world, [&](const Vec3& x) { return std::abs(x[0] + layer / 2) < 0.6 * layer; });
  const double length = (mean_of(before, last) - mean_of(before, held))[0];
  const double bending =
      parameters_of(world).youngs_modulus * area_of(world) * height * height / 12;
  // Critical for the slowest vibration, 3.516 sqrt(E I / rho A) / L^2.
  const double omega = 3.516 * wave_speed(world) * height / std::sqrt(12) / (length * length);
  std::vector<Bent> results;
  for (const double load : loads) {
    Loading loading{last, {0, -load * bending / (length * length), 0}, 2 * omega};
    load_for(world, loading, 2 * M_PI / omega);
    double drop = 0, now = 0;
    for (int round = 0; round < 20; ++round) {
      now = mean_of(places_of(world), last)[1];
      if (std::abs(now - drop) < 1e-4 * std::abs(now)) break;
      drop = now;
      load_for(world, loading, 0.5 * M_PI / omega);
    }
    const Vec3d moved = mean_of(places_of(world), last) - mean_of(before, last);
    results.push_back({load, -moved[1] / length, -moved[0] / length});
  }
  return results;
}

namespace {

/// A bar of 25 m: the layer of x = 0 is the last that is held, and an odd number of them in all
/// lies symmetric in the box.
Changes swinging_bar(int count, int dimensions) {
  const double spacing = spacing_of(count, 2, dimensions);
  const double layer = dimensions == 2 ? spacing / 2 : 2.0 / count;
  const int moving = static_cast<int>(std::lround(25 / layer - 0.5)), held = 5 - moving % 2;
  const double length = (moving + 0.5) * layer, box = (moving + held) * layer;
  Changes changes = layers("bar", count, 2, dimensions);
  changes.push_back(fmt::format("body.bar.shape.centre=[{:.9g},0,0]", length - box / 2));
  changes.push_back(fmt::format("body.bar.shape.size=[{:.9g},2,2]", box));
  return changes;
}

}  // namespace

Swung swing_bar(int count, int dimensions) {
  World world = world_of("swinging_bar", swinging_bar(count, dimensions));
  HostParticles& p = particles_of(world);
  const double v0 = 0.1, beta = M_PI / 50;
  for (Index i = 0; i < p.size(); ++i)
    p.v[i][0] = static_cast<Real>(v0 * std::sin(beta * std::max(0.0, double(p.x[i][0]))));
  const auto energy = [](const Diagnostics& d) { return d.kinetic_energy + d.potential_energy; };
  Swung swung;
  const double before = energy(diagnose(world));
  for (Diagnostics d = diagnose(world);; advance(world), d = diagnose(world)) {
    swung.speed.push_back({world.environment.time, d.momentum[0] / d.mass});
    swung.kept = energy(d) / before;
    if (world.frame >= frames_of(world)) break;
  }
  // In the plane columns do not fit 25 m exactly.
  const Vec3d size = size_of(world);
  const double length = world.live.bodies.front().shape.centre[0] + size[0] / 2;
  swung.period = period_of(swung.speed) * 25 / length;
  return swung;
}

namespace {

/// First mode of a beam from 0 to 1, and (root of its frequency) * L.
struct Mode {
  double root, share;
  bool held;
  double operator()(double x) const {
    const double b = root * x, even = std::cosh(b) + (held ? -1 : 1) * std::cos(b),
                 odd = std::sinh(b) + (held ? -1 : 1) * std::sin(b);
    return even - share * odd;
  }
};
constexpr Mode held_mode{1.87510407, 0.73409551, true}, free_mode{4.73004074, 0.98250222, false};

}  // namespace

Rung ring_beam(bool held, const Changes& changes) {
  World world = world_of("cantilever", changes);
  world.environment.pins.front().active = held;
  HostParticles& p = particles_of(world);
  const Vec3d size = size_of(world);
  const double layer = layer_of(world), length = held ? size[0] - 4.5 * layer : size[0];
  const double start = held ? 0 : -4.5 * layer;
  const Mode mode = held ? held_mode : free_mode;
  std::vector<double> shape(p.x.size());
  for (Index i = 0; i < p.size(); ++i) {
    shape[p.id[i]] = mode(std::max(0.0, (p.x[i][0] - start) / length));
    p.v[i][1] = static_cast<Real>(0.001 * wave_speed(world) * shape[p.id[i]]);
  }
  const double omega =
      std::pow(mode.root / length, 2) * wave_speed(world) * size[1] / std::sqrt(12);
  const double period = 2 * M_PI / omega;
  Rung rung;
  for (int k = 0; k <= 100; ++k) {
    double sum = 0;
    for (Index i = 0; i < p.size(); ++i) sum += shape[p.id[i]] * p.v[i][1];
    rung.motion.push_back({world.environment.time / period, sum});
    load_for(world, {}, 0.02 * period);
  }
  rung.period = period_of(rung.motion);
  rung.length = length;
  return rung;
}

}  // namespace phyxel::validation::lattice
