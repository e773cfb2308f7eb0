#include <doctest/doctest.h>
#include <fmt/format.h>
#include <map>

#include "methods/mpm/beside_textbook.h"
#include "phyxel/core/error.h"

using namespace phyxel;
using namespace phyxel::mpm;

namespace {

/// Two blocks that fly over several cells, turn, and meet.
std::string flying_blocks(const std::string& material) {
  return fmt::format(R"(
fps = 100
[world]
gravity = [0, -10, 0]
[time]
fixed_dt = 2e-4
[material.m]
method = "mpm"
density = 400.0
cell = 0.1
{}
[body.b]
material = "m"
shape = {{ type = "box", centre = [0.03, 0.2, 0.07], size = [0.5, 0.3, 0.4] }}
packing = "cubic"
spacing = 0.05
velocity = [9, -13, 6]
angular_velocity = [500, 900, 1400]
[body.c]
material = "m"
shape = {{ type = "box", centre = [0.63, 0.2, 0.07], size = [0.3, 0.4, 0.4] }}
packing = "cubic"
spacing = 0.05
velocity = [-6, -13, 6]
)",
                     material);
}

}  // namespace

TEST_CASE("the_solver_does_what_the_textbook_says") {
  for (const std::string& law : law_names())
    for (const bool flip : {false, true}) {
      const std::string material =
          fmt::format("law = \"{}\"\n{}", law, flip ? "transfer = \"flip\"\nflip = 0.95" : "");
      CAPTURE(material);
      World world = world_of(flying_blocks(material));
      Textbook book = textbook_of(world, 0.1);
      if (flip) book.flip = 0.95;
      for (int frame = 0; frame < 2; ++frame) {
        advance(world);
        for (int k = 0; k < 50; ++k) book.step(2e-4);
      }
      const Difference d = compare(world, book);
      // A hundred steps, each with some roundings of a place in a tile (1e-7 cells) and of F.
      CHECK(d.x < 5e-5);
      CHECK(d.f < 2e-5);
      CHECK(d.memory < 2e-5);
    }
}

TEST_CASE("errors_name_the_particle_and_what_is_not_finite") {
  const std::string text = flying_blocks("law = \"corotated\"");
  const Real bad = std::numeric_limits<Real>::quiet_NaN();
  const auto index_of = [](const HostParticles& p, ParticleId id) {
    return static_cast<Index>(std::find(p.id.begin(), p.id.end(), id) - p.id.begin());
  };
  World placed = world_of(text);
  HostParticles& p = placed.methods.front()->particles();
  p.x[index_of(p, 17)][1] = bad;
  CHECK_THROWS_WITH_AS(advance(placed), doctest::Contains("particle 17 has a non-finite position"),
                       Error);
  World moving = world_of(text);
  HostParticles& q = moving.methods.front()->particles();
  q.v[index_of(q, 42)][0] = std::numeric_limits<Real>::infinity();
  CHECK_THROWS_WITH_AS(advance(moving), doctest::Contains("particle 42 has a non-finite velocity"),
                       Error);
  // It spreads from particle to particle: one of those is named, in this frame or the next.
  World deformed = world_of(text);
  column<Mat3>(deformed, "deformation")[0][0][0] = bad;
  const auto two_frames = [&] { advance(deformed), advance(deformed); };
  CHECK_THROWS_WITH_AS(two_frames(), doctest::Contains("has a non-finite"), Error);
}
