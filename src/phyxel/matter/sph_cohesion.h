#pragma once

#include "phyxel/core/vec.h"
#include "phyxel/matter/sph_kernel.h"

namespace phyxel::sph {

// Surface tension as a stress along the surface, in the layer of particles where the liquid ends:
// docs/methods/sph.md. Forces act along the lines of pairs, so that both momenta are kept. The
// kernel that finds the layer is flat in the middle: it depends less on the order of the particles.

/// The numbers of surface tension for one smoothing length.
struct Cohesion {
  Real peak = 0;    // of the weight, 1/m^dimensions
  Real slope = 0;   // 1/m^(dimensions + 2)
  Real from = 0;    // 1/m, slope of cover from which on a particle is part of the surface,
  Real ramp = 0;    // 1/m, and wholly so beyond from + ramp
  Real across = 0;  // how much weaker pairs across the surface attract than those along it
  Real pull = 0;    // stress over tension and slope of cover: see flat_tension
  Real hold = 0;    // 1/m, stress over tension of particles that stand out of the surface
  Real drag = 0;    // s, friction over stress: see surface_drag
  Real area = 0;    // energy over stress along a flat surface and volume
};

/// For particles of volume spacing^dimensions at rest.
Cohesion make_cohesion(const SmoothingKernel& kernel, Real spacing, int dimensions);

/// Weight of cover, before volumes: sums to 1 over closest packing, the particle itself included.
template <class T>
PHYXEL_FN T cover_weight(const SmoothingKernel& kernel, const Cohesion& cohesion, const T& r) {
  const T t = remainder(kernel, r);
  return t * t * (T(cohesion.peak) * t) * (T(Real(10)) + t * (T(Real(6)) * t - T(Real(15))));
}

/// Its -slope over r.
template <class T>
PHYXEL_FN T cover_slope(const SmoothingKernel& kernel, const Cohesion& cohesion, const T& r) {
  const T t = remainder(kernel, r);
  return t * t * (T(cohesion.slope) * (T(Real(1)) - t));
}

/// The part of a slope of cover that is due to a surface, not to the packing, 1/m.
PHYXEL_FN Real surface_share(const Cohesion& cohesion, Real lean) {
  const Real t = min(max((lean - cohesion.from) / cohesion.ramp, Real(0)), Real(1));
  return lean * t * t * (3 - 2 * t);
}

/// The stress in a particle at a surface.
struct Surface {
  Vec3 lean = Vec3::zero();  // normal to the surface; its square is the stress along it, Pa
  Real stress = 0;           // Pa, along the surface, and that which holds stray particles
};

constexpr Real least_cover = Real(0.65);  // the outermost layer of a flat surface has some more

/// The stress from the cover of a particle and its slope.
PHYXEL_FN Surface surface_of(const Cohesion& cohesion, Real tension, Real cover, const Vec3& lean) {
  const Real n = length(lean), along = tension * cohesion.pull * surface_share(cohesion, n);
  const Real held = tension * cohesion.hold * max(least_cover - cover, Real(0));
  return {lean * (std::sqrt(along) / max(n, Real(1e-6) * cohesion.from)), along + held};
}

/// Tension times area, J/m^3.
PHYXEL_FN Real surface_energy(const Cohesion& cohesion, const Surface& surface) {
  return length_squared(surface.lean) * cohesion.area;
}

/// Surface tension of a pair, as `pull` of the pressure: times x_j - x_i and both volumes the force
/// on i. `stress` is the sum of both, `leans` the sum of both (lean . (x_j - x_i))^2.
template <class T>
PHYXEL_FN T surface_pull(const SmoothingKernel& kernel, const Cohesion& cohesion, const T& squared,
                         const T& parting, const T& stress, const T& leans) {
  const T r = Quick<T>::root(max(squared, T(smallest_normal<T>)));
  const T over = Quick<T>::reciprocal(squared + T(Real(1e-4) * kernel.h * kernel.h));
  const T drag = T(cohesion.drag) * stress * parting;
  return cover_slope(kernel, cohesion, r) * (stress + over * (drag - T(cohesion.across) * leans));
}

/// Attraction along a flat surface less that across it, N/m: the tension of a uniformly filled
/// half-space, where pull is 1 and tension is 1 N/m.
double flat_tension(const Cohesion& cohesion, Real h, int dimensions);

/// The integral of surface_share through such a surface.
double flat_share(const Cohesion& cohesion, Real h, int dimensions);

/// s, of a liquid with this tension over density, m^3/s^2. The stress depends on the positions of
/// particles but is no slope of an energy: without drag particles at a surface would gain energy.
PHYXEL_FN Real surface_drag(Real h, Real tension_over_density) {
  return Real(0.6) * std::sqrt(h * h * h / tension_over_density);
}

}  // namespace phyxel::sph
