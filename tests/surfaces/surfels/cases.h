#pragma once

#include "phyxel/geometry/sampling.h"
#include "phyxel/surfaces/surfels/advance_surfels.h"
#include "phyxel/surfaces/surfels/sample_surfels.h"

// Bodies with a surface of surfels.

namespace phyxel {

struct SurfelCase {
  SurfelPhyxels phyxels;
  SurfelSurface surface;
  SurfelScratch scratch;
};

/// Phyxels at rest in a shape, with a support of 2.5 spacings.
inline SurfelPhyxels phyxels_in(const Shape& shape, Real spacing,
                                Packing packing = Packing::closest) {
  SurfelPhyxels p;
  for (const Vec3& x : sample_inside(shape, packing, spacing, 1, 3)) {
    p.id.push_back(p.x.size());
    p.x.push_back(x);
  }
  p.reference = p.x;
  p.deformation.assign(p.x.size(), Mat3::identity());
  p.absorbed.assign(p.x.size(), Mat3::identity());
  p.absorbs.assign(p.x.size(), 0);
  p.support.assign(p.x.size(), Real(2.5) * spacing);
  measure_boundary({}, 3, p);
  return p;
}

inline Surfels surfels_on(const Shape& shape, Real spacing) {
  SurfelSampling sampling;
  sampling.spacing = spacing;
  sampling.colour = [](const Vec3& x) { return (x + Vec3::filled(2)) * Real(0.25); };
  return sample_surfels({}, shape, sampling);
}

inline SurfelCase surfel_case(const Shape& shape, Real phyxel_spacing, Real surfel_spacing,
                              const SurfelOptions& options) {
  SurfelCase c;
  c.phyxels = phyxels_in(shape, phyxel_spacing);
  c.surface = make_surfel_surface({}, surfels_on(shape, surfel_spacing), c.phyxels, surfel_spacing,
                                  options);
  return c;
}

struct SurfelMotion {
  Mat3 linear = Mat3::identity();
  Vec3 shift = Vec3::zero();
  Vec3 operator()(const Vec3& x) const { return linear * x + shift; }
};

/// Phyxels of a solid after a motion of its reference shape.
inline SurfelPhyxels moved(SurfelPhyxels p, const SurfelMotion& motion) {
  for (Index i = 0; i < p.size(); ++i) {
    p.x[i] = motion(p.reference[i]);
    p.deformation[i] = motion.linear;
  }
  return p;
}

/// Phyxels that flow by a motion of where they are: their reference shape absorbs it.
inline SurfelPhyxels flowed(SurfelPhyxels p, const SurfelMotion& motion) {
  for (Index i = 0; i < p.size(); ++i) {
    p.x[i] = p.reference[i] = motion(p.x[i]);
    p.absorbed[i] = motion.linear * p.deformation[i] * p.absorbed[i];
    p.deformation[i] = Mat3::identity();
    p.absorbs[i] = 1;
  }
  measure_boundary({}, 3, p);
  return p;
}

inline void advance(SurfelCase& c, const SurfelPhyxels& now, const SurfelOptions& options) {
  advance_surfels({}, c.surface, c.phyxels, now, options, {}, c.scratch);
  c.phyxels = now;
}

/// Largest distance of surfels from where a motion takes those of another state.
inline double distance(const Surfels& s, const Surfels& rest, const SurfelMotion& motion) {
  double worst = 0;
  for (Index k = 0; k < s.size(); ++k)
    worst = std::max({worst, double(length(s.x[k] - motion(rest.x[k]))),
                      double(length(s.u[k] - motion.linear * rest.u[k])),
                      double(length(s.v[k] - motion.linear * rest.v[k]))});
  return worst;
}

}  // namespace phyxel
