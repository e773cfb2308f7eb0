#include <algorithm>
#include <cmath>

#include "phyxel/render/lights.h"

namespace phyxel::render {
namespace {

constexpr float pi = static_cast<float>(M_PI);

/// Sums from the first value up to each, divided by the last sum; evenly where all is black.
void accumulate_shares(const float* value, std::size_t n, float* sum) {
  double total = 0;
  for (std::size_t i = 0; i < n; ++i) sum[i] = static_cast<float>(total += value[i]);
  for (std::size_t i = 0; i < n; ++i)
    sum[i] = total > 0 ? sum[i] / static_cast<float>(total)
                       : static_cast<float>(i + 1) / static_cast<float>(n);
}

/// The entry in which u falls, and u stretched to 0 to 1 over it.
std::size_t pick(const float* sum, std::size_t n, float& u) {
  const std::size_t i = std::min<std::size_t>(std::upper_bound(sum, sum + n, u) - sum, n - 1);
  const float before = i > 0 ? sum[i - 1] : 0, width = sum[i] - before;
  u = width > 0 ? std::clamp((u - before) / width, 0.0f, 1.0f) : 0.5f;
  return i;
}

float share_at(const float* sum, std::size_t i) {
  return sum[i] - (i > 0 ? sum[i - 1] : 0);
}

/// Length of a row's circle of latitude, for the radius 1, over 2 pi.
float row_width(const Image& image, int y) {
  return std::sin(pi * (static_cast<float>(y) + 0.5f) / static_cast<float>(image.height));
}

Colour mean_light(const Image& image) {
  Colour sum = Colour::zero();
  float weight = 0;
  for (int y = 0; y < image.height; ++y) {
    Colour row = Colour::zero();
    for (int x = 0; x < image.width; ++x) row += image.at(x, y);
    sum += row * row_width(image, y);
    weight += row_width(image, y) * static_cast<float>(image.width);
  }
  return sum / weight;
}

}  // namespace

EnvironmentMap::EnvironmentMap(const Image& image, float turn_degrees)
    : image_(&image),
      turn_(turn_degrees / 360),
      row_sum_(image.height),
      column_sum_(image.pixels.size()) {
  const auto w = static_cast<std::size_t>(image.width);
  mean_ = mean_light(image);
  std::vector<float> row(w), rows(image.height);
  for (int y = 0; y < image.height; ++y) {
    // A little everywhere: a pixel's light reaches into its neighbours.
    for (std::size_t x = 0; x < w; ++x)
      row[x] = luminance(image.pixels[y * w + x]) + 0.05f * luminance(mean_);
    for (float v : row) rows[y] += v * row_width(image, y);
    accumulate_shares(row.data(), w, column_sum_.data() + y * w);
  }
  accumulate_shares(rows.data(), rows.size(), row_sum_.data());
}

Vec2f EnvironmentMap::place_of(const Vec3f& d) const {
  const float u = std::atan2(d[0], -d[2]) / (2 * pi) + 0.5f - turn_;
  return {u - std::floor(u), std::acos(std::clamp(d[1], -1.0f, 1.0f)) / pi};
}

Colour EnvironmentMap::radiance(const Vec3f& direction) const {
  const Vec2f p = place_of(direction);
  // Rows end at the poles: half a pixel before them the texture would show the other pole.
  const float half = 0.5f / static_cast<float>(image_->height);
  return sample_image(*image_, {p[0], 1 - std::clamp(p[1], half, 1 - half)});
}

float EnvironmentMap::density_of(std::size_t pixel, float sine) const {
  const auto w = static_cast<std::size_t>(image_->width);
  const std::size_t y = pixel / w, x = pixel % w;
  const float share = share_at(row_sum_.data(), y) * share_at(column_sum_.data() + y * w, x);
  return share * static_cast<float>(image_->pixels.size()) / (2 * pi * pi * std::max(sine, 1e-4f));
}

float EnvironmentMap::density(const Vec3f& direction) const {
  const Vec2f p = place_of(direction);
  const int x =
      std::min(static_cast<int>(p[0] * static_cast<float>(image_->width)), image_->width - 1);
  const int y =
      std::min(static_cast<int>(p[1] * static_cast<float>(image_->height)), image_->height - 1);
  return density_of(static_cast<std::size_t>(y) * image_->width + x, std::sin(pi * p[1]));
}

Vec3f EnvironmentMap::choose(const Vec2f& u) const {
  const auto w = static_cast<std::size_t>(image_->width);
  Vec2f in = {u[0], u[1]};
  const std::size_t y = pick(row_sum_.data(), row_sum_.size(), in[1]);
  const std::size_t x = pick(column_sum_.data() + y * w, w, in[0]);
  const float azimuth =
      ((static_cast<float>(x) + in[0]) / static_cast<float>(w) + turn_ - 0.5f) * 2 * pi;
  const float polar = (static_cast<float>(y) + in[1]) / static_cast<float>(image_->height) * pi;
  const float sine = std::sin(polar);
  return {sine * std::sin(azimuth), std::cos(polar), -sine * std::cos(azimuth)};
}

}  // namespace phyxel::render
