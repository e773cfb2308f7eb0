#include <doctest/doctest.h>

#include "io/hostile.h"
#include "io/test_frames.h"
#include "phyxel/io/file_numbers.h"
#include "phyxel/io/mesh_write.h"
#include "phyxel/io/text_reader.h"

using namespace phyxel;

namespace {

struct GlbFile {
  std::string json, data;
};

/// Takes the file apart; every length is checked against the bytes that are there.
GlbFile read_glb(const std::filesystem::path& path) {
  const std::string bytes = read_whole_file(path);
  const auto word = [&](std::size_t at) {
    return load_number<std::uint32_t>(bytes.data() + at, false);
  };
  REQUIRE(bytes.size() >= 20);
  CHECK(bytes.substr(0, 4) == "glTF");
  CHECK(word(4) == 2);
  CHECK(word(8) == bytes.size());
  CHECK(bytes.substr(16, 4) == "JSON");
  const std::size_t json = word(12), next = 20 + json;
  CHECK(json % 4 == 0);
  REQUIRE(next <= bytes.size());
  GlbFile file{bytes.substr(20, json), ""};
  CHECK(is_balanced(file.json));
  if (next == bytes.size()) return file;
  CHECK(bytes.substr(next + 4, 4) == std::string("BIN\0", 4));
  CHECK(word(next) == bytes.size() - next - 8);
  CHECK(word(next) % 4 == 0);
  file.data = bytes.substr(next + 8);
  return file;
}

/// The objects of a JSON array of flat objects.
std::vector<std::string> objects_of(const std::string& json, const std::string& name) {
  std::vector<std::string> objects;
  std::size_t at = json.find("\"" + name + "\":[") + name.size() + 4;
  while (json[at] == '{') {
    const std::size_t end = json.find('}', at) + 1;
    objects.push_back(json.substr(at, end - at));
    at = end + (json[end] == ',');
  }
  return objects;
}

std::size_t integer(const std::string& object, const std::string& name) {
  const std::size_t at = object.find("\"" + name + "\":");
  REQUIRE(at != object.npos);
  return std::stoul(object.substr(at + name.size() + 3));
}

std::vector<double> numbers(const std::string& object, const std::string& name) {
  std::size_t at = object.find("\"" + name + "\":[");
  REQUIRE(at != object.npos);
  std::vector<double> values;
  do {
    at = object.find_first_of("[,", at) + 1;
    values.push_back(std::stod(object.substr(at)));
    at = object.find_first_of(",]", at);
  } while (object[at] == ',');
  return values;
}

/// Number k of the view of an accessor that a primitive names.
struct Accessor {
  std::size_t count = 0;
  std::string object;
  const char* data = nullptr;

  Accessor(const GlbFile& file, const std::string& name) {
    object = objects_of(file.json, "accessors").at(integer(file.json, name));
    const std::string view = objects_of(file.json, "bufferViews").at(integer(object, "bufferView"));
    count = integer(object, "count");
    CHECK(integer(view, "byteOffset") % 4 == 0);
    REQUIRE(integer(view, "byteOffset") + integer(view, "byteLength") <= file.data.size());
    data = file.data.data() + integer(view, "byteOffset");
  }
  float real(std::size_t k) const { return load_number<float>(data + 4 * k, false); }
  std::uint32_t index(std::size_t k) const {
    return load_number<std::uint32_t>(data + 4 * k, false);
  }
};

}  // namespace

TEST_CASE("a_glb_file_holds_the_arrays_of_a_surface") {
  const TestFolder folder("glb");
  const SurfaceMesh surface = make_test_surface(101);
  write_glb(folder / "a.glb", surface);
  const GlbFile file = read_glb(folder / "a.glb");
  const Accessor position(file, "POSITION"), normal(file, "NORMAL"), st(file, "TEXCOORD_0"),
      colour(file, "COLOR_0"), indices(file, "indices");
  for (const Accessor* accessor : {&position, &normal, &st, &colour}) CHECK(accessor->count == 101);
  CHECK(indices.count == 99 * 3);
  CHECK(integer(indices.object, "componentType") == 5125);
  CHECK(contains(st.object, "\"VEC2\""));
  int wrong = 0;
  for (std::size_t k = 0; k < 303; ++k) {
    const int c = static_cast<int>(k % 3);
    wrong += position.real(k) != static_cast<float>(surface.mesh.vertices[k / 3][c]);
    wrong += std::abs(normal.real(k) - static_cast<float>(surface.normals[k / 3][c])) > 1e-6f;
  }
  for (std::size_t k = 0; k < indices.count; ++k)
    wrong += indices.index(k) !=
             static_cast<std::uint32_t>(surface.mesh.triangles[k / 3][static_cast<int>(k % 3)]);
  CHECK(wrong == 0);
  CHECK(st.real(1) == 0);  // v = 1, from the top
  CHECK(st.real(19) == 1);
}

TEST_CASE("views_of_a_glb_file_lie_one_behind_the_other_and_fill_the_buffer") {
  const TestFolder folder("glb_views");
  write_glb(folder / "a.glb", make_test_surface(7));
  const GlbFile file = read_glb(folder / "a.glb");
  const auto views = objects_of(file.json, "bufferViews");
  const auto accessors = objects_of(file.json, "accessors");
  REQUIRE(views.size() == 5);
  REQUIRE(accessors.size() == 5);
  const std::size_t element_sizes[] = {12, 12, 8, 12, 4};
  std::size_t next = 0;
  for (std::size_t k = 0; k < 5; ++k) {
    CHECK(integer(views[k], "byteOffset") == next);
    CHECK(integer(views[k], "byteLength") == integer(accessors[k], "count") * element_sizes[k]);
    next += integer(views[k], "byteLength");
  }
  CHECK(next == file.data.size());
  CHECK(integer(file.json.substr(file.json.find("\"buffers\"")), "byteLength") == next);
}

TEST_CASE("min_and_max_of_a_glb_file_are_exactly_those_of_its_floats") {
  const TestFolder folder("glb_limits");
  const SurfaceMesh surface = make_test_surface(50);
  write_glb(folder / "a.glb", surface);
  const GlbFile file = read_glb(folder / "a.glb");
  const Accessor position(file, "POSITION");
  const auto low = numbers(position.object, "min"), high = numbers(position.object, "max");
  REQUIRE((low.size() == 3 && high.size() == 3));
  const Bounds bounds = bounds_of(surface.mesh);
  for (int c = 0; c < 3; ++c) {
    CHECK(static_cast<float>(low[c]) == static_cast<float>(bounds.min[c]));
    CHECK(static_cast<float>(high[c]) == static_cast<float>(bounds.max[c]));
  }
}

TEST_CASE("colours_of_a_glb_file_are_linear_light") {
  const TestFolder folder("glb_colour");
  SurfaceMesh surface;
  surface.mesh = {{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, {{0, 1, 2}}};
  const std::vector<Vec<std::uint8_t, 4>> colours(3, {0, 255, 188, 51});
  surface.attributes = {make_frame_column("colour", "", colours.data(), 3)};
  write_glb(folder / "a.glb", surface);
  const GlbFile file = read_glb(folder / "a.glb");
  const Accessor colour(file, "COLOR_0");
  CHECK(contains(colour.object, "\"VEC4\""));
  CHECK(colour.real(8) == 0);
  CHECK(colour.real(9) == 1);
  CHECK(colour.real(10) == doctest::Approx(0.5029).epsilon(0.001));  // the curve at 188 / 255
  CHECK(colour.real(11) == doctest::Approx(0.2));                    // alpha is linear
}

TEST_CASE("a_glb_file_carries_its_material") {
  const TestFolder folder("glb_material");
  write_glb(folder / "a.glb", make_test_surface(4));
  const std::string json = read_glb(folder / "a.glb").json;
  CHECK(numbers(json, "baseColorFactor") == std::vector<double>{1, 1, 1, 1});
  CHECK(contains(json, "\"metallicFactor\":0,\"roughnessFactor\":0.5"));
  CHECK(contains(json, "\"doubleSided\":true,\"alphaMode\":\"OPAQUE\""));
}

TEST_CASE("normals_without_length_become_unit_vectors_in_glb") {
  const TestFolder folder("glb_normals");
  SurfaceMesh surface;
  surface.mesh = {{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, {{0, 1, 2}}};
  surface.normals = {{0, 0, 0}, {0, 0, 4}, {std::numeric_limits<Real>::quiet_NaN(), 0, 0}};
  write_glb(folder / "a.glb", surface);
  const GlbFile file = read_glb(folder / "a.glb");
  const Accessor normal(file, "NORMAL");
  const float expected[] = {0, 1, 0, 0, 0, 1, 0, 1, 0};
  for (std::size_t k = 0; k < 9; ++k) CHECK(normal.real(k) == expected[k]);
}

TEST_CASE("an_empty_surface_is_a_glb_file_without_arrays") {
  const TestFolder folder("glb_empty");
  for (const std::size_t count : {0, 2}) {
    write_surface(folder / "a.glb", make_test_surface(count));
    const GlbFile file = read_glb(folder / "a.glb");
    CHECK(file.data.empty());
    CHECK(!contains(file.json, "accessors"));
    CHECK(contains(file.json, "\"nodes\":[{\"name\":\"surface\"}]"));
  }
}

TEST_CASE("a_surface_far_away_stands_there_by_a_node_with_vertices_around_it") {
  const TestFolder folder("gltf");
  SurfaceMesh surface;
  surface.mesh = {{{0, 0, 0}, {1, 0, 0}, {0, 0.5, 0}}, {{0, 1, 2}}};
  write_glb(folder / "near.glb", surface);
  surface.origin = {1e6, -0.125, 3};
  write_glb(folder / "far.glb", surface);
  const GlbFile near = read_glb(folder / "near.glb"), far = read_glb(folder / "far.glb");
  CHECK(near.json.find("translation") == near.json.npos);
  CHECK(numbers(far.json, "translation") == std::vector<double>{1e6, -0.125, 3});
  CHECK(near.data == far.data);
}
