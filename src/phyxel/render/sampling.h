#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>

#include "phyxel/render/image.h"

namespace phyxel::render {

inline std::uint32_t hash(std::uint32_t x) {
  x = (x ^ (x >> 16)) * 0x21f0aaadu;
  x = (x ^ (x >> 15)) * 0x735a2d97u;
  return x ^ (x >> 15);
}
inline std::uint32_t hash(std::uint32_t a, std::uint32_t b) {
  return hash(a + 0x9e3779b9u * (b + 1));
}

/// Uniform in [0, 1) for a random word.
inline float unit_float(std::uint32_t word) {
  return static_cast<float>(word >> 8) * 0x1p-24f;
}

inline std::uint32_t reverse_bits(std::uint32_t x) {
  x = ((x >> 1) & 0x55555555u) | ((x & 0x55555555u) << 1);
  x = ((x >> 2) & 0x33333333u) | ((x & 0x33333333u) << 2);
  x = ((x >> 4) & 0x0f0f0f0fu) | ((x & 0x0f0f0f0fu) << 4);
  return __builtin_bswap32(x);
}

/// Every bit is flipped by a hash of the more significant ones: Owen's scrambling on reversed bits.
/// Burley 2020, listing 2, with the constants of Vegdahl 2021.
inline std::uint32_t scramble_reversed(std::uint32_t x, std::uint32_t seed) {
  x ^= x * 0x3d20adeau;
  x += seed;
  x *= (seed >> 16) | 1u;
  x ^= x * 0x05526c56u;
  x ^= x * 0x53a22864u;
  return x;
}

/// Evenly spread numbers for the paths of one pixel: shuffled, scrambled Sobol points in pairs of
/// dimensions, Burley 2020. The n-th number of a path depends on (pixel, path, n) only.
class Sampler {
 public:
  Sampler(std::uint32_t pixel_seed, std::uint32_t path, std::uint32_t paths)
      : seed_(pixel_seed), path_(path), mask_(std::bit_ceil(paths) - 1) {}

  Vec2f next2() {
    const std::uint32_t s = hash(seed_, pair_++);
    const std::uint32_t k = reverse_bits(scramble_reversed(reverse_bits(path_), s)) & mask_;
    // The first Sobol dimension is the index with its bits reversed: scramble what reverses to it.
    const std::uint32_t x = reverse_bits(scramble_reversed(k, hash(s, 1)));
    const std::uint32_t y =
        reverse_bits(scramble_reversed(reverse_bits(sobol_second(k)), hash(s, 2)));
    return {unit_float(x), unit_float(y)};
  }

 private:
  static std::uint32_t sobol_second(std::uint32_t k) {
    std::uint32_t x = 0;
    for (std::uint32_t v = 0x80000000u; k != 0; k >>= 1, v ^= v >> 1)
      if (k & 1u) x ^= v;
    return x;
  }
  std::uint32_t seed_, path_, mask_;
  std::uint32_t pair_ = 0;
};

/// Two unit vectors that make a right-handed frame with the unit vector n. Duff et al. 2017.
struct Basis {
  Vec3f tangent, bitangent, normal;

  explicit Basis(const Vec3f& n) : normal(n) {
    const float sign = std::copysign(1.0f, n[2]);
    const float a = -1 / (sign + n[2]), b = n[0] * n[1] * a;
    tangent = {1 + sign * n[0] * n[0] * a, sign * b, -sign * n[0]};
    bitangent = {b, sign + n[1] * n[1] * a, -n[1]};
  }
  Vec3f to_world(const Vec3f& v) const { return tangent * v[0] + bitangent * v[1] + normal * v[2]; }
  Vec3f to_local(const Vec3f& v) const {
    return {dot(v, tangent), dot(v, bitangent), dot(v, normal)};
  }
};

inline Vec3f around_z(float cosine, float u) {
  const float sine = std::sqrt(std::max(0.0f, 1 - cosine * cosine));
  const float phi = 2 * static_cast<float>(M_PI) * u;
  return {sine * std::cos(phi), sine * std::sin(phi), cosine};
}
/// Density cosine / pi.
inline Vec3f sample_cosine(const Vec2f& u) {
  return around_z(std::sqrt(1 - u[0]), u[1]);
}
/// Uniform in the cone around z whose half angle has this cosine.
inline Vec3f sample_cone(float cosine, const Vec2f& u) {
  return around_z(1 - u[0] * (1 - cosine), u[1]);
}
/// Density of a tent over [-1, 1].
inline float sample_tent(float u) {
  const float v = 2 * u - 1;
  return std::copysign(1 - std::sqrt(1 - std::abs(v)), v);
}
/// Where in the pixel a path starts: a tent of one pixel to each side of the centre. As every path
/// then weighs the same, this is the reconstruction filter.
inline Vec2f sample_pixel_filter(const Vec2f& u) {
  return {0.5f + sample_tent(u[0]), 0.5f + sample_tent(u[1])};
}

}  // namespace phyxel::render
