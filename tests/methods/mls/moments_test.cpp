#include "phyxel/methods/mls/moments.h"

#include <doctest/doctest.h>

#include "methods/mls/random_shapes.h"
#include "phyxel/methods/mls/response.h"

using namespace phyxel;
using namespace phyxel::mls;
using namespace phyxel::mls::test;

namespace {

/// A phyxel at 0 and its neighbours at random in a ball of radius 1, pressed to a plane or a line
/// where `shape` has fewer directions.
struct Neighbours {
  std::vector<Vec3d> at;
  static constexpr double inverse_h2 = 0.5;

  explicit Neighbours(std::uint64_t seed, int count, const Mat3d& shape = Mat3d::identity()) {
    for (int k = 0; k < count; ++k) at.push_back(shape * random_vector(seed, 1000 + k));
  }
  double weight_of(std::size_t k) const { return weight(length_squared(at[k]), inverse_h2); }

  Moments<double> moments() const {
    Moments<double> sums{Symmetric<double>::zero(), Vec3d::zero(), 0};
    for (std::size_t k = 0; k < at.size(); ++k) {
      sums.moment += square(at[k]) * weight_of(k);
      sums.lean += at[k] * weight_of(k);
      sums.weight += weight_of(k);
    }
    return sums;
  }
  Gradient<double> gradient(const std::vector<Vec3d>& x, const Vec3d& own) const {
    Gradient<double> sums{Mat3d::zero(), Vec3d::zero()};
    for (std::size_t k = 0; k < at.size(); ++k) {
      sums.product += outer(x[k] - own, at[k]) * weight_of(k);
      sums.moved += (x[k] - own) * weight_of(k);
    }
    return sums;
  }
  RestShape<double> rest() const {
    return rest_shape<double>(moments(), 0.3, 0.7, 2, inverse_h2, false);
  }
};

const Mat3d whole = Mat3d::identity();
/// A plane or a line that lies askew.
Mat3d askew(std::uint64_t seed, double second, double third) {
  const Mat3d turn = random_rotation(seed);
  return turn * diagonal(Vec3d{1, second, third}) * transpose(turn);
}

/// What the pseudo-inverse of Penrose fulfils.
void check_pseudo_inverse(const Symmetric<double>& moment, const MomentInverse<double>& found) {
  const Mat3d m = full(moment), inverse = full(found.inverse), p = full(found.directions);
  const double tolerance = 1e-13 * size(m) * size(inverse);
  CHECK(size(m * inverse * m - m) <= tolerance * size(m));
  CHECK(size(inverse * m * inverse - inverse) <= tolerance * size(inverse));
  CHECK(size(m * inverse - p) <= tolerance);
  CHECK(size(p * p - p) <= 1e-13);
  CHECK(trace(p) == doctest::Approx(found.rank));
}

SolidOf<double> rubber() {
  Parameters p = elastic(1e3, 0.3);
  p.stabilisation = Real(0.5);
  p.fibre_modulus = Real(2e3);
  return solid_with(p);
}

}  // namespace

TEST_CASE("the_weight_falls_from_one_to_zero_at_the_support") {
  CHECK(weight(0.0, 0.25) == 1);
  CHECK(weight(4.0, 0.25) == 0);
  CHECK(weight(9.0, 0.25) == 0);
  CHECK(weight(2.0, 0.25) == doctest::Approx(0.125));
}

TEST_CASE("moments_of_bodies_sheets_lines_and_lonely_phyxels_have_a_safe_inverse") {
  for (int seed = 0; seed < 50; ++seed) {
    const struct {
      Neighbours neighbours;
      int rank;
    } cases[] = {{Neighbours(seed, 20), 3},
                 {Neighbours(seed, 20, askew(seed, 1, 0)), 2},
                 {Neighbours(seed, 20, askew(seed, 0, 0)), 1},
                 {Neighbours(seed, 2), 2},
                 {Neighbours(seed, 1), 1},
                 {Neighbours(seed, 0), 0}};
    for (const auto& [neighbours, rank] : cases) {
      CAPTURE(rank);
      const Symmetric<double> moment = neighbours.moments().moment;
      const MomentInverse<double> found = invert_moment(moment);
      // Two neighbours may happen to lie almost in line.
      if (neighbours.at.size() == 2 && found.rank == 1) continue;
      CHECK(found.rank == rank);
      check_pseudo_inverse(moment, found);
    }
  }
}

TEST_CASE("a_thin_neighbourhood_counts_as_a_sheet_below_a_fifth_of_its_width") {
  // The spread is that of distances squared.
  CHECK(invert_moment<double>({1, 1, 0.05, 0, 0, 0}).rank == 3);
  CHECK(invert_moment<double>({1, 1, 0.03, 0, 0, 0}).rank == 2);
  CHECK(invert_moment<double>({0.03, 0.03, 1, 0, 0, 0}).rank == 1);
  const MomentInverse<double> sheet = invert_moment<double>({1, 1, 0.03, 0, 0, 0});
  CHECK(sheet.directions[2] == 0);
  CHECK(sheet.inverse[2] == 0);
}

TEST_CASE("the_safe_inverse_knows_no_unit_of_length") {
  const Symmetric<double> m = Neighbours(3, 20).moments().moment;
  for (const double scale : {1e-20, 1e-6, 1e6, 1e20}) {
    const MomentInverse<double> found = invert_moment(m * scale), plain = invert_moment(m);
    CHECK(found.rank == 3);
    CHECK(found.inverse[0] * scale == doctest::Approx(plain.inverse[0]).epsilon(1e-12));
  }
}

TEST_CASE("affine_fields_are_differentiated_exactly_on_irregular_samples") {
  for (int seed = 0; seed < 100; ++seed) {
    const Neighbours n(seed, 5 + seed % 20);
    const Mat3d gradient = random_matrix(seed, 5) * 3;
    const Vec3d shift = random_vector(seed, 6);
    std::vector<Vec3d> x;
    for (const Vec3d& at : n.at) x.push_back(gradient * at + shift);
    const RestShape<double> rest = n.rest();
    if (rest.rank < 3) continue;
    const Mat3d found = deformation_of(n.gradient(x, shift).product, rest.inverse, false);
    // The inverse of a lopsided neighbourhood loses its condition, 1 / least_spread at most.
    CHECK(size(found - gradient) < 1e-13 / double(least_spread) * size(gradient));
  }
}

TEST_CASE("in_flat_scenes_fields_are_differentiated_exactly_in_the_plane") {
  for (int seed = 0; seed < 50; ++seed) {
    const Neighbours n(seed, 8, diagonal(Vec3d{1, 1, 0}));
    Mat3d gradient = random_matrix(seed, 5);
    gradient[2] = {0, 0, 1};
    gradient[0][2] = gradient[1][2] = 0;
    std::vector<Vec3d> x;
    for (const Vec3d& at : n.at) x.push_back(gradient * at);
    const RestShape<double> rest = rest_shape<double>(n.moments(), 0.3, 1, 2, 0.5, true);
    const Mat3d found = deformation_of(n.gradient(x, Vec3d::zero()).product, rest.inverse, true);
    CHECK(rest.rank == 3);
    CHECK(size(found - gradient) < 1e-12);
  }
}

namespace {

/// Positions to the energy of a neighbourhood, J, and to the forces on its phyxels, the own one
/// first.
struct Neighbourhood {
  Neighbours n;
  RestShape<double> rest = n.rest();
  SolidOf<double> solid = rubber();
  Memory<double> memory{{0.1, 0, -0.1, 0.05, 0, 0}, {}, {0.6, 0, 0.8}, 0, 0.04};

  Response<double> response(const std::vector<Vec3d>& x) const {
    const std::vector<Vec3d> others(x.begin() + 1, x.end());
    return response_of<double>(solid, rest, n.gradient(others, x[0]), memory, {0, false, false, 0},
                               false);
  }
  double energy(const std::vector<Vec3d>& x) const {
    const Response<double> r = response(x);
    const Moduli<double> c = moduli_of<double>(solid, rest.rank, 1, memory.fibre, memory.swollen);
    double stray = 0;
    for (std::size_t k = 0; k < n.at.size(); ++k)
      stray += n.weight_of(k) * length_squared(x[k + 1] - x[0] - r.f * n.at[k]);
    return rest.volume * energy_density(c, r.elastic, determinant(r.f)) + 0.5 * r.hold * stray;
  }
  std::vector<Vec3d> forces(const std::vector<Vec3d>& x) const {
    const Response<double> r = response(x);
    const std::vector<Vec3d> others(x.begin() + 1, x.end());
    std::vector<Vec3d> f = {r.pull * rest.lean + n.gradient(others, x[0]).moved * r.hold};
    for (std::size_t k = 0; k < n.at.size(); ++k)
      f.push_back((r.pull * n.at[k] + (x[k + 1] - x[0]) * r.hold) * -n.weight_of(k));
    return f;
  }
};

/// Where phyxels may be: strongly deformed, and not affinely.
std::vector<Vec3d> disturbed(const Neighbours& n, std::uint64_t seed) {
  std::vector<Vec3d> x = {random_vector(seed, 30)};
  const Mat3d f = Mat3d::identity() + random_matrix(seed, 31);
  for (std::size_t k = 0; k < n.at.size(); ++k)
    x.push_back(x[0] + f * n.at[k] + random_vector(seed, 40 + k) * 0.3);
  return x;
}

/// Bodies, sheets and lines.
std::vector<Neighbourhood> many_neighbourhoods() {
  std::vector<Neighbourhood> all;
  for (int seed = 0; seed < 10; ++seed) {
    all.push_back({Neighbours(seed, 12)});
    all.push_back({Neighbours(seed, 7, askew(seed, 1, 0))});
    all.push_back({Neighbours(seed, 3, askew(seed, 0, 0))});
  }
  return all;
}

}  // namespace

TEST_CASE("forces_of_a_neighbourhood_are_the_slope_of_its_energy") {
  std::uint64_t seed = 0;
  for (const Neighbourhood& hood : many_neighbourhoods()) {
    std::vector<Vec3d> x = disturbed(hood.n, ++seed);
    const std::vector<Vec3d> f = hood.forces(x);
    double scale = 0;
    for (const Vec3d& force : f) scale += length(force);
    for (std::size_t i = 0; i < x.size(); ++i)
      for (int c = 0; c < 3; ++c) {
        const double h = 1e-5, start = x[i][c];
        x[i][c] = start + h;
        const double ahead = hood.energy(x);
        x[i][c] = start - h;
        const double slope = (ahead - hood.energy(x)) / (2 * h);
        x[i][c] = start;
        // h^2 of the third derivative, and rounding over h.
        CHECK(std::abs(slope + f[i][c]) < 1e-7 * (1 + scale));
      }
  }
}

TEST_CASE("forces_of_a_neighbourhood_have_neither_sum_nor_torque") {
  std::uint64_t seed = 0;
  for (Neighbourhood hood : many_neighbourhoods()) {
    // Plastic strain of a phyxel must lie in the directions that it has: here it has none.
    if (hood.rest.rank < 3) hood.memory.plastic = Symmetric<double>::zero();
    if (hood.rest.rank < 3) hood.memory.fibre = Vec3d::zero();
    const std::vector<Vec3d> x = disturbed(hood.n, ++seed), f = hood.forces(x);
    Vec3d sum = Vec3d::zero(), torque = Vec3d::zero();
    double scale = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
      sum += f[i];
      torque += cross(x[i], f[i]);
      scale += length(f[i]) * (1 + length(x[i]));
    }
    CHECK(length(sum) < 1e-13 * scale);
    CHECK(length(torque) < 1e-12 * scale);
  }
}

TEST_CASE("turned_and_shifted_neighbourhoods_feel_no_force") {
  std::uint64_t seed = 0;
  for (Neighbourhood hood : many_neighbourhoods()) {
    hood.memory.plastic = Symmetric<double>::zero();
    hood.memory.swollen = 0;
    const Mat3d turn = random_rotation(++seed);
    std::vector<Vec3d> x = {random_vector(seed, 30)};
    for (const Vec3d& at : hood.n.at) x.push_back(x[0] + turn * at);
    for (const Vec3d& f : hood.forces(x)) CHECK(length(f) < 1e-10);
    CHECK(hood.energy(x) < 1e-20);
  }
}

TEST_CASE("displacements_that_strain_does_not_see_are_held_by_stabilisation_alone") {
  // Neighbours in pairs on opposite sides that all move the same way: their gradient is zero.
  Neighbours n(1, 0);
  for (int k = 0; k < 6; ++k) {
    n.at.push_back(random_vector(1, k));
    n.at.push_back(n.at.back() * -1.0);
  }
  Neighbourhood hood{n};
  hood.memory.plastic = Symmetric<double>::zero();
  std::vector<Vec3d> x = {Vec3d{0, 0, 0}};
  for (const Vec3d& at : n.at) x.push_back(at + Vec3d{0.1, 0, 0});
  CHECK(hood.forces(x)[0][0] > 0.1);
  hood.solid.stabilisation = 0;
  CHECK(length(hood.forces(x)[0]) < 1e-10);
}

TEST_CASE("the_bound_of_frequencies_is_above_those_of_the_neighbourhood") {
  // Along random directions; the bound is for masses m w / sum w of its phyxels.
  std::uint64_t seed = 0;
  for (const Neighbourhood& hood : many_neighbourhoods()) {
    const std::vector<Vec3d> x = disturbed(hood.n, ++seed);
    const double bound = hood.response(x).rate, mass = 2;
    const double total = hood.n.moments().weight + 1;
    for (int k = 0; k < 20; ++k) {
      const double h = 1e-5;
      std::vector<Vec3d> s, ahead = x, back = x;
      for (std::size_t i = 0; i < x.size(); ++i) {
        s.push_back(random_vector(seed, 500 + 20 * k + i));
        ahead[i] += s[i] * h;
        back[i] -= s[i] * h;
      }
      const std::vector<Vec3d> f = hood.forces(ahead), g = hood.forces(back);
      double stiffness = 0, inertia = 0;
      for (std::size_t i = 0; i < x.size(); ++i) {
        stiffness -= dot(f[i] - g[i], s[i]) / (2 * h);
        const double w = i == 0 ? 1 : hood.n.weight_of(i - 1);
        inertia += mass * w / total * length_squared(s[i]);
      }
      CHECK(stiffness <= bound * inertia);
    }
  }
}

TEST_CASE("molten_matter_has_its_own_moduli_and_creeps_without_a_yield_strain") {
  Parameters p = elastic(1e5, 0.3);
  p.melted_modulus = Real(1e3);
  p.melted_creep = 50;
  p.yield_strain = Real(0.1);
  p.creep = 1;
  p.largest_plastic_strain = Real(0.2);
  const SolidOf<double> solid = solid_with(p);
  const LawUse<double> use{0.01, true, false, 1};
  const Flow<double> frozen = flow_of(solid, use, 0.0), molten = flow_of(solid, use, 1.0);
  CHECK(share_of_moduli(solid, 1.0) == doctest::Approx(0.01));
  CHECK(share_of_moduli(solid, 0.0) == 1);
  CHECK(frozen.yield_strain == doctest::Approx(0.1));
  CHECK(frozen.share == doctest::Approx(0.01));
  CHECK(frozen.largest == doctest::Approx(0.2));
  CHECK(molten.yield_strain == 0);
  CHECK(molten.share == doctest::Approx(0.5));
  CHECK(molten.largest > 1e10);
  CHECK(molten.volume_share == doctest::Approx(0.5));
}
