#include "methods/lattice/lump.h"

#include <doctest/doctest.h>

using namespace phyxel;
using namespace phyxel::lattice;
using namespace phyxel::lattice::test;

namespace {

constexpr double density = 1000;

template <int Dim>
bool within(const LatticePoint<Dim>& p, int half) {
  for (int k = 0; k < Dim; ++k)
    if (std::abs(p[k]) > half) return false;
  return true;
}

/// A block with a random velocity at each particle, of up to `speed`.
template <class T, int Dim, class Law>
Lump<T, Dim, Law> shaken_block(const Law& law, int shells, T speed) {
  auto lump =
      make_lump<T, Dim>(law, shells, [](const LatticePoint<Dim>& p) { return within(p, 2); });
  for (std::size_t i = 0; i < lump.x.size(); ++i) lump.v[i] = random_vector<T, Dim>(i, 3) * speed;
  return lump;
}

template <class T, int Dim>
HookeanLaw<T> rubber() {
  return hookean_law<Dim>(T(1e6), T(0.3), spacing<T>);
}
template <class T, int Dim>
T mass_of_particle(const HookeanLaw<T>& law) {
  return T(density) * law.volume;
}

template <class T, int Dim, class Law>
void check_conservation(Lump<T, Dim, Law> lump, T dt) {
  Spin<T, Dim> spin;
  for (int k = 0; k < (Dim == 3 ? 3 : 1); ++k) spin[k] = T(k + 1);
  for (std::size_t i = 0; i < lump.x.size(); ++i) lump.v[i] += turned(spin, lump.x[i]);
  lump.eta = T(0.2) * lump.mass / dt;
  const auto p = momentum(lump);
  const auto l = angular_momentum(lump);
  constexpr int steps = 500;
  for (int k = 0; k < steps; ++k) advance(lump, dt);
  // Each step rounds every velocity and place by eps / 2, at random: the roots of 500 steps and 60
  // particles, times their size; forces are larger than what they leave, which costs a digit.
  const double total = lump.mass * lump.x.size();
  CHECK(length(momentum(lump) - p) <= 100 * double(eps<T>) * total);
  CHECK(length(angular_momentum(lump) - l) <= 100 * double(eps<T>) * total * spacing<double> * 4);
  CHECK(length(l) > 1e-3 * total * spacing<double>);
}

/// Largest energy of a shaken block relative to what it had.
template <int Dim, class Law>
double growth(Lump<double, Dim, Law> lump, double dt) {
  double largest = 0;
  const double start = kinetic_energy(lump);
  for (int k = 0; k < 1000; ++k) {
    advance(lump, dt);
    largest = std::max(largest, kinetic_energy(lump) + lump.energy);
  }
  return largest / start;
}

template <int Dim>
void check_stable_steps(int shells) {
  const HookeanLaw<double> law = rubber<double, Dim>();
  auto rubber_block = shaken_block<double, Dim>(law, shells, 0.01);
  rubber_block.mass = mass_of_particle<double, Dim>(law);
  // The energy that symplectic steps keep differs from the true one by a part (omega dt)^2.
  CHECK(growth<Dim>(rubber_block, stable_dt<Dim>(law, rubber_block.weights, spacing<double>,
                                                 rubber_block.mass)) < 3);
  const StiffnessLaw<double> springs{1e5};
  auto spring_block = shaken_block<double, Dim>(springs, shells, 0.01);
  CHECK(growth<Dim>(spring_block,
                    stable_dt<Dim>(springs, spring_block.weights, spring_block.mass)) < 3);
}

using Bar = Lump<double, 2, HookeanLaw<double>>;

/// A bar of 2D lattice from first to last half step along x.
Bar make_bar(int first, int last, int half_width) {
  const HookeanLaw<double> law = rubber<double, 2>();
  Bar bar = make_lump<double, 2>(law, 1, [&](const LatticePoint<2>& p) {
    return p[0] >= first && p[0] <= last && std::abs(p[1]) <= half_width;
  });
  bar.mass = mass_of_particle<double, 2>(law);
  return bar;
}

/// Deflection of a loaded cantilever relative to that of a beam which bends and shears.
double relative_deflection(int half_width) {
  Bar bar = make_bar(-3, 36, half_width);
  const double height = (2 * half_width + 1) * std::sqrt(0.75) * spacing<double>,
               reach = 1.8 - 0.025;
  const double inertia = height * height * height / 12, e = 1e6;
  const double load = 1e-3 * 3 * e * inertia / (reach * reach);
  const double expected = load * reach * reach * reach / (3 * e * inertia) +
                          load * reach / (5.0 / 6 * bar.law.mu * height);
  const std::vector<Vec<double, 2>> rest = bar.x;
  const double dt = 0.8 * stable_dt<2>(bar.law, bar.weights, spacing<double>, bar.mass);
  // Slightly less than critical damping of the lowest mode, for four of its periods.
  const double omega = 3.516 / (reach * reach) * std::sqrt(e * height * height / 12 / density);
  const int steps = static_cast<int>(8 * M_PI / omega / dt);
  std::vector<int> tip;
  for (std::size_t i = 0; i < rest.size(); ++i)
    if (rest[i][0] > 1.74) tip.push_back(static_cast<int>(i));
  for (int k = 0; k < steps; ++k) {
    find_forces(bar, dt);
    for (const int i : tip) bar.force[i][1] += load / tip.size();
    for (std::size_t i = 0; i < rest.size(); ++i) {
      if (rest[i][0] < 0.01) continue;
      bar.v[i] = (bar.v[i] + bar.force[i] * (dt / bar.mass)) * (1 / (1 + 1.4 * omega * dt));
      bar.x[i] += bar.v[i] * dt;
    }
  }
  double deflection = 0;
  for (const int i : tip) deflection += (bar.x[i][1] - rest[i][1]) / tip.size();
  return deflection / expected;
}

}  // namespace

TEST_CASE_TEMPLATE("a_spinning_vibrating_damped_block_conserves_both_momenta", T, float, double) {
  const HookeanLaw<T> flat = rubber<T, 2>(), solid = rubber<T, 3>();
  auto sheet = shaken_block<T, 2>(flat, 2, T(0.1));
  sheet.mass = mass_of_particle<T, 2>(flat);
  check_conservation(sheet, T(0.3) * stable_dt<2>(flat, sheet.weights, spacing<T>, sheet.mass));
  auto block = shaken_block<T, 3>(solid, 1, T(0.1));
  block.mass = mass_of_particle<T, 3>(solid);
  check_conservation(block, T(0.3) * stable_dt<3>(solid, block.weights, spacing<T>, block.mass));
  const StiffnessLaw<T> springs{T(1e5)};
  auto spring_block = shaken_block<T, 3>(springs, 1, T(0.1));
  check_conservation(spring_block,
                     T(0.3) * stable_dt<3>(springs, spring_block.weights, spring_block.mass));
}

TEST_CASE("shaken_blocks_stay_together_at_the_stable_step") {
  check_stable_steps<2>(1);
  check_stable_steps<2>(2);
  check_stable_steps<3>(1);
  check_stable_steps<3>(2);
}

TEST_CASE("a_bar_rings_with_the_textbook_frequency") {
  Bar bar = make_bar(-20, 20, 2);
  // Rows are shifted by half a spacing: the bar is as long as a row, and its particles 1 wide.
  const double length_of_bar = 20.5 * spacing<double>;
  const auto shape = [&](std::size_t i) { return std::sin(M_PI * bar.x[i][0] / length_of_bar); };
  for (std::size_t i = 0; i < bar.x.size(); ++i) bar.v[i][0] = 0.1 * shape(i);
  const double dt = 0.5 * stable_dt<2>(bar.law, bar.weights, spacing<double>, bar.mass);
  std::vector<double> turns;
  double time = 0, before = 1;
  while (turns.size() < 5) {
    advance(bar, dt);
    time += dt;
    double speed = 0;
    for (std::size_t i = 0; i < bar.x.size(); ++i) speed += bar.v[i][0] * shape(i);
    if ((speed > 0) != (before > 0)) turns.push_back(time - dt * speed / (speed - before));
    before = speed;
    REQUIRE(time < 10);
  }
  const double frequency = 2 / (turns[4] - turns[0]);
  CHECK(frequency == doctest::Approx(std::sqrt(1e6 / density) / (2 * length_of_bar)).epsilon(0.01));
}

TEST_CASE("cantilevers_of_few_and_many_rows_bend_as_beams_do") {
  // The residual modulus is fitted to this; where the clamp ends is known to half a spacing.
  for (const int half_width : {1, 2, 4})
    CHECK(relative_deflection(half_width) == doctest::Approx(1).epsilon(0.05));
}
