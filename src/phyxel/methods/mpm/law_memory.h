#pragma once

#include "phyxel/core/dual.h"

// What a law remembers of a particle: one number, or two of its own type Law::Memory<T>. Rows have
// room for two.

namespace phyxel::mpm {

namespace detail {

template <class Law, class T>
struct MemoryType {
  using type = T;
};
template <class Law, class T>
requires requires {
  typename Law::template Memory<T>;
}
struct MemoryType<Law, T> {
  using type = typename Law::template Memory<T>;
};

}  // namespace detail

/// The memory of a law for T, a number or a pack.
template <class Law, class T>
using MemoryOf = typename detail::MemoryType<Law, T>::type;

/// Whether it is a type of the law, with two numbers.
template <class Law>
constexpr bool has_own_memory = !std::is_same_v<MemoryOf<Law, Real>, Real>;

/// Where rows have the numbers of the memory.
constexpr int row_memory = 3, row_memory_2 = 15;

template <class Law, class T>
PHYXEL_INLINE MemoryOf<Law, T> memory_in(const T (&row)[16]) {
  if constexpr (has_own_memory<Law>)
    return {row[row_memory], row[row_memory_2]};
  else
    return row[row_memory];
}

template <class Law, class T>
PHYXEL_INLINE void store_memory(const MemoryOf<Law, T>& memory, T (&row)[16]) {
  if constexpr (has_own_memory<Law>) {
    const auto& [first, second] = memory;
    row[row_memory] = first;
    row[row_memory_2] = second;
  } else {
    row[row_memory] = memory;
  }
}

/// The memory as numbers without slopes, for elastic_stress.
template <class Law, class T>
PHYXEL_INLINE MemoryOf<Law, Dual<T>> constant_memory(const MemoryOf<Law, T>& memory) {
  if constexpr (has_own_memory<Law>) {
    const auto& [first, second] = memory;
    return {constant(first), constant(second)};
  } else {
    return constant(memory);
  }
}

/// Whether a law uses F; one without a shape says `has_shape = false`.
template <class Law>
constexpr bool uses_shape() {
  if constexpr (requires { Law::has_shape; })
    return Law::has_shape;
  else
    return true;
}

}  // namespace phyxel::mpm
