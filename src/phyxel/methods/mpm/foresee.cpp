#include "phyxel/methods/mpm/foresee.h"

#include <algorithm>
#include <cmath>

#include "phyxel/grid/blocks.h"

namespace phyxel::mpm {

Bounds matter_bounds(const Int3& low, const Int3& high, Real dx) {
  Bounds bounds;
  for (int k = 0; k < 3; ++k) {
    bounds.min[k] = Real(low[k] * grid::block_edge - 2) * dx;
    bounds.max[k] = Real(high[k] * grid::block_edge + grid::block_edge + 1) * dx;
  }
  return bounds;
}

double fall_time(double path, double speed, double acceleration) {
  return 2 * path / (speed + std::sqrt(speed * speed + 4 * acceleration * path) + 1e-30);
}

StableStep explicit_step(double wave, double speed, double gravity, double dx, double room) {
  const double waves = 0.4 * dx / (wave + 1e-30), motion = 0.3 * dx / (speed + 1e-30);
  if (motion < waves)
    return {motion, "the fastest particle may cross three tenths of a cell", StepLimit::speed};
  // Gravity has two steps to act.
  const double falls = fall_time(0.9 * room * dx, speed, 2 * gravity);
  if (falls < waves)
    return {falls, "a fall may cross nine tenths of its room in the grid", StepLimit::other, 0.5};
  return {waves, "pressure waves may cross two fifths of a cell", StepLimit::stiffness};
}

StableStep implicit_step(const Environment& environment, double speed, double dx) {
  for (const Collider& collider : environment.colliders)
    speed = std::max(speed, double(length(collider.pose.velocity)));
  // Steps are announced one ahead: gravity has two of them to act.
  const double path = 0.3 * dx, fall = 2 * double(length(environment.gravity));
  const double dt = fall_time(path, speed, fall);
  if (speed > fall * dt)
    return {dt, "the fastest particle may cross three tenths of a cell", StepLimit::speed};
  return {dt, "a fall from rest may cross three tenths of a cell", StepLimit::other, 0.5};
}

StableStep viscous_step(double diffusivity, double dx) {
  // Forward Euler is stable up to 2 / (diffusivity k^2); splines resolve k dx up to 1.8. Measured:
  // 0.64 dx^2 / diffusivity.
  return {0.25 * dx * dx / (diffusivity + 1e-30),
          "viscosity may spread velocities over a quarter of a cell squared", StepLimit::viscosity,
          2};
}

double collider_speed(const Environment& environment, const Bounds& matter, double from,
                      double to) {
  const double radius = 0.5 * double(length(matter.size()));
  double largest = 0;
  for (const Collider& collider : environment.colliders) {
    const double speed = largest_speed(collider, from, to, matter);
    if (speed <= largest) continue;
    const double gap = double(contact_at(collider, matter.centre()).distance) - radius;
    if (gap <= speed * (to - from)) largest = speed;
  }
  return largest;
}

double pin_speed(const Environment& environment, const std::vector<Real>& arms, double from,
                 double to) {
  double largest = 0;
  for (std::size_t k = 0; k < std::min(arms.size(), environment.pins.size()); ++k) {
    const Pin& pin = environment.pins[k];
    if (!pin.active || arms[k] < 0) continue;
    const LargestSpeeds own = largest_speeds(pin.motion, from, to);
    largest =
        std::max(largest, own.velocity + double(length(pin.flow)) + own.angular * double(arms[k]));
  }
  return largest;
}

StableStep beside_obstacles(const StableStep& limit, const Environment& environment,
                            const Bounds& matter, const std::vector<Real>& arms, double dx) {
  const double from = environment.time, to = from + 2 * std::min(limit.dt, 1e6);
  const double path = 0.4 * dx;
  StableStep shortest = limit;
  const double pins = path / (pin_speed(environment, arms, from, to) + 1e-30);
  if (pins < shortest.dt)
    shortest = {pins, "particles under a pin may cross two fifths of a cell", StepLimit::speed};
  const double colliders = path / (collider_speed(environment, matter, from, to) + 1e-30);
  if (colliders < shortest.dt)
    shortest = {colliders, "a collider may cross two fifths of a cell", StepLimit::contact};
  return shortest;
}

}  // namespace phyxel::mpm
