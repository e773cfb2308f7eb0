#pragma once

#include <array>

#include "phyxel/core/pack_shuffle.h"

namespace phyxel {

/// The first `count` lanes.
PHYXEL_INLINE Pack::batch_bool_type lanes_below(Index count) {
  alignas(64) static constexpr auto number = [] {
    std::array<Real, lanes> each{};
    for (Index l = 0; l < lanes; ++l) each[l] = static_cast<Real>(l);
    return each;
  }();
  return Pack::load_aligned(number.data()) < Pack(static_cast<Real>(count));
}

}  // namespace phyxel
