#include "phyxel/scene/forecast.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <optional>

#include "phyxel/geometry/box_tree.h"
#include "phyxel/scene/build.h"
#include "phyxel/scene/emitters.h"
#include "phyxel/scene/resolution.h"
#include "phyxel/scene/start_checks.h"

namespace phyxel {

namespace {

// Limits of the trial, counted and not timed: the prediction is the same on every machine.
constexpr double most_work = 1.5e6;       // particles times steps
constexpr double work_of_a_step = 300;    // beside its particles
constexpr double enough_particles = 400;  // of a copy; a scene of half as many more is tried itself
constexpr double steps_at_once = 40;      // between two looks at the work done

/// A world of the scene with larger spacings; none where it cannot be made coarser.
std::optional<World> coarser_world(Scene scene, double factor, double fps) {
  try {
    scene.time.settle = 0;
    scene.fps = fps;
    scene.resolution = 1 / factor;
    apply_resolution(scene);
    return build(std::move(scene));
  } catch (const Error&) {
    return std::nullopt;  // a thin part has no particle any more, or files say the particles
  }
}

/// The world to be tried: a coarser one where there are many particles, otherwise the world itself.
World trial_world(const Scene& scene, World world, double fps, double& coarser) {
  const double particles = double(particle_count(world));
  if (particles > 1.5 * enough_particles)
    for (double share = 1; share > 0.1; share /= 2) {
      if (double(scene.bodies.size()) > enough_particles / share)
        continue;  // each keeps a particle
      coarser = std::pow(1 + share * (particles / enough_particles - 1), 1.0 / scene.dimensions);
      if (std::optional<World> copy = coarser_world(scene, coarser, fps)) return std::move(*copy);
    }
  coarser = 1;
  world.live.fps = fps;
  return world;
}

/// Steps in a frame of the scene, from what a coarser copy takes.
double finer(double steps, const StableStep& limit, double coarser) {
  return steps * std::pow(coarser, limit.power);
}

/// Lets the copy run as long as the work allows.
void try_out(World& copy, double fps, double duration, double scale, double coarser,
             StepForecast& forecast) {
  double work = 0, steps = 0, frame_began = 0;
  StableStep least;
  std::string cause;
  const StableStep start = stable_step(copy);
  while (copy.environment.time < duration && work < most_work) {
    const AdvanceReport report = advance(copy, static_cast<int>(2 * steps_at_once));
    work += report.substeps * (double(particle_count(copy)) + work_of_a_step);
    steps += report.substeps;
    if (report.least.dt < least.dt) {
      least = report.least;
      if (least.dt < 0.8 * forecast.least.dt) cause = step_cause(copy, least);
    }
    const double passed = copy.environment.time - frame_began;
    const bool is_frame = passed > (1 - 1e-6) / fps, ends = work >= most_work;
    if (!is_frame && !ends) continue;
    const double same_law = least.power == start.power ? scale : 1;
    const double in_frame = finer(steps / (passed * fps), least, coarser) * same_law;
    if (in_frame > forecast.most_steps) {
      forecast.most_steps = in_frame;
      forecast.time = copy.environment.time;
      forecast.least = least;
      forecast.least.dt = 1 / (fps * in_frame);
      if (!cause.empty()) forecast.cause = cause;
    }
    steps = 0;
    frame_began = copy.environment.time;
    least = {};
  }
  forecast.until = std::min(duration, copy.environment.time);
}

/// The largest speed that tables of the scene prescribe after `from`, m/s.
double prescribed_speed(const World& world, double from) {
  double speed = 0;
  const Scene& scene = world.live;
  const auto follow = [&](const Motion& motion) {
    for (std::size_t k = 0; k + 1 < motion.times.size(); ++k)
      if (motion.interpolation != Interpolation::step && motion.times[k + 1] > from &&
          motion.times[k] < scene.duration && !motion.positions.empty())
        speed = std::max(speed, double(length(motion.positions[k + 1] - motion.positions[k])) /
                                    (motion.times[k + 1] - motion.times[k]));
  };
  for (const Collider& collider : world.environment.colliders)
    if (collider.jumps.empty()) follow(collider.motion);
  for (const PinSpec& pin : scene.pins) follow(pin.motion);
  for (const Emission& e : world.emissions)
    speed = std::max(speed,
                     fastest_stream(scene, scene.bodies[e.body], e.stream, from, scene.duration));
  for (const EventSpec& event : scene.events)
    for (const Assignment& set : event.set)
      if (const auto* v = std::get_if<std::vector<double>>(&set.value);
          v && event.time > from && event.time < scene.duration && set.path.starts_with("body.") &&
          set.path.ends_with(".velocity"))
        speed = std::max(speed, std::hypot((*v)[0], (*v)[1], (*v)[2]));
  return speed;
}

/// How far a point can fall before one of the colliders is in the way, m; at most `most`.
double free_fall(const std::vector<Collider>& colliders, const std::vector<Index>& below,
                 const Vec3& x, const Vec3& down, double most, double least) {
  double fallen = 0;
  for (int k = 0; k < 200 && fallen < most; ++k) {
    double room = most;
    for (const Index c : below)
      room = std::min(room, double(contact_at(colliders[c], x + down * Real(fallen)).distance));
    if (room < least) break;
    fallen += room;
  }
  return std::min(fallen, most);
}

/// The same for matter of the world: the highest fall of some of its particles.
double fall_height(World& world, double most) {
  const std::vector<Collider>& colliders = world.environment.colliders;
  std::vector<Bounds> boxes;
  for (const Collider& c : colliders) boxes.push_back(bounds_now(c));
  const BoxTree tree = make_box_tree(boxes);
  const Vec3 down = normalized(world.environment.gravity);
  double height = 0;
  for (auto& method : world.methods) {
    const HostParticles& p = method->particles();
    const Index stride = std::max<Index>(1, p.size() / 200);
    for (Index i = 0; i < p.size(); i += stride) {
      const Real spacing = world.environment.materials[p.material[i]].spacing;
      Bounds column;
      column.include(p.x[i]);
      column.include(p.x[i] + down * Real(most));
      column.min -= Vec3::filled(spacing);
      column.max += Vec3::filled(spacing);
      height = std::max(height, free_fall(colliders, boxes_meeting(tree, column), p.x[i], down,
                                          most, 0.1 * double(spacing)));
    }
  }
  return height;
}

/// The largest speed of the particles now, m/s.
double largest_speed(World& world) {
  Real squared = 0;
  for (auto& method : world.methods)
    for (const Vec3& v : method->particles().v) squared = std::max(squared, length_squared(v));
  return std::sqrt(double(squared));
}

/// The step where the fastest particle has at least this speed.
StableStep step_at_speed(World& world, double speed) {
  if (speed <= largest_speed(world)) return {};
  const Vec3 along =
      length(world.environment.gravity) > 0 ? normalized(world.environment.gravity) : Vec3{1, 0, 0};
  for (auto& method : world.methods) {
    HostParticles& p = method->particles();
    if (p.size() == 0) continue;
    for (Vec3& v : p.v) v = along * Real(speed);  // together, so that no pair is torn apart
    method->begin(world.environment);
  }
  return stable_step(world);
}

/// What the trial did not reach: falls continue, and tables prescribe speeds.
void look_beyond(World& copy, double fps, double coarser, StepForecast& forecast) {
  const double left = copy.live.duration - forecast.until;
  if (!(left > 0)) return;
  const double now = largest_speed(copy), g = length(copy.environment.gravity);
  double speed = prescribed_speed(copy, forecast.until);
  if (g > 0) {
    const double height = fall_height(copy, now * left + 0.5 * g * left * left);
    speed = std::max(speed, std::sqrt(now * now + 2 * g * height));
  }
  if (!(speed > 1.05 * now)) return;
  const StableStep limit = step_at_speed(copy, speed);
  if (limit.by != StepLimit::speed && limit.by != StepLimit::contact) return;
  const double steps = finer(1 / (fps * limit.dt), limit, coarser);
  if (steps <= forecast.most_steps) return;
  forecast.most_steps = steps;
  forecast.time = std::min(copy.live.duration,
                           forecast.until + (g > 0 ? std::min(left, (speed - now) / g) : 0));
  forecast.least = limit;
  forecast.least.dt = 1 / (fps * steps);
  forecast.cause = fmt::format("speeds of {:.3g} m/s are foreseen", speed);
}

}  // namespace

StepForecast forecast_steps(const Scene& scene, World world) {
  StepForecast forecast;
  forecast.start = stable_step(world);
  forecast.least = forecast.start;
  forecast.start_steps = std::ceil(1 / (scene.fps * forecast.start.dt) * (1 - 1e-9));
  // Looks at the work done come often, however long a frame is.
  const double parts = std::ceil(std::max(1.0, forecast.start_steps) / steps_at_once);
  World copy = trial_world(scene, std::move(world), scene.fps * parts, forecast.coarser);
  const StableStep start = stable_step(copy);
  const double scale =
      forecast.start.dt > 0 && start.power == forecast.start.power
          ? start.dt / (forecast.start.dt * std::pow(forecast.coarser, start.power))
          : 1;
  try {
    try_out(copy, scene.fps, scene.duration, scale, forecast.coarser, forecast);
    look_beyond(copy, scene.fps, forecast.coarser, forecast);
  } catch (const Error&) {
    // The run reports an error of the copy itself, if it occurs there too.
    forecast.until = std::min(scene.duration, copy.environment.time);
  }
  forecast.most_steps = std::max(std::ceil(forecast.most_steps), forecast.start_steps);
  return forecast;
}

}  // namespace phyxel
