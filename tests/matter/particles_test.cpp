#include "phyxel/matter/particles.h"

#include <doctest/doctest.h>
#include <numeric>

#include "phyxel/core/random.h"

namespace phyxel {
namespace {

/// Particle k has k in every column.
Particles numbered(Index n) {
  Particles p;
  resize(p, static_cast<std::size_t>(n));
  for (Index k = 0; k < n; ++k) {
    p.x[k] = Vec3::filled(Real(k));
    p.v[k] = Vec3::filled(Real(-k));
    p.mass[k] = p.temperature[k] = Real(k);
    p.id[k] = static_cast<ParticleId>(k);
    p.material[k] = p.body[k] = p.pin[k] = k;
  }
  return p;
}

/// A fixed shuffle.
Column<Index> shuffled(Index n) {
  Column<Index> order(n);
  std::iota(order.begin(), order.end(), 0);
  const Random random{1, 0};
  for (Index k = n - 1; k > 0; --k)
    std::swap(order[k], order[random.words(k).word[0] % static_cast<std::uint32_t>(k + 1)]);
  return order;
}

}  // namespace

TEST_CASE("new_particles_are_zero_and_free") {
  Particles p = numbered(3);
  resize(p, 5);
  CHECK(p.size() == 5);
  CHECK(p.pin[2] == 2);
  for (Index k : {3, 4}) {
    CHECK(p.x[k] == Vec3::zero());
    CHECK(p.mass[k] == 0);
    CHECK(p.pin[k] == -1);
  }
}

TEST_CASE("reorder_takes_all_columns_along") {
  constexpr Index n = 3000;  // more than one piece of a loop
  Particles p = numbered(n);
  const Column<Index> order = shuffled(n);
  ReorderScratch scratch;
  reorder({}, p, order, scratch);
  bool together = true;
  for (Index k = 0; k < n; ++k) {
    const Index from = order[k];
    together = together && p.x[k][0] == Real(from) && p.v[k][2] == Real(-from) &&
               p.mass[k] == Real(from) && p.temperature[k] == Real(from) &&
               p.id[k] == static_cast<ParticleId>(from) && p.material[k] == from &&
               p.body[k] == from && p.pin[k] == from;
  }
  CHECK(together);
}

TEST_CASE("reordering_back_restores_everything") {
  constexpr Index n = 257;
  Particles p = numbered(n);
  const Column<Index> order = shuffled(n);
  Column<Index> back(n);
  for (Index k = 0; k < n; ++k) back[order[k]] = k;
  ReorderScratch scratch;
  reorder({}, p, order, scratch);
  reorder({}, p, back, scratch);
  for (Index k = 0; k < n; ++k) CHECK(p.id[k] == static_cast<ParticleId>(k));
}

TEST_CASE("the_columns_of_particles_have_names_units_and_the_data_itself") {
  Particles p = numbered(4);
  const std::vector<ColumnView> views = columns_of(p);
  REQUIRE(views.size() == 8);
  CHECK(views[0].name == "position");
  CHECK(views[0].unit == "m");
  CHECK(views[0].components == 3);
  for (const ColumnView& view : views) CHECK(view.count == 4);
  CHECK(views[0].data == p.x.data());
  CHECK(views[1].data == p.v.data());
}

}  // namespace phyxel
