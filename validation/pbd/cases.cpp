#include "pbd/cases.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

#include "pbd/statics.h"
#include "pbd/worlds.h"
#include "phyxel/methods/pbd/material.h"
#include "phyxel/scene/build.h"
#include "phyxel/scene/local_origin.h"
#include "phyxel/scene/read_scene.h"

namespace phyxel::validation::pbd {

using namespace lattice;

namespace {

double wave_speed(const World& world) {
  return std::sqrt(double(parameters_of_pbd(world).youngs_modulus) /
                   double(world.environment.materials.front().density));
}

constexpr double height = 0.1, speed = 10;  // of the scenes; m and m/s
constexpr int slenderness = 8;

Group last_layer(World& world) {
  double end = -1e30;
  for (const Vec3& x : particles_of(world).x) end = std::max(end, double(x[0]));
  const double layer = double(world.live.bodies.front().spacing);
  return group_where(world, [&](const Vec3& x) { return x[0] > end - 0.1 * layer; });
}

std::string substeps_of_rubber(double spacing) {
  return fmt::format("material.rubber.substeps={}", substeps_for(speed, spacing));
}

/// A box with so many layers, `held` of them up to x = 0, and `free` behind.
Changes box(const std::string& body, int layers, int held, int free) {
  const double spacing = height / layers, size = (held + free) * spacing;
  const double left = -(held - 0.5) * spacing;
  return {fmt::format("body.{}.spacing={:.9g}", body, spacing),
          fmt::format("body.{}.shape.centre=[{:.9g},0,0]", body, left + size / 2),
          fmt::format("body.{}.shape.size=[{:.9g},{:.9g},{:.9g}]", body, size, height, height),
          substeps_of_rubber(spacing)};
}

void append(Changes& to, const Changes& more) {
  to.insert(to.end(), more.begin(), more.end());
}

/// Strain along an axis in the middle third of the bar: the slope of displacements over places.
double strain_along(const std::vector<Vec3d>& before, const std::vector<Vec3d>& after, int axis,
                    double length) {
  Curve curve;
  for (std::size_t i = 0; i < before.size(); ++i)
    if (std::abs(before[i][0] - length / 2) < length / 6)
      curve.push_back({before[i][axis], after[i][axis] - before[i][axis]});
  return straight_line(curve).x;
}

}  // namespace

Scene scene_of_pbd(const std::string& scene, const Changes& changes) {
  std::vector<Override> overrides;
  for (const std::string& change : changes) overrides.push_back(parse_override(change));
  Scene read =
      read_scene(std::string(PHYXEL_VALIDATION_DIR) + "/pbd/" + scene + ".toml", overrides);
  set_origin(read, Vec3d::zero());  // the cases look at places of the world
  return read;
}
World world_of_pbd(const std::string& scene, const Changes& changes) {
  return build(scene_of_pbd(scene, changes));
}
const phyxel::pbd::Parameters& parameters_of_pbd(const World& world) {
  return phyxel::parameters_of<phyxel::pbd::Parameters>(world.environment.materials.front());
}
int substeps_for(double speed, double spacing) {
  return static_cast<int>(std::ceil(speed / (60 * 0.25 * spacing)));
}

Pulled pull_bar(int layers, double strain, const Changes& changes) {
  const double spacing = height / layers, length = 0.5;
  Changes all = {fmt::format("body.bar.spacing={:.9g}", spacing), substeps_of_rubber(spacing),
                 fmt::format("pin.clamp.shape.size=[{:.9g},1,1]", 1.2 * spacing)};
  append(all, changes);
  World world = world_of_pbd("pulled_bar", all);
  const double stress = double(parameters_of_pbd(world).youngs_modulus) * strain;
  const std::vector<Vec3d> before = places_of(world);
  const double period = 4 * length / wave_speed(world);
  // Critical for the slowest vibration.
  const Loading loading{last_layer(world),
                        {stress * height * height, 0, 0},
                        4 * M_PI / period,
                        StepKind::velocities_first};
  load_for(world, loading, 4 * period);
  const std::vector<Vec3d> after = places_of(world);
  const double along = strain_along(before, after, 0, length);
  return {stress / along, -strain_along(before, after, 1, length) / along};
}

double shear_of_beam() {
  const double nu = 0.3, shape = 10 * (1 + nu) / (12 + 11 * nu);
  return 1 + 3 * 2 * (1 + nu) / (12 * shape * slenderness * slenderness);
}

Bent bend_beam(int layers, double load, const Changes& changes) {
  Changes all = box("beam", layers, 2, slenderness * layers);
  append(all, changes);
  World world = world_of_pbd("cantilever", all);
  const double length = slenderness * height;
  const std::vector<Vec3d> before = places_of(world);
  const Group last = last_layer(world);
  const double bending = double(parameters_of_pbd(world).youngs_modulus) * std::pow(height, 4) / 12;
  // Critical for the slowest vibration, 3.516 sqrt(E I / rho A) / L^2.
  const double omega = 3.516 * wave_speed(world) * height / std::sqrt(12) / (length * length);
  const Loading loading{
      last, {0, -load * bending / (length * length), 0}, 2 * omega, StepKind::velocities_first};
  load_for(world, loading, 2 * M_PI / omega);
  double drop = 0, now = 0;
  for (int round = 0; round < 20; ++round) {
    now = mean_of(places_of(world), last)[1];
    if (std::abs(now - drop) < 5e-4 * std::abs(now)) break;
    drop = now;
    load_for(world, loading, 0.25 * M_PI / omega);
  }
  const Vec3d moved = mean_of(places_of(world), last) - mean_of(before, last);
  return {-moved[1] / length, -moved[0] / length};
}

double static_drop(int layers, double load, const Changes& changes) {
  Changes all = box("beam", layers, 2, slenderness * layers);
  append(all, changes);
  const Scene scene = scene_of_pbd("cantilever", all);
  World world = build(scene);
  const double length = slenderness * height;
  const double bending = double(parameters_of_pbd(world).youngs_modulus) * std::pow(height, 4) / 12;
  const std::vector<Vec3d> before = places_of(world);
  const Group last = last_layer(world);
  std::vector<Vec3d> force(before.size(), Vec3d::zero());
  for (const ParticleId id : last)
    force[id][1] = -load * bending / (length * length) / double(last.size());
  const std::vector<Vec3d> after = equilibrium(springs_of(scene, world), force);
  return (mean_of(before, last)[1] - mean_of(after, last)[1]) / length;
}

Blown blow_balloon(double ambient_pressure, const Changes& changes) {
  Changes all = {fmt::format("material.skin.ambient_pressure={:.9g}", ambient_pressure)};
  append(all, changes);
  World world = world_of_pbd("balloon", all);
  Method& method = method_of(world);
  method.begin(world.environment);
  const auto volume = [&] {
    const Diagnostics d = method.diagnostics(world.environment);
    for (const auto& [name, value] : d.extra)
      if (name == "gas_volume") return value;
    return 0.0;
  };
  const double at_rest = volume();
  load_for(world, {{}, Vec3d::zero(), 20, StepKind::velocities_first}, 4);
  return {volume() / at_rest};
}

}  // namespace phyxel::validation::pbd
