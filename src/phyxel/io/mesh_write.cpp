#include "phyxel/io/mesh_write.h"

#include <cstring>
#include <fmt/format.h>
#include <iterator>

#include "phyxel/io/file.h"

namespace phyxel {

namespace {

std::string header(const TriangleMesh& mesh) {
  const char* type = sizeof(Real) == 8 ? "double" : "float";
  return fmt::format(
      "ply\nformat binary_little_endian 1.0\nelement vertex {0}\n"
      "property {1} x\nproperty {1} y\nproperty {1} z\n"
      "element face {2}\nproperty list uchar int vertex_indices\nend_header\n",
      mesh.vertices.size(), type, mesh.triangles.size());
}

}  // namespace

void write_ply(const std::filesystem::path& path, const TriangleMesh& mesh) {
  write_atomically(path, [&](FileWriter& file) {
    file.write(header(mesh));
    file.write(mesh.vertices.data(), mesh.vertices.size() * sizeof(Vec3));
    for (const Int3& triangle : mesh.triangles) {
      char row[1 + sizeof(Int3)] = {3};
      std::memcpy(row + 1, &triangle, sizeof(Int3));
      file.write(row, sizeof row);
    }
  });
}

void write_obj(const std::filesystem::path& path, const TriangleMesh& mesh) {
  write_atomically(path, [&](FileWriter& file) {
    fmt::memory_buffer line;
    const auto flush = [&] {
      file.write(line.data(), line.size());
      line.clear();
    };
    for (const Vec3& p : mesh.vertices) {
      fmt::format_to(std::back_inserter(line), "v {} {} {}\n", p[0], p[1], p[2]);
      flush();
    }
    for (const Int3& t : mesh.triangles) {
      fmt::format_to(std::back_inserter(line), "f {} {} {}\n", t[0] + 1, t[1] + 1, t[2] + 1);
      flush();
    }
  });
}

}  // namespace phyxel
