#pragma once

#include <algorithm>
#include <bit>
#include <type_traits>

#include "phyxel/core/pack.h"
#include "phyxel/core/quad.h"

// Moves of numbers between lanes, which no library does well: gathering rows, looking up small
// tables, compressing, summing four packs at once. Intrinsics are in this file and in pack_rows.h
// alone; every function has a portable twin with the same results.

#if defined(__AVX512F__) && !defined(PHYXEL_DOUBLE)
#define PHYXEL_SHUFFLE_AVX512 1
#else
#define PHYXEL_SHUFFLE_AVX512 0
#endif

namespace phyxel {

/// The quads of as many particles as a pack has lanes, one pack for each number.
struct QuadPack {
  Pack c[4];
};

/// Lanes of a Pack.
constexpr Index lanes = pack_size<Real>;

/// The four numbers at address(0), at address(1), ... A hardware gather takes three times as long.
template <class Address>
PHYXEL_INLINE QuadPack load_fours(const Address& address) {
#if PHYXEL_SHUFFLE_AVX512
  // In halves: inserting into and transposing eight lanes costs half of the same with sixteen.
  const auto row = [&](int k) __attribute__((always_inline)) {
    const __m128 low = _mm_load_ps(address(k)), high = _mm_load_ps(address(k + 4));
    return _mm256_insertf128_ps(_mm256_castps128_ps256(low), high, 1);
  };
  struct Half {
    __m256 c[4];
  };
  const auto half = [&](int k) __attribute__((always_inline))->Half {
    const __m256 r0 = row(k), r1 = row(k + 1), r2 = row(k + 2), r3 = row(k + 3);
    const __m256 xy01 = _mm256_unpacklo_ps(r0, r1), xy23 = _mm256_unpacklo_ps(r2, r3);
    const __m256 zw01 = _mm256_unpackhi_ps(r0, r1), zw23 = _mm256_unpackhi_ps(r2, r3);
    return {{_mm256_shuffle_ps(xy01, xy23, 0x44), _mm256_shuffle_ps(xy01, xy23, 0xee),
             _mm256_shuffle_ps(zw01, zw23, 0x44), _mm256_shuffle_ps(zw01, zw23, 0xee)}};
  };
  const Half low = half(0), high = half(8);
  QuadPack packed;
  for (int k = 0; k < 4; ++k)
    packed.c[k] = _mm512_insertf32x8(_mm512_castps256_ps512(low.c[k]), high.c[k], 1);
  return packed;
#else
  alignas(64) Real number[4][lanes];
  for (Index l = 0; l < lanes; ++l)
    for (int k = 0; k < 4; ++k) number[k][l] = address(l)[k];
  QuadPack packed;
  for (int k = 0; k < 4; ++k) packed.c[k] = Pack::load_aligned(number[k]);
  return packed;
#endif
}

/// quads[at[0]], quads[at[1]], ...
PHYXEL_INLINE QuadPack gather(const Quad* quads, const Index* at) {
  return load_fours([&](Index l) __attribute__((always_inline)) { return quads[at[l]].c; });
}

/// The same where a loop gathers much and the units that shuffle are its limit: masked broadcasts
/// put a quad into its place without them.
template <class Address>
PHYXEL_INLINE QuadPack load_many_fours(const Address& address) {
#if PHYXEL_SHUFFLE_AVX512
  const auto quad = [&](int l) __attribute__((always_inline)) {
    return _mm_load_ps(address(l));
  };
  const auto row = [&](int k) __attribute__((always_inline)) {
    __m512 r = _mm512_castps128_ps512(quad(k));
    r = _mm512_mask_broadcast_f32x4(r, 0x00f0, quad(k + 4));
    r = _mm512_mask_broadcast_f32x4(r, 0x0f00, quad(k + 8));
    return _mm512_mask_broadcast_f32x4(r, 0xf000, quad(k + 12));
  };
  const __m512 r0 = row(0), r1 = row(1), r2 = row(2), r3 = row(3);
  const __m512 xy01 = _mm512_unpacklo_ps(r0, r1), xy23 = _mm512_unpacklo_ps(r2, r3);
  const __m512 zw01 = _mm512_unpackhi_ps(r0, r1), zw23 = _mm512_unpackhi_ps(r2, r3);
  return {{_mm512_shuffle_ps(xy01, xy23, 0x44), _mm512_shuffle_ps(xy01, xy23, 0xee),
           _mm512_shuffle_ps(zw01, zw23, 0x44), _mm512_shuffle_ps(zw01, zw23, 0xee)}};
#else
  return load_fours(address);
#endif
}
/// Eight numbers of each of as many particles as a pack has lanes.
struct TwoQuadPacks {
  QuadPack first, second;
};

/// The eight numbers at address(0), at address(1), ..., aligned to all of them.
template <class Address>
PHYXEL_INLINE TwoQuadPacks load_eights(const Address& address) {
#if PHYXEL_SHUFFLE_AVX512
  // Lanes of four numbers: first and second quad of k, first and second quad of k + 4.
  const auto row = [&](int k) __attribute__((always_inline)) {
    return _mm512_mask_broadcast_f32x8(_mm512_castps256_ps512(_mm256_load_ps(address(k))), 0xff00,
                                       _mm256_load_ps(address(k + 4)));
  };
  struct Half {
    __m512 c[4];
  };
  const auto half = [&](int k) __attribute__((always_inline))->Half {
    const __m512 r0 = row(k), r1 = row(k + 1), r2 = row(k + 2), r3 = row(k + 3);
    const __m512 xy01 = _mm512_unpacklo_ps(r0, r1), xy23 = _mm512_unpacklo_ps(r2, r3);
    const __m512 zw01 = _mm512_unpackhi_ps(r0, r1), zw23 = _mm512_unpackhi_ps(r2, r3);
    return {{_mm512_shuffle_ps(xy01, xy23, 0x44), _mm512_shuffle_ps(xy01, xy23, 0xee),
             _mm512_shuffle_ps(zw01, zw23, 0x44), _mm512_shuffle_ps(zw01, zw23, 0xee)}};
  };
  const Half low = half(0), high = half(8);
  const auto join = [&](int k, auto which) __attribute__((always_inline)) {
    return Pack(_mm512_shuffle_f32x4(low.c[k], high.c[k], which.value));
  };
  constexpr std::integral_constant<int, 0x88> even;
  constexpr std::integral_constant<int, 0xdd> odd;
  return {{{join(0, even), join(1, even), join(2, even), join(3, even)}},
          {{join(0, odd), join(1, odd), join(2, odd), join(3, odd)}}};
#else
  return {load_fours(address), load_fours([&](Index l) { return address(l) + 4; })};
#endif
}

/// `load` of pack.h for vectors, by way of registers where the pack is full.
PHYXEL_INLINE Vec3Pack load_vectors(const Vec3* from, Index count) {
#if PHYXEL_SHUFFLE_AVX512
  if (count == lanes) {
    // Lane l of number k is number 3 l + k of three registers: the first two hold those below 32.
    const float* const numbers = from->c;
    const __m512 a = _mm512_loadu_ps(numbers), b = _mm512_loadu_ps(numbers + 16),
                 c = _mm512_loadu_ps(numbers + 32);
    const __m512i lane = _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
    const __m512i three = _mm512_add_epi32(lane, _mm512_add_epi32(lane, lane));
    Vec3Pack packed;
    for (int k = 0; k < 3; ++k) {
      const __m512i at = _mm512_add_epi32(three, _mm512_set1_epi32(k));
      const __mmask16 beyond = _mm512_cmpge_epi32_mask(at, _mm512_set1_epi32(32));
      const __m512i second = _mm512_mask_sub_epi32(lane, beyond, at, _mm512_set1_epi32(16));
      packed[k] = _mm512_permutex2var_ps(_mm512_permutex2var_ps(a, at, b), second, c);
    }
    return packed;
  }
#endif
  return load(from, count);
}

/// `store` of pack.h for vectors.
PHYXEL_INLINE void store_vectors(const Vec3Pack& packed, Vec3* to, Index count) {
#if PHYXEL_SHUFFLE_AVX512
  if (count == lanes) {
    alignas(64) static constexpr auto from = [] {
      // Place p of register r is number 16 r + p: component (16 r + p) % 3 of lane (16 r + p) / 3.
      // x and y come first; z then replaces every third.
      struct {
        std::int32_t xy[3][16], z[3][16];
      } places{};
      for (int r = 0; r < 3; ++r)
        for (int p = 0; p < 16; ++p) {
          const int number = 16 * r + p, lane = number / 3, component = number % 3;
          places.xy[r][p] = component == 1 ? 16 + lane : lane;
          places.z[r][p] = component == 2 ? 16 + lane : p;
        }
      return places;
    }();
    for (int r = 0; r < 3; ++r) {
      const __m512 xy = _mm512_permutex2var_ps(packed[0], _mm512_load_si512(from.xy[r]), packed[1]);
      _mm512_storeu_ps(to->c + 16 * r,
                       _mm512_permutex2var_ps(xy, _mm512_load_si512(from.z[r]), packed[2]));
    }
    return;
  }
#endif
  store(packed, to, count);
}

/// The first `count` lanes to the first four numbers at address(0), address(1), ...
template <class Address>
PHYXEL_INLINE void store_fours(const QuadPack& packed, const Address& address, Index count) {
#if PHYXEL_SHUFFLE_AVX512
  if (count == lanes) {
    const __m512 xy_low = _mm512_unpacklo_ps(packed.c[0], packed.c[1]),
                 xy_high = _mm512_unpackhi_ps(packed.c[0], packed.c[1]),
                 zw_low = _mm512_unpacklo_ps(packed.c[2], packed.c[3]),
                 zw_high = _mm512_unpackhi_ps(packed.c[2], packed.c[3]);
    // Quads k, k + 4, k + 8 and k + 12 in register k.
    const __m512 quads[4] = {
        _mm512_shuffle_ps(xy_low, zw_low, 0x44), _mm512_shuffle_ps(xy_low, zw_low, 0xee),
        _mm512_shuffle_ps(xy_high, zw_high, 0x44), _mm512_shuffle_ps(xy_high, zw_high, 0xee)};
    for (int k = 0; k < 4; ++k) {
      _mm_store_ps(address(k), _mm512_castps512_ps128(quads[k]));
      _mm_store_ps(address(k + 4), _mm512_extractf32x4_ps(quads[k], 1));
      _mm_store_ps(address(k + 8), _mm512_extractf32x4_ps(quads[k], 2));
      _mm_store_ps(address(k + 12), _mm512_extractf32x4_ps(quads[k], 3));
    }
    return;
  }
#endif
  alignas(64) Real number[4][lanes];
  for (int k = 0; k < 4; ++k) packed.c[k].store_aligned(number[k]);
  for (Index l = 0; l < count; ++l)
    for (int k = 0; k < 4; ++k) address(l)[k] = number[k][l];
}

/// The first `count` lanes as quads one behind the other: what gather reads.
PHYXEL_INLINE void store_quads(const QuadPack& packed, Quad* to, Index count) {
  store_fours(
      packed, [&](Index l) __attribute__((always_inline)) { return to[l].c; }, count);
}

/// The sums over the lanes of four packs.
PHYXEL_INLINE Quad sums_of_lanes(const Pack& a, const Pack& b, const Pack& c, const Pack& d) {
#if PHYXEL_SHUFFLE_AVX512
  const __m512 ab = _mm512_add_ps(_mm512_unpacklo_ps(a, b), _mm512_unpackhi_ps(a, b));
  const __m512 cd = _mm512_add_ps(_mm512_unpacklo_ps(c, d), _mm512_unpackhi_ps(c, d));
  const __m512 abcd =
      _mm512_add_ps(_mm512_shuffle_ps(ab, cd, 0x44), _mm512_shuffle_ps(ab, cd, 0xee));
  const __m256 half = _mm256_add_ps(_mm512_castps512_ps256(abcd), _mm512_extractf32x8_ps(abcd, 1));
  Quad sums;
  _mm_store_ps(sums.c, _mm_add_ps(_mm256_castps256_ps128(half), _mm256_extractf128_ps(half, 1)));
  return sums;
#else
  return {{xsimd::hadd(a), xsimd::hadd(b), xsimd::hadd(c), xsimd::hadd(d)}};
#endif
}

/// Whole numbers as wide as Real, one for each lane.
using WholePack = xsimd::as_integer_t<Pack>;

/// Three sums of whole numbers.
struct WholeSums {
  alignas(32) std::int64_t c[4] = {0, 0, 0, 0};
};

/// Adds the lanes of three packs to `sums`.
PHYXEL_INLINE void add_lanes(const WholePack (&of)[3], WholeSums& sums) {
#if PHYXEL_SHUFFLE_AVX512
  // Pairs of lanes first: their sums have 64 bits.
  const auto pairs = [](const __m512i& whole) __attribute__((always_inline)) {
    return _mm512_add_epi64(_mm512_srai_epi64(_mm512_slli_epi64(whole, 32), 32),
                            _mm512_srai_epi64(whole, 32));
  };
  const __m512i x = pairs(of[0]), y = pairs(of[1]), z = pairs(of[2]), none = _mm512_setzero_si512();
  const __m512i xy = _mm512_add_epi64(_mm512_unpacklo_epi64(x, y), _mm512_unpackhi_epi64(x, y));
  const __m512i z0 =
      _mm512_add_epi64(_mm512_unpacklo_epi64(z, none), _mm512_unpackhi_epi64(z, none));
  const __m512i all =
      _mm512_add_epi64(_mm512_shuffle_i64x2(xy, z0, 0x44), _mm512_shuffle_i64x2(xy, z0, 0xee));
  const __m256i low = _mm512_castsi512_si256(all), high = _mm512_extracti64x4_epi64(all, 1);
  const __m256i added = _mm256_add_epi64(_mm256_permute2x128_si256(low, high, 0x20),
                                         _mm256_permute2x128_si256(low, high, 0x31));
  __m256i* const to = reinterpret_cast<__m256i*>(sums.c);
  _mm256_store_si256(to, _mm256_add_epi64(_mm256_load_si256(to), added));
#else
  using Whole = WholePack::value_type;
  for (int k = 0; k < 3; ++k) {
    alignas(64) Whole lane[lanes];
    of[k].store_aligned(lane);
    for (Index l = 0; l < lanes; ++l) sums.c[k] += lane[l];
  }
#endif
}

/// The sums in units of `unit`, rounded once.
PHYXEL_INLINE Vec<Real, 3> scaled(const WholeSums& sums, double unit) {
  Vec<Real, 3> v;
  for (int k = 0; k < 3; ++k) v[k] = static_cast<Real>(double(sums.c[k]) * unit);
  return v;
}

/// 1/a to a few units in the last place.
PHYXEL_INLINE Pack quick_reciprocal(const Pack& a) {
#if PHYXEL_SHUFFLE_AVX512
  const Pack guess = _mm512_rcp14_ps(a);
  return guess * xsimd::fnma(a, guess, Pack(2.0f));  // Newton's step
#else
  return Pack(Real(1)) / a;
#endif
}

template <>
struct Quick<Pack> {
  PHYXEL_INLINE static Pack reciprocal(const Pack& a) { return quick_reciprocal(a); }
  PHYXEL_INLINE static Pack root(const Pack& a) {
#if PHYXEL_SHUFFLE_AVX512
    const Pack guess = _mm512_rsqrt14_ps(a), half = a * guess * Pack(0.5f);
    return guess * a * xsimd::fnma(half, guess, Pack(1.5f));  // Newton's step
#else
    return sqrt(a);
#endif
  }
  PHYXEL_INLINE static Pack over_root(const Pack& a) {
#if PHYXEL_SHUFFLE_AVX512
    const Pack guess = _mm512_rsqrt14_ps(a), half = a * guess * Pack(0.5f);
    return guess * xsimd::fnma(half, guess, Pack(1.5f));  // Newton's step
#else
    return Pack(Real(1)) / sqrt(a);
#endif
  }
};

/// The one of smaller size, lane by lane.
PHYXEL_INLINE Pack smaller_of(const Pack& a, const Pack& b) {
#if PHYXEL_SHUFFLE_AVX512 && defined(__AVX512DQ__)
  return _mm512_range_ps(a, b, 0b0110);  // the smaller size, with its own sign
#else
  return select(abs(b) < abs(a), b, a);
#endif
}

/// Writes those of the `lanes` indices at `from` whose bit is set, one behind the other, and
/// returns how many. Up to `lanes` places of `out` are overwritten.
PHYXEL_INLINE Index compress(const Index* from, std::uint32_t bits, Index* out) {
#if PHYXEL_SHUFFLE_AVX512
  // To a register, then to memory: compressing into memory is very slow on some processors.
  _mm512_storeu_si512(
      out, _mm512_maskz_compress_epi32(static_cast<__mmask16>(bits), _mm512_loadu_si512(from)));
  return std::popcount(bits);
#else
  Index n = 0;
  for (; bits != 0; bits &= bits - 1) out[n++] = from[std::countr_zero(bits)];
  return n;
#endif
}

/// The same for the lanes of a pack.
PHYXEL_INLINE Index compress(const Pack& from, std::uint32_t bits, Real* out) {
#if PHYXEL_SHUFFLE_AVX512
  _mm512_storeu_ps(out, _mm512_maskz_compress_ps(static_cast<__mmask16>(bits), from));
  return std::popcount(bits);
#else
  alignas(64) Real lane[lanes];
  from.store_aligned(lane);
  Index n = 0;
  for (; bits != 0; bits &= bits - 1) out[n++] = lane[std::countr_zero(bits)];
  return n;
#endif
}

/// Copies `count` indices, a multiple of 16, between cache lines, past the caches: they are not
/// read again soon.
inline void stream(const Index* from, Index count, Index* to) {
#if PHYXEL_SHUFFLE_AVX512
  for (Index k = 0; k < count; k += 16)
    _mm512_stream_si512(reinterpret_cast<__m512i*>(to + k), _mm512_load_si512(from + k));
  _mm_sfence();
#else
  std::copy_n(from, count, to);
#endif
}

PHYXEL_INLINE Real largest_lane(const Pack& a) {
  alignas(64) Real lane[lanes];
  a.store_aligned(lane);
  return *std::max_element(lane, lane + lanes);
}
PHYXEL_INLINE Real smallest_lane(const Pack& a) {
  alignas(64) Real lane[lanes];
  a.store_aligned(lane);
  return *std::min_element(lane, lane + lanes);
}

/// Bit l tells whether lane l of the mask holds.
PHYXEL_INLINE std::uint32_t bits_of(const Pack::batch_bool_type& mask) {
#if defined(__AVX512F__)
  return static_cast<std::uint32_t>(mask.data);
#else
  alignas(64) bool set[lanes];
  mask.store_aligned(set);
  std::uint32_t bits = 0;
  for (Index l = 0; l < lanes; ++l) bits |= std::uint32_t{set[l]} << l;
  return bits;
#endif
}

/// Sixteen numbers, a register of them where Real is float.
struct Table16 {
  alignas(64) Real value[16];
};

/// table.value[each lane], lanes being whole numbers.
PHYXEL_INLINE Pack look_up(const Table16& table, const Pack& at) {
#if PHYXEL_SHUFFLE_AVX512
  return _mm512_permutexvar_ps(_mm512_cvttps_epi32(at), _mm512_load_ps(table.value));
#else
  alignas(64) Real lane[lanes];
  at.store_aligned(lane);
  for (Real& l : lane) l = table.value[static_cast<int>(l)];
  return Pack::load_aligned(lane);
#endif
}

/// As many bytes as a pack has lanes.
PHYXEL_INLINE Pack load_bytes(const std::uint8_t* from) {
#if PHYXEL_SHUFFLE_AVX512
  return _mm512_cvtepi32_ps(
      _mm512_cvtepu8_epi32(_mm_loadu_si128(reinterpret_cast<const __m128i*>(from))));
#else
  alignas(64) Real lane[lanes];
  for (Index l = 0; l < lanes; ++l) lane[l] = Real(from[l]);
  return Pack::load_aligned(lane);
#endif
}
PHYXEL_INLINE void store_bytes(const Pack& packed, std::uint8_t* to) {
#if PHYXEL_SHUFFLE_AVX512
  _mm_storeu_si128(reinterpret_cast<__m128i*>(to),
                   _mm512_cvtepi32_epi8(_mm512_cvttps_epi32(packed)));
#else
  alignas(64) Real lane[lanes];
  packed.store_aligned(lane);
  for (Index l = 0; l < lanes; ++l) to[l] = static_cast<std::uint8_t>(lane[l]);
#endif
}

#ifndef PHYXEL_DOUBLE

/// 32 numbers that fit into two registers.
struct Table32 {
  alignas(64) float value[32];
};

/// table.value[the lowest five bits of each index].
PHYXEL_INLINE Pack look_up(const Table32& table, const xsimd::as_integer_t<Pack>& index) {
#if PHYXEL_SHUFFLE_AVX512
  return _mm512_permutex2var_ps(_mm512_load_ps(table.value), index,
                                _mm512_load_ps(table.value + 16));
#else
  alignas(64) std::int32_t at[lanes];
  alignas(64) float found[lanes];
  index.store_aligned(at);
  for (Index l = 0; l < lanes; ++l) found[l] = table.value[at[l] & 31];
  return Pack::load_aligned(found);
#endif
}

#endif

}  // namespace phyxel
