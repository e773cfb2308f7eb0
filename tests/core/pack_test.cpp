#include <doctest/doctest.h>

#include "core/matrices.h"
#include "phyxel/core/pack_shuffle.h"
#include "phyxel/core/polar.h"
#include "phyxel/core/random.h"

using namespace phyxel;
using namespace phyxel::test;

namespace {

template <class T>
std::vector<Mat<T, 3>> some_matrices() {
  std::vector<Mat3d> list = special_matrices();
  for (const Mat3d& a : random_matrices(30)) list.push_back(a);
  return rounded<T>(list);
}

/// f applied to packs of elements.
template <class E, class F>
auto by_packs(const std::vector<E>& in, F&& f) {
  std::vector<E> out(in.size());
  const Index n = static_cast<Index>(in.size());
  for (Index i = 0; i < n; i += lanes_of<E>) store(f(load(&in[i], n - i)), &out[i], n - i);
  return out;
}

}  // namespace

TEST_CASE_TEMPLATE("what_is_loaded_into_a_pack_is_stored_again", T, float, double) {
  constexpr Index width = lanes_of<Vec<T, 3>>;
  std::vector<Vec<T, 3>> in(3 * width), out(3 * width, Vec<T, 3>::zero());
  for (Index i = 0; i < 3 * width; ++i) in[i] = {T(i), T(100 + i), T(200 + i)};
  store(load(&in[1]), &out[1]);
  for (Index i = 0; i < 3 * width; ++i)
    CHECK(out[i] == (i >= 1 && i < 1 + width ? in[i] : Vec<T, 3>::zero()));
}

TEST_CASE_TEMPLATE("a_partial_pack_repeats_the_last_element_and_stores_no_more", T, float, double) {
  constexpr Index width = lanes_of<T>;
  const Index count = width > 1 ? width - 1 : 1;
  std::vector<T> in(width, T(-7)), out(width, T(-1));
  for (Index i = 0; i < count; ++i) in[i] = T(i + 1);
  const PackOf<T> pack = load(in.data(), count);
  CHECK(pack.get(width - 1) == T(count));
  store(pack, out.data(), count);
  for (Index i = 0; i < width; ++i) CHECK(out[i] == (i < count ? T(i + 1) : T(-1)));
}

TEST_CASE_TEMPLATE("select_and_its_friends_agree_for_numbers_and_packs", T, float, double) {
  MatrixSource source;
  for (int k = 0; k < 100; ++k) {
    const T a = T(source.number()), b = T(source.number());
    const PackOf<T> pa(a), pb(b);
    const auto first = [](const PackOf<T>& p) { return p.get(0); };
    CHECK(first(select(pa < pb, pa, pb)) == phyxel::select(a < b, a, b));
    CHECK(first(min(pa, pb)) == phyxel::min(a, b));
    CHECK(first(max(pa, pb)) == phyxel::max(a, b));
    CHECK(first(abs(pa)) == phyxel::abs(a));
    CHECK(first(sqrt(abs(pa))) == phyxel::sqrt(phyxel::abs(a)));
    CHECK(any(pa < pb) == phyxel::any(a < b));
    CHECK(all(pa < pb) == phyxel::all(a < b));
  }
}

TEST_CASE("any_and_all_look_at_every_lane") {
  std::vector<Real> numbers(pack_size<Real>, Real(1));
  numbers.back() = Real(-1);
  const Pack pack = load(numbers.data());
  CHECK(any(pack < Pack(0)));
  CHECK(all(pack < Pack(0)) == (pack_size<Real> == 1));
  CHECK(all(pack < Pack(2)));
  CHECK_FALSE(any(pack > Pack(2)));
}

// Numbers and packs may contract multiplications and additions differently, so the factors of a
// nearly degenerate matrix may differ; what they are factors of may not.
TEST_CASE_TEMPLATE("packs_of_matrices_decompose_as_single_ones_do", T, float, double) {
  const std::vector<Mat<T, 3>> in = some_matrices<T>();
  const auto svd_back = by_packs(in, [](const auto& a) {
    const auto f = svd(a);
    return f.u * diagonal(f.sigma) * transpose(f.v);
  });
  const auto polar_rotation = by_packs(in, [](const auto& a) { return polar(a).rotation; });
  const auto symmetric_back = by_packs(in, [](const auto& a) {
    const auto e = eigen_symmetric(a + transpose(a));
    return e.vectors * diagonal(e.values) * transpose(e.vectors);
  });
  for (std::size_t i = 0; i < in.size(); ++i) {
    const WideMat a = converted<Wide>(in[i]);
    // 16 eps of the decomposition and 8 of multiplying it back in T.
    CHECK(relative_error(converted<Wide>(svd_back[i]), a) <= 24 * eps<T>());
    CHECK(rotation_error(converted<Wide>(polar_rotation[i])) <= 32 * eps<T>());
    const Mat<T, 3> twice = in[i] + transpose(in[i]);
    CHECK(relative_error(converted<Wide>(symmetric_back[i]), converted<Wide>(twice)) <=
          24 * eps<T>());
  }
}

TEST_CASE_TEMPLATE("singular_values_of_packs_are_those_of_single_matrices", T, float, double) {
  const std::vector<Mat<T, 3>> in = some_matrices<T>();
  const auto packed = by_packs(in, [](const auto& a) { return diagonal(svd(a).sigma); });
  for (std::size_t i = 0; i < in.size(); ++i)
    // Each side is within 16 eps of the truth.
    CHECK(relative_error(converted<Wide>(packed[i]), converted<Wide>(diagonal(svd(in[i]).sigma))) <=
          32 * eps<T>());
}

TEST_CASE_TEMPLATE("a_lane_does_not_depend_on_its_neighbours", T, float, double) {
  const std::vector<Mat<T, 3>> in = some_matrices<T>();
  const auto mixed = by_packs(in, [](const auto& a) { return polar(a).rotation; });
  for (std::size_t i = 0; i < in.size(); ++i) {
    Mat<T, 3> alone[lanes_of<Mat<T, 3>>];
    store(polar(load(&in[i], 1)).rotation, alone);
    for (int r = 0; r < 3; ++r) CHECK(alone[0][r] == mixed[i][r]);
  }
}

TEST_CASE_TEMPLATE("vectors_of_packs_follow_the_rules_of_vectors", T, float, double) {
  MatrixSource source;
  const Vec<T, 3> a = cast<T>(source.vector()), b = cast<T>(source.vector());
  Vec<T, 3> result[lanes_of<T>];
  const auto pa = load(&a, 1), pb = load(&b, 1);
  const auto close = [&](const auto& packed, const Vec<T, 3>& expected) {
    store(packed, result);
    // Contraction may change the last bit of each of three products.
    for (int k = 0; k < 3; ++k) CHECK(std::abs(result[0][k] - expected[k]) <= 4 * eps<T>());
  };
  close(cross(pa, pb), cross(a, b));
  close(normalized(pa), normalized(a));
  close(min(pa, pb), min(a, b));
  close(max(pa, pb), max(a, b));
  close(pa / pb[0], a / b[0]);
  close(rotation(normalized(pa), pb[0]) * pb, rotation(normalized(a), b[0]) * b);
  close(normalized(Vec<PackOf<T>, 3>::zero()), Vec<T, 3>::zero());
}

TEST_CASE("vectors_and_quads_keep_their_places_on_the_way_through_registers") {
  Vec3 from[lanes + 1], to[lanes + 1];
  for (Index l = 0; l <= lanes; ++l) from[l] = Random{31, 0}.uniform3(l);
  for (Index count = 1; count <= lanes; ++count) {
    std::fill(to, to + lanes + 1, Vec3::filled(-1));
    const Vec3Pack packed = load_vectors(from, count);
    store_vectors(packed, to, count);
    alignas(64) Quad quads[lanes + 1];
    quads[count] = {{-1, -1, -1, -1}};
    store_quads({{packed[0], packed[1], packed[2], Pack(Real(7))}}, quads, count);
    for (Index l = 0; l < count; ++l) {
      CHECK(to[l] == from[l]);
      for (int k = 0; k < 3; ++k) CHECK(packed[k].get(l) == from[l][k]);
      for (int k = 0; k < 3; ++k) CHECK(quads[l].c[k] == from[l][k]);
      CHECK(quads[l].c[3] == 7);
    }
    for (int k = 0; k < 3; ++k) CHECK(packed[k].get(lanes - 1) == from[count - 1][k]);
    CHECK(to[count] == Vec3::filled(-1));
    CHECK(quads[count].c[0] == -1);
  }
}

TEST_CASE("the_smaller_of_two_keeps_its_sign") {
  for (const Real a : {Real(-3), Real(-0.5), Real(0), Real(2)})
    for (const Real b : {Real(-1), Real(0.25), Real(1e15)}) {
      const Real smaller = std::abs(b) < std::abs(a) ? b : a;
      CHECK(smaller_of(Pack(a), Pack(b)).get(0) == smaller);
    }
}

TEST_CASE("a_quick_reciprocal_is_good_to_a_few_units_in_the_last_place") {
  for (Index k = 0; k < 1000; ++k) {
    const Real a = Real(1e-3) + 100 * Random{32, 0}.uniform(k);
    const double error = double(quick_reciprocal(Pack(a)).get(0)) * double(a) - 1;
    CHECK(std::abs(error) < 3 * double(std::numeric_limits<Real>::epsilon()));
  }
}

TEST_CASE("sums_of_whole_numbers_over_lanes_are_exact_where_the_lanes_alone_would_overflow") {
  using Whole = WholePack::value_type;
  constexpr Whole most = std::numeric_limits<Whole>::max() / (sizeof(Real) == 4 ? 1 : lanes);
  WholeSums sums{{5, -7, 1, 0}};
  WholePack of[3] = {WholePack(most), WholePack(-most), WholePack(Whole(0))};
  alignas(64) Whole count[lanes];
  for (Index l = 0; l < lanes; ++l) count[l] = static_cast<Whole>(l % 2 ? -1000 * l : 3 * l);
  of[2] = WholePack::load_aligned(count);
  add_lanes(of, sums);
  std::int64_t counted = 1;
  for (const Whole c : count) counted += c;
  CHECK(sums.c[0] == std::int64_t{most} * lanes + 5);
  CHECK(sums.c[1] == -std::int64_t{most} * lanes - 7);
  CHECK(sums.c[2] == counted);
  const auto v = scaled(sums, 0.25);
  CHECK(v[2] == static_cast<Real>(0.25 * static_cast<double>(counted)));
}
