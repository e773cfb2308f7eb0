#include <cmath>
#include <doctest/doctest.h>

#include "methods/pbd/kinds.h"
#include "methods/pbd/pbd_scenes.h"
#include "pbd/sheets.h"
#include "pbd/statics.h"
#include "phyxel/core/error.h"
#include "phyxel/methods/pbd/constraints/line_bend.h"

using namespace phyxel;
using namespace phyxel::pbd;
using namespace phyxel::pbd::test;
using namespace phyxel::validation::pbd;

namespace {

/// A square sheet in the plane z = 0 with more keys of its material.
std::string sheet(const std::string& keys, const std::string& packing = "closest") {
  return fmt::format(R"(schema = 1
fps = 60
[world]
gravity = [0, 0, 0]
[material.m]
method = "pbd"
density = 200.0
self_contact = false
{}
[body.b]
material = "m"
shape = {{ type = "sheet", width = 1, height = 1 }}
packing = "{}"
spacing = 0.05
thickness = 0.001
)",
                     keys, packing);
}

Springs springs_in(const std::string& text) {
  Scene scene = parse_scene(text, "test");
  set_origin(scene, Vec3d::zero());
  World world = build(scene);
  return springs_of(scene, world);
}

/// Energy per area, J/m^2, of a sheet that is strained in its plane.
double energy_of_strain(const Springs& sheet, double xx, double xy, double yy) {
  std::vector<Vec3d> x, slope(sheet.model.rest.size(), Vec3d::zero());
  for (const Vec3& at : sheet.model.rest) {
    const Vec3d r = cast<double>(at);
    x.push_back({(1 + xx) * r[0] + xy * r[1], xy * r[0] + (1 + yy) * r[1], r[2]});
  }
  double area = 0;
  for (const Int3& t : sheet.model.triangles) {
    const auto at = [&](int k) { return cast<double>(sheet.model.rest[t[k]]); };
    area += length(cross(at(1) - at(0), at(2) - at(0))) / 2;
  }
  return energy_at(sheet, x, slope) / area;
}

/// Of plane stress with a modulus Y, N/m.
double plane_stress(double y, double nu, double xx, double xy, double yy) {
  return y / (2 * (1 - nu * nu)) * (xx * xx + yy * yy + 2 * nu * xx * yy) + y / (1 + nu) * xy * xy;
}

constexpr double strains[][3] = {
    {1e-3, 0, 0}, {0, 0, 1e-3}, {0, 1e-3, 0}, {1e-3, 5e-4, -7e-4}, {1e-3, 0, 1e-3}};

}  // namespace

TEST_CASE("a_sheet_of_triangles_has_the_modulus_and_poissons_ratio_of_its_material") {
  for (const double nu : {0.0, 0.3, 0.45})
    for (const char* packing : {"closest", "cubic"})
      for (const bool own : {true, false}) {
        // 300 N/m: as given, or 0.3 MPa at a thickness of 1 mm.
        const Springs s = springs_in(
            sheet(fmt::format("elements = \"triangles\"\npoissons_ratio = {}\n{}", nu,
                              own ? "stretch_modulus = 300.0" : "youngs_modulus = 3.0e5"),
                  packing));
        // Plates of 0.3 MPa have hinges too, which strains in the plane do not bend.
        for (const auto& [xx, xy, yy] : strains)
          CHECK(energy_of_strain(s, xx, xy, yy) ==
                doctest::Approx(plane_stress(300, nu, xx, xy, yy)).epsilon(0.005));
      }
}

TEST_CASE("cloth_of_triangles_shears_by_the_modulus_between_its_threads") {
  const Springs s =
      springs_in(sheet("elements = \"triangles\"\npoissons_ratio = 0.0\nstretch_modulus = 300.0\n"
                       "shear_modulus = 20.0"));
  CHECK(energy_of_strain(s, 1e-3, 0, 0) == doctest::Approx(300 * 1e-6 / 2).epsilon(0.005));
  CHECK(energy_of_strain(s, 0, 1e-3, 0) == doctest::Approx(20 * 4e-6 / 2).epsilon(0.005));
}

TEST_CASE("springs_of_a_sheet_have_a_poissons_ratio_of_a_third") {
  const Springs s = springs_in(sheet("stretch_modulus = 300.0"));
  // Edges at the sides have half of the area, which some strains see: 1 row of 20.
  for (const auto& [xx, xy, yy] : strains)
    CHECK(energy_of_strain(s, xx, xy, yy) ==
          doctest::Approx(plane_stress(300, 1.0 / 3, xx, xy, yy)).epsilon(0.03));
}

TEST_CASE("a_sheet_of_triangles_that_flies_keeps_both_momenta") {
  World world =
      world_of(sheet("elements = \"triangles\"\nstretch_modulus = 200.0\niterations = 2\n"
                     "bend_stiffness = 1e-4\nbending = \"isometric\""));
  HostParticles& p = method_of(world).particles();
  for (Index i = 0; i < p.size(); ++i) {
    const Vec3 x = p.x[i];
    p.v[i] = cross(Vec3{0, 1, 2}, x) + Vec3{1, 0, Real(0.5) * std::sin(6 * x[0])};
  }
  const Diagnostics before = look(world);
  for (int frame = 0; frame < 10; ++frame) advance(world);
  const Diagnostics after = look(world);
  const double rounding = std::numeric_limits<Real>::epsilon() * 720 * std::sqrt(120.0);
  CHECK(length(after.momentum - before.momentum) < rounding * before.mass);
  CHECK(length(after.angular_momentum - before.angular_momentum) < rounding * before.mass);
  for (const char* name : {"triangle_stretch_energy", "triangle_shear_energy",
                           "triangle_area_energy", "isometric_bend_energy", "strain_max"}) {
    CAPTURE(name);
    double value = 0;
    for (const auto& [key, of] : after.extra)
      if (key == name) value = of;
    CHECK(value > 0);
  }
}

TEST_CASE("a_bend_of_a_line_has_its_gradients_and_closes") {
  const Points<LineBend> bent = {Vec3d{-0.7, 0.1, 0.2}, Vec3d{0, 0.1, -0.1}, Vec3d{0.9, 0.4, 0.3}};
  const Points<LineBend> straight = {Vec3d{-0.5, 0, 0}, Vec3d{0, 0, 0}, Vec3d{0.8, 0, 0}};
  const Vec<double, 2> rest = {1 / 0.5, 1 / 0.8};
  check_kind<LineBend>(bent, rest, 10);
  check_rest<LineBend>(straight, rest);
  check_projection<LineBend>(bent, rest);
  const double angle = 1e-3;
  Points<LineBend> turned = straight;
  turned[2] = {0.8 * std::cos(angle), 0.8 * std::sin(angle), 0};
  CHECK(slope_at<LineBend>(turned, rest).value == doctest::Approx(angle).epsilon(1e-6));
}

TEST_CASE("a_rod_droops_by_its_weight_over_its_flexural_rigidity") {
  // q L^4 / 8 E I = 0.02 L.
  const double rigidity = 19.3, spacing = 0.05;
  World world = world_of(fmt::format(R"(
fps = 60
[world]
gravity = [0, -9.81, 0]
[material.m]
method = "pbd"
density = 1000.0
youngs_modulus = 1e7
flexural_rigidity = {}
substeps = 300
self_contact = false
[body.b]
material = "m"
shape = {{ type = "polyline", points = [[0, 0, 0], [1, 0, 0]] }}
spacing = {}
thickness = 0.02
[pin.wall]
body = "b"
shape = {{ type = "sphere", radius = 0.06 }}
[field.air]
type = "wind"
rate = 20.0
)",
                                     rigidity, spacing));
  for (int frame = 0; frame < 60; ++frame) advance(world);
  const std::vector<Vec3d> x = places(world);
  const HostParticles& p = method_of(world).particles();
  // Vertex j turns by its moment times the spacing over E I, from the second one held.
  double drop = 0;
  for (std::size_t j = 1; j + 1 < x.size(); ++j) {
    double moment = 0;
    for (std::size_t i = j + 1; i < x.size(); ++i)
      moment += 9.81 * double(p.mass[i]) * double(i - j) * spacing;
    drop += moment * spacing / rigidity * double(x.size() - 1 - j) * spacing;
  }
  CHECK(-x.back()[1] == doctest::Approx(drop).epsilon(0.02));
  // The continuous one, clamped in the middle of the first edge.
  const double q = 9.81 * 1000 * M_PI * 1e-4, l = 1 - spacing / 2;
  CHECK(drop == doctest::Approx(q * std::pow(l, 4) / (8 * rigidity)).epsilon(0.05));
}

TEST_CASE("a_strip_stretches_by_its_own_weight") {
  CHECK(hang_strip(2, {"material.cloth.elements=triangles"}) == doctest::Approx(1).epsilon(0.03));
}

TEST_CASE("stiffer_cloth_drapes_less") {
  const double soft = drape(5, 1.6e-5), stiff = drape(5, 6.4e-5);
  CHECK(soft > 0.05);
  CHECK(stiff > soft + 0.1);
  CHECK(stiff < 1);
}

TEST_CASE("keys_of_sheets_that_do_nothing_are_refused_with_a_remedy") {
  const auto message = [](const std::string& text) -> std::string {
    try {
      World world = world_of(text);
      method_of(world).begin(world.environment);
    } catch (const InputError& error) {
      return error.what();
    }
    return "";
  };
  CHECK(message(sheet("shear_modulus = 20.0")).find("elements = \"triangles\"") !=
        std::string::npos);
  CHECK(message(sheet("elements = \"triangles\"\nyield_strain = 0.1")).find("do not yield") !=
        std::string::npos);
  CHECK(message(sheet("bending = \"isometric\"\nyield_angle = 10.0")).find("bending = \"angle\"") !=
        std::string::npos);
}
