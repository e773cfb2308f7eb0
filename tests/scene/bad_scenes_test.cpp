#include <doctest/doctest.h>
#include <sstream>

#include "phyxel/core/problems.h"
#include "phyxel/scene/presets.h"
#include "scene/bad_scene.h"

// Each bad scene with what its message must say: the place, the value, the limit, the remedy.

namespace phyxel {

TEST_CASE("the_base_scene_of_these_tests_is_good") {
  CHECK(message_of({"base", base_scene, {}}) == "no error");
  CHECK(message_of({"flat", flat(base_scene), {}}) == "no error");
  CHECK(message_of(
            {"second", second_body(R"(type = "sphere", centre = [1, 1, 0], radius = 0.2)"), {}}) ==
        "no error");
  CHECK(message_of({"event", event_with("\"material.wax.damping\" = 1"), {}}) == "no error");
  CHECK(message_of({"keys", keys_with("[0, 1]", "[1, 2]"), {}}) == "no error");
}

TEST_CASE("what_is_not_toml_is_refused_where_it_stops_being_it") {
  check_all({
      {"two equals", with_line(5, "youngs_modulus = = 1"), {"scene.toml:5:18", "not valid TOML"}},
      {"open text", with_line(7, "material = \"wax"), {"scene.toml:7:16", "not valid TOML"}},
      {"a key twice",
       wax_with("youngs_modulus = 2"),
       {"scene.toml:6:18", "cannot redefine", "'youngs_modulus'"}},
      {"a table twice", and_then("[body.ball]"), {"scene.toml:12:1", "cannot redefine"}},
  });
}

TEST_CASE("unknown_keys_are_refused_with_a_suggestion_at_every_level") {
  const auto known = [](const char* name, const std::string& text, const char* place,
                        const char* path, const char* meant) {
    return BadScene{name,
                    text,
                    {place, std::string(path) + " is not a known key",
                     std::string("; did you mean '") + meant + "'?"}};
  };
  check_all({
      known("top", begins_with("durration = 2"), "scene.toml:1:1", "durration", "duration"),
      known("world", with_line(2, "gravitiy = [0, 0, 0]"), "scene.toml:2:1", "world.gravitiy",
            "gravity"),
      known("domain", with_line(2, "domain = { min = [0, 0, 0], mx = [1, 1, 1] }"),
            "scene.toml:2:29", "world.domain.mx", "max"),
      known("time", and_then("[time]\nmaxdt = 1"), "scene.toml:13:1", "time.maxdt", "max_dt"),
      known("material", wax_with("dampng = 2"), "scene.toml:6:1", "material.wax.dampng", "damping"),
      known("body", with_line(9, "spaceing = 0.1"), "scene.toml:9:1", "body.ball.spaceing",
            "spacing"),
      known("shape", ball_shaped(R"(type = "sphere", raduis = 0.2)"), "scene.toml:8:28",
            "body.ball.shape.raduis", "radius"),
      known("part of a shape",
            ball_shaped(R"(type = "union", of = [ { type = "sphere", radius = 1 }, )"
                        R"({ type = "box", sise = [1, 1, 1] } ])"),
            "scene.toml:8:83", "body.ball.shape.of[1].sise", "size"),
      known("collider", and_then("fricton = 1"), "scene.toml:12:1", "collider.ground.fricton",
            "friction"),
      known("motion", and_then("motion = { times = [0], position = [[0, 0, 0]] }"),
            "scene.toml:12:25", "collider.ground.motion.position", "positions"),
      known("pin", and_then("[pin.p]\nbdy = \"ball\"\nshape = { type = \"plane\" }"),
            "scene.toml:13:1", "pin.p.bdy", "body"),
      known("event", and_then("[[event]]\ntme = 1\nset = { \"world.gravity\" = [0, 0, 0] }"),
            "scene.toml:13:1", "event[0].tme", "time"),
      known("keyframe", and_then("[[keyframe]]\npth = \"a\"\ntimes = [0]\nvalues = [0]"),
            "scene.toml:13:1", "keyframe[0].pth", "path"),
      known("render", and_then("[render]\nwidht = 100"), "scene.toml:13:1", "render.widht",
            "width"),
      known("output", and_then("[output]\nvidoe = true"), "scene.toml:13:1", "output.vidoe",
            "video"),
      {"far from all", begins_with("zzz = 2"), {"scene.toml:1:1", "zzz", "; known here: body, "}},
      {"of another shape",
       ball_shaped(R"(type = "sphere", radius = 1, height = 0.2)"),
       {"scene.toml:8:40", "body.ball.shape.height", "known here: centre, radius, rotation, type"}},
  });
}

TEST_CASE("wrong_kinds_of_values_are_refused") {
  check_all({
      {"text for a number",
       with_line(5, "youngs_modulus = \"stiff\""),
       {"scene.toml:5:1", "material.wax.youngs_modulus = \"stiff\" must be a number in Pa"}},
      {"a number for text",
       with_line(7, "material = 3"),
       {"scene.toml:7:1", "body.ball.material = 3 must be text"}},
      {"two numbers for a vector",
       with_line(2, "gravity = [0, -9.81]"),
       {"scene.toml:2:1", "world.gravity = [0, -9.81] must be 3 numbers in m/s^2"}},
      {"numbers and text mixed",
       with_line(2, "gravity = [0, \"a\", 1]"),
       {"scene.toml:2:1", "world.gravity must be 3 numbers in m/s^2"}},
      {"a table for a number",
       with_line(9, "spacing = { a = 1 }"),
       {"scene.toml:9:1", "body.ball.spacing must be a number in m"}},
      {"true for a number",
       with_line(9, "spacing = true"),
       {"scene.toml:9:1", "body.ball.spacing = true must be a number in m"}},
      {"numbers for switches",
       with_line(2, "periodic = [1, 0, 0]"),
       {"scene.toml:2:1", "world.periodic = [1, 0, 0] must be 3 times true or false"}},
      {"a broken seed",
       begins_with("seed = 1.5"),
       {"scene.toml:1:1", "seed = 1.5 must be a whole number"}},
      {"a date",
       begins_with("duration = 1979-05-27"),
       {"scene.toml:1:1", "duration must be a number in s"}},
      {"a number for a table",
       "time = 3\n" + std::string(base_scene),
       {"scene.toml:1:1", "time must be a table: [time] or time = { ... }"}},
      {"a value among named tables",
       begins_with("pin.x = 3"),
       {"scene.toml:1:5", "pin.x is not a table; tables have names: [pin.NAME]"}},
      {"one event without double brackets",
       and_then("[event]\ntime = 1"),
       {"scene.toml:12:2", "event must be a list of tables: [[event]]"}},
      {"centimetres",
       with_line(9, "spacing = \"2 cm\""),
       {"scene.toml:9:1", "body.ball.spacing = \"2 cm\" must be a number in m", "write 0.02"}},
      {"megapascals",
       with_line(5, "youngs_modulus = \"2MPa\""),
       {"scene.toml:5:1", "\"2MPa\" must be a number in Pa", "write 2000000.0"}},
  });
}

TEST_CASE("numbers_out_of_range_are_refused_with_the_limit") {
  check_all({
      {"at an open lower end",
       with_line(9, "spacing = 0"),
       {"scene.toml:9:1", "body.ball.spacing = 0 must be above 0 m"}},
      {"below a closed lower end",
       and_then("friction = -0.5"),
       {"scene.toml:12:1", "collider.ground.friction = -0.5 must be at least 0"}},
      {"no edge", and_then("voxel = 0"), {"scene.toml:12:1", "collider.ground.voxel = 0 must be"}},
      {"voxels of a plane",
       and_then("voxel = 0.02"),
       {"scene.toml:12:1", "collider.ground.voxel is for a mesh", "a plane is as quick without"}},
      {"above a closed upper end",
       and_then("restitution = 1.5"),
       {"scene.toml:12:1", "restitution = 1.5 must be at least 0 and at most 1"}},
      {"one part of a vector",
       wax_with("colour = [0.5, 2, 0.5]"),
       {"scene.toml:6:1", "material.wax.colour = [0.5, 2, 0.5] must be at least 0 and at most 1"}},
      {"below whole limits",
       and_then("[render]\nwidth = 8"),
       {"scene.toml:13:1", "render.width = 8 must be at least 16 and at most 16384 pixels"}},
      {"above an open and closed range",
       and_then("[time]\nsafety = 2"),
       {"scene.toml:13:1", "time.safety = 2 must be above 0 and at most 1"}},
      {"with a remedy",
       wax_with("repulsive_exponent = 50"),
       {"scene.toml:6:1", "= 50 must be above 1 and at most 40; 12 is already hard"}},
      {"colder than possible",
       ball_with("temperature = -300"),
       {"scene.toml:10:1", "= -300 must be at least -273.15 degC; temperatures are in degrees C"}},
      {"a seed too large",
       begins_with("seed = 3000000000"),
       {"scene.toml:1:1", "seed = 3e+09 must be at least 0 and at most 2147483647"}},
      {"another schema",
       begins_with("schema = 2"),
       {"scene.toml:1:1", "schema = 2 must be", "this program reads schema 1"}},
      {"nan",
       with_line(9, "spacing = nan"),
       {"scene.toml:9:1", "body.ball.spacing = nan is not a finite number", "a number in m"}},
      {"infinite",
       with_line(5, "youngs_modulus = inf"),
       {"scene.toml:5:1", "material.wax.youngs_modulus = inf is not a finite number"}},
      {"nan in a vector",
       with_line(2, "gravity = [0, nan, 0]"),
       {"scene.toml:2:1", "world.gravity = [0, nan, 0] is not a finite number"}},
      {"more frames than can be counted",
       begins_with("duration = 1e9\nfps = 1e5"),
       {"scene.toml:1:1", "duration = 1e+09 s at fps = 100000 is 1e+14 frames", "at most 1e+08"}},
      {"an empty colour range",
       and_then("[render]\ncolour_min = 2\ncolour_max = 1"),
       {"scene.toml:14:1", "render.colour_max = 1 must be above colour_min = 2"}},
      {"a view without direction",
       and_then("[render]\nview_direction = [0, 0, 0]"),
       {"scene.toml:13:1", "render.view_direction = [0, 0, 0] has no direction"}},
      {"a camera that looks at itself",
       and_then("[render]\ncamera_position = [0, 1, 2]\ncamera_target = [0, 1, 2]"),
       {"scene.toml:14:1", "render.camera_target", "another point"}},
  });
}

#ifndef PHYXEL_DOUBLE
TEST_CASE("numbers_that_float_cannot_hold_are_refused") {
  check_all({
      {"too large",
       with_line(5, "youngs_modulus = 1e300"),
       {"scene.toml:5:1", "youngs_modulus = 1e+300 is too large", "up to 3.4e+38"}},
      {"too small",
       with_line(9, "spacing = 1e-60"),
       {"scene.toml:9:1", "spacing = 1e-60 is too near to 0", "1.4e-45"}},
      {"too large by the resolution",
       begins_with("resolution = 1e-300"),
       {"scene.toml:1:1", "resolution = 1e-300 turns a length of 0.1 m into", "nearer to 1"}},
  });
}
#endif

TEST_CASE("wrong_words_are_refused_with_a_suggestion") {
  check_all({
      {"packing",
       ball_with("packing = \"closets\""),
       {"scene.toml:10:1", "body.ball.packing = \"closets\" must be one of \"closest\", ",
        "did you mean 'closest'?"}},
      {"walls",
       with_line(2, "walls = \"close\""),
       {"scene.toml:2:1", "world.walls = \"close\"", "\"open\", \"closed\", \"sticky\"",
        "did you mean 'closed'?"}},
      {"contact",
       and_then("contact = \"stiky\""),
       {"scene.toml:12:1", "collider.ground.contact = \"stiky\"",
        "\"separate\", \"slip\", \"sticky\"", "did you mean 'sticky'?"}},
      {"warm collider",
       and_then("temperature = 60.0"),
       {"scene.toml:12:1", "collider.ground.temperature", "no body takes heat"}},
      {"truncation",
       wax_with("truncation = \"fad\""),
       {"scene.toml:6:1", "material.wax.truncation = \"fad\"", "did you mean 'fade'?"}},
      {"shape",
       ball_shaped(R"(type = "spere", radius = 1)"),
       {"scene.toml:8:11", "body.ball.shape.type = \"spere\" is not a shape",
        "did you mean 'sphere'?"}},
      {"material",
       with_line(7, "material = \"wxa\""),
       {"scene.toml:7:1", "body.ball.material = \"wxa\" is not a material of this scene",
        "did you mean 'wax'?", "there are: wax"}},
      {"body",
       and_then("[pin.p]\nbody = \"bal\"\nshape = { type = \"plane\" }"),
       {"scene.toml:13:1", "pin.p.body = \"bal\" is not a body", "did you mean 'ball'?"}},
      {"preset",
       with_line(4, "preset = \"puty\""),
       {"scene.toml:4:1", "material.wax.preset = \"puty\"", "did you mean 'putty'?",
        "phyxel list materials"}},
      {"method",
       with_line(4, "method = \"lenard_jones\""),
       {"scene.toml:4:1", "method = \"lenard_jones\" is not a method",
        "did you mean 'lennard_jones'?"}},
      {"colour map",
       and_then("[render]\ncolour_map = \"virdis\""),
       {"scene.toml:13:1", "render.colour_map = 'virdis'", "did you mean 'viridis'?"}},
      {"a name with a space",
       with_line(6, "[body.\"a ball\"]"),
       {"scene.toml:6:1", "body.a ball: a name has letters, digits, _ and - only"}},
      {"a scene's name with a space",
       begins_with("name = \"my scene\""),
       {"scene.toml:1:1", "name = \"my scene\": a name has letters"}},
  });
}

TEST_CASE("surfaces_and_lights_that_make_no_sense_are_refused") {
  const auto surface = [](const std::string& lines) { return and_then("[surface.wax]\n" + lines); };
  check_all({
      {"of nothing",
       and_then("[surface.wex]"),
       {"scene.toml:12:1", "surface.wex is neither a material nor a body", "did you mean 'wax'?"}},
      {"unknown method",
       surface("method = \"blob\""),
       {"scene.toml:13:1", "surface.wax.method = \"blob\"", "did you mean 'blobs'?"}},
      {"unknown look",
       surface("look = \"waxy\""),
       {"scene.toml:13:1", "surface.wax.look", "did you mean 'wax'?", "gel"}},
      {"blobbiness of another field",
       surface("method = \"sph\"\nblobbiness = 1"),
       {"scene.toml:14:1", "surface.wax.blobbiness is not used by method = \"sph\""}},
      {"iso of a distance", surface("iso = 1"), {"scene.toml:13:1", "surface.wax.iso is not used"}},
      {"cells without a mesh",
       surface("direct = true\ncell = 0.1"),
       {"scene.toml:14:1", "surface.wax.cell is not used"}},
      {"direct particles",
       surface("method = \"particles\"\ndirect = true"),
       {"scene.toml:14:1", "surface.wax.direct is not used"}},
      {"texture on a field",
       surface("texture = \"wood.png\""),
       {"scene.toml:13:1", "surface.wax.texture is not used"}},
      {"depth of the opaque",
       surface("look = \"metal\"\ndepth = 0.1"),
       {"scene.toml:14:1", "surface.wax.depth", "look = \"metal\""}},
      {"flat",
       flat(surface("look = \"wax\"")),
       {"scene.toml:13:1", "a flat scene has no surfaces"}},
      {"of no body",
       and_then("[material.other]\nmethod = \"lennard_jones\"\n[surface.other]"),
       {"scene.toml:14:1", "surface.other: no body is made of material.other"}},
      {"skin in a periodic world",
       with_line(
           2, "periodic = [true, false, false]\ndomain = { min = [-1, -1, -1], max = [1, 3, 1] }") +
           "\n[surface.wax]\nmethod = \"skin\"\n",
       {"scene.toml:15:1", "torn at the faces of a periodic domain"}},
      {"surfels in a periodic world",
       with_line(
           2, "periodic = [true, false, false]\ndomain = { min = [-1, -1, -1], max = [1, 3, 1] }") +
           "\n[surface.wax]\nmethod = \"surfels\"\n",
       {"scene.toml:15:1", "torn at the faces of a periodic domain"}},
      {"surfels of a set that the method does not have",
       surface("method = \"surfels\"\nshow = \"zombies\""),
       {"scene.toml:14:1", "surface.wax.show", "no reference shape"}},
      {"surfels without their detail",
       surface("method = \"surfels\"\nsurfel_detail = false"),
       {"scene.toml:14:1", "surface.wax.surfel_detail", "no reference shape"}},
      {"surfels on a grid",
       surface("method = \"surfels\"\ncell = 0.1"),
       {"scene.toml:14:1", "surface.wax.cell is not used"}},
      {"animation of files that cannot be read",
       surface("[output]\nusd = true\nsurface = \"obj\""),
       {"scene.toml:14:1", "as PLY only"}},
      {"light nowhere",
       and_then("[light.a]\nwidth = 1"),
       {"scene.toml:12:1", "light.a has no position"}},
      {"light to itself",
       and_then("[light.a]\nposition = [0, 0, 0]"),
       {"scene.toml:12:1", "light.a.target is where the light stands"}},
      {"no environment",
       and_then("[render]\nbackground = \"environment\""),
       {"scene.toml:13:1", "render.background", "add environment"}},
      {"animation of nothing",
       and_then("[output]\nusd = true\nparticles = \"none\"\nsurface = \"obj\""),
       {"scene.toml:13:1", "output.usd joins the files of a run"}},
      {"volume of nothing",
       and_then("[output]\nvolume = true"),
       {"scene.toml:13:1", "output.volume = true", "add a [surface.NAME] table"}},
  });
}

TEST_CASE("nozzles_of_which_nothing_can_come_are_refused") {
  const auto tap = [](const std::string& keys,
                      const std::string& shape =
                          R"({ type = "sphere", centre = [0, 2, 0], radius = 0.3 })") {
    return and_then("[emitter.tap]\nmaterial = \"wax\"\nspacing = 0.1\nshape = " + shape + "\n" +
                    keys);
  };
  CHECK(message_of({"good", tap("speed = 1"), {}}) == "no error");
  check_all({
      {"no speed", tap(""), {"scene.toml:12:1", "emitter.tap has no speed", "add speed = 1.0"}},
      {"speed and rate",
       tap("speed = 1\nrate = 2"),
       {"scene.toml:17:1", "emitter.tap.rate cannot be given together with speed"}},
      {"backwards", tap("speed = -1"), {"scene.toml:16:1", "emitter.tap.speed = -1", "at least 0"}},
      {"no direction",
       tap("speed = 1\ndirection = [0, 0, 0]"),
       {"scene.toml:17:1", "emitter.tap.direction = [0, 0, 0]", "[0, -1, 0] is down"}},
      {"no layers",
       tap("speed = 1\npacking = \"random\""),
       {"scene.toml:17:1", "emitter.tap.packing", "choose poisson, closest, cubic or jittered"}},
      {"stops first",
       tap("speed = 1\nstart = 2\nstop = 1"),
       {"scene.toml:18:1", "emitter.tap.stop = 1 s must be after start = 2 s"}},
      {"narrow",
       tap("speed = 1", R"({ type = "sphere", centre = [0, 2, 0], radius = 0.01 })"),
       {"scene.toml:12:1", "emitter.tap lets nothing through", "spacing = 0.1 m"}},
      {"wide",
       tap("speed = 1", R"({ type = "sphere", centre = [0, 2, 0], radius = 1e6 })"),
       {"scene.toml:12:1", "emitter.tap: ", "points fit across the mouth", "spacing = 0.1 m"}},
      {"endless",
       tap("speed = 1", R"({ type = "plane", point = [0, 3, 0], normal = [0, -1, 0] })"),
       {"scene.toml:12:1", "emitter.tap: the shape has no end"}},
      {"fast", tap("speed = 1e6"), {"scene.toml:14:1", "particles need about"}},
      {"in a collider",
       tap("speed = 1", R"({ type = "sphere", centre = [0, -1, 0], radius = 0.3 })"),
       {"scene.toml:12:1", "emitter.tap: 100 % of it is inside collider.ground"}},
      {"in a body",
       tap("speed = 1", R"({ type = "sphere", centre = [0, 1, 0], radius = 0.15 })"),
       {"scene.toml:12:1", "body.ball and emitter.tap overlap"}},
      {"another spacing",
       and_then("[emitter.tap]\nmaterial = \"wax\"\nspacing = 0.2\nspeed = 1\nshape = { type = "
                "\"sphere\", centre = [0, 2, 0], radius = 0.3 }"),
       {"scene.toml:14:1", "emitter.tap.spacing = 0.2 m but body.ball of the same material"}},
      {"a name twice",
       and_then("[emitter.ball]\nmaterial = \"wax\"\nspeed = 1\nshape = { type = \"sphere\", "
                "centre = [0, 2, 0], radius = 0.3 }"),
       {"scene.toml:12:1", "emitter.ball: there is a body of this name"}},
      {"a skin",
       tap("speed = 1\n[surface.tap]\nmethod = \"skin\""),
       {"scene.toml:18:1", "surface.tap.method = \"skin\": emitter.tap grows"}},
      {"a pin",
       tap("speed = 1\n[pin.p]\nbody = \"tap\"\nshape = { type = \"plane\" }"),
       {"scene.toml:18:1", "pin.p.body = \"tap\" is not a body"}},
      {"an event on a body",
       tap("speed = 1\n[[event]]\ntime = 1\nset = { \"body.tap.velocity\" = [0, 0, 0] }"),
       {"scene.toml:19:9", "there is no body.tap here", "emitter.NAME.KEY"}},
  });
}

TEST_CASE("a_preset_belongs_to_its_method") {
  check_all({
      {"of another method",
       with_line(4, "method = \"mpm\"\npreset = \"dough\""),
       {"scene.toml:5:1",
        "material.wax.preset = \"dough\" is a material of method = \"mass_interaction\"",
        "not of mpm", "or a preset of mpm: snow"}},
  });
  for (const KnownMaterial& preset : known_materials()) {
    const Scene scene =
        parse_scene("[material.m]\nmethod = \"" + preset.method + "\"\npreset = \"" + preset.name +
                        "\"\n[body.b]\nmaterial = \"m\"\nspacing = 0.1\nshape = { "
                        "type = \"sphere\", radius = 1 }",
                    "scene.toml");
    CHECK(scene.materials[0].material.method == preset.method);
  }
}

TEST_CASE("all_mistakes_of_a_scene_are_named_at_once_in_the_order_of_the_file") {
  const std::string message = message_of({"many",
                                          R"(durration = 2
[world]
gravity = -9.81
[material.wax]
method = "lennard_jones"
youngs_modulus = -1
dampng = 2
[body.ball]
material = "wax"
shape = { type = "spere", radius = 0.2 }
spacing = "2 cm"
[collider.ground]
shape = { type = "plane", normal = [0, 0, 0] }
friction = -1
[[event]]
time = -1
set = { "material.wax.damping" = -1, "body.ball.spacing" = 2 }
[render]
colour_map = "virdis"
view_direction = [0, 0, 0]
)",
                                          {}});
  std::vector<std::string> lines;
  std::istringstream text(message);
  for (std::string line; std::getline(text, line);) lines.push_back(line);
  const std::vector<std::string> begins = {
      "scene.toml:1:1: durration is not a known key; did you mean 'duration'?",
      "scene.toml:3:1: world.gravity = -9.81 must be 3 numbers in m/s^2; write [0, -9.81, 0]",
      "scene.toml:6:1: material.wax.youngs_modulus = -1 must be above 0 Pa",
      "scene.toml:7:1: material.wax.dampng is not a known key; did you mean 'damping'?",
      "scene.toml:10:11: body.ball.shape.type = \"spere\" is not a shape; did you mean 'sphere'?",
      "scene.toml:11:1: body.ball.spacing = \"2 cm\" must be a number in m; write 0.02",
      "scene.toml:13:27: collider.ground.shape.normal = [0, 0, 0] has no direction",
      "scene.toml:14:1: collider.ground.friction = -1 must be at least 0",
      "scene.toml:16:1: event[0].time = -1 must be at least 0 s",
      "scene.toml:17:9: material.wax.damping = -1 must be at least 0 1/s",
      "scene.toml:17:38: body.ball.spacing 'spacing' cannot change while running",
      "scene.toml:19:1: render.colour_map = 'virdis'",
      "scene.toml:20:1: render.view_direction = [0, 0, 0] has no direction",
      "13 mistakes"};
  CHECK_MESSAGE(lines.size() == begins.size(), message);
  for (std::size_t k = 0; k < std::min(lines.size(), begins.size()); ++k)
    CHECK_MESSAGE(lines[k].starts_with(begins[k]), lines[k], " does not begin with ", begins[k]);
}

TEST_CASE("library_users_get_every_mistake_with_its_place") {
  try {
    parse_scene(with_line(9, "spacing = 0") + "friction = -1", "scene.toml");
    FAIL("two mistakes were accepted");
  } catch (const InputErrors& error) {
    REQUIRE(error.problems().size() == 2);
    CHECK(error.problems()[0].place.line == 9);
    CHECK(error.problems()[1].place.line == 12);
    CHECK(error.problems()[1].message == "collider.ground.friction = -1 must be at least 0");
  }
}

TEST_CASE("what_only_follows_from_a_mistake_is_not_reported") {
  // Each has one mistake, and a scene full of tables that refer to what is broken.
  const std::string more = R"([pin.p]
body = "ball"
shape = { type = "sphere", centre = [0, 1, 0], radius = 0.1 }
[surface.wax]
[surface.ball]
[[event]]
time = 1
set = { "material.wax.damping" = 1, "body.ball.velocity" = [0, 0, 0], "pin.p.active" = false }
[[keyframe]]
path = "collider.ground.friction"
times = [0, 1]
values = [0, 1]
)";
  const auto only = [&](const std::string& text, const std::string& expected) {
    const std::string message = message_of({"", text + more, {}});
    CHECK_MESSAGE(message.find('\n') == message.npos, message);
    CHECK_MESSAGE(message.starts_with(expected), message);
  };
  only(with_line(3, "[materail.wax]"), "scene.toml:3:2: materail is not a known key; did you mean");
  only(with_line(3, "[material.\"w x\"]\nmethod = \"sph\"\n[material.wax]"), "scene.toml:3:1");
  only(with_line(4, "metod = \"lennard_jones\""), "scene.toml:4:1: material.wax.metod");
  only(with_line(4, "method = \"lenard_jones\""), "scene.toml:4:1: material.wax.method");
  only(with_line(4, "method = 3"), "scene.toml:4:1: material.wax.method = 3 must be text");
  only(with_line(4, "preset = \"puty\""), "scene.toml:4:1: material.wax.preset");
  only(with_line(6, "[bodie.ball]"), "scene.toml:6:2: bodie is not a known key; did you mean");
  only(with_line(7, "materal = \"wax\""), "scene.toml:7:1: body.ball.materal");
  only(with_line(8, "shpe = { type = \"sphere\", radius = 1 }"), "scene.toml:8:1: body.ball.shpe");
  only(with_line(8, "shape = 3"), "scene.toml:8:1: body.ball.shape must be a table");
  only(ball_shaped("tpye = \"sphere\", radius = 1"), "scene.toml:8:11: body.ball.shape.tpye");
  only(ball_shaped("type = \"sphere\", radus = 1"), "scene.toml:8:28: body.ball.shape.radus");
  only(ball_shaped("type = \"sphere\", radius = -1"), "scene.toml:8:28: body.ball.shape.radius");
  only(ball_shaped("mesh = 3"), "scene.toml:8:11: body.ball.shape.mesh = 3 must be text");
  only(with_line(10, "[colider.ground]"), "scene.toml:10:2: colider is not a known key");
}

TEST_CASE("words_of_other_programs_are_read_or_explained") {
  const Scene scene = parse_scene(R"([material.wax]
method = "lennard_jones"
color = [1, 0, 0]
youngs_modulus = 1e5
[body.center]
material = "wax"
spacing = 0.1
shape = { type = "cube", center = [0, 1, 0], size = 0.4 }
[body.color]
material = "wax"
spacing = 0.1
shape = { type = "ball", center = [3, 1, 0], radius = 0.2 }
[render]
color_by = "speed"
)",
                                  "scene.toml", ".", {{"body.color.shape.center", "[4, 1, 0]"}});
  CHECK(scene.materials[0].material.colour == Vec3{1, 0, 0});
  CHECK(scene.bodies[0].name == "center");
  CHECK(scene.bodies[0].shape.type == "box");
  CHECK(scene.bodies[0].shape.size[2] == doctest::Approx(0.4));
  CHECK(scene.origin[1] + scene.bodies[0].shape.centre[1] == 1);
  CHECK(scene.bodies[1].shape.type == "sphere");
  CHECK(scene.origin[0] + scene.bodies[1].shape.centre[0] == 4);
  CHECK(scene.render.colour_by == "speed");
  check_all({
      {"both spellings",
       wax_with("colour = [0, 0, 0]\ncolor = [0, 0, 0]"),
       {"scene.toml:7:1", "it means colour, which is here too: remove one"}},
      {"E", wax_with("E = 1e5"), {"scene.toml:6:1", "did you mean 'youngs_modulus'?"}},
      {"young_modulus",
       with_line(5, "young_modulus = 1e5"),
       {"scene.toml:5:1", "did you mean 'youngs_modulus'?"}},
      {"nu",
       with_line(4, "method = \"mpm\"\nnu = 0.3"),
       {"scene.toml:5:1", "did you mean 'poissons_ratio'?"}},
      {"rho", wax_with("rho = 1000"), {"scene.toml:6:1", "did you mean 'density'?"}},
      {"mass",
       ball_with("mass = 1"),
       {"scene.toml:10:1", "did you mean 'particle_mass' in [material.NAME]?",
        "density times volume"}},
      {"dt", and_then("[time]\ndt = 1e-3"), {"scene.toml:13:1", "did you mean 'max_dt'?"}},
      {"timestep", begins_with("timestep = 1"), {"scene.toml:1:1", "'max_dt' in [time]?"}},
      {"gravity at the top", begins_with("gravity = [0, 0, 0]"), {"scene.toml:1:1", "[world]"}},
      {"width at the top", begins_with("width = 100"), {"scene.toml:1:1", "[render]"}},
      {"position",
       ball_shaped("type = \"sphere\", radius = 0.2, position = [0, 1, 0]"),
       {"scene.toml:8:42", "did you mean 'centre'?"}},
      {"pos of a body",
       ball_with("pos = [0, 1, 0]"),
       {"scene.toml:10:1", "did you mean 'centre' in shape = { ... }?"}},
      {"radius of a body",
       ball_with("radius = 1"),
       {"scene.toml:10:1", "it belongs into shape = { ... }"}},
      {"filename",
       ground_shaped("type = \"mesh\", filename = \"a.obj\""),
       {"scene.toml:11:26", "did you mean 'file'?"}},
      {"path",
       ground_shaped("type = \"mesh\", path = \"a.obj\""),
       {"scene.toml:11:26", "did you mean 'file'?"}},
      {"rotate",
       ball_shaped("type = \"sphere\", radius = 0.2, rotate = [0, 1, 0]"),
       {"scene.toml:8:42", "did you mean 'rotation'?"}},
      {"a type of shape",
       ball_shaped("type = \"donut\", radius = 0.2"),
       {"scene.toml:8:11", "\"donut\" is not a shape; did you mean 'torus'?"}},
      {"large letters",
       with_line(4, "method = \"Lennard_Jones\""),
       {"scene.toml:4:1", "did you mean 'lennard_jones'?"}},
      {"a table", and_then("[obstacle.a]"), {"scene.toml:12:2", "did you mean 'collider'?"}},
  });
}

}  // namespace phyxel
