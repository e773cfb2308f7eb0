#include "phyxel/methods/pbd/contact/candidates.h"

#include <string>

#include "phyxel/core/error.h"
#include "phyxel/core/memory.h"
#include "phyxel/methods/pbd/contact/advance.h"

namespace phyxel::pbd {

inline namespace PHYXEL_BACKEND {

namespace {

/// Lists grow as matter folds: the machine must not begin to swap. A GPU says so itself.
template <class T>
void grow(Column<T>& column, Index count, [[maybe_unused]] const char* what) {
  const std::size_t n = static_cast<std::size_t>(count);
#ifndef __CUDACC__
  const double needed = double(n) * sizeof(T);
  if (n > column.capacity() && needed > available_memory())
    throw Error(std::string("pbd.contact: ") + std::to_string(n) + " " + what + " take " +
                std::to_string(needed / 1e9) + " GB, " + std::to_string(available_memory() / 1e9) +
                " GB are free; lower the thickness, or raise the spacing of the bodies");
#endif
  column.resize(n);
}

PHYXEL_FN bool shares_corner(Index a, Index b, Index c, Index d) {
  return a == c || a == d || b == c || b == d;
}

PHYXEL_FN Index count_bits(std::uint64_t bits) {
  Index n = 0;
  for (; bits != 0; bits &= bits - 1) ++n;
  return n;
}

/// Pairs of parts of two elements are numbered: 0 to 2: vertices of e and the face of f; 3 to 5:
/// the other way; from 6 on: edge k of e and edge m of f as 6 + 3 k + m.
constexpr int pairs_of_elements = 15;

PHYXEL_FN bool vertex_and_face(const Element& e, int k, const Element& face, Candidate& c) {
  const Index v = e.corner[k];
  if (!face.has_face() || !e.owns_vertex(k) || face.has(v)) return false;
  c.kind = PairKind::vertex_triangle;
  c.flags = face.flags | (e.has_face() ? 128 : 0);
  c.corner[0] = v;
  for (int m = 0; m < 3; ++m) c.corner[1 + m] = face.corner[m];
  return true;
}

PHYXEL_FN bool two_edges(const Element& e, int k, const Element& f, int m, Candidate& c) {
  if (!e.owns_edge(k) || !f.owns_edge(m)) return false;
  const Index corner[4] = {e.corner[k], e.corner[k == 2 ? 0 : k + 1], f.corner[m],
                           f.corner[m == 2 ? 0 : m + 1]};
  if (shares_corner(corner[0], corner[1], corner[2], corner[3])) return false;
  c.kind = PairKind::edge_edge;
  c.flags = Index(e.has_face()) + 2 * Index(f.has_face());
  for (int i = 0; i < 4; ++i) c.corner[i] = corner[i];
  return true;
}

/// The pair of that number; false where there is none, or another element has it.
PHYXEL_FN bool pair_of(const Element& e, const Element& f, int number, Candidate& c) {
  if (number < 3) return vertex_and_face(e, number, f, c);
  if (number < 6) return vertex_and_face(f, number - 3, e, c);
  return two_edges(e, (number - 6) / 3, f, (number - 6) % 3, c);
}

PHYXEL_FN bool boxes_meet(const ContactBall* ball, const Candidate& c) {
  const int first = c.kind == PairKind::vertex_triangle ? 1 : 2;
  ContactBox a = ball[c.corner[0]].box(), b = ball[c.corner[3]].box();
  if (first == 2) a.include(ball[c.corner[1]].box());
  for (int k = first; k < 3; ++k) b.include(ball[c.corner[k]].box());
  return a.meets(b);
}

PHYXEL_FN Real motion_of(const ContactBall* ball, const Candidate& c) {
  const Real a = ball[c.corner[0]].radius, b = ball[c.corner[1]].radius;
  const Real d = ball[c.corner[2]].radius, e = ball[c.corner[3]].radius;
  return c.kind == PairKind::vertex_triangle ? a + max(b, max(d, e)) : max(a, b) + max(d, e);
}

/// Whether a tear has parted a corner that both elements had.
PHYXEL_FN bool were_joined(const Vec3* rest, const Candidate& c) {
  const int first = c.kind == PairKind::vertex_triangle ? 1 : 2;
  for (int a = 0; a < first; ++a)
    for (int b = first; b < 4; ++b)
      if (rest[c.corner[a]] == rest[c.corner[b]]) return true;
  return false;
}

PHYXEL_FN Real closing_of(const ContactBall* ball, const Candidate& c) {
  Vec3 way[4];
  for (int i = 0; i < 4; ++i) way[i] = ball[c.corner[i]].travel;
  const Vec3 mean = (way[0] + way[1] + way[2] + way[3]) / Real(4);
  for (Vec3& w : way) w -= mean;
  return closing_way(c.kind, way);
}

/// Whether the elements come near while their balls travel; measures how near they are.
PHYXEL_FN bool comes_near(const ContactBall* ball, Candidate& c) {
  Vec3 x[4];
  for (int i = 0; i < 4; ++i) x[i] = ball[c.corner[i]].centre;
  c.distance = sqrt(nearest(c.kind, x).squared);
  c.closing = closing_of(ball, c);
  return c.distance - c.closing <= motion_of(ball, c);
}

/// visit(e, f) for the elements of two leaves whose boxes meet, in a fixed order.
template <class Visit>
PHYXEL_FN void visit_elements(const ContactTreeView& t, const LeafPair& pair, Visit&& visit) {
  std::uint64_t elements = pair.elements;
  for (Index bit = 0; elements != 0; ++bit, elements >>= 1)
    if (elements & 1)
      visit(t.element[pair.a * leaf_width + bit / leaf_width],
            t.element[pair.b * leaf_width + bit % leaf_width]);
}

/// Bits of the pairs of two elements that come near.
PHYXEL_FN unsigned near_pairs(const ContactTreeView& t, const Element& e, const Element& f) {
  unsigned bits = 0;
  Candidate c;
  for (int k = 0; k < pairs_of_elements; ++k)
    if (pair_of(e, f, k, c) && boxes_meet(t.ball, c) && comes_near(t.ball, c) &&
        !(t.rest && were_joined(t.rest, c)))
      bits |= 1u << k;
  return bits;
}

Index power_of_two_from(Index n) {
  Index p = 1;
  while (p < n) p *= 2;
  return p;
}

}  // namespace

void CandidateSearch::set_elements(const ContactElements& elements) {
  leaves_ = elements.leaves;
  places_ = power_of_two_from(leaves_);
  assign(element_, elements.element);
  assign(start_, elements.start);
  assign(neighbour_, elements.neighbour);
  leaf_boxes_.resize(leaves_);
  cones_.resize(leaves_);
  assign(nodes_, HostColumn<ContactBox>(std::size_t(2) * places_));
}

void CandidateSearch::refit(const Exec& exec, const ContactTreeView& view) {
  for_each(
      exec, "pbd.contact.refit", leaves_, PHYXEL_LAMBDA(Index l) { refit_leaf(view, l); });
  for (Index first = places_ / 2; first > 0; first /= 2)
    for_each(
        exec, "pbd.contact.refit", first, PHYXEL_LAMBDA(Index k) {
          ContactBox box = view.node[2 * (first + k)];
          box.include(view.node[2 * (first + k) + 1]);
          view.node[first + k] = box;
        });
}

void CandidateSearch::find_leaf_pairs(const Exec& exec, const ContactTreeView& view) {
  counts_.resize(leaves_);
  Index* const counts = counts_.data();
  for_each(
      exec, "pbd.contact.tree", leaves_, PHYXEL_LAMBDA(Index a) {
        Index n = 0;
        visit_leaves(view, a, [&](Index) { ++n; });
        counts[a] = n;
      });
  grow(pairs_, scan(exec, "pbd.contact.tree", counts_), "pairs of leaves");
  const Index* const starts = counts_.data();
  LeafPair* const pairs = pairs_.data();
  for_each(
      exec, "pbd.contact.tree", leaves_, PHYXEL_LAMBDA(Index a) {
        Index at = starts[a];
        visit_leaves(view, a, [&](Index b) { pairs[at++] = {a, b, meeting_elements(view, a, b)}; });
      });
}

/// Marks the pairs of parts of all elements whose boxes meet that come near.
void CandidateSearch::mark_near(const Exec& exec, const ContactTreeView& view) {
  const Index n = static_cast<Index>(pairs_.size());
  starts_.resize(n);
  counts_.resize(n);
  Index *const starts = starts_.data(), *const counts = counts_.data();
  const LeafPair* const pairs = pairs_.data();
  for_each(
      exec, "pbd.contact.boxes", n,
      PHYXEL_LAMBDA(Index k) { starts[k] = count_bits(pairs[k].elements); });
  const Index total = scan(exec, "pbd.contact.boxes", starts_);
  grow(near_, total, "pairs of elements with close boxes");
  std::uint32_t* const near = near_.data();
  for_each(
      exec, "pbd.contact.boxes", n, PHYXEL_LAMBDA(Index k) {
        Index at = starts[k], found = 0;
        visit_elements(view, pairs[k], [&](const Element& e, const Element& f) {
          near[at] = near_pairs(view, e, f);
          found += count_bits(near[at++]);
        });
        counts[k] = found;
      });
}

void CandidateSearch::list_near(const Exec& exec, const ContactTreeView& view,
                                Column<Candidate>& found) {
  const Index n = static_cast<Index>(pairs_.size());
  grow(found, scan(exec, "pbd.contact.candidates", counts_), "pairs of near elements");
  const Index *const starts = starts_.data(), *const places = counts_.data();
  const std::uint32_t* const near = near_.data();
  const LeafPair* const pairs = pairs_.data();
  Candidate* const candidates = found.data();
  for_each(
      exec, "pbd.contact.candidates", n, PHYXEL_LAMBDA(Index k) {
        Index at = starts[k], place = places[k];
        visit_elements(view, pairs[k], [&](const Element& e, const Element& f) {
          unsigned bits = near[at++];
          for (int number = 0; bits != 0; ++number, bits >>= 1) {
            if (!(bits & 1)) continue;
            Candidate& c = candidates[place++];
            pair_of(e, f, number, c);
            comes_near(view.ball, c);
          }
        });
      });
}

void CandidateSearch::find(const Exec& exec, const Column<ContactBall>& balls, Real half_thickness,
                           const Vec3* rest, Column<Candidate>& found) {
  found.resize(0);
  if (leaves_ == 0) return;
  const ContactTreeView view{element_.data(),
                             start_.data(),
                             neighbour_.data(),
                             balls.data(),
                             leaf_boxes_.data(),
                             cones_.data(),
                             nodes_.data(),
                             leaves_,
                             places_,
                             half_thickness,
                             rest};
  refit(exec, view);
  find_leaf_pairs(exec, view);
  mark_near(exec, view);
  list_near(exec, view, found);
}

}  // namespace PHYXEL_BACKEND

}  // namespace phyxel::pbd
