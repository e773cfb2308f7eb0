#include "phyxel/neighbours/pair_state.h"

#include <doctest/doctest.h>
#include <map>
#include <numeric>
#include <utility>

#include "brute_force.h"

using namespace phyxel;

namespace {

using PairValues = std::map<std::pair<ParticleId, ParticleId>, Real>;

PairValues by_ids(const NeighbourRows& rows, const Column<ParticleId>& ids,
                  const Column<Real>& value) {
  PairValues values;
  for (std::size_t i = 0; i < ids.size(); ++i)
    for (Index e = rows.start[i]; e < rows.start[i] + rows.count[i]; ++e)
      values[{ids[i], ids[rows.neighbour[e]]}] = value[e];
  return values;
}

/// A body whose ids are neither dense nor in order, with one different number on every entry.
struct Body {
  Column<Vec3> x = random_points(800, {0, 0, 0}, {1, 1, 1});
  Column<ParticleId> ids;
  CellTable cells;
  NeighbourRows rows;
  PairState<Real> state;

  void search() {
    Column<Vec3> vec;
    Column<ParticleId> id;
    build_cells_for_rows(Exec{}, x, Real(0.2), {}, cells);
    permute(Exec{}, "x", x, cells.order, vec);
    permute(Exec{}, "ids", ids, cells.order, id);
    build_rows(Exec{}, x, cells, Real(0.2), rows);
  }

  Body() {
    for (std::size_t i = 0; i < x.size(); ++i) ids.push_back(4000000000u - 37 * i);
    search();
    state.value.resize(rows.neighbour.size());
    std::iota(state.value.begin(), state.value.end(), Real(1));
  }
};

void shuffle(Body& body) {
  for (std::size_t i = body.x.size() - 1; i > 0; --i) {
    const std::size_t j = Random{9, 2}.words(i).word[0] % (i + 1);
    std::swap(body.x[i], body.x[j]);
    std::swap(body.ids[i], body.ids[j]);
  }
}

}  // namespace

TEST_CASE("pair_state_survives_a_rebuild_with_shuffled_particles") {
  Body old;
  Body now = old;
  shuffle(now);
  now.search();
  ParticleMatch match;
  match_particles(Exec{}, old.ids, now.ids, {}, match);
  carry_over(Exec{}, old.rows, now.rows, match, Real(-1), now.state);
  CHECK(by_ids(now.rows, now.ids, now.state.value) == by_ids(old.rows, old.ids, old.state.value));
}

TEST_CASE("pairs_that_part_are_forgotten_and_new_ones_start_fresh") {
  Body old;
  Body now = old;
  shuffle(now);
  for (std::size_t i = 0; i < now.x.size(); ++i) now.x[i] += Random{4, 4}.uniform3(i) * Real(0.05);
  now.x.resize(700);  // some particles leave
  now.ids.resize(700);
  now.x.push_back({Real(0.5), Real(0.5), Real(0.5)});  // and one arrives
  now.ids.push_back(5);
  now.search();
  ParticleMatch match;
  match_particles(Exec{}, old.ids, now.ids, {}, match);
  carry_over(Exec{}, old.rows, now.rows, match, Real(-1), now.state);

  const PairValues before = by_ids(old.rows, old.ids, old.state.value);
  int kept = 0, fresh = 0, wrong = 0;
  for (const auto& [pair, value] : by_ids(now.rows, now.ids, now.state.value)) {
    const auto found = before.find(pair);
    ++(found != before.end() ? kept : fresh);
    wrong += value != (found != before.end() ? found->second : Real(-1));
  }
  CHECK(wrong == 0);
  CHECK(kept > 1000);
  CHECK(fresh > 100);
}

TEST_CASE("an_order_of_particles_that_holds_is_taken_and_another_one_is_not") {
  Body old;
  Body now = old;
  now.x.push_back({Real(0.5), Real(0.5), Real(0.5)});  // one arrives
  now.ids.push_back(5);
  for (std::size_t i = 0; i < now.x.size(); ++i) now.x[i] += Random{4, 4}.uniform3(i) * Real(0.05);
  now.search();
  ParticleMatch by_order, by_id, misled;
  match_particles(Exec{}, old.ids, now.ids, now.cells.order, by_order);
  CHECK(by_order.keys.empty());  // nothing was sorted
  match_particles(Exec{}, old.ids, now.ids, {}, by_id);
  CHECK(by_order.old_index == by_id.old_index);
  Column<Index> wrong = now.cells.order;
  std::swap(wrong[3], wrong[4]);
  match_particles(Exec{}, old.ids, now.ids, wrong, misled);
  CHECK(misled.old_index == by_id.old_index);
}

TEST_CASE("the_first_pair_state_is_all_fresh") {
  Body body;
  PairState<int> state;
  NeighbourRows none;
  ParticleMatch match;
  match_particles(Exec{}, {}, body.ids, {}, match);
  carry_over(Exec{}, none, body.rows, match, 7, state);
  CHECK(state.value == Column<int>(body.rows.neighbour.size(), 7));
}
