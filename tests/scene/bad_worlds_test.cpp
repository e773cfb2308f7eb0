#include <chrono>
#include <fmt/format.h>
#include <fstream>
#include <sys/resource.h>

#include "render/temporary_folder.h"
#include "scene/bad_scene.h"

// Scenes whose values are fine one by one, but not together.

namespace phyxel {

TEST_CASE("what_is_missing_is_asked_for") {
  check_all({
      {"everything",
       "",
       {"scene.toml:1:1", "the scene has no body; add a [body.NAME] or an [emitter.NAME] table"}},
      {"a body", "schema = 1", {"scene.toml:1:1", "the scene has no body"}},
      {"the material of a body",
       with_line(7, ""),
       {"scene.toml:6:1", "body.ball names no material; there are: wax"}},
      {"any material",
       "[body.b]\nshape = { type = \"sphere\", radius = 1 }",
       {"scene.toml:1:1", "body.b names no material; add a [material.NAME] table"}},
      {"the shape of a body",
       with_line(8, ""),
       {"scene.toml:6:1", "body.ball has no shape; add shape = { type = \"box\""}},
      {"the spacing of a body",
       with_line(9, ""),
       {"scene.toml:6:1", "body.ball has no spacing", "material.wax", "add spacing = 0.01"}},
      {"the method of a material",
       with_line(4, ""),
       {"scene.toml:3:1", "material.wax names no method; add method = \"lennard_jones\""}},
      {"the energy of a bond",
       with_line(5, ""),
       {"scene.toml:3:1", "material.wax says neither dissociation_energy nor youngs_modulus",
        "youngs_modulus = 1e5"}},
      {"the type of a shape",
       ball_shaped("radius = 0.2"),
       {"scene.toml:8:9", "body.ball.shape has no type; one of: box, sphere"}},
      {"the size of a box",
       ball_shaped("type = \"box\""),
       {"scene.toml:8:9", "body.ball.shape: a box needs size = [x, y, z]"}},
      {"the radius of a sphere",
       ball_shaped("type = \"sphere\""),
       {"scene.toml:8:9", "body.ball.shape: a sphere needs radius"}},
      {"the height of a cylinder",
       ball_shaped("type = \"cylinder\", radius = 1"),
       {"scene.toml:8:9", "a cylinder needs height"}},
      {"the parts of a union",
       ball_shaped("type = \"union\", of = [ { type = \"plane\" } ]"),
       {"scene.toml:8:9", "a union needs at least two shapes"}},
      {"the file of a mesh",
       ground_shaped("type = \"mesh\""),
       {"scene.toml:11:9", "collider.ground.shape: a mesh needs file"}},
      {"the direction of a plane",
       ground_shaped("type = \"plane\", normal = [0, 0, 0]"),
       {"scene.toml:11:27", "normal = [0, 0, 0] has no direction; [0, 1, 0] is up"}},
      {"the times of a motion",
       and_then("motion = { positions = [[0, 0, 0]] }"),
       {"scene.toml:12:10", "collider.ground.motion.times is missing"}},
      {"the time of an event",
       and_then("[[event]]\nset = { \"world.gravity\" = [0, 0, 0] }"),
       {"scene.toml:12:1", "event[0] has no time; add time = 1.0"}},
      {"what an event sets",
       and_then("[[event]]\ntime = 1"),
       {"scene.toml:12:1", "event[0] sets nothing; add set = { \"world.gravity\""}},
      {"anything in what an event sets",
       event_with(""),
       {"scene.toml:12:1", "event[0] sets nothing"}},
      {"the path of a keyframe",
       and_then("[[keyframe]]\ntimes = [0]\nvalues = [0]"),
       {"scene.toml:12:1", "keyframe[0] has no path; add path = \"world.gravity\""}},
      {"the values of a keyframe",
       and_then("[[keyframe]]\npath = \"world.gravity\"\ntimes = [0]"),
       {"scene.toml:12:1", "keyframe[0].values must be a list of numbers, or of 3 numbers each"}},
      {"a corner of the domain",
       with_line(2, "domain = { min = [-3, -3, -3] }"),
       {"scene.toml:2:10", "world.domain needs both corners"}},
      {"the domain of periodic axes",
       with_line(2, "periodic = [true, false, false]"),
       {"scene.toml:2:1", "world.periodic needs a domain; add domain = "}},
      {"the domain of closed walls",
       with_line(2, "walls = \"closed\""),
       {"scene.toml:2:1", "world.walls = \"closed\" needs a domain; add domain = "}},
      {"the domain of sticky walls",
       with_line(2, "walls = \"sticky\""),
       {"scene.toml:2:1", "world.walls = \"sticky\" needs a domain; add domain = "}},
  });
}

TEST_CASE("values_that_contradict_each_other_are_refused") {
  check_all({
      {"energy and modulus",
       wax_with("dissociation_energy = 1"),
       {"scene.toml:5:1", "youngs_modulus cannot be given together with dissociation_energy"}},
      {"density and mass",
       wax_with("density = 1\nparticle_mass = 1"),
       {"scene.toml:7:1", "particle_mass cannot be given together with density"}},
      {"alpha and beta",
       wax_with("obstacle_alpha = 1\nobstacle_beta = 1"),
       {"scene.toml:7:1", "obstacle_beta cannot be given together with obstacle_alpha"}},
      {"n below m",
       wax_with("repulsive_exponent = 4\nattractive_exponent = 6"),
       {"scene.toml:6:1", "repulsive_exponent = 4 must be above attractive_exponent = 6; try 12"}},
      {"n equal to m", wax_with("repulsive_exponent = 4"), {"scene.toml:6:1", "try 8"}},
      {"fade beyond the cut-off",
       wax_with("fade_from = 3"),
       {"scene.toml:6:1", "material.wax.fade_from = 3 must be below cutoff = 2"}},
      {"half a softening",
       wax_with("softening_start = 30"),
       {"scene.toml:3:1", "material.wax", "softening_end is missing"}},
      {"a reversed softening",
       wax_with("softening_start = 30\nsoftening_end = 20"),
       {"scene.toml:7:1", "softening_end = 20 must be above softening_start = 30"}},
      {"the domain upside down",
       with_line(2, "domain = { min = [0, 0, 0], max = [1, -1, 1] }"),
       {"scene.toml:2:29", "world.domain.max must be above min on every axis; y is 0 and -1"}},
      {"two spacings of one material",
       and_then("[body.two]\nmaterial = \"wax\"\nspacing = 0.12\n"
                "shape = { type = \"sphere\", centre = [1, 1, 0], radius = 0.3 }"),
       {"scene.toml:14:1", "body.two.spacing = 0.12 m", "body.ball", "0.1 m"}},
      {"two packings of one material",
       and_then("[body.two]\nmaterial = \"wax\"\nspacing = 0.1\npacking = \"cubic\"\n"
                "shape = { type = \"sphere\", centre = [1, 1, 0], radius = 0.3 }"),
       {"scene.toml:15:1", "body.two.packing = \"cubic\" but body.ball", "\"closest\"",
        "the same packing or two materials"}},
      {"two ways to integrate",
       and_then("[material.b]\nmethod = \"lennard_jones\"\nyoungs_modulus = 1e5\n"
                "integration = \"euler\"\n[body.two]\nmaterial = \"b\"\nspacing = 0.1\n"
                "shape = { type = \"sphere\", centre = [1, 1, 0], radius = 0.2 }"),
       {"scene.toml:15:1", "material.b.integration differs"}},
      {"a flat packing in space",
       ball_with("packing = \"hexagonal\""),
       {"scene.toml:10:1", "body.ball.packing = \"hexagonal\"", "dimensions = 2", "\"closest\""}},
      {"rounder than a box can be",
       ball_shaped("type = \"box\", size = [1, 1, 1], rounding = 0.7"),
       {"scene.toml:8:9", "rounding = 0.7 must be at most half the smallest edge, 0.5"}},
      {"an obstacle range that no step can resolve",
       wax_with("obstacle_range = 1e-9"),
       {"scene.toml:6:1", "material.wax.obstacle_range = 1e-09 m must be at least 0.00",
        "leave it out"}},
      {"bonds far shorter than the spacing",
       wax_with("equilibrium_distance = 1e-9"),
       {"scene.toml:6:1", "equilibrium_distance = 1e-09 m must be at least 0.001 m"}},
      {"cells far smaller than the spacing",
       with_line(4, "method = \"mpm\"\ncell = 1e-9"),
       {"scene.toml:5:1", "material.wax.cell = 1e-09 m must be at least 0.01 m and at most 10 m"}},
      {"cells far larger than the spacing",
       with_line(4, "method = \"mpm\"\ncell = 1e4"),
       {"scene.toml:5:1", "material.wax.cell = 1e+04 m must be at least 0.01 m and at most 10 m"}},
      {"a motion with a key too few",
       and_then("motion = { times = [0, 1], positions = [[0, 0, 0]] }"),
       {"scene.toml:12:28", "collider.ground.motion.positions has 1 keys but times has 2"}},
      {"a motion back in time",
       and_then("motion = { times = [1, 0], positions = [[0, 0, 0], [0, 0, 0]] }"),
       {"scene.toml:12:12", "collider.ground.motion.times must rise: 0 s comes after 1 s"}},
  });
}

TEST_CASE("steps_that_no_run_could_take_are_refused_with_the_value_that_asks_for_them") {
  const auto liquid = [](const std::string& line) {
    return with_line(4, "method = \"sph\"\n" + line + "\n#");
  };
  const auto sph = [&](const std::string& line) {
    std::string text = liquid(line);
    return text.replace(text.find("youngs_modulus"), 20, "xsph = 0.0");
  };
  check_all({
      {"stiff in its shear",
       sph("viscosity = 1e10"),
       {"scene.toml:5:1", "material.wax.viscosity = 1e+10: steps must not be longer than",
        "at most 1e+08 are possible: lower that value, or raise the spacing"}},
      {"a strong skin",
       sph("surface_tension = 1e10"),
       {"scene.toml:5:1", "material.wax.surface_tension = 1e+10 must be", "at most 1000000 N/m",
        "water has 0.073"}},
      {"a short fixed step",
       and_then("[time]\nfixed_dt = 1e-30"),
       {"scene.toml:13:1", "time.fixed_dt = 1e-30 s: steps must not be", "raise it, or leave"}},
      {"a short longest step",
       and_then("[time]\nmax_dt = 1e-30"),
       {"scene.toml:13:1", "time.max_dt = 1e-30 s: steps must not be", "raise it, or leave"}},
      {"much safety",
       and_then("[time]\nsafety = 1e-20"),
       {"scene.toml:13:1", "time.safety = 1e-20 leaves steps of", "raise it"}},
  });
}

TEST_CASE("numbers_larger_than_makes_sense_are_refused") {
  check_all({
      {"speed",
       ball_with("velocity = [1e20, 0, 0]"),
       {"scene.toml:10:1", "body.ball.velocity = [1e+20, 0, 0] is too large: 1e+06 m/s is the most",
        "units are m and s"}},
      {"modulus",
       with_line(5, "youngs_modulus = 1e20"),
       {"scene.toml:5:1", "youngs_modulus = 1e+20 is too large: 1e+15 Pa is the most",
        "diamond has 1e12"}},
      {"in an event",
       event_with("\"world.gravity\" = [0, -1e7, 0]"),
       {"scene.toml:14:9", "world.gravity = [0, -1e+07, 0] is too large"}},
      {"frames without end",
       begins_with("fps = 1e-320"),
       {"scene.toml:1:1", "fps = ", "must be at least 1e-06 and at most 100000 1/s"}},
      {"300 digits",
       begins_with("duration = 1" + std::string(300, '0')),
       {"scene.toml:1:12", "cannot exceed 126 characters", "write it with an exponent: 1e20"}},
      {"a whole number of 25 digits",
       begins_with("duration = " + std::string(25, '9')),
       {"scene.toml:1:37", "not representable in 64 bits", "write it with an exponent: 1e20"}},
  });
}

TEST_CASE("what_the_method_of_a_body_would_ignore_is_refused") {
  const std::string remedy =
      "cannot be done by lennard_jones, the method of body.ball; remove it or choose another "
      "method";
  check_all({
      {"a sticky collider",
       and_then("contact = \"sticky\""),
       {"scene.toml:12:1", "collider.ground.contact = \"sticky\" " + remedy}},
      {"a collider to slip on",
       and_then("contact = \"slip\""),
       {"scene.toml:12:1", "collider.ground.contact = \"slip\" " + remedy}},
      {"sticky walls",
       with_line(2, "walls = \"sticky\"\ndomain = { min = [-1, -1, -1], max = [1, 2, 1] }"),
       {"scene.toml:2:1", "world.walls = \"sticky\" " + remedy}},
      {"an event that makes a collider sticky",
       event_with("\"collider.ground.contact\" = \"sticky\""),
       {"scene.toml:14:9", "collider.ground.contact = \"sticky\" " + remedy}},
  });
  CHECK(message_of({"", event_with("\"collider.ground.contact\" = \"separate\""), {}}) ==
        "no error");
  CHECK(message_of({"", and_then("contact = \"separate\""), {}}) == "no error");
}

TEST_CASE("what_cannot_be_made_finer_is_refused") {
  check_all({
      {"nothing",
       begins_with("resolution = 0"),
       {"scene.toml:1:1", "resolution = 0 must be above 0"}},
      {"the energy of a pair",
       with_line(5, "dissociation_energy = 1"),
       {"scene.toml:5:1", "material.wax.dissociation_energy", "resolution = 2 makes other ones"},
       {"resolution=2"}},
      {"the mass of a particle",
       wax_with("particle_mass = 1"),
       {"scene.toml:6:1", "material.wax.particle_mass", "give density instead"},
       {"resolution=2"}},
      {"the energy of a pair in an event",
       event_with("\"material.wax.dissociation_energy\" = 1"),
       {"scene.toml:14:9", "material.wax.dissociation_energy", "resolution = 2"},
       {"resolution=2"}},
      {"a file of particles",
       begins_with("resolution = 2") +
           "[body.two]\nmaterial = \"wax\"\nshape = { particles = \"some.xyz\" }",
       {"scene.toml:1:1", "resolution = 2: the particles of body.two come from a file"}},
  });
}

TEST_CASE("flat_scenes_cannot_leave_their_plane") {
  const std::string plane = "a scene with dimensions = 2 lies in the plane z = 0";
  check_all({
      {"gravity",
       flat(with_line(2, "gravity = [0, 0, -9.81]")),
       {"scene.toml:3:1", "world.gravity has z = -9.81", plane}},
      {"velocity",
       flat(ball_with("velocity = [0, 0, 1]")),
       {"scene.toml:11:1", "body.ball.velocity has z = 1", plane}},
      {"spin",
       flat(ball_with("angular_velocity = [3, 0, 1]")),
       {"scene.toml:11:1", "body.ball.angular_velocity has x = 3", plane}},
      {"motion",
       flat(and_then("motion = { times = [0], positions = [[0, 0, 2]] }")),
       {"scene.toml:13:25", "collider.ground.motion.positions has z = 2", plane}},
      {"periodic",
       flat(with_line(2,
                      "periodic = [false, false, true]\n"
                      "domain = { min = [-2, -1, -1], max = [2, 2, 1] }")),
       {"scene.toml:3:1", "world.periodic has z = true", plane}},
      {"event",
       flat(event_with("\"world.gravity\" = [0, 0, 1]")),
       {"scene.toml:15:9", "world.gravity has z = 1", plane}},
      {"keyframe",
       flat(and_then("[[keyframe]]\npath = \"world.gravity\"\ntimes = [0]\n"
                     "values = [[0, 0, 4]]")),
       {"scene.toml:16:1", "world.gravity has z = 4", plane}},
      {"a body elsewhere",
       flat(ball_shaped("type = \"sphere\", centre = [0, 1, 5], radius = 1")),
       {"scene.toml:7:1", "body.ball has no particle", "does not meet the plane z = 0"}},
  });
}

TEST_CASE("bodies_must_have_room_and_particles") {
  check_all({
      {"overlap",
       second_body("type = \"sphere\", centre = [0.1, 1, 0], radius = 0.2"),
       {"scene.toml:12:1", "body.ball and body.two overlap: 63 % of body.ball",
        "move one of them"}},
      {"one in another",
       second_body("type = \"sphere\", centre = [0, 1, 0], radius = 0.9"),
       {"scene.toml:12:1", "body.ball and body.two overlap: 100 % of body.ball"}},
      {"half outside",
       with_line(2, "domain = { min = [-1, 1, -1], max = [1, 2, 1] }"),
       {"scene.toml:6:1", "body.ball: 49 % of it is outside the domain from [-1, 1, -1]",
        "enlarge world.domain"}},
      {"half in the ground",
       ground_shaped("type = \"plane\", point = [0, 1, 0]"),
       {"scene.toml:6:1", "body.ball: 49 % of it is inside collider.ground; move one of them"}},
      {"in a collider that has moved there",
       and_then("motion = { times = [0], positions = [[0, 1, 0]] }"),
       {"scene.toml:6:1", "49 % of it is inside collider.ground"}},
      {"too small for its spacing",
       with_line(8,
                 "shape = { type = \"torus\", centre = [0, 1, 0], radius = 0.06, "
                 "thickness = 0.01 }"),
       {"scene.toml:6:1", "body.ball has no particle", "spacing = 0.1 m", "lower the spacing"}},
      {"smaller than its spacing",
       with_line(9, "spacing = 0.5"),
       {"scene.toml:9:1", "body.ball: spacing = 0.5 m is larger than its shape, 0.4 m",
        "lower the spacing, e.g. to 0.04 m", "particles = \"file.xyz\""}},
      {"without end",
       ball_shaped("type = \"plane\""),
       {"scene.toml:8:9", "body.ball: its shape (plane) has no end", "intersect it with a box"}},
      {"a pin elsewhere",
       and_then("[pin.p]\nbody = \"ball\"\nshape = { type = \"sphere\", radius = 0.1 }"),
       {"scene.toml:12:1", "pin.p holds no particle of body.ball"}},
      {"a periodic box smaller than two cut-offs",
       with_line(2,
                 "periodic = [true, true, true]\n"
                 "domain = { min = [-0.21, 0.79, -0.21], max = [0.21, 1.21, 0.21] }"),
       {"scene.toml:3:10", "the periodic box is 0.42 m along x", "at least 0.42", "enlarge"}},
  });
}

TEST_CASE("a_mistyped_spacing_is_refused_before_anything_is_allocated") {
  const auto start = std::chrono::steady_clock::now();
  rusage before{}, after{};
  getrusage(RUSAGE_SELF, &before);
  check_all({
      {"micrometres",
       with_line(9, "spacing = 1e-6"),
       {"scene.toml:9:1", "particles need about", "GB", "body.ball with spacing = 1e-06 m",
        "are free: raise the spacing"}},
      {"nothing at all", with_line(9, "spacing = 1e-20"), {"scene.toml:9:1", "particles need"}},
      {"poisson",
       with_line(9, "packing = \"poisson\"\nspacing = 1e-6"),
       {"scene.toml:10:1", "particles need about", "raise the spacing"}},
  });
  getrusage(RUSAGE_SELF, &after);
  CHECK(std::chrono::steady_clock::now() - start < std::chrono::seconds(3));  // 1 s for each
  CHECK(after.ru_maxrss - before.ru_maxrss < 64 * 1024);                      // kB
}

TEST_CASE("bad_events_and_keyframes_are_refused_before_time_begins") {
  check_all({
      {"no such material",
       event_with("\"material.wx.damping\" = 1"),
       {"scene.toml:14:9", "there is no material.wx here", "material.NAME.KEY"}},
      {"no such parameter",
       event_with("\"material.wax.dampin\" = 1"),
       {"scene.toml:14:9", "'dampin' cannot change while running", "did you mean 'damping'?"}},
      {"no table",
       event_with("gravity = [0, 0, 0]"),
       {"scene.toml:14:9", "there is no gravity here", "world.gravity"}},
      {"a path without quotes",
       event_with("world.gravity = [0, 0, 0]"),
       {"scene.toml:14:9", "world cannot be set to a table", "with the quotes"}},
      {"what cannot change",
       event_with("\"body.ball.spacing\" = 1"),
       {"scene.toml:14:9", "'spacing' cannot change while running", "velocity, temperature"}},
      {"out of range",
       event_with("\"material.wax.damping\" = -1"),
       {"scene.toml:14:9", "material.wax.damping = -1 must be at least 0 1/s"}},
      {"the wrong kind",
       event_with("\"world.gravity\" = 3"),
       {"scene.toml:14:9", "world.gravity = 3 must be 3 numbers in m/s^2"}},
      {"before the start",
       and_then("[[event]]\ntime = -1\nset = { \"pin.p.active\" = false }"),
       {"scene.toml:13:1", "event[0].time = -1 must be at least 0 s"}},
      {"against another parameter",
       event_with("\"material.wax.attractive_exponent\" = 30"),
       {"scene.toml:14:9", "from t = 1 s on", "must be above attractive_exponent = 30"}},
      {"the wrong path of keys",
       and_then("[[keyframe]]\npath = \"world.gravty\"\ntimes = [0]\n"
                "values = [[0, 0, 0]]"),
       {"scene.toml:13:1", "'gravty' cannot change", "did you mean 'gravity'?"}},
      {"a key too few",
       keys_with("[0, 1]", "[1]"),
       {"scene.toml:15:1", "keyframe[0].values has 1 keys but times has 2"}},
      {"keys back in time",
       keys_with("[1, 0]", "[1, 2]"),
       {"scene.toml:14:1", "keyframe[0].times must rise: 0 s comes after 1 s"}},
      {"a key out of range",
       keys_with("[0, 1]", "[1, -2]"),
       {"scene.toml:15:1", "material.wax.damping = -2 must be at least 0 1/s"}},
      {"a key that is no number",
       keys_with("[0, 1]", "[1, nan]"),
       {"scene.toml:15:1", "material.wax.damping = nan is not a finite number"}},
      {"two tables of keys for one path",
       keys_with("[0, 1]", "[1, 2]") +
           "\n[[keyframe]]\npath = \"material.wax.damping\"\ntimes = [0]\nvalues = [3]",
       {"scene.toml:19:1", "keyframes of material.wax.damping are at scene.toml:15:1 already",
        "join both"}},
      {"an event on what follows keys",
       keys_with("[0, 1]", "[1, 2]") +
           "\n[[event]]\ntime = 1\nset = { \"material.wax.damping\" = 3 }",
       {"scene.toml:18:9", "material.wax.damping = 3 would be overwritten at once",
        "scene.toml:15:1", "as a key"}},
      {"a key against another parameter",
       and_then("[[keyframe]]\npath = \"material.wax.fade_from\"\ntimes = [0, 2]\nvalues = [1, 3]"),
       {"scene.toml:15:1", "from t = 2 s on", "fade_from = 3 must be below cutoff = 2"}},
  });
}

TEST_CASE("events_and_keyframes_that_do_nothing_are_refused") {
  const std::string grains =
      R"([material.g]
method = "mass_interaction"
automaton = "granular"
youngs_modulus = 1e4
friction = 0.5
[body.b]
material = "g"
spacing = 0.1
shape = { type = "sphere", radius = 0.3 }
)";
  const std::string event = "[[event]]\ntime = 1\nset = { ";
  check_all({
      {"of another automaton",
       grains + event + "\"material.g.creep\" = 3 }",
       {"scene.toml:12:9", "material.g.creep = 3 does nothing here",
        "it is of automaton = \"plastic\", and this one is \"granular\""}},
      {"keys of another automaton",
       grains + "[[keyframe]]\npath = \"material.g.strength\"\ntimes = [0]\nvalues = [1]",
       {"scene.toml:13:1", "material.g.strength does nothing here", "\"brittle\""}},
      {"too late for it",
       grains + event +
           "\"material.g.automaton\" = \"thresholds\", \"material.g.friction\" = 0 }\n" +
           "[[event]]\ntime = 2\nset = { \"material.g.rolling_friction\" = 0.1 }",
       {"scene.toml:15:9", "material.g.rolling_friction = 0.1 does nothing here"}},
  });
  CHECK(message_of({"", grains + event + "\"material.g.friction\" = 0.2 }", {}}) == "no error");
  // What a later event gives a meaning does something.
  CHECK_NOTHROW(parse_scene(grains + event + "\"material.g.creep\" = 3 }\n" +
                                "[[event]]\ntime = 2\nset = { \"material.g.automaton\" = "
                                "\"plastic\", \"material.g.pull_distance\" = 1.3 }",
                            "scene.toml"));
}

TEST_CASE("events_and_keyframes_set_one_of_two_that_determine_each_other") {
  const std::string tap = R"([material.m]
method = "sph"
[emitter.e]
material = "m"
speed = 1
spacing = 0.05
shape = { type = "sphere", radius = 0.2 }
)";
  const auto keys = [](const std::string& path) {
    return "[[keyframe]]\npath = \"" + path + "\"\ntimes = [0, 1]\nvalues = [1, 2]\n";
  };
  const auto event = [](const std::string& set) {
    return "[[event]]\ntime = 1\nset = { " + set + " }\n";
  };
  check_all({
      {"keys of both",
       tap + keys("emitter.e.speed") + keys("emitter.e.rate"),
       {"scene.toml:15:1",
        "emitter.e.rate cannot follow keyframes together with emitter.e.speed at "
        "scene.toml:11:1",
        "each determines the other; keep one of them"}},
      {"an event on the other",
       tap + keys("emitter.e.speed") + event("\"emitter.e.rate\" = 2"),
       {"scene.toml:14:9",
        "emitter.e.rate = 2 would be overwritten at once by the keyframes of "
        "emitter.e.speed at scene.toml:11:1"}},
  });
  for (const char* both : {"\"emitter.e.rate\" = 2, \"emitter.e.speed\" = 3",
                           "\"material.m.sound_speed\" = 20, \"material.m.bulk_modulus\" = 1e5"}) {
    const std::string message = message_of({"", tap + event(both), {}});
    CHECK_MESSAGE(message.starts_with("scene.toml:10:"), message);
    CHECK_MESSAGE(message.find(" cannot be set together with ") != message.npos, message);
  }
  CHECK(message_of({"", tap + event("\"emitter.e.rate\" = 0.01"), {}}) == "no error");
}

TEST_CASE("parameters_that_the_others_leave_without_effect_are_refused") {
  struct Idle {
    std::string material, key, value, why, remedy;  // `remedy` makes the key do something
  };
  const std::vector<Idle> idle = {
      {"lattice", "freezing_speed", "3", "nothing freezes",
       "phase = \"liquid\"\nfreezing_rate = 1"},
      {"lattice", "freezing_force", "3", "nothing freezes", "melting_rate = 1\nfreezing_rate = 0"},
      {"lattice", "freezing_rate", "1", "it is never liquid", "melting_rate = 1"},
      {"lattice\"\nphase = \"liquid", "melting_rate", "1", "it is never solid",
       "freezing_rate = 1"},
      {"lattice\"\nphase = \"liquid", "strength", "1e4", "it is never solid", "freezing_rate = 1"},
      {"lattice\"\nlaw = \"stiffness", "poissons_ratio", "0.2", "law = \"stiffness\" has none", ""},
      {"lattice", "latent_heat", "1e5", "no heat comes or goes", "conductivity = 1"},
      {"lattice", "specific_heat", "500", "no heat comes or goes", "heating = 1"},
      {"mpm\"\nlaw = \"liquid", "youngs_modulus", "1e5", "law = \"liquid\" has none", ""},
      {"mpm", "flip", "0.5", "it is of transfer = \"flip\"", "transfer = \"flip\""},
      {"mpm", "tolerance", "0.1", "steps are explicit", "integration = \"implicit\""},
      {"mpm", "iterations", "7", "steps are explicit", "integration = \"implicit\""},
      {"lennard_jones\"\nyoungs_modulus = 1e5\nintegration = \"euler", "softened_strength", "0.1",
       "nothing softens", "softening_start = 30\nsoftening_end = 50"}};
  const auto text = [](const Idle& i, const std::string& line, const std::string& more) {
    return "[material.a]\n" + line + "\nmethod = \"" + i.material + "\"\n" +
           "[body.b]\nmaterial = \"a\"\nspacing = 0.1\nshape = { type = \"sphere\", radius = 0.3 "
           "}\n" +
           more;
  };
  const auto message = [](const std::string& scene) { return message_of({"", scene, {}}); };
  for (const Idle& i : idle) {
    CAPTURE(i.material);
    CAPTURE(i.key);
    const std::string path = "material.a." + i.key;
    const std::string line = i.key + " = " + i.value,
                      event = "[[event]]\ntime = 1\nset = { \"" + path + "\" = " + i.value + " }";
    const std::string in_table = message(text(i, line, "")), in_event = message(text(i, "", event));
    CHECK_MESSAGE(in_table.starts_with("scene.toml:2:1: " + path + " = "), in_table);
    CHECK_MESSAGE(in_table.find(" does nothing here: " + i.why) != in_table.npos, in_table);
    CHECK_MESSAGE(in_event.find(path + " = ") != in_event.npos, in_event);
    CHECK_MESSAGE(in_event.find(" does nothing here: " + i.why) != in_event.npos, in_event);
    if (i.remedy.empty()) continue;
    CHECK(message(text(i, line + "\n" + i.remedy, "")) == "no error");
    CHECK(message(text(i, i.remedy, event)) == "no error");
  }
  // An event may give a value of the table its meaning later.
  CHECK(message(text(idle[0], "freezing_speed = 3\nmelting_rate = 1",
                     "[[event]]\ntime = 1\nset = { \"material.a.freezing_rate\" = 2 }")) ==
        "no error");
}

TEST_CASE("bodies_of_two_methods_that_can_meet_are_warned_of") {
  const auto warnings = [](const std::string& centre, const std::string& world) {
    return plan(parse_scene(world + R"(
[material.goo]
method = "sph"
[material.rubber]
method = "lattice"
[body.pool]
material = "goo"
spacing = 0.1
shape = { type = "sphere", radius = 0.3 }
[body.block]
material = "rubber"
spacing = 0.1
shape = { type = "box", size = [0.4, 0.4, 0.4], centre = )" +
                                centre + " }",
                            "scene.toml"))
        .warnings;
  };
  const auto near = warnings("[0, 2, 0]", "duration = 2");
  REQUIRE(near.size() == 1);
  CHECK(near[0].find("body.block (lattice) and body.pool (sph) pass through each other") == 0);
  CHECK(near[0].find("give them one method") != near[0].npos);
  CHECK(warnings("[0, 2, 0]", "[world]\ngravity = [0, 0, 0]").empty());
  CHECK(warnings("[600, 0, 0]", "duration = 2").empty());
}

TEST_CASE("bodies_of_two_methods_that_are_driven_together_are_warned_of") {
  const TemporaryFolder folder;
  std::ofstream(folder.path / "still.csv") << "x,y,z\n3,0,0\n3.1,0,0\n";
  std::ofstream(folder.path / "fast.csv") << "x,y,z,vx,vy,vz\n3,0,0,-9,0,0\n3.1,0,0,-9,0,0\n";
  std::ofstream(folder.path / "tool_0.obj")
      << "v 9 0 0\nv 10 0 0\nv 9 1 0\nv 9 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n";
  const auto warnings = [&](const std::string& other) {
    return plan(parse_scene(R"(duration = 1
[world]
gravity = [0, 0, 0]
[material.goo]
method = "sph"
[material.rubber]
method = "lennard_jones"
[body.pool]
material = "goo"
spacing = 0.1
shape = { type = "sphere", radius = 0.3 }
)" + other,
                            "scene.toml", folder.path))
        .warnings;
  };
  const std::string body = "[body.block]\nmaterial = \"rubber\"\nspacing = 0.1\n";
  const std::string still = body + "shape = { particles = \"still.csv\" }\n";
  CHECK(warnings(still).empty());
  CHECK(warnings(body + "shape = { particles = \"fast.csv\" }\n").size() == 1);
  CHECK(warnings(still +
                 "[collider.tool]\nshape = { type = \"mesh_sequence\", file = \"tool_{}.obj\" }\n")
            .size() == 1);
  const std::string emitter =
      "[emitter.tap]\nmaterial = \"rubber\"\nspacing = 0.1\nspeed = 0.5\ndirection = [1, 0, 0]\n"
      "shape = { type = \"cylinder\", radius = 0.2, height = 0.1, centre = [3, 0, 0] }\n";
  CHECK(warnings(emitter).empty());
  CHECK(warnings(emitter + "motion = { times = [0, 1], positions = [[0, 0, 0], [-4, 0, 0]] }\n")
            .size() == 1);
}

TEST_CASE("a_shape_that_holds_a_single_particle_is_warned_of") {
  const auto warnings = [](double spacing) {
    return plan(parse_scene(fmt::format("[material.m]\nmethod = \"sph\"\n[body.b]\nmaterial = "
                                        "\"m\"\nspacing = {}\nshape = {{ type = \"box\", size = "
                                        "[0.16, 0.12, 0.12] }}\n",
                                        spacing),
                            "scene.toml"))
        .warnings;
  };
  CHECK(warnings(0.02).empty());
  REQUIRE(warnings(0.13).size() == 1);
  CHECK(warnings(0.13)[0].find("body.b is a single particle at spacing = 0.13 m") !=
        std::string::npos);
}

TEST_CASE("files_that_are_missing_or_broken_are_refused") {
  const TemporaryFolder folder;
  std::ofstream(folder.path / "open.obj") << "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n";
  std::ofstream(folder.path / "torn.obj") << "v 0 0 0\nv 1 0\nf 1 2 3\n";
  for (const char* file : {"low.obj", "low_0.obj"})  // a tetrahedron below the ground
    std::ofstream(folder.path / file) << "v 0 -1 0\nv 1 -1 0\nv 0 -2 0\nv 0 -1 1\n"
                                         "f 1 3 2\nf 1 4 3\nf 1 2 4\nf 2 3 4\n";
  std::ofstream(folder.path / "far.xyz") << "0.6 1 0\n0 7 0\n";
  std::ofstream(folder.path / "near.xyz") << "0 1 0\n0.6 1 0\n";
  std::ofstream(folder.path / "heap.xyz") << "0 1 0\n0 1 0\n0 1 0\n";
  std::ofstream(folder.path / "pair.xyz") << "0 1 0\n0.6 1 0\n0 1 0\n";
  std::ofstream(folder.path / "nan.csv") << "x,y,z\n0,1,0\n0,,0\n";
  std::ofstream(folder.path / "fast.csv") << "x,y,z,vx,vy,vz\n0,1,0,0,0,0\n0,2,0,0,,0\n";
  const std::string domain = "domain = { min = [-1, 0, -1], max = [1, 2, 1] }";
  check_all(
      {
          {"mesh",
           ball_shaped("mesh = \"none.obj\""),
           {"scene.toml:8:9", "file = \"none.obj\" does not exist", "beside the scene"}},
          {"particles",
           ball_shaped("particles = \"none.xyz\""),
           {"scene.toml:8:9", "file = \"none.xyz\" does not exist"}},
          {"mesh of a collider",
           ground_shaped("mesh = \"none.obj\""),
           {"scene.toml:11:9", "file = \"none.obj\" does not exist"}},
          {"heightfield",
           ground_shaped("type = \"heightfield\", file = \"no.txt\", size = [1, 1, 1]"),
           {"scene.toml:11:9", "file = \"no.txt\" does not exist"}},
          {"sequence",
           ground_shaped("type = \"mesh_sequence\", file = \"no_{}.obj\""),
           {"scene.toml:11:9", "no mesh 0 or 1 of this sequence", "no_0000.obj"}},
          {"sequence without number",
           ground_shaped("type = \"mesh_sequence\", file = \"no.obj\""),
           {"scene.toml:11:9", "file = \"no.obj\" has no {}"}},
          {"a mesh without inside",
           ball_shaped("mesh = \"open.obj\""),
           {"scene.toml:8:9", "open.obj", "too open to have an inside"}},
          {"a torn mesh", ball_shaped("mesh = \"torn.obj\""), {"scene.toml:8:9", "torn.obj:2"}},
          {"a torn mesh of a collider",
           ground_shaped("mesh = \"torn.obj\""),
           {"scene.toml:11:9", "torn.obj:2"}},
          {"voxels too fine",
           ground_shaped("mesh = \"low.obj\"") + "voxel = 1e-6",
           {"scene.toml:12:1", "collider.ground.voxel = 1e-06 m is too fine for a mesh of 1.73 m",
            "the limit is 1 GB", "leave the key out"}},
          {"voxels of a sequence too fine",
           ground_shaped("type = \"mesh_sequence\", file = \"low_{}.obj\"") + "voxel = 1e-6",
           {"scene.toml:12:1", "collider.ground.voxel = 1e-06 m is too fine"}},
          {"voxels too coarse",
           ground_shaped("mesh = \"low.obj\", centre = [0, -2, 0]") + "voxel = 8",
           {"scene.toml:12:1", "collider.ground.voxel = 8 m is too coarse", "half of its"}},
          {"a particle outside",
           with_line(2, domain + "\n[material.x]\nmethod = \"lennard_jones\"\nyoungs_modulus = 1\n"
                                 "[body.file]\nmaterial = \"x\"\nspacing = 0.1\n"
                                 "shape = { particles = \"far.xyz\" }"),
           {"scene.toml:9:9", "body.file: point 1 of \"far.xyz\", at [0, 7, 0]", "world.domain"}},
          {"particles in a body",
           with_line(2,
                     "[material.x]\nmethod = \"lennard_jones\"\nyoungs_modulus = 1\n"
                     "[body.file]\nmaterial = \"x\"\nspacing = 0.1\n"
                     "shape = { particles = \"near.xyz\" }"),
           {"scene.toml:12:1", "50 % of body.file is inside the other", "move one"}},
          {"particles at one place",
           ball_shaped("particles = \"heap.xyz\""),
           {"scene.toml:8:9", "body.ball: all 3 points of \"heap.xyz\" are at one place, [0, 1, 0]",
            "give each a place"}},
          {"two particles at one place",
           ball_shaped("particles = \"pair.xyz\""),
           {"scene.toml:8:9",
            "body.ball: points 0 and 2 of \"pair.xyz\" are at one place, [0, 1, 0]",
            "give each a place"}},
          {"a particle nowhere",
           ball_shaped("particles = \"nan.csv\""),
           {"scene.toml:8:9", "nan.csv: point 1 has a position that is not finite"}},
          {"a particle of unknown speed",
           ball_shaped("particles = \"fast.csv\""),
           {"scene.toml:8:9", "point 1 of \"fast.csv\" has a velocity that is not finite"}},
          {"particles as a collider",
           ground_shaped("particles = \"far.xyz\""),
           {"scene.toml:11:1", "collider cannot be particles; use a mesh or a solid"}},
      },
      folder.path);
}

TEST_CASE("overrides_are_refused_by_their_own_name") {
  check_all({
      {"range",
       base_scene,
       {"--set body.ball.spacing", "body.ball.spacing = -1 must be above 0 m"},
       {"body.ball.spacing=-1"}},
      {"unknown key",
       base_scene,
       {"--set body.ball.spaceing", "did you mean 'spacing'?"},
       {"body.ball.spaceing=1"}},
      {"plain text",
       base_scene,
       {"--set body.ball.material", "= \"wxa\" is not a material"},
       {"body.ball.material=wxa"}},
      {"in a shape",
       base_scene,
       {"--set body.ball.shape.raduis", "did you mean 'radius'?"},
       {"body.ball.shape.raduis=1"}},
      {"vector",
       base_scene,
       {"--set world.gravity", "= [0, 1] must be 3 numbers"},
       {"world.gravity=[0, 1]"}},
      {"no value", base_scene, {"--set spacing", "must be key=value"}, {"spacing"}},
      {"no key", base_scene, {"--set =1", "must be key=value"}, {"=1"}},
      {"a line break",
       base_scene,
       {"--set body.ball.spacing", "holds more than one value", "a --set of its own"},
       {"body.ball.spacing=0.1\nvelocity = [1, 0, 0]"}},
      {"through a value",
       base_scene,
       {"--set body.ball.material.x", "'material' is not a table of the scene"},
       {"body.ball.material.x=1"}},
      {"half a new table",
       base_scene,
       {"scene.toml", "material.new names no method"},
       {"material.new.damping=1"}},
      {"against the file",
       base_scene,
       {"--set material.wax.repulsive_exponent", "= 3 must be above attractive_exponent = 4"},
       {"material.wax.repulsive_exponent=3"}},
  });
}

}  // namespace phyxel
