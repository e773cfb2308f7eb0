#include <algorithm>
#include <doctest/doctest.h>
#include <fmt/format.h>

#include "phyxel/core/mat.h"
#include "phyxel/core/random.h"
#include "phyxel/methods/lennard_jones/crystal.h"
#include "phyxel/scene/build.h"
#include "phyxel/scene/read_scene.h"
#include "phyxel/scene/timeline.h"

using namespace phyxel;

namespace {

/// A free block of 4^3 cubes of closest packing; `more` adds keys to the material, `scene` other
/// tables.
std::string block(const std::string& more = "", const std::string& scene = "",
                  const std::string& gravity = "[0, 0, 0]") {
  return fmt::format(R"(
{2}
[world]
gravity = {3}
[material.m]
method = "lennard_jones"
particle_mass = 1.0
dissociation_energy = 50.0
{0}
[body.b]
material = "m"
shape = {{ type = "box", size = [3.2, 3.2, 3.2] }}
spacing = 1.0
{1}
)",
                     more, scene, "", gravity);
}

World world_of(const std::string& text) {
  return build(parse_scene(text, "test"));
}

/// Random velocities without net momentum or spin to start from.
void shake(World& world, Real speed) {
  HostParticles& p = world.methods.front()->particles();
  for (Index i = 0; i < p.size(); ++i)
    p.v[i] += (Random{3, 0}.uniform3(p.id[i]) * 2 - Vec3::filled(1)) * speed;
  world.methods.front()->begin(world.environment);
}

void take_steps(World& world, int count, double dt) {
  for (int k = 0; k < count; ++k) {
    move_to(world.environment, world.environment.time + dt);
    world.methods.front()->step(world.environment, static_cast<Real>(dt));
  }
}

double extra(const Diagnostics& d, const std::string& name) {
  for (const auto& [key, value] : d.extra)
    if (key == name) return value;
  FAIL("no " << name);
  return 0;
}

struct PairLawAndRatio {
  lennard_jones::PairLaw law;
  Real poisson;
};

/// The default material with a given modulus at spacing 1.
PairLawAndRatio bulk_of(Real modulus) {
  lennard_jones::Parameters p;
  p.youngs_modulus = modulus;
  Material material;
  material.spacing = 1;
  material.parameters = p;
  lennard_jones::resolve(material);
  const auto law = lennard_jones::pair_law(parameters_of<lennard_jones::Parameters>(material), 1);
  return {law, static_cast<Real>(lennard_jones::poisson_ratio(law, 3))};
}

double total_energy(const Diagnostics& d) {
  return d.kinetic_energy + d.potential_energy;
}

}  // namespace

TEST_CASE("momentum_of_a_free_body_is_conserved_to_rounding") {
  World world = world_of(block("viscous_damping = 0.5"));
  shake(world, 1);
  const Diagnostics before = diagnose(world);
  const double scale = std::sqrt(2 * before.kinetic_energy * before.mass);
  take_steps(world, 1000, 0.5 * stable_step(world).dt);
  const Diagnostics after = diagnose(world);
  // 1000 steps each round every velocity once: epsilon sqrt(steps), with room for a factor of ten.
  const double bound = 10 * std::sqrt(1000.0) * std::numeric_limits<Real>::epsilon() * scale;
  for (int c = 0; c < 3; ++c) CHECK(std::abs(after.momentum[c] - before.momentum[c]) < bound);
}

TEST_CASE("angular_momentum_of_a_free_body_is_conserved_without_viscous_damping") {
  World world = world_of(block());
  shake(world, 1);
  const Diagnostics before = diagnose(world);
  take_steps(world, 1000, 0.5 * stable_step(world).dt);
  const Diagnostics after = diagnose(world);
  const double scale = std::sqrt(2 * before.kinetic_energy * before.mass) * 3;
  const double bound = 20 * std::sqrt(1000.0) * std::numeric_limits<Real>::epsilon() * scale;
  for (int c = 0; c < 3; ++c)
    CHECK(std::abs(after.angular_momentum[c] - before.angular_momentum[c]) < bound);
}

TEST_CASE("energy_of_an_undamped_free_body_stays") {
  World world = world_of(block());
  shake(world, 1);
  const double dt = 0.25 * stable_step(world).dt;
  const double before = total_energy(diagnose(world));
  double worst = 0;
  // The whole 10 000 steps in double; in float rounding adds a random walk, so that a tenth of the
  // way tells as much.
  const int rounds = sizeof(Real) == 8 ? 100 : 10;
  for (int k = 0; k < rounds; ++k) {
    take_steps(world, 100, dt);
    worst = std::max(worst, std::abs(total_energy(diagnose(world)) / before - 1));
  }
  CAPTURE(worst);
  CHECK(worst < 1e-4);
}

TEST_CASE("what_damping_takes_is_accounted_for") {
  World world = world_of(block("damping = 0.3\nviscous_damping = 0.4"));
  shake(world, 1);
  const Diagnostics before = diagnose(world);
  take_steps(world, 2000, 0.1 * stable_step(world).dt);
  const Diagnostics after = diagnose(world);
  CHECK(extra(after, "dissipated_energy") > 0.3 * before.kinetic_energy);
  // The balance is first order in the step for velocity-dependent forces.
  CHECK(extra(after, "energy_balance") ==
        doctest::Approx(extra(before, "energy_balance"))
            .epsilon(0.01 * before.kinetic_energy / std::abs(total_energy(before))));
}

TEST_CASE("viscous_damping_alone_takes_relative_motion_and_leaves_the_centre") {
  World world = world_of(block("viscous_damping = 2.0"));
  shake(world, 1);
  for (Vec3& v : world.methods.front()->particles().v) v += Vec3{5, 0, 0};
  world.methods.front()->begin(world.environment);
  const Diagnostics before = diagnose(world);
  take_steps(world, 4000, 0.1 * stable_step(world).dt);
  const Diagnostics after = diagnose(world);
  const auto drift_energy = [](const Diagnostics& d) {
    return length_squared(d.momentum) / (2 * d.mass);
  };
  CHECK(drift_energy(after) == doctest::Approx(drift_energy(before)).epsilon(1e-4));
  const double relative = before.kinetic_energy - drift_energy(before);
  CHECK(after.kinetic_energy - drift_energy(after) < 0.2 * relative);
  CHECK(std::abs(extra(after, "energy_balance") - extra(before, "energy_balance")) <
        0.02 * relative);
}

TEST_CASE("a_packing_at_its_rest_spacing_hardly_moves") {
  World world = world_of(block("damping = 1.0"));
  const auto x0 = world.methods.front()->particles().x;
  Bounds start;
  for (const Vec3& x : x0) start.include(x);
  take_steps(world, 500, 0.5 * stable_step(world).dt);
  Bounds end;
  for (const Vec3& x : world.methods.front()->particles().x) end.include(x);
  // Surfaces relax outwards because neighbours are missing there: by a few percent in five layers.
  for (int c = 0; c < 3; ++c)
    CHECK(end.size()[c] == doctest::Approx(start.size()[c]).epsilon(0.06));
}

TEST_CASE("a_rigid_rotation_turns_the_forces_with_it") {
  const std::string text = block();
  World straight = world_of(text), turned = world_of(text);
  const Mat3 r = rotation(normalized(Vec3{1, 2, 3}), Real(0.7));
  Particles& a = straight.methods.front()->particles();
  Particles& b = turned.methods.front()->particles();
  for (Index i = 0; i < a.size(); ++i) {
    a.x[i] = a.x[i] + Random{5, 0}.uniform3(a.id[i]) * Real(0.1);
    b.x[i] = r * a.x[i] + Vec3{4, -5, 6};
  }
  straight.methods.front()->begin(straight.environment);
  turned.methods.front()->begin(turned.environment);
  // One small step from rest: velocities are forces times dt.
  take_steps(straight, 1, 1e-3);
  take_steps(turned, 1, 1e-3);
  std::vector<Vec3> va(a.size()), vb(a.size());
  for (Index i = 0; i < a.size(); ++i) va[a.id[i]] = a.v[i], vb[b.id[i]] = b.v[i];
  Real largest = 0;
  for (const Vec3& v : va) largest = std::max(largest, length(v));
  REQUIRE(largest > 0);
  // Positions of size 8 are rounded to 8 epsilon, and stiffness makes forces of it.
  const Real bound = 2000 * std::numeric_limits<Real>::epsilon() * largest;
  for (std::size_t i = 0; i < va.size(); ++i) CHECK(length(r * va[i] - vb[i]) < bound);
}

TEST_CASE("the_same_bits_on_any_number_of_threads") {
  std::vector<Column<Vec3>> results;
  for (int threads : {1, 2, 3}) {
    const ThreadLimit limit(threads);
    World world = world_of(block("viscous_damping = 0.2"));
    shake(world, 2);
    take_steps(world, 200, 0.5 * stable_step(world).dt);
    results.push_back(world.methods.front()->particles().x);
  }
  CHECK(results[0] == results[1]);
  CHECK(results[0] == results[2]);
}

TEST_CASE("a_periodic_crystal_moves_through_its_border_unchanged") {
  // 4 cubes of edge sqrt2: the crystal fits the box exactly.
  const double edge = 4 * std::sqrt(2.0);
  const std::string text = fmt::format(R"(
[world]
gravity = [0, 0, 0]
periodic = [true, true, true]
domain = {{ min = [0, 0, 0], max = [{0}, {0}, {0}] }}
[material.m]
method = "lennard_jones"
particle_mass = 1.0
dissociation_energy = 50.0
[body.b]
material = "m"
shape = {{ type = "box", centre = [{1}, {1}, {1}], size = [{2}, {2}, {2}] }}
spacing = 1.0
velocity = [1.0, 0.5, 0.25]
)",
                                       edge, edge / 2, edge);
  World world = world_of(text);
  CHECK(world.methods.front()->particles().size() == 256);
  const Diagnostics before = diagnose(world);
  const auto& material = world.environment.materials.front();
  const auto law = lennard_jones::pair_law(parameters_of<lennard_jones::Parameters>(material), 1);
  // All atoms alike: the energy is that of the endless lattice.
  CHECK(extra(before, "pair_energy") / 256 ==
        doctest::Approx(lennard_jones::lattice_energy(law, 1, 3)).epsilon(1e-4));
  take_steps(world, 2000, 0.01);  // 20 length units: through the box more than three times
  const Diagnostics after = diagnose(world);
  CHECK(extra(after, "pair_energy") == doctest::Approx(extra(before, "pair_energy")).epsilon(1e-4));
  CHECK(after.momentum[0] == doctest::Approx(before.momentum[0]).epsilon(1e-4));
}

TEST_CASE("a_ball_leaves_a_wall_with_restitution_times_its_speed") {
  for (double restitution : {1.0, 0.5, 0.2}) {
    // One particle against the ground, without gravity.
    const std::string text = fmt::format(R"(
[world]
gravity = [0, 0, 0]
[material.m]
method = "lennard_jones"
particle_mass = 1.0
dissociation_energy = 1.0
obstacle_range = 1.0
obstacle_beta = 25.0
[body.b]
material = "m"
shape = {{ type = "sphere", centre = [0, 2, 0], radius = 0.5 }}
spacing = 1.0
velocity = [0, -2, 0]
[collider.ground]
shape = {{ type = "plane" }}
friction = 0.0
restitution = {}
)",
                                         restitution);
    World world = world_of(text);
    REQUIRE(world.methods.front()->particles().size() == 1);
    take_steps(world, 4000, 5e-4 * 2);
    CHECK(world.methods.front()->particles().v[0][1] ==
          doctest::Approx(2 * restitution).epsilon(0.02));
  }
}

TEST_CASE("a_block_on_an_incline_slides_when_the_slope_exceeds_friction") {
  // a = g (sin - mu cos) down the slope, or rest. The incline is made by tilting gravity.
  const auto slide = [](double degrees, double mu) {
    const double g = 10, angle = degrees * M_PI / 180;
    World world = world_of(block(
        "damping = 0.0\nviscous_damping = 5.0\nobstacle_range = 1.0\nobstacle_beta = 5.0",
        fmt::format("[collider.ground]\nshape = {{ type = \"plane\", point = [0, -2.3, 0] }}\n"
                    "friction = {}\nrestitution = 0.0\n",
                    mu),
        fmt::format("[{}, {}, 0]", g * std::sin(angle), -g * std::cos(angle))));
    const double dt = 0.2 * stable_step(world).dt;
    take_steps(world, static_cast<int>(1.0 / dt), dt);
    const double v0 = diagnose(world).momentum[0], t0 = world.environment.time;
    take_steps(world, static_cast<int>(1.0 / dt), dt);
    const Diagnostics d = diagnose(world);
    return (d.momentum[0] - v0) / d.mass / (world.environment.time - t0);
  };
  const double g = 10;
  CHECK(std::abs(slide(15, 0.5)) < 0.05);  // tan 15 = 0.27 < 0.5: rests
  const double a = g * (std::sin(30 * M_PI / 180) - 0.3 * std::cos(30 * M_PI / 180));
  CHECK(slide(30, 0.3) == doctest::Approx(a).epsilon(0.05));
  CHECK(slide(30, 0.0) == doctest::Approx(g * 0.5).epsilon(0.01));
}

TEST_CASE("a_moving_collider_does_work_that_is_accounted_for") {
  World world = world_of(block("obstacle_range = 1.0\nobstacle_beta = 20.0", R"(
[collider.piston]
shape = { type = "plane", point = [0, -2.8, 0] }
friction = 0.0
restitution = 1.0
motion = { times = [0, 1, 2], positions = [[0, 0, 0], [0, 0.6, 0], [0, 0.6, 0]], interpolation = "smooth" }
)"));
  const Diagnostics before = diagnose(world);
  take_steps(world, 6000, 2.0 / 6000);
  const Diagnostics after = diagnose(world);
  CHECK(extra(after, "external_work") > 0.1);
  CHECK(total_energy(after) - total_energy(before) ==
        doctest::Approx(extra(after, "external_work")).epsilon(0.02));
}

namespace {

/// Stress over strain of a flat bar of E = 1 MPa with about `rows` rows across, held at both ends
/// and drawn out by 0.3 %.
double pulled_modulus(int rows) {
  const double height = rows * 0.1 * std::sqrt(0.75);
  World world = world_of(fmt::format(R"(
dimensions = 2
[world]
gravity = [0, 0, 0]
[material.m]
method = "lennard_jones"
density = 1000.0
youngs_modulus = 1.0e6
damping = 30.0
viscous_damping = 20.0
[body.bar]
material = "m"
shape = {{ type = "box", size = [4.4, {0}, 1.0] }}
spacing = 0.1
[pin.left]
body = "bar"
shape = {{ type = "box", centre = [-2.2, 0, 0], size = [0.4, 9, 2] }}
[pin.right]
body = "bar"
shape = {{ type = "box", centre = [2.2, 0, 0], size = [0.4, 9, 2] }}
motion = {{ times = [0.5, 0.6], positions = [[0, 0, 0], [0.012, 0, 0]], interpolation = "smooth" }}
)",
                                     height + 0.001));
  const auto force_at = [&](double time) {
    while (world.environment.time < time) take_steps(world, 20, stable_step(world).dt);
    return extra(diagnose(world), "pin_right_force_x");
  };
  // Surfaces load the ends of an unstretched bar already, so that only the difference tells the
  // modulus.
  const double at_rest = force_at(0.45), stretched = force_at(1.2);
  return (stretched - at_rest) / height / 0.003;
}

}  // namespace

TEST_CASE("a_belt_that_drags_a_block_along_does_the_work") {
  // The belt moves at 2 m/s below a block that rests on it: friction speeds the block up to the
  // speed of the belt.
  World world =
      world_of(block("viscous_damping = 5.0\nobstacle_range = 1.0\nobstacle_beta = 5.0", R"(
[collider.belt]
shape = { type = "plane", point = [0, -2.3, 0] }
friction = 0.5
restitution = 0.5
motion = { times = [0, 10], positions = [[0, 0, 0], [20, 0, 0]] }
)",
                     "[0, -10, 0]"));
  const Diagnostics before = diagnose(world);
  const double dt = 0.2 * stable_step(world).dt;
  take_steps(world, static_cast<int>(1.5 / dt), dt);
  const Diagnostics after = diagnose(world);
  CHECK(after.momentum[0] / after.mass == doctest::Approx(2).epsilon(0.02));
  const double kinetic = after.mass * 2 * 2 / 2;  // as much again becomes heat
  CHECK(extra(after, "external_work") == doctest::Approx(2 * kinetic).epsilon(0.1));
  CHECK(std::abs(extra(after, "energy_balance") - extra(before, "energy_balance")) <
        0.02 * kinetic);
}

TEST_CASE("pulling_a_bar_measures_the_modulus_of_the_virtual_tensile_test") {
  // Surface rows lack neighbours and differ from the bulk, so that a bar of h rows has E (1 + c/h):
  // two bars tell E and c.
  const double thin = pulled_modulus(12), thick = pulled_modulus(24);
  CAPTURE(thin);
  CAPTURE(thick);
  CHECK(std::abs(thick - 1e6) < std::abs(thin - 1e6));
  const double bulk = 2 * thick - thin;
  CHECK(bulk == doctest::Approx(1e6).epsilon(0.05));
}

TEST_CASE("a_strained_endless_crystal_stores_the_energy_of_its_modulus") {
  if (sizeof(Real) == 4) {
    MESSAGE(
        "skipped: float energies cancel to less than the strain energy; the double build tells");
    return;
  }
  // Stretch by e along x, free to shrink sideways: the energy density is E e^2 / 2.
  const double edge = 4 * std::sqrt(2.0);
  const Real strain = Real(0.004);
  const auto energy_at = [&](Real ex, Real ey) {
    const std::string text = fmt::format(R"(
[world]
gravity = [0, 0, 0]
periodic = [true, true, true]
domain = {{ min = [0, 0, 0], max = [{0}, {0}, {0}] }}
[material.m]
method = "lennard_jones"
particle_mass = 1.0
youngs_modulus = 1000.0
[body.b]
material = "m"
shape = {{ type = "box", centre = [{1}, {1}, {1}], size = [{0}, {0}, {0}] }}
spacing = 1.0
)",
                                         edge, edge / 2);
    World world = world_of(text);
    const Vec3 stretch{1 + ex, 1 + ey, 1 + ey};
    HostParticles& p = world.methods.front()->particles();
    for (Vec3& x : p.x) x = scaled(x, stretch);
    PeriodicBox& box = world.environment.box;
    box.min = scaled(box.min, stretch);
    box.size = scaled(box.size, stretch);
    REQUIRE(p.size() == 256);
    world.methods.front()->begin(world.environment);
    return extra(diagnose(world), "pair_energy");
  };
  const PairLawAndRatio bulk = bulk_of(1000);
  const double rest = energy_at(0, 0), up = energy_at(strain, -bulk.poisson * strain),
               down = energy_at(-strain, bulk.poisson * strain);
  const double density = (up + down - 2 * rest) / 2 / (edge * edge * edge);
  CHECK(density == doctest::Approx(0.5 * 1000 * strain * strain).epsilon(0.01));
}

TEST_CASE("a_cutoff_that_grows_while_running_finds_its_new_neighbours") {
  World world = world_of(block("cutoff = 1.4"));
  take_steps(world, 3, 1e-4);
  apply(world.live, "material.m.cutoff", ParameterValue(2.5));
  refresh(world);
  take_steps(world, 1, 1e-4);
  const double grown = extra(diagnose(world), "pair_energy");
  world.methods.front()->begin(world.environment);
  CHECK(grown == doctest::Approx(extra(diagnose(world), "pair_energy")).epsilon(1e-6));
}

TEST_CASE("lowering_e0_by_an_event_lets_a_block_slump") {
  const auto height_after = [](const std::string& event) {
    World world = world_of(block("damping = 1.0\nviscous_damping = 1.0", R"(
[collider.ground]
shape = { type = "plane", point = [0, -2.2, 0] }
friction = 0.2
)" + event,
                                 "[0, -3, 0]"));
    world.live.fps = 2;
    for (int k = 0; k < 12; ++k) advance(world);
    return diagnose(world).centre()[1];
  };
  const double solid = height_after("");
  const double slumped =
      height_after("[[event]]\ntime = 0.5\nset = { \"material.m.dissociation_energy\" = 0.5 }\n");
  CHECK(slumped < solid - 0.4);
}
