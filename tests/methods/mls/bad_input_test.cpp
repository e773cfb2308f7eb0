#include <doctest/doctest.h>

#include "methods/mls/mls_scenes.h"
#include "phyxel/core/error.h"

using namespace phyxel;
using namespace phyxel::mls::test;

// What cannot be is refused before the run, with its place, the value, the limit and a remedy.

namespace {

std::string refusal_of(const Block& block) {
  try {
    world_of(text_of(block));
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

struct Wrong {
  std::string keys;                // of the material
  std::vector<std::string> words;  // of the message
};

}  // namespace

TEST_CASE("parameters_out_of_range_are_refused_with_value_limit_and_remedy") {
  const std::vector<Wrong> all = {
      {"poissons_ratio = 0.5", {"poissons_ratio = 0.5", "0.49"}},
      {"poissons_ratio = -0.1", {"poissons_ratio = -0.1", "0"}},
      {"yield_strain = -0.01", {"yield_strain = -0.01", "0"}},
      {"yield_strain = 0.1\ncreep = -1.0", {"creep = -1", "0"}},
      {"yield_strain = 0.1\nlargest_plastic_strain = -0.5", {"largest_plastic_strain = -0.5", "0"}},
      {"damping = -1e-3", {"damping = -0.001", "0"}},
      {"support = 1.2", {"support = 1.2", "1.4"}},
      {"support = 5.0", {"support = 5", "4"}},
      {"stabilisation = -1.0", {"stabilisation = -1", "0"}},
      {"integration = \"implicit\"\ntolerance = 0.0", {"tolerance = 0", "0.5"}},
      {"friction = -0.1", {"friction = -0.1", "0"}},
      {"contact_damping = 1.5", {"contact_damping = 1.5", "1"}},
      {"fibre_modulus = 5e4\nfibre = [1, 0, 0]", {"fibre_modulus = 50000", "youngs_modulus"}},
      {"fibre_modulus = 5e5", {"fibre_modulus = 500000", "give fibre"}},
      {"volume_stiffness = 1e6", {"volume_stiffness = 1", "at most", "lower it"}},
      {"integration = \"implicit\"\nflows = true\nyield_strain = 0.0",
       {"integration = \"implicit\"", "choose \"explicit\"", "remove flows"}},
      {"integration = \"leapfrog\"", {"integration", "leapfrog", "implicit"}}};
  for (const Wrong& wrong : all) {
    Block block;
    block.keys = wrong.keys;
    const std::string message = refusal_of(block);
    CAPTURE(message);
    for (const std::string& word : wrong.words) {
      CAPTURE(word);
      CHECK(message.find(word) != std::string::npos);
    }
    CHECK(message.find("material.m") != std::string::npos);
  }
}

TEST_CASE("a_body_too_thin_for_its_spacing_is_refused_with_value_limit_and_remedy") {
  Block block;
  block.size = "[0.4, 0.2, 0.01]";
  const std::string message = refusal_of(block);
  CAPTURE(message);
  for (const std::string word : {"test:16:1", "body.b: spacing = 0.05 m", "2.98 times", "at most 2",
                                 "lower the spacing, e.g. to 0.017 m", "sheet"})
    CHECK(message.find(word) != std::string::npos);
}

TEST_CASE("bodies_too_thin_for_their_spacing_are_refused_in_every_packing_turned_and_in_a_plane") {
  const auto refused = [](const char* packing, const char* size, const char* head = "",
                          const char* turn = "") {
    Block block;
    block.head = head;
    block.packing = packing;
    block.size = size + std::string(turn);
    const std::string message = refusal_of(block);
    CAPTURE(message);
    CHECK((message.empty() || message.find("too coarse for its shape") != std::string::npos));
    return !message.empty();
  };
  const char* const turned = ", rotation = [30, 40, 10]";
  for (const char* packing : {"closest", "cubic", "poisson"}) {
    CAPTURE(packing);
    CHECK(refused(packing, "[0.4, 0.2, 0.01]"));
    CHECK(refused(packing, "[0.4, 0.2, 0.01]", "", turned));
    CHECK(!refused(packing, "[0.4, 0.2, 0.1]"));
    CHECK(!refused(packing, "[0.4, 0.2, 0.1]", "", turned));
  }
  const char* const flat = "dimensions = 2";
  CHECK(refused("closest", "[0.4, 0.01, 1]", flat));
  CHECK(!refused("closest", "[0.4, 0.05, 1]", flat));
}

TEST_CASE("a_thin_body_has_the_mass_of_its_thickness") {
  World world = world_of(R"(
[world]
gravity = [0, 0, 0]
[material.m]
method = "mls"
density = 1000.0
[body.b]
material = "m"
shape = { type = "sheet", width = 0.4, height = 0.2 }
thickness = 0.01
spacing = 0.05
)");
  const double mass = look(world).mass;
  CHECK(mass > 0.6 * 0.8);  // particles on the border of the sheet stand for a half too much
  CHECK(mass < 1.7 * 0.8);
}
