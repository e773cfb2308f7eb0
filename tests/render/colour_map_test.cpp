#include "phyxel/render/colour_map.h"

#include <cmath>
#include <doctest/doctest.h>
#include <limits>

#include "phyxel/core/error.h"

using namespace phyxel;
using namespace phyxel::render;

namespace {

/// Half a step of an 8-bit channel in linear light is at most this.
constexpr float half_step = 0.0045f;

void check_same(const Colour& a, const Colour& b, float tolerance = half_step) {
  for (int k = 0; k < 3; ++k) CHECK(std::abs(a[k] - b[k]) <= tolerance);
}

}  // namespace

TEST_CASE("colour_maps_begin_and_end_with_their_end_colours") {
  const ColourMap& viridis = find_colour_map("viridis");
  check_same(sample(viridis, 0), colour_from_hex(0x440154));
  check_same(sample(viridis, 1), colour_from_hex(0xfde725));
  check_same(sample(viridis, -3), sample(viridis, 0), 0);
  check_same(sample(viridis, 7), sample(viridis, 1), 0);
  const ColourMap& grey = find_colour_map("grey");
  check_same(sample(grey, 0), colour_from_hex(0x141414));
  check_same(sample(grey, 1), colour_from_hex(0xf2f2f2));
}

TEST_CASE("sequential_colour_maps_grow_steadily_lighter") {
  for (const char* name : {"viridis", "inferno", "magma", "grey"}) {
    CAPTURE(name);
    const ColourMap& map = find_colour_map(name);
    for (int k = 0; k < 256; ++k)
      CHECK(luminance(sample(map, static_cast<float>(k + 1) / 256)) >
            luminance(sample(map, static_cast<float>(k) / 256)));
  }
}

TEST_CASE("cool_warm_is_lightest_in_the_middle") {
  const ColourMap& map = find_colour_map("cool_warm");
  const float middle = luminance(sample(map, 0.5f));
  CHECK(middle > 3 * luminance(sample(map, 0)));
  CHECK(middle > 3 * luminance(sample(map, 1)));
  CHECK(sample(map, 0)[2] > sample(map, 0)[0]);
  CHECK(sample(map, 1)[0] > sample(map, 1)[2]);
}

TEST_CASE("colour_maps_have_no_jumps") {
  for (const std::string& name : colour_map_names()) {
    CAPTURE(name);
    const ColourMap& map = find_colour_map(name);
    for (int k = 0; k < 512; ++k) {
      const Vec3f a = oklab_from_colour(sample(map, static_cast<float>(k) / 512));
      const Vec3f b = oklab_from_colour(sample(map, static_cast<float>(k + 1) / 512));
      // The whole of the steepest map is about 3 units of Oklab long: 0.006 a step on average.
      CHECK(length(b - a) < 0.02f);
    }
  }
}

TEST_CASE("oklab_and_back_is_the_same_colour") {
  for (int r = 0; r <= 4; ++r)
    for (int g = 0; g <= 4; ++g)
      for (int b = 0; b <= 4; ++b) {
        const Colour c{static_cast<float>(r) / 4, static_cast<float>(g) / 4,
                       static_cast<float>(b) / 4};
        check_same(colour_from_oklab(oklab_from_colour(c)), c, 2e-5f);  // ten digits of matrices
      }
}

TEST_CASE("a_value_that_is_not_a_number_stands_out") {
  const Colour c = sample(find_colour_map("viridis"), std::numeric_limits<float>::quiet_NaN());
  CHECK(c == not_a_number_colour);
}

TEST_CASE("an_unknown_colour_map_is_refused_with_a_suggestion") {
  try {
    find_colour_map("virids");
    FAIL("no error");
  } catch (const InputError& e) {
    CHECK(std::string(e.what()).find("did you mean 'viridis'?") != std::string::npos);
  }
}

TEST_CASE("body_colours_can_be_told_apart") {
  for (std::size_t i = 0; i < 10; ++i)
    for (std::size_t j = 0; j < i; ++j) {
      CAPTURE(i);
      CAPTURE(j);
      // 0.05 in Oklab is more than twice what is seen side by side.
      CHECK(length(oklab_from_colour(body_colour(i)) - oklab_from_colour(body_colour(j))) > 0.08f);
    }
  CHECK(body_colour(3) == body_colour(13));
}
