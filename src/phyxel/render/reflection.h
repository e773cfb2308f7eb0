#pragma once

#include "phyxel/render/sampling.h"
#include "phyxel/render/scene.h"

// Reflection in the frame of the surface: z is the normal, `out` points to the viewer and `in` to
// the light. A diffuse body under a rough dielectric coat: GGX with Smith shadowing (Walter et al.
// 2007), Schlick's Fresnel term; what the coat reflects the body does not get. A metal is all coat.
// Cloth has fibres that stand off it (Estevez and Kulla 2017), and a thin sheet lets a share of the
// body's light out on its other side, where the z of `in` is negative.

namespace phyxel::render {

struct Reflector {
  Colour albedo;    // of the body
  float alpha;      // GGX width, roughness squared
  float coat;       // its strength
  Colour straight;  // what the coat reflects straight back
  bool metal = false;
  float sheen = 0;    // of fibres
  float through = 0;  // share of the body's light behind

  Reflector(const Colour& colour, const Finish& finish)
      : albedo(colour),
        alpha(std::max(4e-4f, finish.roughness * finish.roughness)),
        coat(finish.coat),
        straight(Colour::filled(0.04f)) {
    if (finish.interior == Interior::metal)
      albedo = Colour::zero(), coat = 1, straight = colour, metal = true;
    if (finish.interior == Interior::opaque) sheen = finish.sheen, through = finish.through;
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

/// Fibres with normals about the rim, of roughness 0.4: reflected radiance per irradiance. Estevez
/// and Kulla 2017, eq. 2, with the visibility of Neubelt and Pettineo 2013.
inline float fibre_light(const Vec3f& out, const Vec3f& in) {
  constexpr float power = 1 / 0.4f;
  const float cosine = normalized(out + in)[2];
  const float sine = std::sqrt(std::max(0.0f, 1 - cosine * cosine));
  const float density = (2 + power) * std::pow(sine, power) * static_cast<float>(0.5 * M_1_PI);
  return density / (4 * (out[2] + in[2] - out[2] * in[2]));
}
/// Share of the light from this angle that the fibres reflect: a fit to the integral of the above,
/// good to 0.004; its mean over the hemisphere is 0.197.
inline float sheen_reflectance(const Reflector& r, float cosine) {
  const float m = std::clamp(1 - cosine, 0.0f, 1.0f);
  return r.sheen * (0.070f + m * (0.097f + m * (1.309f + m * (-2.283f + m * 1.577f))));
}

/// Share of light that reaches the body and comes back through coat and fibres. What fibres keep is
/// made up for as in Kulla and Conty 2017, so that white cloth loses nothing.
inline float body_share(const Reflector& r, float out, float in) {
  const float coat = (1 - coat_reflectance(r, out)) * (1 - coat_reflectance(r, in));
  if (r.sheen == 0) return coat;
  return coat * (1 - sheen_reflectance(r, out)) * (1 - sheen_reflectance(r, in)) /
         (1 - r.sheen * 0.197f);
}

/// Reflected radiance per irradiance, times the cosine of `in`; `out` is in front.
inline Colour reflect_light(const Reflector& r, const Vec3f& out, const Vec3f& in) {
  if (out[2] <= 0 || in[2] == 0) return Colour::zero();
  const bool front = in[2] > 0;
  const float cosine = std::abs(in[2]);
  const float side = front ? 1 - r.through : r.through;
  const Colour body =
      r.albedo * (side * body_share(r, out[2], cosine) * cosine * static_cast<float>(M_1_PI));
  if (!front) return body;
  const Vec3f half = normalized(out + in);
  const float gloss =
      r.coat * ggx_density(r.alpha, half[2]) /
      (4 * out[2] * (1 + smith_lambda(r.alpha, out[2]) + smith_lambda(r.alpha, in[2])));
  const Colour light = body + schlick(r.straight, dot(out, half)) * gloss;
  if (r.sheen == 0) return light;
  return light + Colour::filled(r.sheen * fibre_light(out, in) * in[2]);
}

/// Chance that a path follows the coat rather than the body and its fibres.
inline float coat_share(const Reflector& r, float cosine) {
  const float gloss = coat_reflectance(r, cosine);
  const float body = luminance(r.albedo) + sheen_reflectance(r, cosine);
  return gloss / (gloss + (1 - gloss) * std::max(0.05f, body));
}

/// Density with which sample_reflection chooses `in`.
inline float reflection_density(const Reflector& r, const Vec3f& out, const Vec3f& in) {
  if (out[2] <= 0 || in[2] == 0) return 0;
  const float share = coat_share(r, out[2]);
  const float side = in[2] > 0 ? 1 - r.through : r.through;
  const float body = (1 - share) * side * std::abs(in[2]) * static_cast<float>(M_1_PI);
  if (in[2] < 0) return body;
  const Vec3f half = normalized(out + in);
  const float gloss =
      ggx_density(r.alpha, half[2]) / (4 * out[2] * (1 + smith_lambda(r.alpha, out[2])));
  return share * gloss + body;
}

/// A half vector among those that `out` sees. Dupuy and Benyoub 2023.
inline Vec3f sample_visible_half(float alpha, const Vec3f& out, const Vec2f& u) {
  const Vec3f o = normalized(Vec3f{out[0] * alpha, out[1] * alpha, out[2]});
  const Vec3f h = around_z((1 - u[0]) * (1 + o[2]) - o[2], u[1]) + o;
  return normalized(Vec3f{h[0] * alpha, h[1] * alpha, h[2]});
}

/// A direction in which the body's light came, from behind for the share that goes through.
inline Vec3f sample_body(const Reflector& r, const Vec2f& u) {
  if (u[0] >= r.through) return sample_cosine({(u[0] - r.through) / (1 - r.through), u[1]});
  Vec3f in = sample_cosine({u[0] / r.through, u[1]});
  in[2] = -in[2];
  return in;
}

/// A direction to follow light backwards; zero where a facet of the coat sends it into the body:
/// then nothing arrives.
inline Vec3f sample_reflection(const Reflector& r, const Vec3f& out, const Vec2f& u) {
  const float share = coat_share(r, out[2]);
  if (u[0] >= share) return sample_body(r, {(u[0] - share) / (1 - share), u[1]});
  const Vec3f half = sample_visible_half(r.alpha, out, {u[0] / share, u[1]});
  const Vec3f in = half * (2 * dot(out, half)) - out;
  return in[2] > 0 ? in : Vec3f::zero();
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
