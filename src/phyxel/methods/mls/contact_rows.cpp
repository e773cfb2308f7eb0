#include "phyxel/methods/mls/contact_rows.h"

#include "phyxel/methods/mls/touch.h"

namespace phyxel::mls {

inline namespace PHYXEL_BACKEND {

namespace {

PHYXEL_FN const Touch& touch_at(const StepView& s, Index i) {
  return s.touches[s.mixed ? s.material[i] : s.first_material];
}

/// Whether two phyxels push each other away where they meet.
PHYXEL_FN bool may_touch(const StepView& s, Index i, Index j) {
  if (s.object[i] != s.object[j]) return true;
  if (s.absorbs(i)) return false;  // flowing matter merges
  if (!touch_at(s, i).self) return false;
  const Real h = max(s.support[i], s.support[j]);
  return length_squared(minimum_image(s.box, s.reference[j] - s.reference[i])) >= h * h;
}

PHYXEL_FN void keep_contacts(const StepView& s, const Index* order, Index a, const Index* start,
                             Index* count, Index* neighbour) {
  const Index first = start[a], end = first + count[a];
  Index kept = first;
  for (Index e = first; e < end; ++e) {
    const Index j = order[neighbour[e]];
    if (may_touch(s, order[a], j)) neighbour[kept++] = j;
  }
  count[a] = kept - first;
}

PHYXEL_FN Vec3 contact_force_on(const StepView& s, Index i, const Index* row, Index count) {
  Vec3 sum = Vec3::zero();
  for (Index k = 0; k < count; ++k) {
    const Index j = row[k];
    sum += touch_force(touch_at(s, i), touch_at(s, j), s.mass[i], s.mass[j],
                       minimum_image(s.box, s.x[j] - s.x[i]), s.v[j] - s.v[i]);
  }
  return sum;
}

PHYXEL_FN Vec3 contact_stiffness_on(const StepView& s, Index i, const Index* row, Index count,
                                    const Vec3* p) {
  Vec3 sum = Vec3::zero();
  for (Index k = 0; k < count; ++k) {
    const Index j = row[k];
    sum += touch_stiffness(touch_at(s, i), touch_at(s, j), minimum_image(s.box, s.x[j] - s.x[i]),
                           p[j] - p[i]);
  }
  return sum;
}

}  // namespace

void find_contact_rows(const Exec& exec, const StepView& view, const Column<Vec3>& x, Real radius,
                       const PeriodicBox& box, ContactRows& contact) {
  build_cells_for_rows(exec, x, radius, box, contact.cells);
  contact.x.resize(x.size());
  const Index* const order = contact.cells.order.data();
  Vec3* const sorted = contact.x.data();
  const Vec3* const from = x.data();
  for_each(
      exec, "mls.contact.sort", view.n, PHYXEL_LAMBDA(Index a) { sorted[a] = from[order[a]]; });
  build_rows(exec, contact.x, contact.cells, radius, contact.rows);
  const Index* const start = contact.rows.start.data();
  Index* const count = contact.rows.count.data();
  Index* const neighbour = contact.rows.neighbour.data();
  contact.some = reduce_max(
                     exec, "mls.contact.filter", view.n, Index(0), PHYXEL_LAMBDA(Index a) {
                       keep_contacts(view, order, a, start, count, neighbour);
                       return count[a];
                     }) > 0;
}

void find_contact_forces(const Exec& exec, const StepView& view, const ContactRows& contact) {
  const Index* const order = contact.cells.order.data();
  const Index* const start = contact.rows.start.data();
  const Index* const count = contact.rows.count.data();
  const Index* const neighbour = contact.rows.neighbour.data();
  for_each(
      exec, "mls.contact", view.n, PHYXEL_LAMBDA(Index a) {
        const Index i = order[a];
        view.contact[i] = contact_force_on(view, i, neighbour + start[a], count[a]);
      });
}

void add_contact_stiffness(const Exec& exec, const StepView& view, const ContactRows& contact,
                           const Column<Vec3>& p, Column<Vec3>& force) {
  const Index* const order = contact.cells.order.data();
  const Index* const start = contact.rows.start.data();
  const Index* const count = contact.rows.count.data();
  const Index* const neighbour = contact.rows.neighbour.data();
  const Vec3* const moved = p.data();
  Vec3* const to = force.data();
  for_each(
      exec, "mls.stiffness.contact", view.n, PHYXEL_LAMBDA(Index a) {
        const Index i = order[a];
        to[i] += contact_stiffness_on(view, i, neighbour + start[a], count[a], moved);
      });
}

}  // namespace PHYXEL_BACKEND

}  // namespace phyxel::mls
