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
