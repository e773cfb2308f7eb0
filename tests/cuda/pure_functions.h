#pragma once

#include <vector>

#include "phyxel/core/polar.h"
#include "phyxel/core/random.h"

// The pure functions of core/ that kernels share, evaluated once by each back end.

namespace phyxel::test {

struct Sample {
  Mat3 a;
  Vec3 x;
  ParticleId id;
};

struct Outcome {
  Vec3 vector;             // vec.h
  Mat3 matrix;             // mat.h
  Vec3 eigenvalues;        // eigen_symmetric.h
  Mat3 from_eigenvectors;  // what the eigenvectors and values multiply back to
  Vec3 sigma;              // svd.h
  Mat3 from_svd;
  Mat3 rotation;  // polar.h
  Mat3 stretch;
  Random::Four words;  // random.h
  Vec3 uniform;
};

inline namespace PHYXEL_BACKEND {

PHYXEL_FN Mat3 symmetric_part(const Mat3& a) {
  return (a + transpose(a)) * Real(0.5);
}

PHYXEL_FN Outcome evaluate(const Sample& sample) {
  const auto& [a, x, id] = sample;
  Outcome o;
  const Vec3 axis = normalized(x);
  Bounds bounds;
  bounds.include(x);
  bounds.include(a * x);
  o.vector = cross(axis, max(a * x, min(x, axis))) + bounds.size();
  o.matrix = rotation(axis, length(x)) * transpose(a) + outer(x, x) + cofactor(a) * trace(a);
  const EigenSymmetric<Real> e = eigen_symmetric(symmetric_part(a));
  o.eigenvalues = e.values;
  o.from_eigenvectors = e.vectors * diagonal(e.values) * transpose(e.vectors);
  const Svd<Real> f = svd(a);
  o.sigma = f.sigma;
  o.from_svd = f.u * diagonal(f.sigma) * transpose(f.v);
  const Polar<Real> p = polar(a);
  o.rotation = p.rotation;
  o.stretch = p.stretch;
  const Random random{42, 7};
  o.words = random.words(id, 3);
  o.uniform = random.uniform3(id, 3);
  return o;
}

}  // namespace PHYXEL_BACKEND

int device_count();
std::vector<Outcome> evaluate_on_device(const std::vector<Sample>& samples);

}  // namespace phyxel::test
