#pragma once

#include <vector>

#include "phyxel/core/exec.h"

// Particles in groups, such as those of a body. Groups are cut into pieces of a fixed size, and
// these into blocks, so that sums over all of them are three short loops, whose results do not
// depend on the number of threads.

namespace phyxel::pbd {

inline namespace PHYXEL_BACKEND {

/// Group g has the blocks from first_block[g] to first_block[g + 1], and these have pieces
/// likewise.
struct GroupsView {
  const Index* member;       // particles, by entry
  const Index* group;        // by entry
  const Index* anchor;       // by group: its first particle
  const Index* start;        // pieces + 1: entries
  const Index* first_piece;  // blocks + 1
  const Index* first_block;  // groups + 1
  Index entries = 0, pieces = 0, blocks = 0, groups = 0;
};

class Groups {
 public:
  void build(const std::vector<std::vector<Index>>& groups);
  GroupsView view() const {
    return {member_.data(),
            group_.data(),
            anchor_.data(),
            start_.data(),
            first_piece_.data(),
            first_block_.data(),
            static_cast<Index>(member_.size()),
            static_cast<Index>(start_.size()) - 1,
            static_cast<Index>(first_piece_.size()) - 1,
            static_cast<Index>(anchor_.size())};
  }

 private:
  Column<Index> member_, group_, anchor_, start_, first_piece_, first_block_;
};

/// Scratch of sums.
template <class T>
struct GroupSums {
  Column<T> of_piece, of_block, of_group;

  void resize(const GroupsView& view) {
    of_piece.resize(view.pieces);
    of_block.resize(view.blocks);
    of_group.resize(view.groups);
  }
};

/// of_piece[k] = sum of term(entry) over the entries of piece k. Terms are functors, not lambdas,
/// which loops on a GPU could not take.
template <class T, class Term>
void sum_pieces(const Exec& exec, const char* name, const GroupsView& view, const Term& term,
                T* of_piece) {
  const GroupsView v = view;
  const Term at = term;
  for_each(
      exec, name, v.pieces, PHYXEL_LAMBDA(Index piece) {
        T sum{};
        for (Index e = v.start[piece]; e < v.start[piece + 1]; ++e) sum = sum + at(e);
        of_piece[piece] = sum;
      });
}

/// to[k] = sum of from[first[k]] to from[first[k + 1] - 1].
template <class T>
void sum_parts(const Exec& exec, const char* name, Index n, const Index* first, const T* from,
               T* to) {
  for_each(
      exec, name, n, PHYXEL_LAMBDA(Index k) {
        T sum{};
        for (Index part = first[k]; part < first[k + 1]; ++part) sum = sum + from[part];
        to[k] = sum;
      });
}

/// Of groups, from those of pieces.
template <class T>
void sum_groups(const Exec& exec, const char* name, const GroupsView& v, GroupSums<T>& sums) {
  sum_parts(exec, name, v.blocks, v.first_piece, sums.of_piece.data(), sums.of_block.data());
  sum_parts(exec, name, v.groups, v.first_block, sums.of_block.data(), sums.of_group.data());
}

}  // namespace PHYXEL_BACKEND

}  // namespace phyxel::pbd
