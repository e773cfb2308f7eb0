#pragma once

#include "phyxel/core/pack_shuffle.h"
#include "phyxel/core/row8.h"

// Rows of sixteen numbers, one for each particle or node, to packs and back.

namespace phyxel {

/// The rows of as many particles as a pack has lanes, one pack for each number.
struct RowPack {
  Pack c[16];
};

#if PHYXEL_SHUFFLE_AVX512
/// Sixteen rows of sixteen numbers become their columns.
PHYXEL_INLINE void transpose(__m512 (&r)[16]) {
  __m512 t[16];
  for (int k = 0; k < 16; k += 2) {
    t[k] = _mm512_unpacklo_ps(r[k], r[k + 1]);
    t[k + 1] = _mm512_unpackhi_ps(r[k], r[k + 1]);
  }
  const auto join = [](const __m512& a, const __m512& b, bool high) {
    const __m512d x = _mm512_castps_pd(a), y = _mm512_castps_pd(b);
    return _mm512_castpd_ps(high ? _mm512_unpackhi_pd(x, y) : _mm512_unpacklo_pd(x, y));
  };
  for (int k = 0; k < 16; k += 4)
    for (int h = 0; h < 2; ++h) {
      r[k + 2 * h] = join(t[k + h], t[k + 2 + h], false);
      r[k + 2 * h + 1] = join(t[k + h], t[k + 2 + h], true);
    }
  for (int k = 0; k < 4; ++k) {
    t[k] = _mm512_shuffle_f32x4(r[k], r[k + 4], 0x88);
    t[k + 4] = _mm512_shuffle_f32x4(r[k], r[k + 4], 0xdd);
    t[k + 8] = _mm512_shuffle_f32x4(r[k + 8], r[k + 12], 0x88);
    t[k + 12] = _mm512_shuffle_f32x4(r[k + 8], r[k + 12], 0xdd);
  }
  for (int k = 0; k < 4; ++k) {
    r[k] = _mm512_shuffle_f32x4(t[k], t[k + 8], 0x88);
    r[k + 4] = _mm512_shuffle_f32x4(t[k + 4], t[k + 12], 0x88);
    r[k + 8] = _mm512_shuffle_f32x4(t[k], t[k + 8], 0xdd);
    r[k + 12] = _mm512_shuffle_f32x4(t[k + 4], t[k + 12], 0xdd);
  }
}
#endif

// The compiler's own vectors of eight and sixteen numbers (row8.h). GCC 12 would take these moves
// through memory.

/// Four numbers, four times.
PHYXEL_INLINE TwoRows8 four_times(const Real* from) {
#if PHYXEL_SHUFFLE_AVX512
  return (TwoRows8)_mm512_broadcast_f32x4(_mm_loadu_ps(from));
#else
  alignas(64) Real row[16];
  for (int k = 0; k < 16; ++k) row[k] = from[k % 4];
  return load_loose<TwoRows8>(row);
#endif
}

/// Three numbers and a zero, four times.
PHYXEL_INLINE TwoRows8 threes_four_times(const Real* from) {
#if PHYXEL_SHUFFLE_AVX512
  return (TwoRows8)_mm512_maskz_broadcast_f32x4(0x7777, _mm_loadu_ps(from));
#else
  alignas(64) Real row[16];
  for (int k = 0; k < 16; ++k) row[k] = k % 4 == 3 ? 0 : from[k % 4];
  return load_loose<TwoRows8>(row);
#endif
}

/// Of sixteen numbers the 8th, the 12th and the 16th, each of them four times, and four zeros.
PHYXEL_INLINE TwoRows8 fourths_four_times(const Real* from) {
#if PHYXEL_SHUFFLE_AVX512
  const __m512i at = _mm512_setr_epi32(7, 7, 7, 7, 11, 11, 11, 11, 15, 15, 15, 15, 0, 0, 0, 0);
  return (TwoRows8)_mm512_maskz_permutexvar_ps(0x0fff, at, _mm512_loadu_ps(from));
#else
  alignas(64) Real row[16] = {};
  for (int k = 0; k < 12; ++k) row[k] = from[7 + k / 4 * 4];
  return load_loose<TwoRows8>(row);
#endif
}

/// Four numbers, each of them four times.
PHYXEL_INLINE TwoRows8 each_four_times(const Real* from) {
#if PHYXEL_SHUFFLE_AVX512
  const __m512i at = _mm512_setr_epi32(0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3);
  return (TwoRows8)_mm512_permutexvar_ps(at, _mm512_castps128_ps512(_mm_loadu_ps(from)));
#else
  alignas(64) Real row[16];
  for (int k = 0; k < 16; ++k) row[k] = from[k / 4];
  return load_loose<TwoRows8>(row);
#endif
}

/// The rows at address(0), address(1), ...
template <class Address>
PHYXEL_INLINE RowPack load_rows(const Address& address) {
  RowPack packed;
#if PHYXEL_SHUFFLE_AVX512
  __m512 r[16];
  for (int l = 0; l < 16; ++l) r[l] = _mm512_load_ps(address(l)->c);
  transpose(r);
  for (int k = 0; k < 16; ++k) packed.c[k] = r[k];
#else
  alignas(64) Real number[16][lanes];
  for (Index l = 0; l < lanes; ++l)
    for (int k = 0; k < 16; ++k) number[k][l] = address(l)->c[k];
  for (int k = 0; k < 16; ++k) packed.c[k] = Pack::load_aligned(number[k]);
#endif
  return packed;
}

/// The first `count` lanes to the rows at address(0), address(1), ...
template <class Address>
PHYXEL_INLINE void store_rows(const RowPack& packed, const Address& address, Index count) {
#if PHYXEL_SHUFFLE_AVX512
  __m512 r[16];
  for (int k = 0; k < 16; ++k) r[k] = packed.c[k];
  transpose(r);
  if (count == 16) {
    for (int l = 0; l < 16; ++l) _mm512_store_ps(address(l)->c, r[l]);
  } else {
    for (int l = 0; l < count; ++l) _mm512_store_ps(address(l)->c, r[l]);
  }
#else
  alignas(64) Real number[16][lanes];
  for (int k = 0; k < 16; ++k) packed.c[k].store_aligned(number[k]);
  for (Index l = 0; l < lanes && l < count; ++l)
    for (int k = 0; k < 16; ++k) address(l)->c[k] = number[k][l];
#endif
}

/// Row l holds, for lane l, the quads of N nodes in a line, one behind the other. Sums their first
/// three numbers over the nodes.
template <int N>
class QuadLines {
 public:
#if PHYXEL_SHUFFLE_AVX512
  PHYXEL_INLINE explicit QuadLines(const Row16* rows) {
    // Group k holds lanes k, k + 4, k + 8 and k + 12, node by node.
    for (int k = 0; k < 4; ++k) {
      const auto row = [&](int l) { return _mm512_load_ps(rows[l].c); };
      const __m512 a = row(k), b = row(k + 4), c = row(k + 8), d = row(k + 12);
      const __m512 ab = _mm512_shuffle_f32x4(a, b, 0x44), cd = _mm512_shuffle_f32x4(c, d, 0x44);
      const __m512 ab2 = _mm512_shuffle_f32x4(a, b, 0xee), cd2 = _mm512_shuffle_f32x4(c, d, 0xee);
      quads_[k][0] = _mm512_shuffle_f32x4(ab, cd, 0x88);
      quads_[k][1] = _mm512_shuffle_f32x4(ab, cd, 0xdd);
      quads_[k][2] = _mm512_shuffle_f32x4(ab2, cd2, 0x88);
      if constexpr (N == 4) quads_[k][3] = _mm512_shuffle_f32x4(ab2, cd2, 0xdd);
    }
  }
  /// weight[n]: that of node n, lane by lane.
  PHYXEL_INLINE void sum(const Pack (&weight)[N], Pack (&to)[3]) const {
    const __m512 a = sum_group<0>(weight), b = sum_group<1>(weight), c = sum_group<2>(weight),
                 d = sum_group<3>(weight);
    const __m512 ab = _mm512_unpacklo_ps(a, b), cd = _mm512_unpacklo_ps(c, d);
    to[0] = _mm512_shuffle_ps(ab, cd, 0x44);
    to[1] = _mm512_shuffle_ps(ab, cd, 0xee);
    to[2] = _mm512_shuffle_ps(_mm512_unpackhi_ps(a, b), _mm512_unpackhi_ps(c, d), 0x44);
  }

 private:
  template <int k>
  PHYXEL_INLINE __m512 sum_group(const Pack (&weight)[N]) const {
    const auto of_lanes = [](const Pack& w) { return _mm512_permute_ps(w, k * 0x55); };
    __m512 sum = _mm512_mul_ps(of_lanes(weight[0]), quads_[k][0]);
    for (int n = 1; n < N; ++n) sum = _mm512_fmadd_ps(of_lanes(weight[n]), quads_[k][n], sum);
    return sum;
  }

  __m512 quads_[4][N];
#else
  PHYXEL_INLINE explicit QuadLines(const Row16* rows) : rows_(rows) {}
  PHYXEL_INLINE void sum(const Pack (&weight)[N], Pack (&to)[3]) const {
    for (int c = 0; c < 3; ++c) {
      alignas(64) Real number[N][lanes];
      for (Index l = 0; l < lanes; ++l)
        for (int n = 0; n < N; ++n) number[n][l] = rows_[l].c[4 * n + c];
      to[c] = weight[0] * Pack::load_aligned(number[0]);
      for (int n = 1; n < N; ++n)
        to[c] = xsimd::fma(weight[n], Pack::load_aligned(number[n]), to[c]);
    }
  }

 private:
  const Row16* rows_;
#endif
};

}  // namespace phyxel
