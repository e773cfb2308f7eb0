#include "phyxel/methods/pbd/contact/candidates.h"

#include <string>

#include "phyxel/core/error.h"
#include "phyxel/core/memory.h"

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

/// visit(kind, corners) for vertices of one element against the face of the other.
template <class Visit>
PHYXEL_FN void visit_vertices(const ContactTreeView& t, const Element& e, const Element& face,
                              Visit&& visit) {
  if (!face.has_face()) return;
  const ContactBox box = box_of(t, face);
  const Index flags = face.flags | (e.has_face() ? 128 : 0);
  for (int k = 0; k < 3; ++k) {
    const Index v = e.corner[k];
    if (!e.owns_vertex(k) || face.has(v) || !box.meets(t.ball[v].box())) continue;
    visit(Candidate{
        {v, face.corner[0], face.corner[1], face.corner[2]}, PairKind::vertex_triangle, flags, 0});
  }
}

template <class Visit>
PHYXEL_FN void visit_edges(const ContactTreeView& t, const Element& e, const Element& f,
                           Visit&& visit) {
  const Index faces = Index(e.has_face()) + 2 * Index(f.has_face());
  for (int k = 0; k < 3; ++k) {
    if (!e.owns_edge(k)) continue;
    const Index a = e.corner[k], b = e.corner[k == 2 ? 0 : k + 1];
    ContactBox box = t.ball[a].box();
    box.include(t.ball[b].box());
    for (int m = 0; m < 3; ++m) {
      if (!f.owns_edge(m)) continue;
      const Index c = f.corner[m], d = f.corner[m == 2 ? 0 : m + 1];
      if (shares_corner(a, b, c, d)) continue;
      ContactBox other = t.ball[c].box();
      other.include(t.ball[d].box());
      if (box.meets(other)) visit(Candidate{{a, b, c, d}, PairKind::edge_edge, faces, 0});
    }
  }
}

/// All pairs of vertices, edges and faces of two leaves whose boxes meet, in a fixed order.
template <class Visit>
PHYXEL_FN void visit_close(const ContactTreeView& t, Index a, Index b, std::uint64_t elements,
                           Visit&& visit) {
  for (Index bit = 0; elements != 0; ++bit, elements >>= 1) {
    if (!(elements & 1)) continue;
    const Element& e = t.element[a * leaf_width + bit / leaf_width];
    const Element& f = t.element[b * leaf_width + bit % leaf_width];
    visit_vertices(t, e, f, visit);
    visit_vertices(t, f, e, visit);
    visit_edges(t, e, f, visit);
  }
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

/// Pairs whose boxes meet, with their distances; returns their number.
Index CandidateSearch::find_close_boxes(const Exec& exec, const ContactTreeView& view) {
  const Index n = static_cast<Index>(pairs_.size());
  counts_.resize(n);
  Index* const counts = counts_.data();
  const LeafPair* const pairs = pairs_.data();
  for_each(
      exec, "pbd.contact.boxes", n, PHYXEL_LAMBDA(Index k) {
        Index found = 0;
        visit_close(view, pairs[k].a, pairs[k].b, pairs[k].elements,
                    [&](const Candidate&) { ++found; });
        counts[k] = found;
      });
  const Index total = scan(exec, "pbd.contact.boxes", counts_);
  grow(close_, total, "pairs of elements with close boxes");
  const Index* const starts = counts_.data();
  Candidate* const close = close_.data();
  for_each(
      exec, "pbd.contact.boxes", n, PHYXEL_LAMBDA(Index k) {
        Index at = starts[k];
        visit_close(view, pairs[k].a, pairs[k].b, pairs[k].elements,
                    [&](const Candidate& c) { close[at++] = c; });
      });
  return total;
}

/// Balls hold half of the thickness each.
void CandidateSearch::keep_near(const Exec& exec, Index count, Column<Candidate>& found) {
  const Index kept_count = scan(exec, "pbd.contact.candidates", kept_);
  grow(found, kept_count, "pairs of near elements");
  const Index* const place = kept_.data();
  const Candidate* const close = close_.data();
  Candidate* const kept = found.data();
  for_each(
      exec, "pbd.contact.candidates", count, PHYXEL_LAMBDA(Index k) {
        const Index next = k + 1 < count ? place[k + 1] : kept_count;
        if (next > place[k]) kept[place[k]] = close[k];
      });
}

void CandidateSearch::find(const Exec& exec, const Column<ContactBall>& balls, Real half_thickness,
                           const Vec3* rest, Column<Candidate>& found) {
  found.resize(0);
  if (leaves_ == 0) return;
  const ContactTreeView view{
      element_.data(), start_.data(), neighbour_.data(), balls.data(), leaf_boxes_.data(),
      cones_.data(),   nodes_.data(), leaves_,           places_,      half_thickness};
  refit(exec, view);
  find_leaf_pairs(exec, view);
  const Index count = find_close_boxes(exec, view);
  kept_.resize(count);
  Index* const kept = kept_.data();
  Candidate* const close = close_.data();
  const ContactBall* const ball = balls.data();
  for_each(
      exec, "pbd.contact.distances", count, PHYXEL_LAMBDA(Index k) {
        Candidate& c = close[k];
        Vec3 x[4];
        for (int i = 0; i < 4; ++i) x[i] = ball[c.corner[i]].centre;
        c.distance = sqrt(nearest(c.kind, x).squared);
        const bool near = c.distance <= motion_of(ball, c);
        kept[k] = near && !(rest && were_joined(rest, c)) ? 1 : 0;
      });
  keep_near(exec, count, found);
}

}  // namespace PHYXEL_BACKEND

}  // namespace phyxel::pbd
