#pragma once

#include <fmt/format.h>
#include <limits>
#include <string>
#include <vector>

#include "phyxel/core/random.h"
#include "phyxel/core/svd.h"
#include "phyxel/scene/build.h"
#include "phyxel/scene/local_origin.h"
#include "phyxel/scene/read_scene.h"

// Worlds of one method, and what tests read of them.

namespace phyxel::mls::test {

inline World world_of(const std::string& text) {
  Scene scene = parse_scene(text, "test");
  set_origin(scene, Vec3d::zero());  // tests look at places of the world
  return build(scene);
}

/// A free block of 1000 kg/m^3 and 1e5 Pa: 8 x 4 x 4 spacings of 0.05 m.
struct Block {
  std::string keys = "";  // of its material
  std::string head = "";  // before all tables
  std::string packing = "closest";
  double spacing = 0.05;  // m
  std::string more = "";  // tables behind it
  std::string body = "";  // keys of the body
  std::string size = "[0.4, 0.2, 0.2]";
  std::string world = "";  // keys of its table
};
inline std::string text_of(const Block& b) {
  return fmt::format(R"(
fps = 50
{}
[world]
gravity = [0, 0, 0]
{}
[material.m]
method = "mls"
density = 1000.0
youngs_modulus = 1e5
{}
[body.b]
material = "m"
shape = {{ type = "box", size = {} }}
packing = "{}"
spacing = {}
{}
{}
)",
                     b.head, b.world, b.keys, b.size, b.packing, b.spacing, b.body, b.more);
}

inline Method& method_of(World& world) {
  return *world.methods.front();
}
inline Diagnostics look(World& world) {
  return method_of(world).diagnostics(world.environment);
}
inline double elastic_energy(World& world) {
  for (const auto& [name, value] : look(world).extra)
    if (name == "elastic_energy") return value;
  return -1;
}

/// Of the first method, by id.
inline std::vector<Vec3d> places(World& world) {
  const HostParticles& p = method_of(world).particles();
  std::vector<Vec3d> x(p.x.size());
  for (Index i = 0; i < p.size(); ++i) x[p.id[i]] = cast<double>(p.x[i]);
  return x;
}

/// x = f(where it is, id), v = 0; the body remembers its shape.
template <class F>
void put(World& world, const F& f) {
  method_of(world).begin(world.environment);
  HostParticles& p = method_of(world).particles();
  for (Index i = 0; i < p.size(); ++i) {
    p.x[i] = cast<Real>(Vec3d(f(cast<double>(p.x[i]), p.id[i])));
    p.v[i] = Vec3::zero();
  }
  method_of(world).begin(world.environment);
}

/// Velocities of a spin and of noise.
inline void spin(World& world, const Vec3& omega, Real noise) {
  HostParticles& p = method_of(world).particles();
  const bool flat = world.environment.dimensions == 2;
  for (Index i = 0; i < p.size(); ++i) {
    p.v[i] +=
        cross(omega, p.x[i]) + (Random{3, 0}.uniform3(p.id[i]) - Vec3::filled(Real(0.5))) * noise;
    if (flat) p.v[i][2] = 0;
  }
  method_of(world).begin(world.environment);
}

inline void take_steps(World& world, double dt, int count) {
  for (int k = 0; k < count; ++k) {
    move_to(world.environment, world.environment.time + dt);
    method_of(world).step(world.environment, static_cast<Real>(dt));
    ++world.environment.step;
  }
}
/// The step that the method reports.
inline double stable_dt(World& world) {
  return method_of(world).stable_dt(world.environment).dt;
}

/// Forces on phyxels where they are, N, by id: what a step from rest does. Another one goes before
/// it, as half of a change of velocity is by the forces that acted before.
inline std::vector<Vec3d> forces(World& world) {
  const double dt = 1e-9;
  for (int k = 0; k < 2; ++k) {
    HostParticles& p = method_of(world).particles();
    for (Vec3& v : p.v) v = Vec3::zero();
    method_of(world).begin(world.environment);
    take_steps(world, dt, 1);
  }
  const HostParticles& after = method_of(world).particles();
  std::vector<Vec3d> f(after.x.size());
  for (Index i = 0; i < after.size(); ++i)
    f[after.id[i]] = cast<double>(after.v[i]) * (double(after.mass[i]) / dt);
  return f;
}
inline double largest(const std::vector<Vec3d>& vectors) {
  double most = 0;
  for (const Vec3d& v : vectors) most = std::max(most, length(v));
  return most;
}

/// x -> turn (x - from) + to.
struct RigidMotion {
  Mat3d turn;
  Vec3d from, to;
  Vec3d operator()(const Vec3d& x) const { return turn * (x - from) + to; }
  Vec3d back(const Vec3d& x) const { return transpose(turn) * (x - to) + from; }
};
/// The one that takes points nearest to others, by the mean of squares.
inline RigidMotion fitted(const std::vector<Vec3d>& points, const std::vector<Vec3d>& others) {
  RigidMotion m{Mat3d::identity(), Vec3d::zero(), Vec3d::zero()};
  const double n = double(points.size());
  for (std::size_t i = 0; i < points.size(); ++i) m.from += points[i] / n, m.to += others[i] / n;
  Mat3d moment = Mat3d::zero();
  for (std::size_t i = 0; i < points.size(); ++i)
    moment += outer(others[i] - m.to, points[i] - m.from);
  const Svd<double> parts = svd(moment);
  m.turn = parts.u * transpose(parts.v);
  return m;
}
/// How far points are from a shape, best turned and shifted onto it, over the size of the shape:
/// root mean square.
inline double misfit(const std::vector<Vec3d>& shape, const std::vector<Vec3d>& x) {
  const RigidMotion motion = fitted(shape, x);
  double sum = 0, size = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    sum += length_squared(x[i] - motion(shape[i]));
    size += length_squared(shape[i] - motion.from);
  }
  return std::sqrt(sum / size);
}

/// A column of the method by its name, in the order of the particles.
template <class T>
const T* column(World& world, const std::string& name) {
  for (const ColumnView& view : method_of(world).columns())
    if (view.name == name) return static_cast<const T*>(view.data);
  return nullptr;
}

}  // namespace phyxel::mls::test
