#include "phyxel/methods/mls/stiffness.h"

#include <doctest/doctest.h>

#include "methods/mls/random_shapes.h"
#include "phyxel/methods/mls/passes.h"

using namespace phyxel;
using namespace phyxel::mls;
using namespace phyxel::mls::test;

// The product of the stiffness matrix of a whole body against differences of its forces.

namespace {

constexpr Real spacing = Real(0.1);

/// A block of irregular phyxels, with all that forces and products read; several supports.
struct Body {
  Column<Vec3> reference, x, direction;
  CellTable cells;
  NeighbourRows rows;
  Column<Real> mass, volume, support, rate;
  Column<Index> object, material;
  Column<Moving> place;
  Column<Row16> rest, pull;
  Column<Symmetric<Real>> directions, tension, strain;
  Column<Quad> own_force, other;
  Column<Mat3> deformation;
  std::vector<Solid> solids;
  StepView view;
  StepUse use;
  StiffnessSpace space;

  explicit Body(const Parameters& p) : solids{solid_of(material_with(p), Plane::strain)} {
    for (Index k = 0; k < 6 * 5 * 4; ++k)
      reference.push_back((Vec3{Real(k % 6), Real(k / 6 % 5), Real(k / 30)} +
                           Random{11, 0}.uniform3(k) * Real(0.4)) *
                          spacing);
    Column<Vec3> scratch;
    const Real reach = Real(2.2) * spacing;
    build_cells_for_rows({}, reference, reach, {}, cells);
    permute({}, "permute", reference, cells.order, scratch);
    build_rows({}, reference, cells, reach, rows);
    const Index n = static_cast<Index>(reference.size());
    for (Index i = 0; i < n; ++i) {
      const Vec3 u = Random{12, 0}.uniform3(i);
      support.push_back((2 + Real(0.2) * u[0]) * spacing);
      volume.push_back((1 + Real(0.2) * u[1]) * spacing * spacing * spacing);
      mass.push_back(1000 * volume.back());
      direction.push_back(Random{13, 0}.uniform3(i) - Vec3::filled(Real(0.5)));
    }
    x = reference;
    make_columns(n);
    prepare_rest({}, view);
    pack_places({}, view);
    view.all_bodies = find_moments({}, view);
    use.damps = p.damping > 0;
    use.dt = Real(0.01);
  }

  void make_columns(Index n) {
    rate.resize(n), object.assign(n, 0), material.assign(n, 0);
    place.resize(n + 1), rest.resize(n), pull.resize(n + 1), other.resize(n + 1);
    directions.resize(n), tension.resize(n), strain.assign(n, Symmetric<Real>::zero());
    own_force.resize(n), deformation.resize(n);
    view.n = n;
    view.reference = reference.data(), view.x = x.data(), view.mass = mass.data();
    view.volume = volume.data(), view.support = support.data();
    view.object = object.data(), view.material = material.data();
    view.place = place.data(), view.rest = rest.data(), view.pull = pull.data();
    view.other = other.data();
    view.directions = directions.data(), view.tension = tension.data(), view.rate = rate.data();
    view.strain = strain.data();
    view.own_force = own_force.data(), view.deformation = deformation.data();
    view.row_start = rows.start.data(), view.row_count = rows.count.data();
    view.neighbour = rows.neighbour.data();
    view.solids = solids.data();
  }

  /// Forces where phyxels are, N; what a product needs is that of this state.
  Column<Vec3> forces_at(const Column<Vec3>& places) {
    std::copy(places.begin(), places.end(), x.begin());
    pack_places({}, view);
    find_stresses({}, view, use);
    Column<Vec3> force;
    sum_forces_of({}, view, force);
    return force;
  }
  Column<Vec3> product(const Column<Vec3>& p) {
    Column<Vec3> force;
    apply_stiffness({}, view, p, use.damps ? 1 / use.dt : Real(0), space, force);
    return force;
  }
};

Column<Vec3> shifted(const Column<Vec3>& x, const Column<Vec3>& p, Real by) {
  Column<Vec3> to(x.size());
  for (std::size_t i = 0; i < x.size(); ++i) to[i] = x[i] + p[i] * by;
  return to;
}
double inner(const Column<Vec3>& a, const Column<Vec3>& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += dot(cast<double>(a[i]), cast<double>(b[i]));
  return sum;
}
/// Root of the sum of squares of a - b, over that of b.
double misfit(const Column<Vec3>& a, const Column<Vec3>& b) {
  return std::sqrt(inner(shifted(a, b, -1), shifted(a, b, -1)) / inner(b, b));
}

/// Central differences of forces around a state. Forces are polynomials of the third degree without
/// the volume term: a hundredth of the spacing leaves a thousandth, rounding less.
Column<Vec3> slope_of_forces(Body& body, const Column<Vec3>& at) {
  const Real h = Real(0.01) * spacing;
  const Column<Vec3> ahead = body.forces_at(shifted(at, body.direction, h)),
                     behind = body.forces_at(shifted(at, body.direction, -h));
  return shifted(Column<Vec3>(at.size(), Vec3::zero()), shifted(ahead, behind, -1), 1 / (2 * h));
}

/// Turned, and stretched along all axes by so much, with noise.
Column<Vec3> state_of(const Body& body, Real stretch, Real noise) {
  const Mat3d exact = random_rotation(5);
  const Mat3 turn = {{cast<Real>(exact[0]), cast<Real>(exact[1]), cast<Real>(exact[2])}};
  Column<Vec3> x;
  for (std::size_t i = 0; i < body.reference.size(); ++i)
    x.push_back(turn * body.reference[i] * stretch +
                (Random{14, 0}.uniform3(i) - Vec3::filled(Real(0.5))) * (noise * spacing));
  return x;
}

Parameters with(Real volume_stiffness, Real damping, bool fibres) {
  Parameters p = elastic(1e5, 0.3);
  p.volume_stiffness = volume_stiffness;
  p.damping = damping;
  if (fibres) p.fibre_modulus = Real(4e5);
  return p;
}

}  // namespace

TEST_CASE("the_stiffness_product_of_a_whole_body_is_the_slope_of_its_forces_under_tension") {
  // Everything is under tension, so that the projection cuts nothing; without the volume term,
  // whose second derivative is left out.
  Body body(with(0, 0, false));
  const Column<Vec3> at = state_of(body, Real(1.3), Real(0.1));
  const Column<Vec3> slope = slope_of_forces(body, at);
  body.forces_at(at);
  CHECK(misfit(body.product(body.direction), slope) < 3e-3);
  // The control: the tangents of another state.
  body.forces_at(state_of(body, 1, 0));
  CHECK(misfit(body.product(body.direction), slope) > 0.1);
}

TEST_CASE("the_stiffness_product_of_a_whole_body_at_rest_knows_volume_fibres_and_damping") {
  for (const bool damps : {false, true}) {
    CAPTURE(damps);
    Body body(with(Real(5e4), damps ? Real(5e-3) : Real(0), true));
    const Column<Vec3> at = state_of(body, 1, 0), slope = slope_of_forces(body, at);
    body.forces_at(at);
    CHECK(misfit(body.product(body.direction), slope) < 3e-3);
  }
}

TEST_CASE("the_stiffness_product_of_a_whole_body_is_symmetric_and_never_negative") {
  Body body(with(Real(5e4), 0, false));
  for (const Real stretch : {Real(0.6), Real(0.9), Real(1.2)}) {
    CAPTURE(stretch);
    const Column<Vec3> at = state_of(body, stretch, Real(0.5));
    body.forces_at(at);
    Column<Vec3> other;
    for (std::size_t i = 0; i < at.size(); ++i)
      other.push_back(Random{15, 0}.uniform3(i) - Vec3::filled(Real(0.5)));
    const Column<Vec3> one = body.product(body.direction), two = body.product(other);
    const double scale = std::sqrt(inner(one, one) * inner(other, other));
    CHECK(std::abs(inner(one, other) - inner(two, body.direction)) < 1e-4 * scale);
    CHECK(inner(one, body.direction) < 0);  // force = -K p
    CHECK(inner(two, other) < 0);
  }
}
