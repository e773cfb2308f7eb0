#pragma once

#include "phyxel/methods/mls/pair_packs.h"
#include "phyxel/methods/mls/row_access.h"

// Phyxels in lanes of packs, on the CPU.

namespace phyxel::mls {

/// Phyxels [first, first + count), a lane each.
struct LanesAt {
  Index first, count;
};

PHYXEL_INLINE SolidOf<Pack> solids_of(const StepView& s, const LanesAt& at) {
  SolidOf<Pack> packed;
  Pack* const to = &packed.lambda;
  const auto numbers = [](const Solid& solid) { return &solid.lambda; };
  if (!s.mixed) {
    const Real* const from = numbers(s.solids[s.first_material]);
    for (int k = 0; k < solid_numbers; ++k) to[k] = Pack(from[k]);
    return packed;
  }
  alignas(64) Real number[solid_numbers][lanes];
  for (Index l = 0; l < lanes; ++l) {
    const Real* const from = numbers(s.solid_of(at.first + std::min(l, at.count - 1)));
    for (int k = 0; k < solid_numbers; ++k) number[k][l] = from[k];
  }
  for (int k = 0; k < solid_numbers; ++k) to[k] = Pack::load_aligned(number[k]);
  return packed;
}

PHYXEL_INLINE RowPack rows_at(const Row16* rows, Index count) {
  return load_rows([&](Index l)
                       __attribute__((always_inline)) { return rows + std::min(l, count - 1); });
}

PHYXEL_INLINE RestShape<Pack> rests_of(const StepView& s, const LanesAt& at) {
  const RowPack row = rows_at(s.rest + at.first, at.count);
  return rest_of(row.c,
                 s.all_bodies ? all_directions<Pack>() : load(s.directions + at.first, at.count));
}

/// Vectors and a zero beside each.
PHYXEL_INLINE void store_quads(const Vec3Pack& v, Quad* to, Index count) {
  alignas(64) Real numbers[3][lanes];
  for (int k = 0; k < 3; ++k) v[k].store_aligned(numbers[k]);
  for (Index l = 0; l < count; ++l) to[l] = {{numbers[0][l], numbers[1][l], numbers[2][l], 0}};
}

/// f(lanes) for the phyxels [first, last).
template <class F>
PHYXEL_INLINE void for_lanes(Index first, Index last, const F& f) {
  for (Index i = first; i < last; i += lanes) f(LanesAt{i, std::min(lanes, last - i)});
}

}  // namespace phyxel::mls
