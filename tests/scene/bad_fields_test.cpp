#include "scene/bad_scene.h"

// Force fields and planes that are refused.

namespace phyxel {

namespace {

/// A field behind the base scene: its table is line 12, its type line 13, `keys` begin at line 14.
std::string field_of(const std::string& type, const std::string& keys) {
  return and_then("[field.f]\ntype = \"" + type + "\"\n" + keys);
}

std::string elastic(const std::string& top, const std::string& world, const std::string& material) {
  return top + "\n[world]\n" + world + "\n[material.m]\n" + material +
         "\n[body.b]\nmaterial = \"m\"\nshape = { type = \"box\", size = [1, 1, 1] }\nspacing = "
         "0.1\n";
}

}  // namespace

TEST_CASE("force_fields_that_say_too_little_or_nonsense_are_refused") {
  check_all({
      {"no type",
       and_then("[field.f]\nvelocity = [1, 0, 0]"),
       {"scene.toml:12:1", "field.f has no type; one of: wind, drag, attractor, vortex"}},
      {"a type that is none",
       field_of("winds", ""),
       {"scene.toml:13:1", "field.f.type = \"winds\"", "wind"}},
      {"a key of another type",
       field_of("drag", "velocity = [1, 0, 0]"),
       {"scene.toml:14:1", "field.f", "velocity"}},
      {"a rate below zero",
       field_of("wind", "rate = -1"),
       {"scene.toml:14:1", "field.f.rate = -1 must be at least 0 1/s"}},
      {"a velocity that is a number",
       field_of("wind", "velocity = 3"),
       {"scene.toml:14:1", "field.f.velocity = 3 must be 3 numbers"}},
      {"an infinite pull",
       field_of("attractor", "falloff = 2"),
       {"scene.toml:14:1",
        "field.f.falloff = 2 makes the acceleration infinite at the point; give a softening"}},
      {"an axis without direction",
       field_of("vortex", "axis = [0, 0, 0]"),
       {"scene.toml:14:1", "field.f.axis = [0, 0, 0] has no direction; [0, 1, 0] is upright"}},
      {"a material that is none",
       field_of("drag", "material = [\"wex\"]"),
       {"scene.toml:14:1", "field.f.material names \"wex\", which is not a material", "wax"}},
      {"no material",
       field_of("drag", "material = []"),
       {"scene.toml:14:1", "field.f.material = [] must be a text or a list of them"}},
      {"a region of a mesh",
       field_of("drag", "region = { mesh = \"a.obj\" }"),
       {"scene.toml:14:1", "field.f.region cannot be of type \"mesh\"; use a solid"}},
      {"an edge of nothing",
       field_of("drag", "edge = 0.1"),
       {"scene.toml:14:1", "field.f.edge is of a region, and the field has none"}},
      {"an event for a field that is none",
       event_with("\"field.f.rate\" = 1"),
       {"scene.toml:14:9", "there is no field.f here", "field.NAME.KEY"}},
      {"an event for a key that stays",
       field_of("wind", "[[event]]\ntime = 1\nset = { \"field.f.eddy_size\" = 1 }"),
       {"scene.toml:16:9", "field.f.eddy_size", "cannot change while running"}},
      {"a wind out of the plane",
       flat(with_line(2, "gravity = [0, 0, 0]") +
            "[field.f]\ntype = \"wind\"\nvelocity = [0, 0, 1]"),
       {"scene.toml:15:1", "field.f.velocity has z = 1; a scene with dimensions = 2"}},
      {"a vortex out of the plane",
       flat(with_line(2, "gravity = [0, 0, 0]") + "[field.f]\ntype = \"vortex\"\naxis = [0, 1, 0]"),
       {"scene.toml:15:1", "field.f.axis = [0, 1, 0] would turn matter out of the plane"}},
      {"some materials of a grid",
       "[material.a]\nmethod = \"mpm\"\n[material.b]\nmethod = \"mpm\"\n[body.b]\nmaterial = "
       "\"a\"\nshape = { type = \"box\", size = [1, 1, 1] }\nspacing = 0.1\n[field.f]\ntype = "
       "\"drag\"\nmaterial = [\"a\"]",
       {"scene.toml:11:1",
        "field.f.material names a and not b, but materials of mpm share one grid"}},
  });
}

TEST_CASE("a_plane_that_means_nothing_or_cannot_be_is_refused") {
  const std::string flat_top = "dimensions = 2", stress = "plane = \"stress\"";
  check_all({
      {"in space",
       elastic("dimensions = 3", stress, "method = \"lattice\"\nyoungs_modulus = 1e5"),
       {"scene.toml:3:1", "world.plane = \"stress\" is of flat scenes; remove it"}},
      {"of a liquid",
       elastic(flat_top, "plane = \"strain\"", "method = \"sph\""),
       {"scene.toml:3:1", "world.plane = \"strain\" does nothing here", "\"lattice\" or \"mpm\""}},
      {"a word that is none",
       elastic(flat_top, "plane = \"shear\"", "method = \"mpm\""),
       {"scene.toml:3:1", "world.plane = \"shear\" must be one of"}},
      {"a sheet of snow",
       elastic(flat_top, stress, "method = \"mpm\"\nlaw = \"snow\""),
       {"scene.toml:3:1", "world.plane = \"stress\" cannot be: material.m.law = \"snow\"",
        "\"neo_hookean\"", "world.plane = \"strain\""}},
      {"a sheet of water",
       elastic(flat_top, stress, "method = \"mpm\"\nlaw = \"liquid\""),
       {"scene.toml:3:1", "material.m.law = \"liquid\""}},
      {"a sheet that steps implicitly",
       elastic(flat_top, stress,
               "method = \"mpm\"\nlaw = \"corotated\"\nintegration = \"implicit\""),
       {"scene.toml:3:1", "material.m.integration = \"implicit\" has no stiffness of sheets"}},
      {"a sheet that an event makes sand",
       elastic(flat_top, stress, "method = \"mpm\"\nlaw = \"corotated\"") +
           "[[event]]\ntime = 1\nset = { \"material.m.law\" = \"sand\" }",
       {"scene.toml:13:9", "law = \"sand\""}},
  });
}

}  // namespace phyxel
