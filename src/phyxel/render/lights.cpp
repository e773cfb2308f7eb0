#include "phyxel/render/lights.h"

#include <algorithm>
#include <cmath>

namespace phyxel::render {
namespace {

constexpr float pi = static_cast<float>(M_PI);
constexpr float infinite = std::numeric_limits<float>::infinity();

/// Weight of a direction found with `density` where another way finds it with `other`.
float share_of(float density, float other) {
  return std::isinf(density) ? 1 : density / (density + other);
}

}  // namespace

Lights::Lights(const Lighting& l, const PictureUnits& units)
    : lighting_(l), key_(normalized(cast<float>(l.key_direction))) {
  const float angle = std::clamp(l.key_radius, 0.05f, 80.0f) * pi / 180, sine = std::sin(angle);
  key_cosine_ = std::cos(angle);
  key_density_ = 1 / (2 * pi * (1 - key_cosine_));
  key_radiance_ = l.key_colour / (sine * sine);
  fill_ = normalized(cast<float>(l.fill_direction));
  if (luminance(l.key_colour) > 0) sources_.push_back(Source::key);
  float power = 0;
  for (const Panel& p : l.panels) {
    const Basis frame(normalized(cast<float>(p.direction)));
    const Vec3f level = cross(Vec3f{0, 1, 0}, frame.normal);
    const Vec3f across = length(level) > 1e-3f ? normalized(level) : Vec3f{1, 0, 0};
    const auto half = [&](Real size) { return static_cast<float>(size * units.scale / 2); };
    panels_.push_back({to_picture(units, p.centre), frame.normal, across,
                       cross(frame.normal, across), half(p.width), half(p.height), p.radiance,
                       luminance(p.radiance) * half(p.width) * half(p.height)});
    power += panels_.back().share;
  }
  for (Emitter& p : panels_) p.share = power > 0 ? p.share / power : 0;
  if (power > 0) sources_.push_back(Source::panel);
  if (!l.environment) return;
  environment_ = std::make_unique<EnvironmentMap>(*l.environment, l.environment_turn);
  sources_.push_back(Source::environment);
}

Aim Lights::aim(int source, const Vec3f& point, const Vec2f& u) const {
  switch (sources_[source]) {
    case Source::key:
      return aim_at_key(u);
    case Source::panel:
      return aim_at_panel(point, u);
    default:
      return aim_at_environment(u);
  }
}

Aim Lights::aim_at_key(const Vec2f& u) const {
  return {key_.to_world(sample_cone(key_cosine_, u)), infinite, key_radiance_, key_density_};
}

Aim Lights::aim_at_panel(const Vec3f& point, Vec2f u) const {
  std::size_t k = 0;
  for (; k + 1 < panels_.size() && u[0] >= panels_[k].share; ++k) u[0] -= panels_[k].share;
  const Emitter& p = panels_[k];
  if (!(p.share > 0)) return {};
  const float x = 2 * std::min(u[0] / p.share, 1.0f) - 1, y = 2 * u[1] - 1;
  const Vec3f to = p.centre + p.across * (x * p.half_width) + p.up * (y * p.half_height) - point;
  const float far = length(to), cosine = -dot(to, p.normal) / far;
  if (!(cosine > 0)) return {};
  return {to / far, far, p.radiance,
          p.share * far * far / (cosine * 4 * p.half_width * p.half_height)};
}

Aim Lights::aim_at_environment(const Vec2f& u) const {
  const Vec3f direction = environment_->choose(u);
  return {direction, infinite, environment_->radiance(direction), environment_->density(direction)};
}

Colour Lights::sky(const Vec3f& direction) const {
  const Lighting& l = lighting_;
  const float up = direction[1];
  const Colour c =
      up > 0 ? mix(l.horizon, l.zenith, up) : mix(l.horizon, l.nadir, std::min(1.0f, -2 * up));
  const float toward_fill = std::max(0.0f, dot(direction, fill_));
  return c + l.fill_colour * (toward_fill * toward_fill);
}

Colour Lights::ambient(const Vec3f& normal) const {
  return (environment_ ? environment_->mean() : sky(normal)) * 0.5f;
}

Colour Lights::beyond(const Vec3f& direction, float density) const {
  Colour c = environment_ ? environment_->radiance(direction) *
                                share_of(density, environment_->density(direction))
                          : sky(direction);
  if (luminance(key_radiance_) > 0 && dot(direction, key_.normal) >= key_cosine_)
    c += key_radiance_ * share_of(density, key_density_);
  return c;
}

Colour Lights::panels_before(const Ray& ray, float far, float density) const {
  Colour sum = Colour::zero();
  for (const Emitter& p : panels_) {
    const float slope = dot(ray.direction, p.normal);
    if (slope > -1e-6f) continue;
    const float t = dot(p.centre - ray.origin, p.normal) / slope;
    if (!(t > ray.near) || t >= far) continue;
    const Vec3f off = ray.origin + ray.direction * t - p.centre;
    if (std::abs(dot(off, p.across)) > p.half_width || std::abs(dot(off, p.up)) > p.half_height)
      continue;
    const float aimed = p.share * t * t / (-slope * 4 * p.half_width * p.half_height);
    sum += p.radiance * share_of(density, aimed);
  }
  return sum;
}

}  // namespace phyxel::render
