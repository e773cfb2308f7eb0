#include <doctest/doctest.h>

#include "reactions/reaction_scenes.h"

using namespace phyxel;

TEST_CASE("a_jet_presses_on_a_plate_with_rho_q_v") {
  // A flat jet, 1 m wide along z, without gravity.
  World world = world_of(R"(
fps = 50
dimensions = 2
[world]
gravity = [0, 0, 0]
[material.water]
method = "sph"
density = 1000.0
sound_speed = 20.0
artificial_viscosity = 0.2
[emitter.nozzle]
material = "water"
shape = { type = "box", centre = [0, 0.25, 0], size = [0.1, 0.05, 0.1] }
packing = "cubic"
spacing = 0.01
direction = [0, -1, 0]
speed = 2.0
[collider.plate]
shape = { type = "plane" }
friction = 0.0
restitution = 0.0
)");
  // The stream turns within some tenths of a second, and leaves along the plate.
  for (int frame = 0; frame < 20; ++frame) advance(world);
  double plate = 0, inflow = 0;
  for (int frame = 0; frame < 20; ++frame) {
    advance(world);
    plate += reaction_of(world, "plate").force[1] / 20;
    for (const Reaction& r : reactions(world))
      if (r.kind == ReactionKind::inflow) inflow -= r.force[1] / 20;
  }
  CHECK(inflow == doctest::Approx(1000 * 0.1 * 2.0 * 2.0).epsilon(0.02).scale(0));
  CHECK(plate == doctest::Approx(1000 * 0.1 * 2.0 * 2.0).epsilon(0.05).scale(0));
}
