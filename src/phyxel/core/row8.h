#pragma once

#include <cstring>

#include "phyxel/core/vec.h"

namespace phyxel {

/// Eight numbers side by side, for grids in blocks of eight: arithmetic is lane by lane, and a
/// number stands for eight of the same. The compiler chooses the registers, one or two.
using Row8 = Real __attribute__((vector_size(8 * sizeof(Real))));

inline Row8 load_row(const Real* from) {  // aligned to the size of a row
  return *reinterpret_cast<const Row8*>(from);
}
inline void store_row(const Row8& row, Real* to) {
  *reinterpret_cast<Row8*>(to) = row;
}

/// Keeps the compiler from fusing a product with a sum: several sums of one product are then plain
/// additions, instead of a fused multiply-add each that multiplies again.
template <class Row>
inline Row apart(Row product) {
#if defined(__AVX512F__)
  if constexpr (sizeof(Row) <= 64) asm("" : "+v"(product));
#endif
  return product;
}

/// The same anywhere in memory, aligned to a number only.
template <class Row = Row8>
Row load_loose(const Real* from) {
  Row row;
  std::memcpy(&row, from, sizeof row);
  return row;
}
template <class Row>
void store_loose(const Row& row, Real* to) {
  std::memcpy(to, &row, sizeof row);
}

/// Two rows, one behind the other in memory.
using TwoRows8 = Real __attribute__((vector_size(16 * sizeof(Real))));

inline TwoRows8 joined(const Row8& a, const Row8& b) {
  return __builtin_shufflevector(a, b, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
}

}  // namespace phyxel
