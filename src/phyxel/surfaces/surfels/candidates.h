#pragma once

#include <vector>

#include "phyxel/core/backend.h"

namespace phyxel {

/// What lies near a place, one behind the other; room for a pack more.
struct Candidates {
  static constexpr Index room = 64;  // as many as a pack has at most
  std::vector<Index> index;
  std::vector<Real> squared;  // distance
  Index count = 0;

  void reserve(Index more) {
    const auto size = static_cast<std::size_t>(count + more + room);
    if (index.size() < size) index.resize(2 * size), squared.resize(2 * size);
  }
  bool is_nearer(Index a, Index b) const {
    return squared[a] != squared[b] ? squared[a] < squared[b] : index[a] < index[b];
  }
};

}  // namespace phyxel
