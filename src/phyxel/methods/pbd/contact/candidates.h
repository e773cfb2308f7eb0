#pragma once

#include "phyxel/core/exec.h"
#include "phyxel/methods/pbd/contact/contact_tree.h"
#include "phyxel/methods/pbd/contact/nearest.h"

namespace phyxel::pbd {

/// A vertex and a triangle, or two edges, that may come nearer than the thickness in the time that
/// a search is for, before any of their corners leaves its ball.
struct Candidate {
  Index corner[4];
  PairKind kind;
  // Of the element of the triangle, and 128: that of the vertex has a face. Of edges 1: that of the
  // first has one, 2: that of the second.
  Index flags;
  Real distance;  // m, when it was found
  Real closing;   // m, by which it may shrink in the time that the search is for, without balls

  PHYXEL_FN bool owns_vertex(int k) const { return flags >> k & 1; }
  PHYXEL_FN bool owns_edge(int k) const { return flags >> (3 + k) & 1; }
  PHYXEL_FN bool vertex_has_face() const { return flags & 128; }
  PHYXEL_FN bool first_has_face() const { return flags & 1; }
  PHYXEL_FN bool second_has_face() const { return flags & 2; }
};

inline namespace PHYXEL_BACKEND {

/// Two leaves of the tree.
struct LeafPair {
  Index a, b;
  std::uint64_t elements;  // as of meeting_elements
};

/// Finds pairs of elements by a tree of boxes. Their order follows from that of the elements.
class CandidateSearch {
 public:
  void set_elements(const ContactElements& elements);
  bool has_elements() const { return leaves_ > 0; }

  /// Makes `found` hold all pairs of elements that come as near as the radii of their largest balls
  /// together while all balls travel; `half_thickness` is the part of the radii that is not motion.
  /// Where sheets have torn, elements with corners at one place of `rest` are neighbours still,
  /// which do not touch each other; null: nothing has torn. Error where pairs do not fit into
  /// memory.
  void find(const Exec& exec, const Column<ContactBall>& balls, Real half_thickness,
            const Vec3* rest, Column<Candidate>& found);

  // Parts of find(): nvcc makes no kernels of private functions.
  void refit(const Exec& exec, const ContactTreeView& view);
  void find_leaf_pairs(const Exec& exec, const ContactTreeView& view);
  void mark_near(const Exec& exec, const ContactTreeView& view);
  void list_near(const Exec& exec, const ContactTreeView& view, Column<Candidate>& found);

 private:
  Index leaves_ = 0, places_ = 1;
  Column<Element> element_;
  Column<Index> start_, neighbour_;
  Column<LeafBoxes> leaf_boxes_;
  Column<LeafCone> cones_;
  Column<ContactBox> nodes_;
  Column<LeafPair> pairs_;
  Column<Index> counts_, starts_;
  Column<std::uint32_t> near_;  // by pair of elements with boxes that meet: bits of their pairs
};

}  // namespace PHYXEL_BACKEND

}  // namespace phyxel::pbd
