#pragma once

#include <vector>

#include "methods/mpm/conjugate_residual.h"
#include "phyxel/methods/mpm/stress_change.h"

namespace phyxel::mpm {

using NodeVelocities = std::vector<Vec3d>;

/// The share of one particle in an implicit step.
struct TextbookSpring {
  struct End {
    std::size_t node;
    Vec3d slope;  // of its weight, 1/m
  };
  std::vector<End> ends;
  Stiffness<double> stiffness;  // times beta dt^2 and the volume at rest
};

/// 1 + beta dt^2 M^-1 K on the velocities of nodes (Stomakhin et al. 2013, eq. 9).
struct TextbookSystem {
  std::vector<double> mass;
  std::vector<TextbookSpring> springs;

  void apply(const NodeVelocities& v, NodeVelocities& out) const {
    out = v;
    for (const TextbookSpring& spring : springs) {
      Mat3d gradient = Mat3d::zero();
      for (const auto& [node, slope] : spring.ends) gradient += outer(v[node], slope);
      const Mat3d change = stress_change(spring.stiffness, gradient);
      for (const auto& [node, slope] : spring.ends) out[node] += change * slope / mass[node];
    }
  }
  double inner(const NodeVelocities& a, const NodeVelocities& b) const {
    double sum = 0;
    for (std::size_t i = 0; i < mass.size(); ++i) sum += mass[i] * dot(a[i], b[i]);
    return sum;
  }
  void copy(const NodeVelocities& a, NodeVelocities& b) const { b = a; }
  void add(double scale, const NodeVelocities& a, NodeVelocities& b) const {
    for (std::size_t i = 0; i < mass.size(); ++i) b[i] += a[i] * scale;
  }
  void renew(double scale, const NodeVelocities& a, NodeVelocities& b) const {
    for (std::size_t i = 0; i < mass.size(); ++i) b[i] = a[i] + b[i] * scale;
  }
};

}  // namespace phyxel::mpm
