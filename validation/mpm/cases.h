#pragma once

#include <array>
#include <string>
#include <vector>

#include "phyxel/scene/world.h"

// Physics of the method `mpm` against numbers from outside. Each case runs a scene of this folder
// and measures; the tests run them small, validate_mpm at full size.

namespace phyxel::validation {

/// "material.sand.friction_angle=0": changes to a scene.
using Changes = std::vector<std::string>;

/// A scene of this folder.
World world_of(const std::string& scene, const Changes& changes = {});

/// A column of the first method.
template <class T>
const T* column(World& world, const std::string& name) {
  for (const ColumnView& view : world.methods.front()->columns())
    if (view.name == name) return static_cast<const T*>(view.data);
  return nullptr;
}

/// Points of a curve.
struct Point {
  double x, y;
};
using Curve = std::vector<Point>;

/// Two columns of numbers; lines of # and of words are left out.
Curve read_curve(const std::string& file, int x = 0, int y = 1);

/// The curve at x, by straight lines; the ends go on level.
double value_at(const Curve& curve, double x);

/// What cannot change where nothing acts from outside. Spin is that of the affine velocities of
/// quadratic splines: m dx^2/4 (C - C^T).
struct Totals {
  double mass = 0;
  Vec3d momentum = Vec3d::zero(), angular = Vec3d::zero(), spin = Vec3d::zero();
  double momentum_scale = 0, angular_scale = 0;  // sums of sizes: what rounding is measured by
};
Totals totals_of(World& world, double dx);

/// Elastic energy of all particles, J (per m of depth where flat).
double strain_energy(World& world);

struct Disks {
  Curve kinetic, strain;  // J/m over s
  double before = 0, after = 0;
  double momentum = 0;  // the largest, over that of one disk
};
Disks collide_disks(const Changes& changes);

struct Bar {
  Curve speed, exact;  // of the centre of mass, m/s over s
  double period = 0;   // s
  double kept = 0;     // amplitude after three periods over that at the start
};
Bar swing_bar(const Changes& changes);

struct Settled {
  Curve pressure;      // Pa over height in m
  double base = 0;     // pressure at the floor by a straight line, over rho g h
  double slope = 0;    // its slope over -rho g
  double speed = 0;    // that of the fastest particle in the end, m/s
  double height = 0;   // of the column in the end, m
  double scatter = 0;  // RMS of the particles' pressures about that line, over rho g h
};
Settled settle_column(const Changes& changes);

struct Collapse {
  Curve front;         // run-out (L - L0)/L0 over t sqrt(g/H0)
  Curve outline;       // height of the heap over x in the end, both over L0
  double run_out = 0;  // the largest
};
Collapse drop_sand(const Changes& changes);

struct DamBreak {
  Curve front;         // front/a over t sqrt(2g/a)
  double error = 0;    // RMS of front/measured - 1 for 0.84 <= T <= 3.3
  double shifted = 0;  // the same with the gate's delay of 0.175
};
DamBreak break_dam(const Changes& changes);

struct Slide {
  Curve speed;              // along the slope, m/s over s
  double acceleration = 0;  // in the second half, m/s^2
  double path = 0;          // of the centre in the second half, m
};
Slide slide_block(double friction, const Changes& changes);

struct Shaken {
  std::size_t lost = 0;  // particles outside the box or no numbers
  double deepest = 0;    // of all particles in the wall, in cells
  double fastest = 0;    // m/s
  std::size_t particles = 0;
};
Shaken shake_box(double seconds, const Changes& changes);

}  // namespace phyxel::validation
