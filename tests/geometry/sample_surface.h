#pragma once

#include <algorithm>
#include <unordered_map>

#include "phyxel/core/random.h"
#include "phyxel/geometry/lattice.h"

namespace phyxel {

/// Points on a surface with their outward normals.
struct SurfaceSamples {
  std::vector<Vec3> points;   // m
  std::vector<Vec3> normals;  // unit
};

namespace surface_samples {

constexpr int darts_per_cell = 3;
constexpr Real cells_per_spacing = 2;

struct Candidate {
  Vec3 point, normal;
  std::uint32_t priority;
};

/// Moves p onto the surface by Newton's steps; false where it does not get there.
inline bool project(const Shape& shape, Real tolerance, Candidate& c) {
  for (int step = 0; step < 12; ++step) {
    const SignedDistance d = signed_distance(shape, c.point);
    c.normal = d.normal;
    if (std::abs(d.distance) <= tolerance) return true;
    c.point -= d.normal * d.distance;
  }
  return false;
}

/// Random points of the cells that the surface cuts, moved onto it.
inline std::vector<Candidate> candidates(const Shape& shape, const Lattice& lattice, Real spacing,
                                         std::uint32_t seed) {
  const Random random{seed, 0x73757266};
  const Real cell = lattice.step[0], reach = cell * std::sqrt(Real(0.75));
  const auto add = [&](std::vector<Candidate>& found, std::uint64_t id, const Vec3& p,
                       Where where) {
    for (int k = 0; k < darts_per_cell && where == Where::unsure; ++k) {
      const Random::Four w = random.words(id, k);
      const Vec3 unit = {Random::unit(w.word[0]), Random::unit(w.word[1]), Random::unit(w.word[2])};
      Candidate c{p + (unit - Vec3::filled(Real(0.5))) * cell, {}, w.word[3]};
      if (project(shape, spacing * Real(1e-3), c)) found.push_back(c);
    }
  };
  return collect<Candidate>(shape, lattice, reach, 0, add);
}

/// Points kept so far, by cell; a cell holds at most one.
struct Kept {
  Vec3 origin;
  Real cell, spacing;
  std::unordered_map<std::uint64_t, Vec3> points;

  static std::uint64_t key(const Int3& c) {
    return std::uint64_t(c[0]) << 42 ^ std::uint64_t(c[1]) << 21 ^ std::uint64_t(c[2]);
  }
  Int3 place(const Vec3& p) const {
    Int3 c;
    for (int k = 0; k < 3; ++k) c[k] = static_cast<Index>((p[k] - origin[k]) / cell);
    return c;
  }
  bool has_room(const Vec3& p) const {
    const Int3 c = place(p);
    for (Index k = 0; k < 125; ++k) {
      const Int3 offset = {k % 5 - 2, k / 5 % 5 - 2, k / 25 - 2};
      const auto it = points.find(key(c + offset));
      if (it != points.end() && length_squared(it->second - p) < spacing * spacing) return false;
    }
    return true;
  }
};

}  // namespace surface_samples

/// Points on the surface, no two nearer than the spacing and hardly room for another.
inline SurfaceSamples sample_surface(const Shape& shape, Real spacing, std::uint32_t seed) {
  using namespace surface_samples;
  const Bounds bounds = checked_bounds(shape, spacing, 3);
  if (bounds.empty()) return {};
  const Real cell = spacing / cells_per_spacing;
  std::vector<Candidate> all =
      candidates(shape, lattice_of(Packing::jittered, bounds, cell, 3), spacing, seed);
  std::stable_sort(all.begin(), all.end(),
                   [](const Candidate& a, const Candidate& b) { return a.priority < b.priority; });
  Kept kept{bounds.min - Vec3::filled(4 * spacing), spacing / std::sqrt(Real(3)), spacing, {}};
  SurfaceSamples samples;
  for (const Candidate& c : all) {
    if (!kept.has_room(c.point)) continue;
    kept.points.emplace(Kept::key(kept.place(c.point)), c.point);
    samples.points.push_back(c.point);
    samples.normals.push_back(c.normal);
  }
  return samples;
}

}  // namespace phyxel
