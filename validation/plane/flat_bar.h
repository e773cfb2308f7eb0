#pragma once

#include <cmath>
#include <fmt/format.h>
#include <string>
#include <vector>

#include "phyxel/scene/build.h"
#include "phyxel/scene/read_scene.h"

// A free flat bar that vibrates, and its period by the theory of bars and beams.

namespace phyxel {

/// Of 1000 kg/m^3 and 1e5 Pa; `rows` of particles lie across its height of 0.1 m. Those of
/// `lattice` are an odd number, as one lies in the middle.
struct FlatBar {
  std::string method, plane;
  std::string keys;  // of its material
  double poissons_ratio = 0.3;
  int rows = 8;
  double slenderness = 10;  // length over height
  static constexpr double height = 0.1, density = 1000, youngs_modulus = 1e5;

  double length() const { return slenderness * height; }
  /// Of a thin bar along itself, m/s.
  double wave_speed() const {
    const double nu = poissons_ratio, modulus = youngs_modulus;
    return std::sqrt((plane == "strain" ? modulus / (1 - nu * nu) : modulus) / density);
  }
};

inline World world_of(const FlatBar& bar) {
  // Hexagonal rows are closer to each other than particles are; cubic ones are not.
  const bool hexagonal = bar.method == "lattice";
  const double row = FlatBar::height / bar.rows;
  return build(
      parse_scene(
          fmt::format(R"(
dimensions = 2
fps = 99999
[world]
gravity = [0, 0, 0]
plane = "{}"
[material.m]
method = "{}"
density = {}
youngs_modulus = {}
poissons_ratio = {}
{}
[body.b]
material = "m"
shape = {{ type = "box", size = [{}, {}, 1] }}
packing = "{}"
spacing = {:.9g}
)",
                      bar.plane, bar.method, FlatBar::density, FlatBar::youngs_modulus,
                      bar.poissons_ratio, bar.keys, bar.length(), FlatBar::height,
                      hexagonal ? "hexagonal" : "cubic", hexagonal ? row / std::sqrt(0.75) : row),
          "test"),
      {});
}

/// cos(pi s): the first mode of a free bar along itself, s from 0 to 1.
inline double axial_mode(double s) {
  return std::cos(M_PI * s);
}

constexpr double free_root = 4.730040745;
/// The first mode of a free beam sideways.
inline double bending_mode(double s) {
  const double k = free_root;
  const double part = (std::cosh(k) - std::cos(k)) / (std::sinh(k) - std::sin(k));
  return std::cosh(k * s) + std::cos(k * s) - part * (std::sinh(k * s) + std::sin(k * s));
}

/// Period by theory: 2 L / c along itself; sideways that of a thin beam of Euler and Bernoulli, s.
inline double axial_period(const FlatBar& bar) {
  return 2 * bar.length() / bar.wave_speed();
}
inline double bending_period(const FlatBar& bar) {
  const double l = bar.length(), radius = FlatBar::height / std::sqrt(12.0);
  return 2 * M_PI * l * l / (free_root * free_root * bar.wave_speed() * radius);
}

/// The period of the vibration that begins with velocities of this shape along an axis, from the
/// turning points of the velocities' share of it, s. `about`: an estimate.
template <class Mode>
double measure_period(const FlatBar& bar, const Mode& mode, int axis, double about) {
  World world = world_of(bar);
  Method& method = *world.methods.front();
  const Index n = method.particles().size();
  double low = 1e30, high = -1e30;
  for (const Vec3& x : method.particles().x)
    low = std::min<double>(low, x[0]), high = std::max<double>(high, x[0]);
  const double end = 0.5 * (bar.length() - (high - low));  // from the last particle to the end
  std::vector<double> shape(n);
  // Small against the height, large against the rounding of what a step strains.
  const double fast = 1e-3 * bar.wave_speed();
  {
    HostParticles& p = method.particles();
    for (Index i = 0; i < n; ++i) {
      shape[p.id[i]] = mode((double(p.x[i][0]) - low + end) / bar.length());
      p.v[i][axis] = static_cast<Real>(fast * shape[p.id[i]]);
    }
  }
  const auto share = [&] {
    const HostParticles& p = method.particles();
    double sum = 0;
    for (Index i = 0; i < n; ++i) sum += shape[p.id[i]] * double(p.v[i][axis]);
    return sum;
  };
  // Through zero at one quarter and three quarters of each period.
  constexpr int looks = 40;
  world.live.fps = looks / about;
  std::vector<double> zeros;
  double before = share();
  for (int k = 0; zeros.size() < 4 && k < 4 * looks; ++k) {
    advance(world);
    const double now = share(), dt = about / looks;
    if (before * now < 0) zeros.push_back(dt * (k + before / (before - now)));
    before = now;
  }
  return zeros.size() < 4 ? 0 : 2 * (zeros.back() - zeros.front()) / 3;
}

}  // namespace phyxel
