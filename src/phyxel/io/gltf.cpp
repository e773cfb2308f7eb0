#include <cstdint>
#include <cstring>
#include <fmt/format.h>
#include <limits>

#include "phyxel/core/error.h"
#include "phyxel/core/file.h"
#include "phyxel/io/file_numbers.h"
#include "phyxel/io/mesh_write.h"
#include "phyxel/io/surface_data.h"

// Khronos Group, glTF 2.0 Specification: https://registry.khronos.org/glTF/specs/2.0/glTF-2.0.html

namespace phyxel {

namespace {

constexpr int array_buffer = 34962, element_array_buffer = 34963;  // bufferView.target
constexpr int type_float = 5126, type_uint32 = 5125;               // accessor.componentType

/// The two chunks of a .glb file while they grow.
struct Glb {
  std::string attributes, accessors, views;  // JSON, comma-separated
  std::vector<char> data;
  int arrays = 0;

  /// The next view and accessor, over `numbers`; its number.
  template <class T>
  int array(const std::vector<T>& numbers, int components, int type, int target,
            const std::string& more = "") {
    const char* shapes[] = {"", "SCALAR", "VEC2", "VEC3", "VEC4"};
    const char* comma = arrays ? "," : "";
    const std::size_t bytes = numbers.size() * sizeof(T), first = data.size();
    views += fmt::format(R"({}{{"buffer":0,"byteOffset":{},"byteLength":{},"target":{}}})", comma,
                         first, bytes, target);
    accessors +=
        fmt::format(R"({}{{"bufferView":{},"componentType":{},"count":{},"type":"{}"{}}})", comma,
                    arrays, type, numbers.size() / components, shapes[components], more);
    data.resize(first + bytes);
    std::memcpy(data.data() + first, numbers.data(), bytes);
    return arrays++;
  }

  void attribute(const char* name, const std::vector<float>& numbers, int components,
                 const std::string& more = "") {
    const char* comma = attributes.empty() ? "" : ",";
    const int accessor = array(numbers, components, type_float, array_buffer, more);
    attributes += fmt::format(R"({}"{}":{})", comma, name, accessor);
  }
};

template <class T, int N>
std::vector<float> as_floats(const std::vector<Vec<T, N>>& values) {
  std::vector<float> numbers;
  numbers.reserve(values.size() * N);
  for (const Vec<T, N>& value : values)
    for (int c = 0; c < N; ++c) numbers.push_back(static_cast<float>(value[c]));
  return numbers;
}

/// "min" and "max" of a POSITION: of the floats as written, in digits that give them back exactly.
std::string limits_of(const std::vector<float>& positions) {
  float low[3], high[3];
  for (int c = 0; c < 3; ++c) low[c] = high[c] = positions[c];
  for (std::size_t k = 0; k < positions.size(); ++k) {
    low[k % 3] = std::min(low[k % 3], positions[k]);
    high[k % 3] = std::max(high[k % 3], positions[k]);
  }
  return fmt::format(R"(,"min":[{:.9g},{:.9g},{:.9g}],"max":[{:.9g},{:.9g},{:.9g}])", low[0],
                     low[1], low[2], high[0], high[1], high[2]);
}

/// glTF wants length 1: those without a direction look up.
std::vector<float> unit_normals(const std::vector<Vec3>& normals) {
  std::vector<Vec3> units;
  units.reserve(normals.size());
  for (const Vec3& normal : normals) {
    const Real size = length(normal);
    const bool directed = size > 0 && is_finite(normal * (1 / size));
    units.push_back(directed ? normal * (1 / size) : Vec3{0, 1, 0});
  }
  return as_floats(units);
}

std::vector<float> turned_over(const std::vector<Vec2>& texture) {
  std::vector<float> numbers = as_floats(texture);
  for (std::size_t k = 1; k < numbers.size(); k += 2) numbers[k] = 1 - numbers[k];
  return numbers;
}

std::vector<float> linear_colours(const FrameColumn& colour, std::size_t count) {
  std::vector<float> numbers;
  numbers.reserve(count * colour.components);
  for (std::size_t i = 0; i < count; ++i)
    for (int c = 0; c < colour.components; ++c) numbers.push_back(colour_light(colour, i, c));
  return numbers;
}

/// Half dull and seen from both sides; its colour is that of the vertices.
constexpr const char* material =
    R"({"pbrMetallicRoughness":{"baseColorFactor":[1,1,1,1],"metallicFactor":0,)"
    R"("roughnessFactor":0.5},"doubleSided":true,"alphaMode":"OPAQUE"})";

void add_arrays(const SurfaceMesh& surface, Glb& glb) {
  const std::vector<float> positions = as_floats(surface.mesh.vertices);
  glb.attribute("POSITION", positions, 3, limits_of(positions));
  if (!surface.normals.empty()) glb.attribute("NORMAL", unit_normals(surface.normals), 3);
  if (!surface.texture.empty()) glb.attribute("TEXCOORD_0", turned_over(surface.texture), 2);
  if (const FrameColumn* colour = colour_of(surface.attributes))
    glb.attribute("COLOR_0", linear_colours(*colour, surface.mesh.vertices.size()),
                  colour->components);
}

/// Where the surface stands; its vertices are relative to that.
std::string translation_of(const SurfaceMesh& surface) {
  const Vec3d& o = surface.origin;
  if (o == Vec3d::zero()) return "";
  return fmt::format(R"(,"translation":[{},{},{}])", o[0], o[1], o[2]);
}

std::string json_of(const SurfaceMesh& surface, Glb& glb) {
  const std::string head =
      R"({"asset":{"version":"2.0","generator":"phyxel"},"scene":0,"scenes":[{"nodes":[0]}],)";
  const std::vector<Int3>& triangles = surface.mesh.triangles;
  if (triangles.empty()) return head + R"("nodes":[{"name":"surface"}]})";
  add_arrays(surface, glb);
  std::vector<std::uint32_t> corners(triangles.size() * 3);
  std::memcpy(corners.data(), triangles.data(), triangles.size() * sizeof(Int3));
  const int indices = glb.array(corners, 1, type_uint32, element_array_buffer);
  return head + R"("nodes":[{"name":"surface","mesh":0)" + translation_of(surface) +
         R"(}],"materials":[)" + material +
         fmt::format(R"(],"meshes":[{{"primitives":[{{"attributes":{{{}}},"indices":{},)",
                     glb.attributes, indices) +
         R"("material":0,"mode":4}]}],"accessors":[)" + glb.accessors + R"(],"bufferViews":[)" +
         glb.views + fmt::format(R"(],"buffers":[{{"byteLength":{}}}]}})", glb.data.size());
}

void write_chunk(FileWriter& file, const char* type, const char* data, std::size_t size) {
  const auto bytes = static_cast<std::uint32_t>(size);
  file.write(&bytes, sizeof bytes);
  file.write(type, 4);
  file.write(data, size);
}

}  // namespace

void write_glb(const std::filesystem::path& path, const SurfaceMesh& surface) {
  static_assert(!host_is_big_endian, "numbers are written as they lie in memory");
  check_surface(surface, path.string());
  Glb glb;
  std::string json = json_of(surface, glb);
  json.resize((json.size() + 3) / 4 * 4, ' ');  // chunks are multiples of 4 bytes
  const std::size_t size = 20 + json.size() + (glb.data.empty() ? 0 : 8 + glb.data.size());
  if (size > std::numeric_limits<std::uint32_t>::max())
    throw Error(Place{path.string()}, fmt::format("{} bytes do not fit into a .glb file of at most "
                                                  "4 GiB; write .ply or coarser triangles",
                                                  size));
  write_atomically(path, [&](FileWriter& file) {
    const std::uint32_t opening[] = {0x46546c67, 2, static_cast<std::uint32_t>(size)};  // "glTF"
    file.write(opening, sizeof opening);
    write_chunk(file, "JSON", json.data(), json.size());
    if (!glb.data.empty()) write_chunk(file, "BIN\0", glb.data.data(), glb.data.size());
  });
}

}  // namespace phyxel
