#include "mls/cases.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

#include "phyxel/methods/mls/material.h"
#include "phyxel/scene/build.h"
#include "phyxel/scene/local_origin.h"
#include "phyxel/scene/read_scene.h"

namespace phyxel::validation::mls {

using namespace lattice;

namespace {

World mls_world(const std::string& scene, const Changes& changes) {
  std::vector<Override> overrides;
  for (const std::string& change : changes) overrides.push_back(parse_override(change));
  Scene read =
      read_scene(std::string(PHYXEL_VALIDATION_DIR) + "/mls/" + scene + ".toml", overrides);
  set_origin(read, Vec3d::zero());  // the cases look at places of the world
  return build(read);
}

const phyxel::mls::Parameters& parameters_of(const World& world) {
  return phyxel::parameters_of<phyxel::mls::Parameters>(world.environment.materials.front());
}
double wave_speed(const World& world) {
  return std::sqrt(double(parameters_of(world).youngs_modulus) /
                   double(world.environment.materials.front().density));
}
double height_of(const World& world) {
  return world.live.bodies.front().shape.size[1];
}
double layer_of(const World& world) {
  return world.live.bodies.front().spacing;
}

Group last_layer(World& world) {
  double end = -1e30;
  for (const Vec3& x : particles_of(world).x) end = std::max(end, double(x[0]));
  return group_where(world, [&](const Vec3& x) { return x[0] > end - 0.1 * layer_of(world); });
}

/// A box of height `height` with so many layers, `held` of them up to x = 0, and `free` behind.
Changes box(const std::string& body, double height, int layers, int held, int free) {
  const double spacing = height / layers, size = (held + free) * spacing;
  const double left = -(held - 0.5) * spacing;
  return {fmt::format("body.{}.spacing={:.9g}", body, spacing),
          fmt::format("body.{}.shape.centre=[{:.9g},0,0]", body, left + size / 2),
          fmt::format("body.{}.shape.size=[{:.9g},{:.9g},{:.9g}]", body, size, height, height)};
}

/// Slope of places along an axis, after over before, in the middle third of the bar.
double stretch_along(const std::vector<Vec3d>& before, const std::vector<Vec3d>& after, int axis,
                     double length) {
  Curve curve;
  for (std::size_t i = 0; i < before.size(); ++i)
    if (std::abs(before[i][0] - length / 2) < length / 6)
      curve.push_back({before[i][axis], after[i][axis]});
  return straight_line(curve).x;
}

}  // namespace

Pulled pull_bar(int layers, double stretch, const Changes& changes) {
  const double height = 0.1, spacing = height / layers;
  Changes all = {fmt::format("body.bar.spacing={:.9g}", spacing),
                 fmt::format("pin.clamp.shape.size=[{:.9g},1,1]", 1.2 * spacing)};
  all.insert(all.end(), changes.begin(), changes.end());
  World world = mls_world("pulled_bar", all);
  const double modulus = parameters_of(world).youngs_modulus, length = 0.5;
  const double stress = modulus * stretch * (stretch * stretch - 1) / 2;
  const std::vector<Vec3d> before = places_of(world);
  Loading loading;
  loading.kind = StepKind::verlet;
  loading.loaded = last_layer(world);
  // Critical for the slowest vibration, of period 4 L / c.
  const double period = 4 * length / wave_speed(world);
  loading.drag = 4 * M_PI / period;
  // In parts, so that steps follow the stiffness; the load grows in the first of them.
  for (int part = 1; part <= 20; ++part) {
    loading.force[0] = stress * height * height * std::min(1.0, part / 5.0);
    load_for(world, loading, period / 6);
  }
  const std::vector<Vec3d> after = places_of(world);
  const double l = stretch_along(before, after, 0, length),
               across = stretch_along(before, after, 1, length);
  return {l, stress / (l * (l * l - 1) / 2), (1 - across * across) / (l * l - 1)};
}

namespace {

/// The beam of the scene, of so many layers; in the plane as the theory of beams has it.
World beam_of(int layers, int dimensions) {
  Changes changes = box("beam", 0.1, layers, 3, 12 * layers);
  changes.push_back(fmt::format("dimensions={}", dimensions));
  if (dimensions == 2) changes.push_back("world.plane=stress");
  return mls_world("cantilever", changes);
}

}  // namespace

std::vector<Bent> bend_beam(int layers, const std::vector<double>& loads, int dimensions) {
  World world = beam_of(layers, dimensions);
  const double height = height_of(world), length = 12 * height;
  const std::vector<Vec3d> before = places_of(world);
  const Group last = last_layer(world);
  const double bending =
      double(parameters_of(world).youngs_modulus) * std::pow(height, dimensions + 1) / 12;
  // Critical for the slowest vibration, 3.516 sqrt(E I / rho A) / L^2.
  const double omega = 3.516 * wave_speed(world) * height / std::sqrt(12) / (length * length);
  std::vector<Bent> results;
  for (const double load : loads) {
    const Loading loading{
        last, {0, -load * bending / (length * length), 0}, 2 * omega, StepKind::verlet};
    load_for(world, loading, 2 * M_PI / omega);
    double drop = 0, now = 0;
    for (int round = 0; round < 20; ++round) {
      now = mean_of(places_of(world), last)[1];
      if (std::abs(now - drop) < 5e-4 * std::abs(now)) break;
      drop = now;
      load_for(world, loading, 0.25 * M_PI / omega);
    }
    const Vec3d moved = mean_of(places_of(world), last) - mean_of(before, last);
    results.push_back({load, -moved[1] / length, -moved[0] / length});
  }
  return results;
}

double swing_bar(int layers) {
  const int free = static_cast<int>(std::lround(25.0 * layers / 2 - 0.5));
  World world = mls_world("swinging_bar", box("bar", 2, layers, 3, free));
  const double length = (free + 0.5) * layer_of(world);  // to the free end
  HostParticles& p = particles_of(world);
  for (Index i = 0; i < p.size(); ++i)
    p.v[i][0] =
        static_cast<Real>(0.1 * std::sin(M_PI / 2 * std::max(0.0, double(p.x[i][0])) / length));
  Curve speed;
  for (Diagnostics d = diagnose(world);; advance(world), d = diagnose(world)) {
    speed.push_back({world.environment.time, d.momentum[0] / d.mass});
    if (world.frame >= frames_of(world)) break;
  }
  return period_of(speed) * 25 / length;
}

double thick_beam(double height_over_length, double poissons_ratio) {
  // Timoshenko: the first mode of a beam held at one end, in powers of the radius of gyration over
  // the length; shear with 2 (1 + nu) / kappa, kappa = 10 (1 + nu) / (12 + 11 nu) of Cowper 1966.
  const double nu = poissons_ratio, square = height_over_length * height_over_length / 12;
  const double kappa = 10 * (1 + nu) / (12 + 11 * nu);
  // Integrals of the thin mode: 4.65 of turning, and as much of shear with the weight E / kappa G.
  return std::sqrt(1 + 4.65 * square * (1 + 2 * (1 + nu) / kappa));
}

double ring_beam(int layers, int dimensions) {
  World world = beam_of(layers, dimensions);
  const double height = height_of(world), layer = layer_of(world), root = 1.87510407;
  const double length = 12 * height + 0.5 * layer;  // to the free end
  const auto mode = [&](double s) {
    const double b = root * s, share = 0.73409551;
    return std::cosh(b) - std::cos(b) - share * (std::sinh(b) - std::sin(b));
  };
  HostParticles& p = particles_of(world);
  std::vector<double> shape(p.x.size());
  for (Index i = 0; i < p.size(); ++i) {
    shape[p.id[i]] = mode(std::max(0.0, double(p.x[i][0]) / length));
    p.v[i][1] = static_cast<Real>(0.001 * wave_speed(world) * shape[p.id[i]]);
  }
  const double omega = std::pow(root / length, 2) * wave_speed(world) * height / std::sqrt(12);
  const double period = 2 * M_PI / omega;
  Curve motion;
  for (int k = 0; k <= 70; ++k) {
    double sum = 0;
    const HostParticles& q = particles_of(world);
    for (Index i = 0; i < q.size(); ++i) sum += shape[q.id[i]] * q.v[i][1];
    motion.push_back({world.environment.time / period, sum});
    load_for(world, {}, 0.02 * period);
  }
  return period_of(motion);
}

Fallen drop_box(const std::string& scene) {
  World world = mls_world(scene, {});
  const auto energy = [&] {
    const Diagnostics d = diagnose(world);
    return d.kinetic_energy + d.potential_energy;
  };
  const std::vector<Vec3d> before = places_of(world);
  const double start = energy();
  Fallen fallen;
  while (world.frame < frames_of(world)) {
    fallen.steps += advance(world).substeps;
    fallen.most_energy = std::max(fallen.most_energy, energy() / start);
  }
  const std::vector<Vec3d> after = places_of(world);
  fallen.lowest = 1e30;
  for (std::size_t i = 0; i < after.size(); ++i) {
    fallen.lowest = std::min(fallen.lowest, after[i][1] / (layer_of(world) / 2));
    if (i == 0) continue;
    const double was = length(before[i] - before[0]);
    fallen.bent = std::max(fallen.bent, std::abs(length(after[i] - after[0]) - was) / was);
  }
  return fallen;
}

}  // namespace phyxel::validation::mls
