#include <cstring>
#include <doctest/doctest.h>

#include "io/test_frames.h"
#include "phyxel/core/error.h"
#include "phyxel/io/points.h"
#include "phyxel/io/set_write.h"
#include "phyxel/io/surfels_read.h"
#include "phyxel/surfaces/surfels/surfel_set.h"

namespace phyxel {
namespace {

Surfels three_surfels() {
  Surfels s;
  s.x = {{0, 0, 0}, {1, 0, Real(0.1)}, {0, 2, 0}};
  s.u = {{Real(0.1), 0, 0}, {0, Real(0.2), 0}, {0, 0, Real(0.3)}};
  s.v = {{0, Real(0.1), 0}, {0, 0, Real(0.1)}, {Real(0.1), 0, Real(0.05)}};
  s.colour = {{1, 0, 0}, {Real(0.2), Real(0.5), Real(0.01)}, {0, 0, 1}};
  s.id = {4, 7, 9};
  return s;
}

Frame frame_far_away() {
  Frame frame;
  frame.origin = {100, 0, 0};
  return frame;
}

bool same_bits(const Column<Vec3>& a, const Column<Vec3>& b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(Vec3)) == 0;
}

}  // namespace

TEST_CASE("surfels_come_back_from_files_as_they_were_written") {
  const TestFolder folder("surfels");
  const Surfels s = three_surfels();
  const Frame frame = frame_far_away();
  for (const char* name : {"skin.ply", "skin.vtp"}) {
    CAPTURE(name);
    write_set(folder / name, surfel_set("skin", s), frame);
    const FrameSet set = read_surfels(folder / name, "skin", frame.origin);
    CHECK(set.kind == SetKind::surfels);
    CHECK(set.name == "skin");
    REQUIRE(set.count == 3);
    const Surfels read = surfels_of(set.columns);
    CHECK(same_bits(read.u, s.u));
    CHECK(same_bits(read.v, s.v));
    CHECK(read.id == s.id);
    for (int k = 0; k < 3; ++k) {
      CHECK(length(read.x[k] - s.x[k]) < 1e-6);  // files have sums of doubles
      // Colours are bytes of the sRGB curve, which is steepest at black: 1/255 there is 3e-4.
      CHECK(length(read.colour[k] - s.colour[k]) < 0.004);
    }
  }
}

TEST_CASE("a_file_of_surfels_has_what_viewers_of_oriented_points_read") {
  const TestFolder folder("surfels");
  write_set(folder / "skin.ply", surfel_set("skin", three_surfels()), Frame{});
  const Frame points = read_points(folder / "skin.ply");
  const FrameColumn *normal = points.find("normal"), *radius = points.find("radius"),
                    *colour = points.find("colour");
  REQUIRE(normal);
  REQUIRE(radius);
  REQUIRE(colour);
  CHECK(normal->number(0, 2) == 1);
  CHECK(normal->number(1, 0) == 1);
  CHECK(radius->number(1) == doctest::Approx(0.2));  // the longer half axis
  CHECK(colour->type == NumberType::uint8);
  CHECK(colour->number(0, 0) == 255);
}

TEST_CASE("points_with_normal_and_radius_of_other_programs_are_round_discs") {
  const Frame points = parse_csv("x,y,z,nx,ny,nz,radius\n1,2,3,0,2,0,0.5\n0,0,0,0,0,0,0.5\n", "c");
  REQUIRE(has_surfels(points.columns));
  const Surfels s = surfels_of(points.columns);
  REQUIRE(s.size() == 2);
  CHECK(length(s.u[0]) == doctest::Approx(0.5));
  CHECK(length(s.v[0]) == doctest::Approx(0.5));
  CHECK(length(cross(s.u[0], s.v[0]) - Vec3{0, Real(0.25), 0}) < 1e-6);
  CHECK(length(cross(s.u[1], s.v[1])) == 0);  // without a normal it has no area
  CHECK(s.colour.empty());
  CHECK(s.id[1] == 1);
}

TEST_CASE("points_without_normals_are_no_surfels") {
  const TestFolder folder("surfels");
  const std::vector<Vec3> x = {{0, 0, 0}};
  Frame points;
  points.count = 1;
  points.columns = {make_frame_column("position", "m", x.data(), 1)};
  write_points(folder / "points.ply", points);
  CHECK(!has_surfels(points.columns));
  CHECK_THROWS_AS(read_surfels(folder / "points.ply", "a", Vec3d::zero()), InputError);
}

TEST_CASE("surfels_are_written_as_surfaces_are_or_as_ply") {
  const FrameSet set = surfel_set("skin", three_surfels());
  CHECK(set_extension(set, "vtp", "ply") == "vtp");
  CHECK(set_extension(set, "ply", "vtp") == "ply");
  CHECK(set_extension(set, "glb", "vtp") == "ply");
}

}  // namespace phyxel
