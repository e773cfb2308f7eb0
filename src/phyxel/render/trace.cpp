#include "phyxel/render/trace.h"

#include <algorithm>
#include <cmath>

#include "phyxel/render/reflection.h"
#include "phyxel/render/sampling.h"

namespace phyxel::render {
namespace {

constexpr float pi = static_cast<float>(M_PI);
// Light that comes by way of a reflection is cut here: rare bright paths would show as sparks.
constexpr float brightest_indirect = 3;
constexpr int tile_size = 16;

float smooth_step(float from, float to, float x) {
  const float s = std::clamp((x - from) / (to - from), 0.0f, 1.0f);
  return s * s * (3 - 2 * s);
}

/// The lights in picture directions, with what every path needs worked out once.
struct Lights {
  const Lighting* lighting;
  Basis key{Vec3f{0, 1, 0}};
  float key_cosine;   // of the half angle of the key
  float key_density;  // one over its solid angle
  Colour key_radiance;
  Vec3f fill;

  explicit Lights(const Lighting& l) : lighting(&l), key(normalized(cast<float>(l.key_direction))) {
    const float angle = std::clamp(l.key_radius, 0.05f, 80.0f) * pi / 180, sine = std::sin(angle);
    key_cosine = std::cos(angle);
    key_density = 1 / (2 * pi * (1 - key_cosine));
    key_radiance = l.key_colour / (sine * sine);
    fill = normalized(cast<float>(l.fill_direction));
  }
};

Colour sky(const Lights& lights, const Vec3f& direction) {
  const Lighting& l = *lights.lighting;
  const float up = direction[1];
  Colour c =
      up > 0 ? mix(l.horizon, l.zenith, up) : mix(l.horizon, l.nadir, std::min(1.0f, -2 * up));
  const float toward_fill = std::max(0.0f, dot(direction, lights.fill));
  return c + l.fill_colour * (toward_fill * toward_fill);
}

/// A guess of the light that arrives after the last bounce: the sky above the normal, half hidden.
Colour ambient(const Lights& lights, const Vec3f& normal) {
  return sky(lights, normal) * 0.5f;
}

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
  Ray leave(const Vec3f& direction) const {
    return {surface.point + surface.normal * surface.offset, direction};
  }
};

float share_of(float density, float other) {
  return density / (density + other);
}

Colour key_light(const RayScene& rays, const Lights& lights, const Vertex& v, const Vec2f& u) {
  const Vec3f direction = lights.key.to_world(sample_cone(lights.key_cosine, u));
  const Vec3f in = v.basis.to_local(direction);
  if (in[2] <= 0) return Colour::zero();
  const Colour reflected = scaled(reflect_light(v.reflector, v.out, in), lights.key_radiance);
  const float share = share_of(lights.key_density, reflection_density(v.reflector, v.out, in));
  if (rays.occluded(v.leave(direction))) return Colour::zero();
  return reflected * (share / lights.key_density);
}

/// What a reflected ray that meets nothing sees.
Colour escaped_light(const Lights& lights, const Vec3f& direction, float density) {
  const Colour c = sky(lights, direction);
  if (dot(direction, lights.key.normal) < lights.key_cosine) return c;
  return c + lights.key_radiance * share_of(density, lights.key_density);
}

Colour tamed(const Colour& c) {
  const float l = luminance(c);
  return l > brightest_indirect ? c * (brightest_indirect / l) : c;
}

/// Light from a surface towards where the ray came from.
Colour reflected_light(const RayScene& rays, const Lights& lights, Vertex v, int bounces,
                       Sampler& sampler) {
  Colour sum = key_light(rays, lights, v, sampler.next2());
  Colour weight = Colour::filled(1);
  for (int bounce = 0; bounce < bounces; ++bounce) {
    const Vec3f in = sample_reflection(v.reflector, v.out, sampler.next2());
    const float density = reflection_density(v.reflector, v.out, in);
    if (!(density > 0)) return sum;
    weight = scaled(weight, reflect_light(v.reflector, v.out, in) / density);
    const Vec3f direction = v.basis.to_world(in);
    const auto hit = rays.intersect(v.leave(direction));
    if (!hit) return sum + tamed(scaled(weight, escaped_light(lights, direction, density)));
    v = Vertex(*hit, direction);
    sum += tamed(scaled(weight, key_light(rays, lights, v, sampler.next2())));
  }
  const Colour rest = scaled(v.surface.albedo, ambient(lights, v.surface.normal));
  return sum + tamed(scaled(weight, rest));
}

/// The rays of the picture, in picture units.
struct Eye {
  Vec3f position, right, up, forward;
  bool orthographic;

  Eye(const Camera& camera, const PictureUnits& units, float aspect) {
    const CameraFrame f = frame_of(camera);
    orthographic = camera.orthographic_height > 0;
    const float half = orthographic
                           ? static_cast<float>(camera.orthographic_height * units.scale) / 2
                           : std::tan(static_cast<float>(camera.field_of_view) * pi / 360);
    position = to_picture(units, camera.position);
    right = cast<float>(f.right) * (half * aspect);
    up = cast<float>(f.up) * half;
    forward = cast<float>(f.forward);
  }
  /// x, y in [-1, 1] across the picture, y up.
  Ray ray(float x, float y) const {
    const Vec3f across = right * x + up * y;
    // Parallel rays start well before the camera: nothing in front of it is missed.
    if (orthographic) return {position + across - forward * 30.0f, forward};
    return {position, normalized(forward + across)};
  }
};

enum class Found { background, ground, object };

struct Sample {
  Found found;
  Colour light;
  Colour albedo = Colour::zero();
  Vec3f normal = Vec3f::zero(), point = Vec3f::zero();
};

struct Tracer {
  const PictureScene& scene;
  const RenderOptions& options;
  PictureUnits units;
  RayScene rays;
  Lights lights;
  Eye eye;

  Tracer(const PictureScene& s, const Camera& camera, const RenderOptions& o)
      : scene(s),
        options(o),
        units(picture_units(camera)),
        rays(s, units),
        lights(s.lighting),
        eye(camera, units, static_cast<float>(o.width) / static_cast<float>(o.height)) {}
};

/// Share of the ground that is still ground; the rest is background. Fades with the distance, and
/// where it is seen so flatly that the distance would fade it within a few rows of pixels.
float ground_presence(const Surface& ground, const Vec3f& direction) {
  const float flatness = -dot(ground.normal, direction);
  return (1 - smooth_step(0.45f, 2.2f, length(ground.point))) * smooth_step(0, 0.12f, flatness);
}

Sample take_sample(const Tracer& t, int x, int y, int path) {
  const std::uint32_t pixel =
      hash(hash(t.options.seed, static_cast<std::uint32_t>(x)), static_cast<std::uint32_t>(y));
  Sampler sampler(pixel, path, t.options.samples);
  const Vec2f offset = sample_pixel_filter(sampler.next2());
  const float down = (static_cast<float>(y) + offset[1]) / static_cast<float>(t.options.height);
  const float across = (static_cast<float>(x) + offset[0]) / static_cast<float>(t.options.width);
  const Ray ray = t.eye.ray(2 * across - 1, 1 - 2 * down);
  const Colour background =
      mix(t.scene.background.top, t.scene.background.bottom, std::clamp(down, 0.0f, 1.0f));
  const auto hit = t.rays.intersect(ray);
  if (!hit) return {Found::background, background};
  const float presence = hit->is_ground ? ground_presence(*hit, ray.direction) : 1;
  if (presence <= 0) return {Found::background, background};
  const Colour light =
      reflected_light(t.rays, t.lights, Vertex(*hit, ray.direction), t.options.bounces, sampler);
  return {hit->is_ground ? Found::ground : Found::object, mix(background, light, presence),
          mix(background, hit->albedo, presence), hit->normal, hit->point};
}

/// Light over albedo as one number: what the denoiser compares.
float brightness(const Colour& light, const Colour& albedo) {
  return luminance(light) / std::max(luminance(albedo), 1e-3f);
}

/// Sums over the paths of a pixel that met one layer.
struct LayerSum {
  Sample sum{};
  float first = 0, second = 0;  // moments of the brightness
  int count = 0;

  void add(const Sample& s) {
    sum.light += s.light;
    sum.albedo += s.albedo;
    sum.normal += s.normal;
    sum.point += s.point;
    const float b = brightness(s.light, s.albedo);
    first += b;
    second += b * b;
    ++count;
  }
  void store(Layer& layer, int x, int y, int paths) const {
    if (count == 0) return;
    const std::size_t p = static_cast<std::size_t>(y) * layer.light.width + x;
    const float each = 1 / static_cast<float>(count), mean = first * each;
    layer.light.pixels[p] = sum.light * each;
    layer.albedo.pixels[p] = sum.albedo * each;
    layer.normal.pixels[p] = sum.normal * each;
    layer.point.pixels[p] = sum.point * each;
    layer.variance[p] =
        std::max(0.0f, second * each - mean * mean) / static_cast<float>(std::max(1, count - 1));
    layer.coverage[p] = static_cast<float>(count) / static_cast<float>(paths);
  }
};

void trace_pixel(const Tracer& t, int x, int y, Film& film) {
  LayerSum ground, objects;
  Colour background = Colour::zero();
  for (int path = 0; path < t.options.samples; ++path) {
    const Sample s = take_sample(t, x, y, path);
    if (s.found == Found::background)
      background += s.light;
    else
      (s.found == Found::ground ? ground : objects).add(s);
  }
  ground.store(film.ground, x, y, t.options.samples);
  objects.store(film.objects, x, y, t.options.samples);
  film.background.at(x, y) = background / static_cast<float>(t.options.samples);
}

Layer empty_layer(const Image& empty) {
  const std::vector<float> zeros(empty.pixels.size());
  return {empty, empty, empty, empty, zeros, zeros};
}

}  // namespace

Image flatten(const Film& film) {
  Image image = film.background;
  for (const Layer* layer : {&film.ground, &film.objects})
    for (std::size_t p = 0; p < image.pixels.size(); ++p)
      image.pixels[p] += layer->light.pixels[p] * layer->coverage[p];
  return image;
}

Film trace(const Exec& exec, const PictureScene& scene, const Camera& camera,
           const RenderOptions& options) {
  const int w = options.width, h = options.height;
  const Image empty(w, h);
  Film film{empty_layer(empty), empty_layer(empty), empty};
  const Tracer tracer(scene, camera, options);
  const int across = (w + tile_size - 1) / tile_size, down = (h + tile_size - 1) / tile_size;
  for_each_coarse(exec, "render.trace", across * down, [&](Index tile) {
    const int left = tile % across * tile_size, top = tile / across * tile_size;
    for (int y = top; y < std::min(h, top + tile_size); ++y)
      for (int x = left; x < std::min(w, left + tile_size); ++x) trace_pixel(tracer, x, y, film);
  });
  return film;
}

}  // namespace phyxel::render
