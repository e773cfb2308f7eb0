#include "phyxel/render/path.h"

#include <algorithm>
#include <cmath>

#include "phyxel/render/reflection.h"

namespace phyxel::render {
namespace {

constexpr float infinite = std::numeric_limits<float>::infinity();
constexpr float isotropic = static_cast<float>(0.25 * M_1_PI);
constexpr int most_nested = 4, most_crossings = 24, most_scatterings = 64, most_wandering = 256;

struct Vertex {
  Surface surface;
  Basis basis;
  Reflector reflector;
  Vec3f out;  // to the viewer, in the frame of the surface

  Vertex(const Surface& s, const Vec3f& direction)
      : surface(s),
        basis(s.normal),
        reflector(s.albedo, s.finish),
        out(basis.to_local(-direction)) {
    out[2] = std::max(out[2], 1e-3f);
  }
  /// A ray that leaves the surface, on the side to which it goes.
  Ray leave(const Vec3f& direction) const {
    const float side = dot(direction, surface.normal) < 0 ? -surface.offset : surface.offset;
    return {surface.point + surface.normal * side, direction};
  }
};

/// A path on its way from the eye.
struct Path {
  Ray ray;
  PathLight found;
  Colour weight = Colour::filled(1);
  float density = infinite;    // with which the ray was chosen; infinite: straight from the eye
  int bounces = 0;             // so far
  int crossings = 0;           // of clear surfaces
  int scatterings = 0;         // in haze
  Surface clear[most_nested];  // bodies that the ray is in, the outer ones first
  int inside = 0;              // of them

  void add(const Colour& light, float brightest) {
    const Colour c = scaled(weight, light);
    const float l = luminance(c);
    found.light += is_roundabout() && l > brightest ? c * (brightest / l) : c;
  }
  /// Sources that are met after so much can be small and bright.
  bool is_roundabout() const {
    return bounces > 1 || scatterings > 0 || (bounces > 0 && crossings > 0);
  }
  std::optional<Surface> next_surface(const RayScene& rays) {
    ray.start = inside > 0 ? RayStart::inside : RayStart::outside;
    return rays.intersect(ray);
  }
  const Surface* body() const { return inside > 0 ? &clear[inside - 1] : nullptr; }
  void enter(const Surface& surface) {
    if (inside < most_nested) clear[inside++] = surface;
  }
  void leave_body() { inside = std::max(0, inside - 1); }
  void go(const Ray& next, float chosen_with) { ray = next, density = chosen_with; }
};

/// Light of the sources that a surface reflects to the viewer.
Colour aimed_light(const PathScene& s, const Vertex& v, const Reflector& r, Sampler& sampler) {
  Colour sum = Colour::zero();
  for (int k = 0; k < s.lights.sources(); ++k) {
    const Aim aim = s.lights.aim(k, v.surface.point, sampler.next2());
    const Vec3f in = v.basis.to_local(aim.direction);
    if (!(aim.density > 0) || (in[2] <= 0 && !(r.through > 0))) continue;
    const Colour reflected = scaled(reflect_light(r, v.out, in), aim.radiance);
    const float chance = aim.density + reflection_density(r, v.out, in);
    Ray ray = v.leave(aim.direction);
    ray.far = aim.distance * (1 - 1e-4f);
    sum += scaled(reflected / chance, s.rays.transmitted(ray));
  }
  return sum;
}

/// The same for a place in haze, which scatters to all sides alike.
Colour aimed_light(const PathScene& s, const Vec3f& point, Sampler& sampler) {
  Colour sum = Colour::zero();
  for (int k = 0; k < s.lights.sources(); ++k) {
    const Aim aim = s.lights.aim(k, point, sampler.next2());
    if (!(aim.density > 0)) continue;
    const Ray ray{point, aim.direction, 0, aim.distance * (1 - 1e-4f)};
    sum += scaled(aim.radiance * (isotropic / (aim.density + isotropic)), s.rays.transmitted(ray));
  }
  return sum;
}

Vec3f any_direction(const Vec2f& u) {
  return around_z(1 - 2 * u[0], u[1]);
}

/// Albedo of one scattering that makes a deep body of isotropic scatterers look like `colour`.
/// Chiang, Kutz and Burley 2016.
Colour single_albedo(const Colour& colour) {
  Colour a;
  for (int k = 0; k < 3; ++k) {
    const float c = std::clamp(colour[k], 0.0f, 0.999f);
    a[k] = 1 - std::exp(c * (-5.09406f + c * (2.61188f - c * 4.31805f)));
  }
  return a;
}

/// Lets weak paths end early, and those that go on stand for them.
bool survives(Colour& weight, float u) {
  const float chance = std::min(1.0f, std::max({weight[0], weight[1], weight[2]}));
  if (u >= chance) return false;
  weight = weight / chance;
  return true;
}

/// Follows light below the surface of a translucent body until it leaves. Nothing: it was absorbed.
std::optional<Surface> wander(const PathScene& s, const Vertex& entry, Colour& weight,
                              Sampler& sampler) {
  const Surface& e = entry.surface;
  const Colour albedo = single_albedo(e.albedo);
  const float depth = std::max(static_cast<float>(e.finish.depth), 2 * e.offset);
  Ray ray{e.point - e.normal * e.offset, entry.basis.to_world(-sample_cosine(sampler.next2()))};
  ray.start = RayStart::inside;
  for (int step = 0; step < most_wandering; ++step) {
    const Vec2f u = sampler.next2();
    ray.far = -std::log(1 - u[0]) * depth;
    const auto hit = s.rays.intersect(ray);
    if (hit && hit->inside) {
      Surface exit = *hit;
      exit.normal = -exit.normal;
      return exit;
    }
    if (hit) {  // something stands in the body: it sends light back
      weight = scaled(weight, hit->albedo);
      ray.origin = hit->point + hit->normal * hit->offset;
      ray.direction = Basis(hit->normal).to_world(sample_cosine(sampler.next2()));
    } else {
      weight = scaled(weight, albedo);
      ray.origin = ray.origin + ray.direction * ray.far;
      ray.direction = any_direction(sampler.next2());
    }
    if (step >= 8 && !survives(weight, u[1])) return std::nullopt;
  }
  return std::nullopt;
}

/// True where haze turned the path before `distance`.
bool scatter_in_haze(const PathScene& s, Path& p, float distance, Sampler& sampler) {
  const Finish& f = p.body()->finish;
  const Vec2f u = sampler.next2();
  const float way = f.haze > 0 ? -std::log(1 - u[0]) * static_cast<float>(f.haze) : infinite;
  const float gone = std::min(way, distance);
  if (std::isfinite(gone))
    p.weight = scaled(p.weight, clear_share(p.body()->albedo, static_cast<float>(f.depth), gone));
  if (way >= distance || ++p.scatterings > most_scatterings) return false;
  const Vec3f point = p.ray.origin + p.ray.direction * way;
  p.add(aimed_light(s, point, sampler), s.brightest);
  p.go({point, any_direction(sampler.next2())}, isotropic);
  return survives(p.weight, u[1]);
}

/// Reflects the path at a clear surface or lets it through; false: it ends.
bool cross_surface(Path& p, const Surface& hit, Sampler& sampler) {
  if (++p.crossings > most_crossings) return false;
  const Vertex v(hit, p.ray.direction);
  const Vec3f half = sample_visible_half(v.reflector.alpha, v.out, sampler.next2());
  const float index = hit.inside ? 1 / hit.finish.index : hit.finish.index;
  const Vec2f u = sampler.next2();
  const bool back = u[0] < fresnel(dot(v.out, half), index);
  const Vec3f in = back ? half * (2 * dot(v.out, half)) - v.out : refract(v.out, half, index);
  if ((in[2] > 0) != back) return false;  // a rough facet sent it to the wrong side
  const float lambda = smith_lambda(v.reflector.alpha, v.out[2]);
  p.weight =
      p.weight * ((1 + lambda) / (1 + lambda + smith_lambda(v.reflector.alpha, std::abs(in[2]))));
  const float side = back ? hit.offset : -hit.offset;
  // Light sampling never aims along a reflection: lights are found there by the path alone.
  p.go({hit.point + hit.normal * side, v.basis.to_world(in)}, back ? infinite : p.density);
  if (!back && !hit.inside) p.enter(hit);
  if (!back && hit.inside) p.leave_body();
  return survives(p.weight, u[1]);
}

/// Splits off what the coat of a translucent body reflects and moves the vertex to where light that
/// entered the body leaves it, as if from chalk. False: the path ends.
bool enter_translucent(const PathScene& s, Path& p, Vertex& v, bool& lit, Sampler& sampler) {
  Reflector coat = v.reflector;
  coat.albedo = Colour::zero();
  p.add(aimed_light(s, v, coat, sampler), s.brightest);
  const float share = coat_share(v.reflector, v.out[2]);
  const float into_body = 1 - coat_reflectance(v.reflector, v.out[2]);
  lit = sampler.next2()[0] < share;
  if (lit) {
    p.weight = p.weight / share;
    v.reflector = coat;
    return true;
  }
  p.weight = p.weight * (into_body / (1 - share));
  const auto exit = wander(s, v, p.weight, sampler);
  if (!exit) return false;
  v = Vertex(*exit, -exit->normal);
  v.reflector = Reflector(Colour::filled(1), {1, 0});
  return true;
}

/// Adds the light of the sources and turns the path to where more may come from; false: it ends.
bool reflect_path(const PathScene& s, Path& p, const Surface& hit, Sampler& sampler) {
  if (p.bounces == 0 && p.scatterings == 0) p.found.albedo = hit.albedo;
  Vertex v(hit, p.ray.direction);
  bool lit = false;
  if (hit.finish.interior == Interior::translucent && !enter_translucent(s, p, v, lit, sampler))
    return false;
  if (!lit) p.add(aimed_light(s, v, v.reflector, sampler), s.brightest);
  if (p.bounces >= s.bounces) {
    const Reflector& r = v.reflector;
    const Vec3f& n = v.surface.normal;
    Colour light = s.lights.ambient(n);
    if (r.through > 0) light = mix(light, s.lights.ambient(-n), r.through);
    ++p.bounces;
    p.add(scaled(r.metal ? r.straight : r.albedo, light), s.brightest);
    return false;
  }
  const Vec3f in = sample_reflection(v.reflector, v.out, sampler.next2());
  const float density = reflection_density(v.reflector, v.out, in);
  if (!(density > 0)) return false;
  p.weight = scaled(p.weight, reflect_light(v.reflector, v.out, in) / density);
  p.go(v.leave(v.basis.to_world(in)), density);
  ++p.bounces;
  return true;
}

/// What lies behind the picture is background, also for rays that clear bodies bent a little away
/// from where the eye looked.
Colour far_light(const PathScene& s, const Path& p, const Vec3f& first) {
  const Colour light = s.lights.beyond(p.ray.direction, p.density);
  if (p.bounces > 0 || p.scatterings > 0 || s.background.kind != Background::Kind::gradient)
    return light;
  const float ahead = std::clamp((dot(p.ray.direction, first) - 0.85f) / 0.12f, 0.0f, 1.0f);
  return mix(light, mix(s.background.top, s.background.bottom, 0.5f), ahead);
}

}  // namespace

PathLight follow_path(const PathScene& s, const Surface& first, const Vec3f& direction,
                      Sampler& sampler) {
  Path p;
  p.ray.direction = direction;
  std::optional<Surface> hit = first;
  for (;;) {
    const float distance = hit ? hit->distance : infinite;
    const int before = p.scatterings;
    if (p.body() && scatter_in_haze(s, p, distance, sampler)) {
      hit = p.next_surface(s.rays);
      continue;
    }
    if (p.scatterings > before) return p.found;  // lost in the haze
    if (!hit) break;
    const bool clear = hit->finish.interior == Interior::clear;
    if (!(clear ? cross_surface(p, *hit, sampler) : reflect_path(s, p, *hit, sampler)))
      return p.found;
    hit = p.next_surface(s.rays);
    p.add(s.lights.panels_before(p.ray, hit ? hit->distance : infinite, p.density), s.brightest);
  }
  p.add(far_light(s, p, direction), s.brightest);
  return p.found;
}

Colour open_light(const PathScene& s, const Vec3f& point, const Vec3f& normal, Sampler& sampler) {
  const Basis basis(normal);
  const Reflector chalk(Colour::filled(1), {1, 0});
  Colour sum = Colour::zero();
  for (int k = 0; k < s.lights.sources(); ++k) {
    const Aim aim = s.lights.aim(k, point, sampler.next2());
    const Vec3f in = basis.to_local(aim.direction);
    if (!(aim.density > 0) || in[2] <= 0) continue;
    const float chance = aim.density + reflection_density(chalk, {0, 0, 1}, in);
    sum += scaled(reflect_light(chalk, {0, 0, 1}, in), aim.radiance) / chance;
  }
  const Vec3f in = sample_reflection(chalk, {0, 0, 1}, sampler.next2());
  const float density = reflection_density(chalk, {0, 0, 1}, in);
  const Ray ray{point, basis.to_world(in)};
  return sum + s.lights.beyond(ray.direction, density) +
         s.lights.panels_before(ray, infinite, density);
}

}  // namespace phyxel::render
