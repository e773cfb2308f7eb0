#include <cmath>
#include <doctest/doctest.h>
#include <vector>

#include "phyxel/core/pack_rows.h"

using namespace phyxel;

namespace {

/// Row r holds 100 r, 100 r + 1, ...
std::vector<Row16> counted_rows(Index n) {
  std::vector<Row16> rows(static_cast<std::size_t>(n));
  for (Index r = 0; r < n; ++r)
    for (int k = 0; k < 16; ++k) rows[r].c[k] = static_cast<Real>(100 * r + k);
  return rows;
}

}  // namespace

TEST_CASE("rows_become_packs_and_packs_become_rows") {
  const std::vector<Row16> rows = counted_rows(3 * lanes);
  const auto scattered = [](Index l) { return (7 * l + 3) % (3 * lanes); };  // no row twice
  const RowPack packed = load_rows([&](Index l) { return &rows[scattered(l)]; });
  const QuadPack fours = load_fours([&](Index l) { return rows[scattered(l)].c + 12; });
  const TwoQuadPacks eights = load_eights([&](Index l) { return rows[scattered(l)].c + 8; });
  for (int k = 0; k < 16; ++k)
    for (Index l = 0; l < lanes; ++l) CHECK(packed.c[k].get(l) == rows[scattered(l)].c[k]);
  for (int k = 0; k < 4; ++k)
    for (Index l = 0; l < lanes; ++l) {
      CHECK(eights.first.c[k].get(l) == rows[scattered(l)].c[8 + k]);
      CHECK(eights.second.c[k].get(l) == rows[scattered(l)].c[12 + k]);
    }
  for (int k = 0; k < 4; ++k)
    for (Index l = 0; l < lanes; ++l) CHECK(fours.c[k].get(l) == rows[scattered(l)].c[12 + k]);
  for (const Index count : {Index{1}, lanes - 1, lanes}) {
    std::vector<Row16> out(3 * lanes, Row16{});
    store_rows(
        packed, [&](Index l) { return &out[scattered(l)]; }, count);
    for (Index l = 0; l < lanes; ++l)
      for (int k = 0; k < 16; ++k)
        CHECK(out[scattered(l)].c[k] == (l < count ? rows[scattered(l)].c[k] : Real(0)));
    store_fours(
        {{packed.c[4], packed.c[5], packed.c[6], packed.c[7]}},
        [&](Index l) { return out[scattered(l)].c; }, count);
    for (Index l = 0; l < count; ++l) {
      CHECK(out[scattered(l)].c[2] == rows[scattered(l)].c[6]);
      CHECK(out[scattered(l)].c[4] == rows[scattered(l)].c[4]);  // left alone
    }
  }
}

TEST_CASE("bytes_become_lanes_that_look_up_tables") {
  std::uint8_t bytes[lanes], back[lanes];
  Table16 table;
  for (int k = 0; k < 16; ++k) table.value[k] = Real(k * k) / 3;
  for (Index l = 0; l < lanes; ++l) bytes[l] = static_cast<std::uint8_t>((5 * l + 2) % 16);
  const Pack packed = load_bytes(bytes), found = look_up(table, packed);
  store_bytes(packed, back);
  for (Index l = 0; l < lanes; ++l) {
    CHECK(packed.get(l) == Real(bytes[l]));
    CHECK(found.get(l) == table.value[bytes[l]]);
    CHECK(back[l] == bytes[l]);
  }
}

TEST_CASE("four_numbers_fill_sixteen_lanes_in_both_orders") {
  const Real four[4] = {2, 3, 5, 7};
  const TwoRows8 times = four_times(four), each = each_four_times(four);
  const TwoRows8 threes = threes_four_times(four);
  for (int k = 0; k < 16; ++k) {
    CHECK(times[k] == four[k % 4]);
    CHECK(each[k] == four[k / 4]);
    CHECK(threes[k] == (k % 4 < 3 ? four[k % 4] : 0));
  }
  Real sixteen[16];
  for (int k = 0; k < 16; ++k) sixteen[k] = Real(k);
  const TwoRows8 fourths = fourths_four_times(sixteen);
  for (int k = 0; k < 16; ++k) CHECK(fourths[k] == (k < 12 ? Real(7 + 4 * (k / 4)) : 0));
}

template <int N>
void check_line_sums() {
  const std::vector<Row16> rows = counted_rows(lanes);
  Pack weight[N], sum[3];
  for (int n = 0; n < N; ++n) {
    alignas(64) Real lane[lanes];
    for (Index l = 0; l < lanes; ++l) lane[l] = Real((l * 7 + n * 3) % 5 - 2);
    weight[n] = Pack::load_aligned(lane);
  }
  QuadLines<N>(rows.data()).sum(weight, sum);
  for (Index l = 0; l < lanes; ++l)
    for (int c = 0; c < 3; ++c) {
      Real expected = 0;
      for (int n = 0; n < N; ++n) expected += weight[n].get(l) * rows[l].c[4 * n + c];
      CHECK(sum[c].get(l) == expected);  // whole numbers, exact in any order
    }
}

TEST_CASE("quads_of_three_or_four_nodes_are_summed_by_the_weights_of_their_lane") {
  check_line_sums<3>();
  check_line_sums<4>();
}

TEST_CASE("quick_roots_and_reciprocals_are_good_to_a_few_roundings") {
  for (double a = 1e-30; a < 1e30; a *= 3.7) {
    const double x = static_cast<Real>(a), bound = 4 * std::numeric_limits<Real>::epsilon();
    CHECK(std::abs(Quick<Pack>::reciprocal(Pack(static_cast<Real>(x))).get(0) * x - 1) < bound);
    CHECK(std::abs(Quick<Pack>::root(Pack(static_cast<Real>(x))).get(0) / std::sqrt(x) - 1) <
          bound);
  }
}

TEST_CASE("the_largest_and_the_smallest_lane_are_found_in_any_place") {
  for (Index at = 0; at < lanes; ++at) {
    alignas(64) Real lane[lanes];
    for (Index l = 0; l < lanes; ++l) lane[l] = l == at ? Real(5) : Real(2);
    CHECK(largest_lane(Pack::load_aligned(lane)) == 5);
    lane[at] = -5;
    CHECK(smallest_lane(Pack::load_aligned(lane)) == -5);
  }
}
