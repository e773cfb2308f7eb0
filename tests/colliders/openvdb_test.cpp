#include <cmath>
#include <doctest/doctest.h>
#include <openvdb/openvdb.h>
#include <openvdb/tools/MeshToVolume.h>

#include "geometry/meshes.h"
#include "phyxel/colliders/voxel_distance_view.h"
#include "phyxel/geometry/mesh_distance.h"

using namespace phyxel;

namespace {

/// A ball with dents, of triangles about as large as the voxels.
TriangleMesh dented_ball() {
  TriangleMesh mesh = mesh_icosphere(Real(0.5), 5);
  for (Vec3& v : mesh.vertices)
    v = v * (1 + Real(0.1) * std::sin(9 * v[0]) * std::cos(7 * v[1] + 3 * v[2]));
  return mesh;
}

openvdb::FloatGrid::Ptr level_set(const TriangleMesh& mesh, Real voxel) {
  std::vector<openvdb::Vec3s> points;
  std::vector<openvdb::Vec3I> triangles;
  for (const Vec3& v : mesh.vertices)
    points.emplace_back(float(v[0] / voxel), float(v[1] / voxel), float(v[2] / voxel));
  for (const Int3& t : mesh.triangles) triangles.emplace_back(t[0], t[1], t[2]);
  const openvdb::tools::QuadAndTriangleDataAdapter<openvdb::Vec3s, openvdb::Vec3I> adapter(
      points, triangles);
  return openvdb::tools::meshToVolume<openvdb::FloatGrid>(
      adapter, openvdb::math::Transform(), float(VoxelDistance::band), float(VoxelDistance::band));
}

}  // namespace

TEST_CASE("voxels_have_the_distances_of_openvdb_at_its_nodes") {
  openvdb::initialize();
  const auto mesh = make_mesh_distance(dented_ball(), "ball");
  const Real h = Real(0.025);
  const auto voxels = voxelise(mesh, h);
  int nodes = 0, other_side = 0;
  double sum = 0, most = 0;
  const auto grid = level_set(mesh->mesh, h);
  for (auto it = grid->cbeginValueOn(); it; ++it) {
    const openvdb::Coord at = it.getCoord();
    const Vec3 p{at[0] * h, at[1] * h, at[2] * h};
    const double ours = double(signed_distance(view_of(*voxels), p).distance / h);
    const double difference = std::abs(ours - double(*it));
    ++nodes;
    sum += difference;
    most = std::max(most, difference);
    other_side += std::abs(ours) > 0.5 && (ours < 0) != (*it < 0);
  }
  CHECK(nodes > 10000);
  CHECK(other_side == 0);
  // OpenVDB hands triangles on from node to node: near dents its own distances are up to 0.4
  // voxels off.
  CHECK(most < 0.6);
  CHECK(sum / nodes < 0.01);
}
