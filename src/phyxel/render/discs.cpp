#include "phyxel/render/discs.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>

#include "phyxel/render/sampling.h"

namespace phyxel::render {
namespace {

/// Discs this much deeper than the first one, in radii, are of another piece of surface.
constexpr float deepest = 2;
/// Sum of weights below which only borders of discs are there, which jut out where a surface ends
/// or has an edge.
constexpr float least_weight = 0.5f;
/// Sum of weights at an edge, beyond which discs that jut out have less.
constexpr float edge_weight = 1;
/// Sum of weights of discs that make an end of the body.
constexpr float least_exit = 0.2f;
/// Sum of weights that no borders at an edge reach: within a surface it is 2.
constexpr float whole_weight = 1.4f;
/// Discs that just cover a surface are widened by this, so that some six lie over each place.
constexpr float widened = 1.4f;

Vec3f axis_of(const Vec3& half_axis, const PictureUnits& units) {
  return cast<float>(half_axis * (units.scale * widened));
}

Disc make_disc(const Vec3f& centre, const Vec3f& u, const Vec3f& v) {
  const Vec3f n = cross(u, v);
  const float area = length(n);
  Disc disc{centre, Vec3f::zero(), Vec3f::zero(), Vec3f::zero(), std::max(length(u), length(v))};
  if (!(area > 0)) return disc;
  disc.normal = n / area;
  disc.across_u = cross(v, disc.normal) / area;
  disc.across_v = cross(disc.normal, u) / area;
  return disc;
}

const Disc& disc_of(const std::vector<DiscSet>& sets, const DiscHit& hit) {
  return sets[hit.set].discs[hit.disc];
}

const Colour& colour_of(const std::vector<DiscSet>& sets, const DiscHit& hit) {
  const std::vector<Colour>& colours = sets[hit.set].object->colours;
  return colours[colours.size() == 1 ? 0 : hit.disc];
}

/// The order along the ray, which is that of no tree.
bool comes_first(const DiscHit& a, const DiscHit& b) {
  return std::tie(a.distance, a.set, a.disc) < std::tie(b.distance, b.set, b.disc);
}

/// Leaves those that are of one piece of surface with the first one that does not end it, in order.
void keep_first_piece(DiscHits& hits, float last) {
  DiscHit* const end = hits.hit + hits.count;
  std::sort(hits.hit, end, comes_first);
  const DiscHit first = *std::find_if(hits.hit, end, [](const DiscHit& h) { return !h.ends; });
  const auto is_of_another = [&](const DiscHit& h) {
    return h.ends || h.set != first.set || (h.slope < 0) != (first.slope < 0) || h.distance > last;
  };
  hits.count = static_cast<int>(std::remove_if(hits.hit, end, is_of_another) - hits.hit);
}

/// Whether a ray leaves the body around `distance`, but before it: discs met from within say so.
bool ends_before(const DiscHits& hits, float distance, float radius, unsigned set) {
  float weight = 0, mean = 0;
  for (int k = 0; k < hits.count; ++k) {
    const DiscHit& h = hits.hit[k];
    if (!h.ends || h.set != set || std::abs(h.distance - distance) > deepest * radius) continue;
    weight += h.weight;
    mean += h.weight * h.distance;
  }
  return weight > least_exit && mean < distance * weight;
}

/// The normal at `place` of the linear function of places that fits those of the discs best: their
/// mean is that of the mean of their centres.
Vec3f fitted_normal(const DiscHits& hits, const std::vector<DiscSet>& sets, const Vec3f& place,
                    const Vec3f& mean, float sum) {
  const Basis basis(normalized(mean));
  Vec2f centre{0, 0};
  float uu = 0, uv = 0, vv = 0;
  Vec3f along_u = Vec3f::zero(), along_v = Vec3f::zero();
  for (int k = 0; k < hits.count; ++k) {
    const DiscHit& h = hits.hit[k];
    const Disc& disc = disc_of(sets, h);
    const Vec3f q = basis.to_local(disc.centre - place);
    const float w = h.weight / sum;
    centre += Vec2f{q[0], q[1]} * w;
    uu += w * q[0] * q[0], uv += w * q[0] * q[1], vv += w * q[1] * q[1];
    along_u += disc.normal * (w * q[0]);
    along_v += disc.normal * (w * q[1]);
  }
  along_u -= mean * centre[0];
  along_v -= mean * centre[1];
  // Where centres lie on one side, or all on a line, the mean is better than a guess.
  const float radius = disc_of(sets, hits.hit[0]).radius, damping = 0.04f * radius * radius;
  uu += damping - centre[0] * centre[0];
  vv += damping - centre[1] * centre[1];
  uv -= centre[0] * centre[1];
  const float det = uu * vv - uv * uv;
  const float a = (vv * centre[0] - uv * centre[1]) / det,
              b = (uu * centre[1] - uv * centre[0]) / det;
  return normalized(mean - along_u * a - along_v * b);
}

/// How far the discs of a hit lie above or below each other.
float thickness(const DiscHits& hits, const BlendedHit& b, const Ray& ray) {
  float most = 0;
  for (int k = 0; k < hits.count; ++k)
    most = std::max(most, std::abs(hits.hit[k].distance - b.distance));
  return most * std::abs(dot(b.normal, ray.direction));
}

/// Of discs along a ray; `distance` to the place.
struct Mean {
  float weight = 0, distance = 0;
  Vec3f normal = Vec3f::zero();
  Colour colour = Colour::zero();
};

Mean mean_of(const DiscHits& hits, const std::vector<DiscSet>& sets) {
  Mean m;
  float sharp = 0;
  const float first = hits.hit[0].distance;
  for (int k = 0; k < hits.count; ++k) {
    const DiscHit& h = hits.hit[k];
    const float w = h.weight;
    m.weight += w;
    m.distance += w * (h.distance - first);
    m.normal += disc_of(sets, h).normal * w;
    // Colours belong to places: the nearest discs say most.
    sharp += w * w;
    m.colour += colour_of(sets, h) * (w * w);
  }
  m.distance = first + m.distance / m.weight;
  m.normal = m.normal / m.weight;
  m.colour = m.colour / sharp;
  return m;
}

BlendedHit surface_at(const Mean& mean, const DiscHits& hits, const std::vector<DiscSet>& sets,
                      const Ray& ray) {
  const Vec3f place = ray.origin + ray.direction * mean.distance;
  BlendedHit b{mean.distance, Vec3f::zero(), mean.colour, 0, hits.hit[0].set};
  b.normal = fitted_normal(hits, sets, place, mean.normal, mean.weight);
  b.offset = surface_offset + std::min(thickness(hits, b, ray), disc_of(sets, hits.hit[0]).radius);
  return b;
}

enum class Side { seen, ends, unseen };

/// Nothing juts out of a closed surface to be seen from the wrong side. A ray that leaves an opaque
/// surface does not meet the discs of the same place.
Side side_of(const SurfelSet& set, const Ray& ray, float slope, bool is_near) {
  const Interior interior = set.finish.interior;
  const bool solid = interior == Interior::opaque || interior == Interior::metal;
  if (!set.closed) return solid && is_near && slope > 0 ? Side::unseen : Side::seen;
  if (ray.start == RayStart::inside && !solid) return slope < 0 ? Side::unseen : Side::seen;
  if (slope < 0 || (ray.start == RayStart::anywhere && !solid)) return Side::seen;
  return is_near ? Side::unseen : Side::ends;
}

}  // namespace

DiscSet make_discs(const SurfelSet& object, const PictureUnits& units) {
  DiscSet set{&object, units, std::vector<Disc>(object.centres.size())};
  for (std::size_t i = 0; i < set.discs.size(); ++i)
    set.discs[i] = make_disc(to_picture(units, object.centres[i]), axis_of(object.u[i], units),
                             axis_of(object.v[i], units));
  return set;
}

BoundsOf<float> picture_bounds(const DiscSet& set, std::size_t disc) {
  const Vec3f& centre = set.discs[disc].centre;
  const Vec3f u = axis_of(set.object->u[disc], set.units),
              v = axis_of(set.object->v[disc], set.units);
  Vec3f half;
  for (int k = 0; k < 3; ++k) half[k] = std::sqrt(u[k] * u[k] + v[k] * v[k]) + 1e-6f;
  return {centre - half, centre + half};
}

std::optional<DiscHit> meet(const DiscSet& set, unsigned number, const Ray& ray) {
  const Disc& disc = set.discs[number];
  const float slope = dot(disc.normal, ray.direction);
  if (!(std::abs(slope) > 1e-4f)) return std::nullopt;
  const Vec3f from = ray.origin - disc.centre;
  const float t = -dot(disc.normal, from) / slope;
  if (!(t > ray.near && t < ray.far)) return std::nullopt;
  const Side side = side_of(*set.object, ray, slope, t < 2 * disc.radius);
  if (side == Side::unseen) return std::nullopt;
  const Vec3f at = from + ray.direction * t;
  const float u = dot(disc.across_u, at), v = dot(disc.across_v, at), inner = 1 - u * u - v * v;
  if (!(inner > 0)) return std::nullopt;
  return DiscHit{t, inner * inner, slope, set.number, number, side == Side::ends};
}

bool has_surface(const DiscHits& hits) {
  return !std::all_of(hits.hit, hits.hit + hits.count, [](const DiscHit& h) { return h.ends; });
}

float add(DiscHits& hits, const DiscHit& hit, const Disc& disc) {
  DiscHit* const end = hits.hit + hits.count;
  if (hits.count < DiscHits::most) {
    *end = hit;
    ++hits.count;
  } else if (DiscHit* last = std::max_element(hits.hit, end, comes_first);
             comes_first(hit, *last)) {
    *last = hit;
  }
  return hit.ends ? std::numeric_limits<float>::infinity() : hit.distance + deepest * disc.radius;
}

std::optional<BlendedHit> blend(DiscHits& hits, const std::vector<DiscSet>& sets, const Ray& ray,
                                float last) {
  const DiscHits all = hits;
  keep_first_piece(hits, last);
  const Mean mean = mean_of(hits, sets);
  const DiscHit& first = hits.hit[0];
  const float radius = disc_of(sets, first).radius;
  if (mean.weight < least_weight) return std::nullopt;
  if (mean.weight < edge_weight && ends_before(all, mean.distance, radius, first.set))
    return std::nullopt;
  return surface_at(mean, hits, sets, ray);
}

std::optional<BlendedHit> blend_ends(DiscHits hits, const std::vector<DiscSet>& sets,
                                     const Ray& ray, float last) {
  const auto is_no_end = [&](const DiscHit& h) { return !h.ends || h.distance > last; };
  DiscHit* const end = std::remove_if(hits.hit, hits.hit + hits.count, is_no_end);
  std::sort(hits.hit, end, comes_first);
  for (DiscHit* first = hits.hit; first < end; ++first) {
    const float depth = first->distance + deepest * disc_of(sets, *first).radius;
    DiscHits piece;
    piece.count = 0;
    for (DiscHit* h = first; h < end && h->distance <= depth; ++h)
      if (h->set == first->set) piece.hit[piece.count++] = *h;
    const Mean mean = mean_of(piece, sets);
    if (mean.weight >= whole_weight) return surface_at(mean, piece, sets, ray);
  }
  return std::nullopt;
}

}  // namespace phyxel::render
