#include "phyxel/io/usd.h"

#include <doctest/doctest.h>

#include "io/hostile.h"
#include "io/test_frames.h"
#include "phyxel/io/text_reader.h"

using namespace phyxel;

namespace {

SurfaceMesh one_triangle() {
  SurfaceMesh surface;
  surface.mesh = {{{0, 0, 0}, {1, 0, 0}, {0, 0.5, 0}}, {{0, 1, 2}}};
  surface.normals.assign(3, {0, 0, 1});
  surface.texture = {{0, 0}, {1, 0}, {0, 1}};
  const std::vector<Vec3> colours(3, {1, 0, 1}), velocities(3, {0, -2, 0});
  const std::vector<std::int32_t> bodies = {7, 8, -9};
  surface.attributes = {make_frame_column("colour", "", colours.data(), 3),
                        make_frame_column("velocity", "m/s", velocities.data(), 3),
                        make_frame_column("body", "", bodies.data(), 3)};
  return surface;
}

SurfaceMesh two_triangles() {
  SurfaceMesh surface;
  surface.mesh = {{{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, -2}}, {{0, 1, 2}, {0, 2, 3}}};
  return surface;
}

Frame two_points() {
  Frame frame{0, 0, 2, {}};
  const std::vector<Vec3> x = {{0, 1, 2}, {-1, 0.25, 0}};
  const std::vector<std::uint32_t> id = {4000000000u, 5};
  const std::vector<Real> temperature = {20, 30};
  frame.columns = {make_frame_column("position", "m", x.data(), 2),
                   make_frame_column("id", "", id.data(), 2),
                   make_frame_column("temperature", "degC", temperature.data(), 2)};
  return frame;
}

/// The samples of an attribute, time code and value as written.
std::vector<std::pair<std::string, std::string>> samples(const std::string& text,
                                                         const std::string& declaration) {
  std::vector<std::pair<std::string, std::string>> found;
  const std::size_t at = text.find(" " + declaration + ".timeSamples = {\n");
  if (at == text.npos) return found;
  TextReader lines{text, "", text.find('\n', at) + 1};
  for (std::string_view line = lines.line(); line.find('}') == line.npos; line = lines.line()) {
    line.remove_prefix(line.find_first_not_of(' '));
    const std::size_t colon = line.find(": ");
    REQUIRE((colon != line.npos && line.ends_with(",")));
    found.emplace_back(line.substr(0, colon), line.substr(colon + 2, line.size() - colon - 3));
  }
  return found;
}

using Samples = std::vector<std::pair<std::string, std::string>>;

std::string finished(UsdAnimation& animation, const std::filesystem::path& path) {
  animation.finish();
  const std::string text = read_whole_file(path);
  CHECK(text.starts_with("#usda 1.0\n(\n"));
  CHECK(is_balanced(text));
  return text;
}

std::size_t files_in(const TestFolder& folder) {
  return std::distance(std::filesystem::directory_iterator(folder.path), {});
}

template <class F>
std::string error_of(F&& f) {
  try {
    f();
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

}  // namespace

TEST_CASE("a_mesh_of_changing_triangles_has_one_sample_per_frame_of_every_attribute") {
  const TestFolder folder("usd_mesh");
  UsdAnimation animation(folder / "a.usda", 24);
  SurfaceMesh second = two_triangles();
  second.normals.assign(4, {0, 1, 0});
  animation.add_mesh("water", 1, one_triangle());
  animation.add_mesh("water", 2, second);
  const std::string text = finished(animation, folder / "a.usda");
  CHECK(contains(text, "def Mesh \"water\""));
  CHECK(contains(text, "uniform token subdivisionScheme = \"none\""));
  CHECK(samples(text, "int[] faceVertexCounts") == Samples{{"1", "[3]"}, {"2", "[3, 3]"}});
  CHECK(samples(text, "int[] faceVertexIndices") ==
        Samples{{"1", "[0, 1, 2]"}, {"2", "[0, 1, 2, 0, 2, 3]"}});
  CHECK(samples(text, "point3f[] points") ==
        Samples{{"1", "[(0, 0, 0), (1, 0, 0), (0, 0.5, 0)]"},
                {"2", "[(0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 1, -2)]"}});
  CHECK(samples(text, "normal3f[] normals")[1].second ==
        "[(0, 1, 0), (0, 1, 0), (0, 1, 0), (0, 1, 0)]");
  CHECK(contains(text, "normal3f[] normals (\n            interpolation = \"vertex\"\n"));
  CHECK(samples(text, "float3[] extent") ==
        Samples{{"1", "[(0, 0, 0), (1, 0.5, 0)]"}, {"2", "[(0, 0, -2), (1, 1, 0)]"}});
}

TEST_CASE("attributes_that_a_frame_lacks_are_blocked_there") {
  const TestFolder folder("usd_block");
  UsdAnimation animation(folder / "a.usda", 24);
  animation.add_mesh("water", 0, one_triangle());
  animation.add_mesh("water", 1, two_triangles());
  const std::string text = finished(animation, folder / "a.usda");
  CHECK(samples(text, "texCoord2f[] primvars:st") ==
        Samples{{"0", "[(0, 0), (1, 0), (0, 1)]"}, {"1", "None"}});
  CHECK(samples(text, "color3f[] primvars:displayColor") ==
        Samples{{"0", "[(1, 0, 1), (1, 0, 1), (1, 0, 1)]"}, {"1", "None"}});
  CHECK(samples(text, "vector3f[] velocities") ==
        Samples{{"0", "[(0, -2, 0), (0, -2, 0), (0, -2, 0)]"}, {"1", "None"}});
  CHECK(samples(text, "int[] primvars:body") == Samples{{"0", "[7, 8, -9]"}, {"1", "None"}});
}

TEST_CASE("particles_become_points_with_widths_and_ids") {
  const TestFolder folder("usd_points");
  UsdAnimation animation(folder / "a.usda", 24);
  animation.add_points("spray", 0, two_points(), {.radius = 0.5, .primvars = {"temperature"}});
  const std::string text = finished(animation, folder / "a.usda");
  CHECK(contains(text, "def Points \"spray\""));
  CHECK(samples(text, "point3f[] points") == Samples{{"0", "[(0, 1, 2), (-1, 0.25, 0)]"}});
  CHECK(samples(text, "float[] widths") == Samples{{"0", "[1]"}});
  CHECK(contains(text, "float[] widths (\n            interpolation = \"constant\"\n"));
  CHECK(samples(text, "int64[] ids") == Samples{{"0", "[4000000000, 5]"}});
  CHECK(samples(text, "float[] primvars:temperature") == Samples{{"0", "[20, 30]"}});
  CHECK(samples(text, "float3[] extent") ==
        Samples{{"0", "[(-1.5, -0.25, -0.5), (0.5, 1.5, 2.5)]"}});
}

TEST_CASE("particles_with_a_radius_of_their_own_keep_it") {
  const TestFolder folder("usd_radius");
  UsdAnimation animation(folder / "a.usda", 24);
  Frame frame = two_points();
  const std::vector<Real> radii = {0.25, 2};
  frame.columns.push_back(make_frame_column("radius", "m", radii.data(), 2));
  animation.add_points("spray", 0, frame, {.radius = 7});
  const std::string text = finished(animation, folder / "a.usda");
  CHECK(samples(text, "float[] widths") == Samples{{"0", "[0.5, 4]"}});
  CHECK(contains(text, "float[] widths (\n            interpolation = \"vertex\"\n"));
  CHECK(samples(text, "float3[] extent")[0].second == "[(-3, -1.75, -2), (2, 3, 4)]");
}

TEST_CASE("an_empty_frame_has_empty_arrays") {
  const TestFolder folder("usd_empty");
  UsdAnimation animation(folder / "a.usda", 24);
  animation.add_mesh("water", 0, SurfaceMesh{});
  animation.add_mesh("water", 1, one_triangle());
  Frame none = two_points();
  none.count = 0;
  for (FrameColumn& column : none.columns) column.data.clear();
  animation.add_points("spray", 0, none, {.radius = 1});
  animation.add_points("spray", 1, two_points(), {.radius = 1});
  const std::string text = finished(animation, folder / "a.usda");
  CHECK(samples(text, "int[] faceVertexCounts") == Samples{{"0", "[]"}, {"1", "[3]"}});
  CHECK(samples(text, "point3f[] points")[0].second == "[]");
  CHECK(samples(text, "int64[] ids") == Samples{{"0", "[]"}, {"1", "[4000000000, 5]"}});
  CHECK(samples(text, "float3[] extent")[0].second.starts_with("[(3.4028235e+38, "));
}

TEST_CASE("an_animation_without_frames_is_a_valid_file") {
  const TestFolder folder("usd_none");
  UsdAnimation animation(folder / "a.usda", 24);
  CHECK(contains(finished(animation, folder / "a.usda"), "def Xform \"phyxel\"\n{\n}\n"));
}

TEST_CASE("the_head_of_a_usd_file_gives_time_axis_and_unit") {
  const TestFolder folder("usd_head");
  UsdAnimation animation(folder / "a.usda", 29.97);
  for (const int time : {12, 3, 7}) animation.add_mesh("a", time, one_triangle());
  const std::string text = finished(animation, folder / "a.usda");
  for (const char* line : {"defaultPrim = \"phyxel\"", "upAxis = \"Y\"", "metersPerUnit = 1",
                           "startTimeCode = 3", "endTimeCode = 12", "timeCodesPerSecond = 29.97"})
    CHECK(contains(text, std::string("    ") + line + "\n"));
  const Samples points = samples(text, "point3f[] points");
  REQUIRE(points.size() == 3);
  CHECK(points[0].first == "3");  // in order of time, not of arrival
  CHECK(points[1].first == "7");
  CHECK(!contains(text, "visibility"));
}

TEST_CASE("what_has_no_sample_in_a_frame_is_invisible_there") {
  const TestFolder folder("usd_visibility");
  UsdAnimation animation(folder / "a.usda", 24);
  animation.add_mesh("always", 0, one_triangle());
  animation.add_mesh("always", 1, one_triangle());
  animation.add_mesh("late", 1, one_triangle());
  const std::string text = finished(animation, folder / "a.usda");
  CHECK(samples(text, "token visibility") ==
        Samples{{"0", "\"invisible\""}, {"1", "\"inherited\""}});
  CHECK(text.find("visibility") > text.find("def Mesh \"late\""));
}

TEST_CASE("names_with_odd_characters_become_identifiers_of_their_own") {
  CHECK(usd_identifier("water") == "water");
  CHECK(usd_identifier("hot wax \"2\"") == "hot_wax__2_");
  CHECK(usd_identifier("2nd") == "_2nd");
  CHECK(usd_identifier("") == "_");
  CHECK(usd_identifier("gr\xc3\xbcn") == "gr__n");
  const TestFolder folder("usd_names");
  UsdAnimation animation(folder / "a.usda", 24);
  SurfaceMesh surface = one_triangle();
  surface.attributes[0].name = "st";  // as the texture is called
  surface.attributes[1].name = "a b";
  surface.attributes[2].name = "a/b";
  animation.add_mesh("a b", 0, surface);
  animation.add_mesh("a/b", 0, surface);
  animation.add_mesh("a b", 1, surface);
  const std::string text = finished(animation, folder / "a.usda");
  CHECK(contains(text, "def Mesh \"a_b\"\n"));
  CHECK(contains(text, "def Mesh \"a_b_2\"\n"));
  CHECK(samples(text, "float3[] primvars:st_2").size() == 2);
  CHECK(samples(text, "float3[] primvars:a_b").size() == 2);
  CHECK(samples(text, "int[] primvars:a_b_2").size() == 2);
}

TEST_CASE("columns_of_many_components_are_written_in_rows") {
  const TestFolder folder("usd_wide");
  UsdAnimation animation(folder / "a.usda", 24);
  Frame frame = make_test_frame(2);
  animation.add_points("a", 0, frame, {.primvars = {"deformation", "texture", "missing"}});
  const std::string text = finished(animation, folder / "a.usda");
  const std::string rows = samples(text, "float[] primvars:deformation").at(0).second;
  CHECK(std::count(rows.begin(), rows.end(), ',') == 17);
  CHECK(contains(text, "float[] primvars:deformation (\n            elementSize = 9\n"));
  CHECK(samples(text, "float2[] primvars:texture").size() == 1);
}

TEST_CASE("numbers_that_are_none_are_written_as_usd_reads_them") {
  const TestFolder folder("usd_nan");
  UsdAnimation animation(folder / "a.usda", 24);
  Frame frame = two_points();
  const std::vector<Real> odd = {-std::numeric_limits<Real>::quiet_NaN(),
                                 -std::numeric_limits<Real>::infinity()};
  frame.columns[2] = make_frame_column("temperature", "", odd.data(), 2);
  animation.add_points("a", 0, frame, {.primvars = {"temperature"}});
  const std::string text = finished(animation, folder / "a.usda");
  CHECK(samples(text, "float[] primvars:temperature") == Samples{{"0", "[nan, -inf]"}});
}

TEST_CASE("an_animation_appears_whole_or_not_at_all") {
  const TestFolder folder("usd_atomic");
  {
    UsdAnimation animation(folder / "a.usda", 24);
    animation.add_mesh("water", 0, make_test_surface(50000));  // more than a buffer
    CHECK(files_in(folder) == 0);
  }
  CHECK(files_in(folder) == 0);
  UsdAnimation animation(folder / "a.usda", 24);
  animation.add_mesh("water", 0, make_test_surface(50000));
  const std::string points =
      samples(finished(animation, folder / "a.usda"), "point3f[] points").at(0).second;
  CHECK(std::count(points.begin(), points.end(), '(') == 50000);
  CHECK(files_in(folder) == 1);
}

TEST_CASE("an_animation_refuses_what_contradicts_it") {
  const TestFolder folder("usd_errors");
  UsdAnimation animation(folder / "a.usda", 24);
  animation.add_mesh("water", 3, one_triangle());
  CHECK(contains(error_of([&] { animation.add_mesh("water", 3, one_triangle()); }),
                 "'water' has time code 3 already"));
  CHECK(contains(error_of([&] { animation.add_points("water", 4, two_points()); }),
                 "'water' is a Mesh already; give the Points another name"));
  SurfaceMesh broken = one_triangle();
  broken.normals.pop_back();
  CHECK(
      contains(error_of([&] { animation.add_mesh("water", 4, broken); }), "2 values of 'normal'"));
  SurfaceMesh changed = one_triangle();
  changed.attributes[2] = make_frame_column("body", "", std::vector<float>{1, 2, 3}.data(), 3);
  CHECK(contains(error_of([&] { animation.add_mesh("water", 4, changed); }),
                 "attributes keep their type over an animation"));
  animation.add_mesh("water", 4, one_triangle());  // what failed before leaves no trace
  CHECK(samples(finished(animation, folder / "a.usda"), "int[] primvars:body").size() == 2);
  CHECK(contains(error_of([&] { animation.add_mesh("water", 5, one_triangle()); }),
                 "nothing can be added after finish()"));
  CHECK(contains(error_of([&] { animation.finish(); }), "finish() was called before"));
  CHECK(contains(message_of([&] { UsdAnimation(folder / "b.usda", 0); }), "must be above 0"));
  CHECK(contains(error_of([&] { UsdAnimation(folder / "none/b.usda", 24); }), "folder must exist"));
}

TEST_CASE("prims_far_away_stand_there_by_a_translation_for_all_times") {
  const TestFolder folder("usd");
  UsdAnimation animation(folder / "far.usda", 24);
  SurfaceMesh surface = one_triangle();
  surface.origin = {1e6, 2, 3};
  animation.add_mesh("water", 0, surface);
  surface.origin = {1e6 + 1, 2, 3};  // another frame may have another origin
  animation.add_mesh("water", 1, surface);
  Frame points = two_points();
  points.origin = {0, -5, 0.5};
  animation.add_points("spray", 0, points);
  const std::string text = finished(animation, folder / "far.usda");
  CHECK(text.find("double3 xformOp:translate = (1000000, 2, 3)\n") != text.npos);
  CHECK(text.find("double3 xformOp:translate = (0, -5, 0.5)\n") != text.npos);
  CHECK(text.find("uniform token[] xformOpOrder = [\"xformOp:translate\"]\n") != text.npos);
  const Samples both = samples(text, "point3f[] points");
  REQUIRE(both.size() == 2);
  CHECK(both[0].second == "[(0, 0, 0), (1, 0, 0), (0, 0.5, 0)]");
  CHECK(both[1].second == "[(1, 0, 0), (2, 0, 0), (1, 0.5, 0)]");
}
