#include "phyxel/render/denoise.h"

#include <algorithm>
#include <cmath>

namespace phyxel::render {
namespace {

constexpr int passes = 4;

/// Light over albedo with its variance: what passes from pass to pass.
struct Lit {
  Colour light;
  float variance;
};

struct Guide {
  const Film& film;
  int width, height;

  std::size_t at(int x, int y) const { return static_cast<std::size_t>(y) * width + x; }
};

Colour divided(const Colour& a, const Colour& b) {
  return {a[0] / b[0], a[1] / b[1], a[2] / b[2]};
}
Colour safe_albedo(const Colour& albedo) {
  return max(albedo, Colour::filled(1e-3f));
}

/// How well pixel q serves as a second look at pixel p, by what the eye meets first there.
float likeness(const Film& film, std::size_t p, std::size_t q) {
  const Vec3f& n = film.normal.pixels[p];
  const float facing = dot(n, film.normal.pixels[q]);
  const bool empty = length_squared(n) < 0.25f;
  if (empty || facing < 0.9f) return 0;
  const float turn = 1 - facing;
  const float off_plane = dot(n, film.point.pixels[q] - film.point.pixels[p]);
  const Colour da = film.albedo.pixels[q] - film.albedo.pixels[p];
  return std::exp(-turn * 60 - std::abs(off_plane) * 500 - length_squared(da) * 400);
}

/// 3 x 3 mean of the variance: one pixel's own is too uncertain to trust.
float mean_variance(const Guide& g, const std::vector<Lit>& lit, int x, int y) {
  float sum = 0, count = 0;
  for (int dy = -1; dy <= 1; ++dy)
    for (int dx = -1; dx <= 1; ++dx) {
      const int i = x + dx, j = y + dy;
      if (i < 0 || j < 0 || i >= g.width || j >= g.height) continue;
      sum += lit[g.at(i, j)].variance;
      count += 1;
    }
  return sum / count;
}

Lit filter_pixel(const Guide& g, const std::vector<Lit>& lit, int x, int y, int stride) {
  constexpr float kernel[3] = {0.375f, 0.25f, 0.0625f};
  const std::size_t p = g.at(x, y);
  if (length_squared(g.film.normal.pixels[p]) < 0.25f) return lit[p];
  const float own = luminance(lit[p].light);
  const float tolerance = 1 / (3 * std::sqrt(mean_variance(g, lit, x, y)) + 1e-3f);
  Lit sum{lit[p].light * (kernel[0] * kernel[0]),
          lit[p].variance * (kernel[0] * kernel[0] * kernel[0] * kernel[0])};
  float weight = kernel[0] * kernel[0];
  for (int dy = -2; dy <= 2; ++dy)
    for (int dx = -2; dx <= 2; ++dx) {
      const int i = x + dx * stride, j = y + dy * stride;
      if ((dx == 0 && dy == 0) || i < 0 || j < 0 || i >= g.width || j >= g.height) continue;
      const std::size_t q = g.at(i, j);
      float w = likeness(g.film, p, q);
      if (!(w > 1e-4f)) continue;
      w *= kernel[std::abs(dx)] * kernel[std::abs(dy)] *
           std::exp(-std::abs(luminance(lit[q].light) - own) * tolerance);
      sum.light += lit[q].light * w;
      sum.variance += lit[q].variance * w * w;
      weight += w;
    }
  return {sum.light / weight, sum.variance / (weight * weight)};
}

}  // namespace

Image denoise(const Exec& exec, const Film& film) {
  const Guide g{film, film.light.width, film.light.height};
  std::vector<Lit> lit(film.light.pixels.size()), next(lit.size());
  for (std::size_t p = 0; p < lit.size(); ++p)
    lit[p] = {divided(film.light.pixels[p], safe_albedo(film.albedo.pixels[p])), film.variance[p]};
  for (int pass = 0; pass < passes; ++pass) {
    for_each_coarse(exec, "render.denoise", g.height, [&](Index y) {
      for (int x = 0; x < g.width; ++x) next[g.at(x, y)] = filter_pixel(g, lit, x, y, 1 << pass);
    });
    lit.swap(next);
  }
  Image image(g.width, g.height);
  for (std::size_t p = 0; p < lit.size(); ++p)
    image.pixels[p] = scaled(lit[p].light, safe_albedo(film.albedo.pixels[p]));
  return image;
}

}  // namespace phyxel::render
