#pragma once

#include <optional>
#include <vector>

#include "phyxel/render/ray_scene.h"

namespace phyxel::render {

/// An elliptical disc ready for rays, in picture units.
struct Disc {
  Vec3f centre, normal;      // the normal is of length 1, outwards; zero: no area, never hit
  Vec3f across_u, across_v;  // place on the disc, in half axes: (across_u, across_v) . (x - centre)
  float radius;              // the longer half axis
};

/// The discs of a set. Refers to `object`, which must outlive it.
struct DiscSet {
  const SurfelSet* object = nullptr;
  PictureUnits units;
  std::vector<Disc> discs;
  unsigned number = 0;  // among the sets of the picture
};

DiscSet make_discs(const SurfelSet& object, const PictureUnits& units);

BoundsOf<float> picture_bounds(const DiscSet& set, std::size_t disc);

/// Where a ray meets a disc.
struct DiscHit {
  float distance;
  float weight;  // 1 at the centre, falling smoothly to 0 at the border
  float slope;   // of the disc's normal along the ray; below 0: it is met from outside
  unsigned set, disc;
  bool ends;  // the closed surface that it is part of, from which the ray comes out there
};

/// Nothing where the ray passes by, or comes from a side from which the disc is not seen.
std::optional<DiscHit> meet(const DiscSet& set, unsigned disc, const Ray& ray);

/// True for places of a disc that keep light off: with its neighbours it leaves no gap.
inline bool hides(const DiscHit& hit) {
  return !hit.ends && hit.weight > 0.09f;
}

/// The discs along a ray, from the first one on as far as they may be the same piece of surface.
struct DiscHits {
  static constexpr int most = 64;
  DiscHit hit[most];
  int count = 0;
};

/// False where there are none but those that end a surface.
bool has_surface(const DiscHits& hits);

/// Returns how far along the ray others are of interest still. Of too many the first ones stay.
float add(DiscHits& hits, const DiscHit& hit, const Disc& disc);

/// A place of the smooth surface that discs make together.
struct BlendedHit {
  float distance;
  Vec3f normal;  // unit, outwards
  Colour colour;
  float offset;  // above the discs around
  unsigned set;
};

/// Place, normal and colour as means over the discs that the ray meets around the first one:
/// splatting (Zwicker et al. 2001) along single rays. Nothing: only borders of discs are there, or
/// the ray leaves the body before it would enter it, beyond one of its edges. `hits` keeps those
/// discs, the first one in front; those beyond `last` do not count.
std::optional<BlendedHit> blend(DiscHits& hits, const std::vector<DiscSet>& sets, const Ray& ray,
                                float last);

/// The first place where a ray meets a whole piece of surface from within, up to `last`: it came
/// in by a gap between discs.
std::optional<BlendedHit> blend_ends(DiscHits hits, const std::vector<DiscSet>& sets,
                                     const Ray& ray, float last);

}  // namespace phyxel::render
