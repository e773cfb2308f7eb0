#pragma once

#include <limits>
#include <vector>

#include "phyxel/core/random.h"
#include "phyxel/core/svd.h"
#include "phyxel/methods/mls/material.h"

// Deformations, materials and clouds of points to try the pure functions on. Differences are taken
// in double in either build: the law is a template.

namespace phyxel::mls::test {

constexpr double eps = std::numeric_limits<Real>::epsilon();

inline Vec3d random_vector(std::uint64_t a, std::uint64_t b) {
  return cast<double>(Random{7, 1}.uniform3(a, b)) * 2.0 - Vec3d::filled(1);
}
inline Mat3d random_matrix(std::uint64_t a, std::uint64_t b) {
  return {{random_vector(a, 3 * b), random_vector(a, 3 * b + 1), random_vector(a, 3 * b + 2)}};
}
inline Mat3d random_rotation(std::uint64_t a) {
  const Svd<double> parts = svd(random_matrix(a, 900));
  return parts.u * transpose(parts.v);
}
inline double inner(const Mat3d& a, const Mat3d& b) {
  return dot(a[0], b[0]) + dot(a[1], b[1]) + dot(a[2], b[2]);
}
inline double size(const Mat3d& a) {
  return std::sqrt(norm_squared(a));
}
inline Symmetric<double> identity() {
  return {1, 1, 1, 0, 0, 0};
}

/// Gradients from the smallest strains to sixfold stretches, a part of them inverted or flat.
inline std::vector<Mat3d> many_gradients() {
  std::vector<Mat3d> all = {Mat3d::identity(), diagonal(Vec3d{-1, 1, 1}), Mat3d::zero(),
                            diagonal(Vec3d{1, 1, 0}), diagonal(Vec3d{-2, -1, -3})};
  for (int k = 0; k < 60; ++k)
    for (const double amount : {1e-3, 0.3, 1.0, 3.0})
      all.push_back(random_rotation(k) * (Mat3d::identity() + random_matrix(k, 1) * amount));
  return all;
}

inline Parameters elastic(double youngs_modulus, double poissons_ratio) {
  Parameters p;
  p.youngs_modulus = Real(youngs_modulus);
  p.poissons_ratio = Real(poissons_ratio);
  p.fibre = {1, 0, 0};  // where there are any
  return p;
}
inline Material material_with(const Parameters& p, int dimensions = 3) {
  Material material;
  material.name = "m";
  material.method = "mls";
  material.density = 1000;
  material.spacing = Real(0.1);
  material.dimensions = dimensions;
  material.parameters = p;
  resolve(material);
  return material;
}
inline SolidOf<double> solid_with(const Parameters& p, int dimensions = 3,
                                  Plane plane = Plane::strain) {
  const Solid rounded = solid_of(material_with(p, dimensions), plane);
  SolidOf<double> solid;
  for (int k = 0; k < solid_numbers; ++k) (&solid.lambda)[k] = double((&rounded.lambda)[k]);
  return solid;
}
/// Of a body, or of a sheet or a line by its rank.
inline Moduli<double> moduli_with(const Parameters& p, double rank = 3,
                                  const Vec3d& fibre = Vec3d::zero()) {
  return moduli_of<double>(solid_with(p), rank, 1, fibre);
}

}  // namespace phyxel::mls::test
