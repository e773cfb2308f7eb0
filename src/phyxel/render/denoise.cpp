#include <algorithm>
#include <cmath>

#include "phyxel/render/trace.h"

namespace phyxel::render {
namespace {

constexpr int passes = 4;

/// Light over albedo with its variance: what goes from pass to pass.
struct Lit {
  Colour light;
  float variance;
};

struct Lattice {
  int width, height;

  std::size_t at(int x, int y) const { return static_cast<std::size_t>(y) * width + x; }
  bool holds(int x, int y) const { return x >= 0 && y >= 0 && x < width && y < height; }
};

Colour divided(const Colour& a, const Colour& b) {
  return {a[0] / b[0], a[1] / b[1], a[2] / b[2]};
}
Colour safe_albedo(const Colour& albedo) {
  return max(albedo, Colour::filled(1e-3f));
}

/// How well pixel q serves as a second look at pixel p, by what the eye meets first there.
float likeness(const Layer& layer, std::size_t p, std::size_t q) {
  const Vec3f& n = layer.normal.pixels[p];
  const float facing = dot(n, layer.normal.pixels[q]);
  if (facing < 0.9f) return 0;
  const float off_plane = dot(n, layer.point.pixels[q] - layer.point.pixels[p]);
  const Colour da = layer.albedo.pixels[q] - layer.albedo.pixels[p];
  const float apart =
      std::max(0.0f, 1 - facing) * 40 + std::abs(off_plane) * 500 + length_squared(da) * 400;
  return apart < 9 ? layer.coverage[q] * std::exp(-apart) : 0;
}

/// 3 x 3 mean of the variance: one pixel's own is too uncertain to trust.
float mean_variance(const Lattice& g, const Layer& layer, const std::vector<Lit>& lit, int x,
                    int y) {
  float sum = 0, weight = 1e-6f;
  for (int j = y - 1; j <= y + 1; ++j)
    for (int i = x - 1; i <= x + 1; ++i) {
      if (!g.holds(i, j)) continue;
      const std::size_t q = g.at(i, j);
      sum += lit[q].variance * layer.coverage[q];
      weight += layer.coverage[q];
    }
  return sum / weight;
}

Lit filter_pixel(const Lattice& g, const Layer& layer, const std::vector<Lit>& lit, int x, int y,
                 int stride) {
  constexpr float kernel[3] = {0.375f, 0.25f, 0.0625f};
  const std::size_t p = g.at(x, y);
  const float own = luminance(lit[p].light);
  const float tolerance = 1 / (3 * std::sqrt(mean_variance(g, layer, lit, x, y)) + 1e-3f);
  float weight = kernel[0] * kernel[0] * layer.coverage[p];
  Lit sum{lit[p].light * weight, lit[p].variance * weight * weight};
  for (int dy = -2; dy <= 2; ++dy)
    for (int dx = -2; dx <= 2; ++dx) {
      const int i = x + dx * stride, j = y + dy * stride;
      if ((dx == 0 && dy == 0) || !g.holds(i, j)) continue;
      const std::size_t q = g.at(i, j);
      float w = likeness(layer, p, q);
      if (w == 0) continue;
      w *= kernel[std::abs(dx)] * kernel[std::abs(dy)] *
           std::exp(-std::abs(luminance(lit[q].light) - own) * tolerance);
      sum.light += lit[q].light * w;
      sum.variance += lit[q].variance * w * w;
      weight += w;
    }
  return {sum.light / weight, sum.variance / (weight * weight)};
}

void denoise(const Exec& exec, Layer& layer) {
  const Lattice g{layer.light.width, layer.light.height};
  std::vector<Lit> lit(layer.light.pixels.size()), next(lit.size());
  for (std::size_t p = 0; p < lit.size(); ++p)
    lit[p] = {divided(layer.light.pixels[p], safe_albedo(layer.albedo.pixels[p])),
              layer.variance[p]};
  for (int pass = 0; pass < passes; ++pass) {
    for_each_coarse(exec, "render.denoise", g.height, [&](Index y) {
      for (int x = 0; x < g.width; ++x)
        if (layer.coverage[g.at(x, y)] > 0)
          next[g.at(x, y)] = filter_pixel(g, layer, lit, x, y, 1 << pass);
    });
    lit.swap(next);
  }
  for (std::size_t p = 0; p < lit.size(); ++p)
    layer.light.pixels[p] = scaled(lit[p].light, safe_albedo(layer.albedo.pixels[p]));
}

}  // namespace

void denoise(const Exec& exec, Film& film) {
  denoise(exec, film.ground);
  denoise(exec, film.objects);
}

}  // namespace phyxel::render
