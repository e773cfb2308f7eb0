#include "phyxel/surfaces/decimate.h"

// OpenMesh is slow to compile: no other file includes it.
#include <OpenMesh/Core/Mesh/TriMesh_ArrayKernelT.hh>
#include <OpenMesh/Tools/Decimater/DecimaterT.hh>
#include <OpenMesh/Tools/Decimater/ModQuadricT.hh>
#include <cmath>
#include <cstring>

#include "phyxel/core/error.h"

namespace phyxel {

namespace {

struct Traits : OpenMesh::DefaultTraits {
  using Point = OpenMesh::Vec3d;
};
using HalfedgeMesh = OpenMesh::TriMesh_ArrayKernelT<Traits>;

/// OpenMesh prints what it refuses.
void be_quiet() {
  static const bool done = [] {
    omerr().disable();
    return true;
  }();
  static_cast<void>(done);
}

void build(const TriangleMesh& mesh, HalfedgeMesh& out) {
  out.request_vertex_status();  // what is deleted must be known after the decimater is gone
  out.request_edge_status();
  out.request_face_status();
  out.reserve(mesh.vertices.size(), 3 * mesh.triangles.size() / 2, mesh.triangles.size());
  for (const Vec3& p : mesh.vertices) out.add_vertex({double(p[0]), double(p[1]), double(p[2])});
  for (const Int3& t : mesh.triangles) {
    const auto vertex = [&](int k) { return out.vertex_handle(static_cast<unsigned>(t[k])); };
    if (!out.add_face(vertex(0), vertex(1), vertex(2)).is_valid())
      throw Error(
          "the surface has an edge or a corner where more than two sides meet: it cannot "
          "be made of fewer triangles");
  }
}

/// Takes away edges by pulling one end to the other, which keeps the surface closed and simple;
/// the error of a place is its distance from the planes of all triangles that met there. Garland
/// and Heckbert 1997.
void collapse_edges(HalfedgeMesh& mesh, std::size_t triangles) {
  using namespace OpenMesh::Decimater;
  DecimaterT<HalfedgeMesh> decimater(mesh);
  ModQuadricT<HalfedgeMesh>::Handle quadric;
  decimater.add(quadric);
  decimater.module(quadric).unset_max_err();  // it ranks only, and forbids nothing
  decimater.initialize();
  decimater.decimate_to_faces(0, triangles);
}

/// Where each vertex goes, -1 for those that are gone, in the order they had.
std::vector<Index> new_numbers(const HalfedgeMesh& mesh) {
  std::vector<Index> number(mesh.n_vertices(), -1);
  Index next = 0;
  for (std::size_t v = 0; v < number.size(); ++v)
    if (!mesh.status(mesh.vertex_handle(static_cast<unsigned>(v))).deleted()) number[v] = next++;
  return number;
}

template <class T>
void keep(const std::vector<Index>& number, std::vector<T>& values) {
  if (values.empty()) return;
  std::size_t kept = 0;
  for (std::size_t v = 0; v < number.size(); ++v)
    if (number[v] >= 0) values[kept++] = values[v];
  values.resize(kept);
}

void keep(const std::vector<Index>& number, FrameColumn& column) {
  const std::size_t size = column.element_size();
  std::size_t kept = 0;
  for (std::size_t v = 0; v < number.size(); ++v)
    if (number[v] >= 0)
      std::memmove(column.data.data() + kept++ * size, column.data.data() + v * size, size);
  column.data.resize(kept * size);
}

std::vector<Int3> triangles_of(const HalfedgeMesh& mesh, const std::vector<Index>& number) {
  std::vector<Int3> triangles;
  for (const auto face : mesh.faces()) {
    if (mesh.status(face).deleted()) continue;
    Int3 t;
    int k = 0;
    for (auto corner = mesh.cfv_iter(face); corner.is_valid(); ++corner)
      t[k++] = number[corner->idx()];
    triangles.push_back(t);
  }
  return triangles;
}

}  // namespace

bool can_decimate() {
  return true;
}

void decimate(SurfaceMesh& surface, double share) {
  if (!(share >= 0 && share <= 1))
    throw InputError("decimate = " + std::to_string(share) + ": must be from 0 to 1");
  const auto wanted =
      static_cast<std::size_t>(std::llround(share * double(surface.mesh.triangles.size())));
  if (wanted >= surface.mesh.triangles.size()) return;
  be_quiet();
  HalfedgeMesh mesh;
  build(surface.mesh, mesh);
  collapse_edges(mesh, wanted);
  const std::vector<Index> number = new_numbers(mesh);
  surface.mesh.triangles = triangles_of(mesh, number);
  keep(number, surface.mesh.vertices);
  keep(number, surface.normals);
  keep(number, surface.texture);
  for (FrameColumn& column : surface.attributes) keep(number, column);
}

}  // namespace phyxel
