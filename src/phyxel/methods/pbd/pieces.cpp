#include "phyxel/methods/pbd/pieces.h"

#include <numeric>

namespace phyxel::pbd {

namespace {

/// The root of a vertex, with shorter ways for the next search.
Index root_of(std::vector<Index>& parent, Index v) {
  while (parent[v] != v) v = parent[v] = parent[parent[v]];
  return v;
}

}  // namespace

std::vector<std::vector<Index>> joined_particles(const Model& model,
                                                 const std::vector<Index>& particle) {
  std::vector<Index> parent(particle.size());
  std::iota(parent.begin(), parent.end(), 0);
  const auto join = [&](Index a, Index b) { parent[root_of(parent, a)] = root_of(parent, b); };
  for_each_kind(model.constraints, [&]<class Kind>(const std::vector<Constraint<Kind>>& list) {
    for (const Constraint<Kind>& c : list) {
      bool whole = c.lot != no_lot;
      for (const Index v : c.vertex) whole = whole && particle[v] >= 0;
      for (int k = 1; k < Kind::points && whole; ++k) join(c.vertex[0], c.vertex[k]);
    }
  });
  std::vector<std::vector<Index>> pieces;
  std::vector<Index> piece_of(particle.size(), -1);
  for (std::size_t v = 0; v < particle.size(); ++v) {
    if (particle[v] < 0) continue;
    Index& piece = piece_of[root_of(parent, static_cast<Index>(v))];
    if (piece < 0) {
      piece = static_cast<Index>(pieces.size());
      pieces.emplace_back();
    }
    pieces[piece].push_back(particle[v]);
  }
  std::erase_if(pieces, [](const auto& piece) { return piece.size() < 2; });
  return pieces;
}

}  // namespace phyxel::pbd
