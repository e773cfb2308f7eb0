#include "phyxel/methods/mls/contact_rows.h"

#include "phyxel/methods/mls/row_access.h"
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

/// Friction acts half way between two phyxels: its torque about their centres turns their
/// neighbourhoods.
PHYXEL_FN void find_contact_force(const StepView& s, Index i, const Index* row, Index count) {
  Vec3 force = Vec3::zero(), couple = Vec3::zero();
  for (Index k = 0; k < count; ++k) {
    const Index j = row[k];
    const Vec3 d = minimum_image(s.box, s.x[j] - s.x[i]);
    const TouchForce f =
        touch_force(touch_at(s, i), touch_at(s, j), s.mass[i], s.mass[j], d, s.v[j] - s.v[i]);
    force += f.push + f.rub;
    couple += cross(d, f.rub) * Real(0.5);
  }
  s.contact[i] = force;
  s.couple[i] = couple;
}

constexpr Real least_turn = Real(1e-6);  // of a determinant over the cube of its size

/// Forces w a x (F X) on neighbours and the opposite of their sum on the phyxel: their torque is
/// (tr N - N) a with N = sum w x (F X)^T, to rounding, and their sum is zero. Phyxels on a line
/// cannot be turned about it.
PHYXEL_FN void turn_neighbourhood(const StepView& s, const PairView& pairs, Index i) {
  const Vec3 couple = s.couple[i];
  if (!(length_squared(couple) > 0)) return;
  const RestShape<Real> rest = rest_of_phyxel(s, i);
  const GradientSum sum = sum_gradient_one_by_one(pairs, i, rest.inverse_h2);
  const Mat3 f = sum.product * full(rest.inverse), n = sum.product * transpose(f);
  const Mat3 turn = Mat3::identity() * trace(n) - n;
  const Real size = trace(n);
  if (!(determinant(turn) > least_turn * size * size * size)) return;
  const Vec3 a = inverse(turn) * couple;
  const Mat3 cross_a = {{{0, -a[2], a[1]}, {a[2], 0, -a[0]}, {-a[1], a[0], 0}}};
  const Mat3 pull = cross_a * f;
  for (int r = 0; r < 3; ++r)
    for (int c = 0; c < 3; ++c) s.pull[i].c[pull_row::stress + 3 * r + c] -= pull[r][c];
  const Vec3 own = pull * rest.lean;
  for (int k = 0; k < 3; ++k) s.own_force[i].c[k] -= own[k];
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
        find_contact_force(view, order[a], neighbour + start[a], count[a]);
      });
}

void turn_neighbourhoods(const Exec& exec, const StepView& view) {
  const PairView pairs = view.pairs();
  for_each(
      exec, "mls.contact.turn", view.n,
      PHYXEL_LAMBDA(Index i) { turn_neighbourhood(view, pairs, i); });
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
