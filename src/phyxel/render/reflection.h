#pragma once

#include "phyxel/render/sampling.h"
#include "phyxel/render/scene.h"

// Reflection in the frame of the surface: z is the normal, `out` points to the viewer and `in` to
// the light. A diffuse body under a rough dielectric coat: GGX with Smith shadowing (Walter et al.
// 2007), Schlick's Fresnel term; what the coat reflects the body does not get. A metal is all coat.

namespace phyxel::render {

struct Reflector {
  Colour albedo;    // of the body
  float alpha;      // GGX width, roughness squared
  float coat;       // its strength
  Colour straight;  // what the coat reflects straight back
  bool metal = false;

  Reflector(const Colour& colour, const Finish& finish)
      : albedo(colour),
        alpha(std::max(4e-4f, finish.roughness * finish.roughness)),
        coat(finish.coat),
        straight(Colour::filled(0.04f)) {
    if (finish.interior == Interior::metal)
      albedo = Colour::zero(), coat = 1, straight = colour, metal = true;
  }
};

inline Colour schlick(const Colour& straight, float cosine) {
  const float m = std::clamp(1 - cosine, 0.0f, 1.0f), m2 = m * m;
  return straight + (Colour::filled(1) - straight) * (m2 * m2 * m);
}
/// Share of light that a rough coat keeps from the body, which does not rise to one at grazing
/// angles as that of a smooth one does. Lagarde 2011.
inline float coat_reflectance(const Reflector& r, float cosine) {
  if (r.metal) return 1;
  const float m = std::clamp(1 - cosine, 0.0f, 1.0f), m2 = m * m;
  const float most = std::max(0.0f, 0.96f - std::sqrt(r.alpha));
  return r.coat * (0.04f + most * m2 * m2 * m);
}
inline float ggx_density(float alpha, float cosine) {
  const float a2 = alpha * alpha, d = cosine * cosine * (a2 - 1) + 1;
  return a2 / (static_cast<float>(M_PI) * d * d);
}
/// Smith's Lambda: shadowing of one direction is 1 / (1 + Lambda).
inline float smith_lambda(float alpha, float cosine) {
  const float c2 = cosine * cosine;
  return 0.5f * (std::sqrt(1 + alpha * alpha * (1 - c2) / c2) - 1);
}

/// Reflected radiance per irradiance, times the cosine of `in`; both cosines positive.
inline Colour reflect_light(const Reflector& r, const Vec3f& out, const Vec3f& in) {
  if (out[2] <= 0 || in[2] <= 0) return Colour::zero();
  const Vec3f half = normalized(out + in);
  const float body = (1 - coat_reflectance(r, out[2])) * (1 - coat_reflectance(r, in[2]));
  const float gloss =
      r.coat * ggx_density(r.alpha, half[2]) /
      (4 * out[2] * (1 + smith_lambda(r.alpha, out[2]) + smith_lambda(r.alpha, in[2])));
  return r.albedo * (body * in[2] * static_cast<float>(M_1_PI)) +
         schlick(r.straight, dot(out, half)) * gloss;
}

/// Chance that a path follows the coat rather than the body.
inline float coat_share(const Reflector& r, float cosine) {
  const float gloss = coat_reflectance(r, cosine);
  return gloss / (gloss + (1 - gloss) * std::max(0.05f, luminance(r.albedo)));
}

/// Density with which sample_reflection chooses `in`.
inline float reflection_density(const Reflector& r, const Vec3f& out, const Vec3f& in) {
  if (out[2] <= 0 || in[2] <= 0) return 0;
  const float share = coat_share(r, out[2]);
  const Vec3f half = normalized(out + in);
  const float gloss =
      ggx_density(r.alpha, half[2]) / (4 * out[2] * (1 + smith_lambda(r.alpha, out[2])));
  return share * gloss + (1 - share) * in[2] * static_cast<float>(M_1_PI);
}

/// A half vector among those that `out` sees. Dupuy and Benyoub 2023.
inline Vec3f sample_visible_half(float alpha, const Vec3f& out, const Vec2f& u) {
  const Vec3f o = normalized(Vec3f{out[0] * alpha, out[1] * alpha, out[2]});
  const Vec3f h = around_z((1 - u[0]) * (1 + o[2]) - o[2], u[1]) + o;
  return normalized(Vec3f{h[0] * alpha, h[1] * alpha, h[2]});
}

/// A direction to follow light backwards; its z may come out negative: then nothing arrives.
inline Vec3f sample_reflection(const Reflector& r, const Vec3f& out, const Vec2f& u) {
  const float share = coat_share(r, out[2]);
  if (u[0] >= share) return sample_cosine({(u[0] - share) / (1 - share), u[1]});
  const Vec3f half = sample_visible_half(r.alpha, out, {u[0] / share, u[1]});
  return half * (2 * dot(out, half)) - out;
}

/// Reflected share at a smooth boundary: `cosine` of the angle on the near side, `index` of the far
/// side over that of the near side. Fresnel's equations, unpolarised.
inline float fresnel(float cosine, float index) {
  const float c = std::clamp(cosine, 0.0f, 1.0f);
  const float g2 = index * index - 1 + c * c;
  if (g2 <= 0) return 1;
  const float g = std::sqrt(g2), a = (g - c) / (g + c);
  const float b = (c * (g + c) - 1) / (c * (g - c) + 1);
  return 0.5f * a * a * (1 + b * b);
}

/// The direction behind the boundary, for light that arrives against `out` (unit, on the side of
/// the unit normal `half`) and is not reflected totally.
inline Vec3f refract(const Vec3f& out, const Vec3f& half, float index) {
  const float c = dot(out, half), ratio = 1 / index;
  const float behind = std::sqrt(std::max(0.0f, 1 - ratio * ratio * (1 - c * c)));
  return normalized(half * (ratio * c - behind) - out * ratio);
}

/// Share of light that is left after `distance` in a clear body of this colour (Beer, Lambert).
inline Colour clear_share(const Colour& colour, float depth, float distance) {
  if (!(depth > 0)) return Colour::filled(1);
  Colour left;
  for (int k = 0; k < 3; ++k) left[k] = std::pow(std::max(colour[k], 1e-4f), distance / depth);
  return left;
}

}  // namespace phyxel::render
