#include "phyxel/render/trace.h"

#include <algorithm>
#include <cmath>

#include "phyxel/core/timer.h"
#include "phyxel/render/path.h"

namespace phyxel::render {
namespace {

constexpr float pi = static_cast<float>(M_PI);
constexpr int tile_size = 16;
constexpr int most_paths = 65536, paths_of_a_pass = 8;

float smooth_step(float from, float to, float x) {
  const float s = std::clamp((x - from) / (to - from), 0.0f, 1.0f);
  return s * s * (3 - 2 * s);
}

/// The rays of the picture, in picture units.
struct Eye {
  Vec3f position, right, up, forward;
  bool orthographic;
  float lens = 0, focus = 1;  // radius; distance along `forward`

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
    lens = static_cast<float>(camera.aperture * units.scale) / 2;
    if (camera.focus > 0) focus = static_cast<float>(camera.focus * units.scale);
  }
  /// x, y in [-1, 1] across the picture, y up; u: place on the lens.
  Ray ray(float x, float y, const Vec2f& u) const {
    const Vec3f across = right * x + up * y;
    // Parallel rays start well before the camera: nothing in front of it is missed.
    if (orthographic) return {position + across - forward * 30.0f, forward};
    if (!(lens > 0)) return {position, normalized(forward + across)};
    const Vec3f disc = around_z(0, u[1]) * (lens * std::sqrt(u[0]));
    const Vec3f off = normalized(right) * disc[0] + normalized(up) * disc[1];
    return {position + off, normalized((forward + across) * focus - off)};
  }
};

enum class Found { background, ground, object };

struct Sample {
  Found found;
  Colour light;
  float alpha = 1;  // share of the picture that is not the background
  Colour albedo = Colour::zero();
  Vec3f normal = Vec3f::zero(), point = Vec3f::zero();
  Colour open = Colour::zero();  // of ground that shows shadows only
};

struct Tracer {
  const PictureScene& scene;
  const RenderOptions& options;
  PictureUnits units;
  RayScene rays;
  Lights lights;
  Eye eye;
  PathScene paths;
  int most;  // paths of a pixel

  Tracer(const PictureScene& s, const Camera& camera, const RenderOptions& o)
      : scene(s),
        options(o),
        units(picture_units(camera)),
        rays(s, units),
        lights(s.lighting, units),
        eye(camera, units, static_cast<float>(o.width) / static_cast<float>(o.height)),
        paths{rays, lights, s.background, o.bounces, o.brightest},
        most(o.seconds > 0 ? most_paths : o.samples) {}
};

/// Share of the ground that is still ground; the rest is background. Fades with the distance, and
/// where it is seen so flatly that the distance would fade it within a few rows of pixels.
float ground_presence(const Surface& ground, const Vec3f& direction) {
  const float flatness = -dot(ground.normal, direction);
  return (1 - smooth_step(0.45f, 2.2f, length(ground.point))) * smooth_step(0, 0.12f, flatness);
}

/// What is seen where nothing is. Transparent pictures are dark there, and their alpha tells.
Colour background_at(const Tracer& t, const Ray& ray, float down) {
  const Background& b = t.scene.background;
  if (b.kind == Background::Kind::transparent) return Colour::zero();
  if (b.kind == Background::Kind::environment)
    return t.lights.beyond(ray.direction, std::numeric_limits<float>::infinity());
  return mix(b.top, b.bottom, std::clamp(down, 0.0f, 1.0f));
}

/// Light on white ground, with what would arrive if nothing stood in its way. Both follow the same
/// random numbers, so that open ground has exactly the same of both.
Sample shadow_on_ground(const Tracer& t, Surface ground, const Ray& ray, const Colour& background,
                        float presence, Sampler& sampler) {
  ground.albedo = Colour::filled(1);
  ground.finish = {1, 0};
  PathScene paths = t.paths;
  paths.bounces = std::max(1, paths.bounces);
  Sampler again = sampler;
  Sample s{Found::ground, follow_path(paths, ground, ray.direction, sampler).light, presence};
  s.open = open_light(paths, ground.point, ground.normal, again);
  s.albedo = background;
  s.normal = ground.normal;
  s.point = ground.point;
  return s;
}

/// The background, darker where light is kept from the ground: a ratio of sums, as one of single
/// paths would not have the right mean.
void show_shadows(std::vector<Sample>& samples) {
  Colour open = Colour::zero();
  for (const Sample& s : samples) open += s.open;
  open = max(open / static_cast<float>(std::max<std::size_t>(1, samples.size())),
             Colour::filled(1e-6f));
  for (Sample& s : samples) {
    const float presence = s.alpha;
    Colour left;
    for (int k = 0; k < 3; ++k) left[k] = 1 + presence * (s.light[k] - s.open[k]) / open[k];
    s.alpha = 1 - luminance(left);
    s.light = scaled(s.albedo, left);
    s.albedo = Colour::filled(1);
  }
}

Sample take_sample(const Tracer& t, int x, int y, int path) {
  const std::uint32_t pixel =
      hash(hash(t.options.seed, static_cast<std::uint32_t>(x)), static_cast<std::uint32_t>(y));
  Sampler sampler(pixel, path, t.most);
  const Vec2f offset = sample_pixel_filter(sampler.next2());
  const float down = (static_cast<float>(y) + offset[1]) / static_cast<float>(t.options.height);
  const float across = (static_cast<float>(x) + offset[0]) / static_cast<float>(t.options.width);
  const Vec2f lens = t.eye.lens > 0 ? sampler.next2() : Vec2f{0, 0};
  const Ray ray = t.eye.ray(2 * across - 1, 1 - 2 * down, lens);
  const Colour background = background_at(t, ray, down);
  const auto hit = t.rays.intersect(ray);
  const float presence = !hit ? 0 : hit->is_ground ? ground_presence(*hit, ray.direction) : 1;
  if (presence <= 0) return {Found::background, background, 0};
  if (hit->is_ground && t.scene.ground.shadows_only)
    return shadow_on_ground(t, *hit, ray, background, presence, sampler);
  const PathLight path_light = follow_path(t.paths, *hit, ray.direction, sampler);
  return {hit->is_ground ? Found::ground : Found::object,
          mix(background, path_light.light, presence),
          presence,
          mix(background, path_light.albedo, presence),
          hit->normal,
          hit->point};
}

/// Light over albedo as one number: what the denoiser compares.
float brightness(const Colour& light, const Colour& albedo) {
  return luminance(light) / std::max(luminance(albedo), 1e-3f);
}

/// Sums over the paths of a pixel that met one layer. The film keeps sums until it is finished.
struct LayerSum {
  Sample sum{Found::object, Colour::zero(), 0};
  float first = 0, second = 0;  // moments of the brightness
  int count = 0;

  void add(const Sample& s) {
    sum.light += s.light;
    sum.albedo += s.albedo;
    sum.normal += s.normal;
    sum.point += s.point;
    sum.alpha += s.alpha;
    const float b = brightness(s.light, s.albedo);
    first += b;
    second += b * b;
    ++count;
  }
  void add_to(Layer& layer, std::size_t p) const {
    layer.light.pixels[p] += sum.light;
    layer.albedo.pixels[p] += sum.albedo;
    layer.normal.pixels[p] += sum.normal;
    layer.point.pixels[p] += sum.point;
    layer.brightness[p] += first;
    layer.variance[p] += second;
    layer.coverage[p] += static_cast<float>(count);
  }
};

void trace_pixel(const Tracer& t, int x, int y, int first_path, int paths, Film& film) {
  LayerSum ground, objects;
  Colour background = Colour::zero();
  thread_local std::vector<Sample> shadows;
  shadows.clear();
  for (int path = first_path; path < first_path + paths; ++path) {
    const Sample s = take_sample(t, x, y, path);
    if (s.found == Found::background)
      background += s.light;
    else if (s.found == Found::ground && t.scene.ground.shadows_only)
      shadows.push_back(s);
    else
      (s.found == Found::ground ? ground : objects).add(s);
  }
  show_shadows(shadows);
  for (const Sample& s : shadows) ground.add(s);
  const std::size_t p = static_cast<std::size_t>(y) * film.background.width + x;
  ground.add_to(film.ground, p);
  objects.add_to(film.objects, p);
  film.background.pixels[p] += background;
  film.alpha[p] += ground.sum.alpha + objects.sum.alpha;
}

void trace_pass(const Exec& exec, const Tracer& t, int first_path, int paths, Film& film) {
  const int w = t.options.width, h = t.options.height;
  const int across = (w + tile_size - 1) / tile_size, down = (h + tile_size - 1) / tile_size;
  for_each_coarse(exec, "render.trace", across * down, [&](Index tile) {
    const int left = tile % across * tile_size, top = tile / across * tile_size;
    for (int y = top; y < std::min(h, top + tile_size); ++y)
      for (int x = left; x < std::min(w, left + tile_size); ++x)
        trace_pixel(t, x, y, first_path, paths, film);
  });
}

/// Sums become means.
void finish(Layer& layer, int paths) {
  for (std::size_t p = 0; p < layer.coverage.size(); ++p) {
    const float count = layer.coverage[p];
    if (count == 0) continue;
    const float each = 1 / count, mean = layer.brightness[p] * each;
    for (Image* image : {&layer.light, &layer.albedo, &layer.normal, &layer.point})
      image->pixels[p] = image->pixels[p] * each;
    layer.brightness[p] = mean;
    layer.variance[p] =
        std::max(0.0f, layer.variance[p] * each - mean * mean) / std::max(1.0f, count - 1);
    layer.coverage[p] = count / static_cast<float>(paths);
  }
}

void finish(Film& film, int paths) {
  finish(film.ground, paths);
  finish(film.objects, paths);
  const float each = 1 / static_cast<float>(paths);
  for (Colour& c : film.background.pixels) c = c * each;
  for (float& a : film.alpha) a *= each;
}

Layer empty_layer(const Image& empty) {
  const std::vector<float> zeros(empty.pixels.size());
  return {empty, empty, empty, empty, zeros, zeros, zeros};
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
  const double begin = now_seconds();
  const Image empty(options.width, options.height);
  Film film{empty_layer(empty), empty_layer(empty), empty, std::vector<float>(empty.pixels.size())};
  const Tracer tracer(scene, camera, options);
  int paths = 0;
  double longest = 0;  // pass, s
  do {
    const double start = now_seconds();
    const int more = options.seconds > 0 ? paths_of_a_pass : options.samples;
    trace_pass(exec, tracer, paths, more, film);
    paths += more;
    longest = std::max(longest, now_seconds() - start);
  } while (now_seconds() - begin + longest < options.seconds && paths < most_paths);
  finish(film, paths);
  return film;
}

}  // namespace phyxel::render
