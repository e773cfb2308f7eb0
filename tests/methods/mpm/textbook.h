#pragma once

#include <array>
#include <cmath>
#include <map>
#include <variant>
#include <vector>

#include "methods/mpm/textbook_implicit.h"
#include "phyxel/grid/bspline.h"
#include "phyxel/methods/mpm/laws.h"

// The material point method as the papers print it, one particle after the other, in double and
// without any thought of speed: the judge of everything faster.

namespace phyxel::mpm {

inline double fresh_memory(const AnyLaw& law) {
  return std::visit([](const auto& l) { return double(l.fresh); }, law);
}

struct TextbookParticle {
  Vec3d x, v = Vec3d::zero();  // m, m/s
  double mass = 1;             // kg
  double volume = 1;           // m^3 at rest
  AnyLaw law;
  double memory = 0;             // of the law
  Mat3d c = Mat3d::zero();       // velocity gradient, 1/s
  Mat3d f = Mat3d::identity();   // elastic deformation gradient
  Mat3d stress = Mat3d::zero();  // Kirchhoff, Pa
};

class Textbook {
 public:
  using Place = std::array<int, 3>;
  struct Node {
    double mass = 0;
    Vec3d momentum = Vec3d::zero(), force = Vec3d::zero();
    Vec3d before = Vec3d::zero(), velocity = Vec3d::zero();
    std::size_t row = 0;  // of an implicit step
  };

  double dx = 1;  // m between nodes
  Vec3d gravity = Vec3d::zero();
  double flip = -1;  // share of FLIP in a cubic transfer; below 0: quadratic APIC
  double beta = 0;   // 0 explicit, 1/2 trapezoidal, 1 backward Euler
  SolveLimits limits{1e-8, 0, 1000};
  // Not as printed: particles of a blend move with the grid's velocity and not with their own,
  // which loses less energy.
  bool along_grid = false;
  std::vector<TextbookParticle> particles;
  std::map<Place, Node> grid;  // of the last step
  SolveReport report;          // of its implicit part

  void step(double dt) {
    grid.clear();
    for (const TextbookParticle& p : particles) rasterise(p);
    for (auto& [place, node] : grid) {
      node.before = node.momentum / node.mass;
      node.velocity = node.before + (node.force / node.mass + gravity) * dt;
    }
    if (beta > 0) solve(dt);
    for (TextbookParticle& p : particles) gather(p, dt);
  }

 private:
  struct Weight {
    Place place;
    double value;
    Vec3d slope, off;  // 1/m; m, of the node from the particle
  };

  std::vector<Weight> weights(const Vec3d& x) const {
    const int n = flip < 0 ? 3 : 4;
    double value[3][4], slope[3][4];
    int first[3];
    for (int k = 0; k < 3; ++k) {
      const double at = x[k] / dx;
      if (flip < 0) {
        const double middle = std::floor(at + 0.5), o = at - middle;
        first[k] = int(middle) - 1;
        const Vec<double, 3> w = grid::quadratic_weights(o);
        const double d[3] = {o - 0.5, -2 * o, o + 0.5};
        for (int i = 0; i < 3; ++i) value[k][i] = w[i], slope[k][i] = d[i] / dx;
      } else {
        first[k] = int(std::floor(at)) - 1;
        const grid::CubicWeights<double> w = grid::cubic_weights(at - std::floor(at));
        for (int i = 0; i < 4; ++i) value[k][i] = w.value[i], slope[k][i] = w.slope[i] / dx;
      }
    }
    std::vector<Weight> list;
    for (int a = 0; a < n; ++a)
      for (int b = 0; b < n; ++b)
        for (int c = 0; c < n; ++c) {
          const Place place{first[0] + a, first[1] + b, first[2] + c};
          Weight w{place, value[0][a] * value[1][b] * value[2][c], {}, {}};
          w.slope = {slope[0][a] * value[1][b] * value[2][c],
                     value[0][a] * slope[1][b] * value[2][c],
                     value[0][a] * value[1][b] * slope[2][c]};
          for (int k = 0; k < 3; ++k) w.off[k] = place[k] * dx - x[k];
          list.push_back(w);
        }
    return list;
  }

  void rasterise(const TextbookParticle& p) {
    for (const Weight& w : weights(p.x)) {
      Node& node = grid[w.place];
      const Vec3d v = flip < 0 ? p.v + p.c * w.off : p.v;
      node.mass += w.value * p.mass;
      node.momentum += v * (w.value * p.mass);
      // f = -sum V0 tau grad w; for MLS the slope of the quadratic kernel is 4 / dx^2 w off.
      node.force -= flip < 0 ? p.stress * w.off * (p.volume * 4 / (dx * dx) * w.value)
                             : p.stress * w.slope * p.volume;
    }
  }

  /// From the velocities of an explicit step as first guess: what is added has no momentum, however
  /// early the solve ends.
  void solve(double dt) {
    TextbookSystem system;
    NodeVelocities explicit_velocity;
    for (auto& [place, node] : grid) {
      node.row = system.mass.size();
      system.mass.push_back(node.mass);
      explicit_velocity.push_back(node.velocity);
    }
    for (const TextbookParticle& p : particles) system.springs.push_back(spring(p, dt));
    NodeVelocities velocity = explicit_velocity;
    ResidualVectors<NodeVelocities> with{velocity, velocity, velocity, velocity};
    report = conjugate_residual(system, explicit_velocity, velocity, with, limits);
    for (auto& [place, node] : grid) node.velocity = velocity[node.row];
  }

  TextbookSpring spring(const TextbookParticle& p, double dt) const {
    TextbookSpring s;
    for (const Weight& w : weights(p.x))
      s.ends.push_back(
          {grid.at(w.place).row, flip < 0 ? w.off * (w.value * 4 / (dx * dx)) : w.slope});
    const auto of_law = [&](const auto& law) { return stiffness_of(law, p.f, p.memory); };
    s.stiffness = held_positive(std::visit(of_law, p.law)) * (beta * dt * dt * p.volume);
    return s;
  }

  void gather(TextbookParticle& p, double dt) {
    Vec3d pic = Vec3d::zero(), change = Vec3d::zero();
    Mat3d affine = Mat3d::zero(), gradient = Mat3d::zero();
    for (const Weight& w : weights(p.x)) {
      const Node& node = grid.at(w.place);
      pic += node.velocity * w.value;
      change += (node.velocity - node.before) * w.value;
      affine += outer(node.velocity, w.off) * (w.value * 4 / (dx * dx));
      gradient += outer(node.velocity, w.slope);
    }
    p.c = flip < 0 ? affine : gradient;
    p.v = flip < 0 ? pic : pic * (1 - flip) + (p.v + change) * flip;
    p.x += (along_grid ? pic : p.v) * dt;
    respond_to(p, dt);
  }

  static void respond_to(TextbookParticle& p, double dt) {
    if (const auto* liquid = std::get_if<LiquidLaw>(&p.law)) {
      p.stress = liquid_stress(*liquid, p.c, dt, p.memory);
      return;
    }
    p.f = (Mat3d::identity() + p.c * dt) * p.f;
    std::visit(
        [&](const auto& law) {
          if constexpr (!std::is_same_v<std::decay_t<decltype(law)>, LiquidLaw>)
            p.stress = respond(law, p.f, p.memory, dt);
        },
        p.law);
  }
};

/// A block of cubic packing with two particles along each edge of a cell.
inline std::vector<TextbookParticle> textbook_block(const Vec3d& low, const Vec3d& size, double dx,
                                                    double density, const AnyLaw& law) {
  const double s = dx / 2;
  std::vector<TextbookParticle> block;
  for (double z = s / 2; z < size[2]; z += s)
    for (double y = s / 2; y < size[1]; y += s)
      for (double x = s / 2; x < size[0]; x += s) {
        TextbookParticle p;
        p.x = low + Vec3d{x, y, z};
        p.volume = s * s * s;
        p.mass = density * p.volume;
        p.law = law;
        p.memory = fresh_memory(law);
        block.push_back(p);
      }
  return block;
}

}  // namespace phyxel::mpm
