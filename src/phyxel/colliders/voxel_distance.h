#pragma once

#include <memory>
#include <string>
#include <vector>

#include "phyxel/colliders/mesh_sequence.h"

namespace phyxel {

/// Signed distance of a mesh on a grid, so that a query costs the same for any number of triangles.
/// A table of places covers the mesh and some space around it: distances are exact at the corners
/// of the places, and a place near the surface has a block of cells with exact distances at all of
/// their nodes. Plain data: any thread may read it.
struct VoxelDistance {
  static constexpr Index edge = 8;        // cells of a block along each axis
  static constexpr Index row = edge + 1;  // nodes of a block along each axis; neighbours share some
  static constexpr Index nodes = row * row * row;
  static constexpr Real band = 3;  // voxels from the surface within which all points have a block

  using Velocity = Vec<float, 3>;

  Real voxel = 0;              // m, edge of a cell
  Vec3 origin = Vec3::zero();  // m, lowest corner of the table, a whole number of places from 0
  Int3 places = {0, 0, 0};     // of the table along each axis
  std::vector<Index> block;    // of each place: its block, or -1; x fastest
  std::vector<float> corner;   // m, distances at the corners of the places; x fastest
  std::vector<float> value;    // m, distances at the nodes of block 0, of block 1, ...
  std::vector<Velocity> corner_velocity, velocity;  // m/s, of the nearest surface; none: at rest
  std::shared_ptr<const MeshDistance> mesh;         // what was voxelised

  Index blocks() const { return static_cast<Index>(value.size() / nodes); }
};

/// The voxels of a mesh that does not change, with edges of `voxel` m. InputError where they would
/// need too much memory, before any is taken; `name` stands in the message for `voxel`.
std::shared_ptr<const VoxelDistance> voxelise(std::shared_ptr<const MeshDistance> mesh, Real voxel,
                                              const std::string& name = "voxel");

/// The voxels of a sequence where its last move_to has left it, with the velocity of its surface.
/// `closed`: its mesh has no holes, so that fewer winding numbers decide about inside and outside.
std::shared_ptr<const VoxelDistance> voxelise(const MovingMesh& moving, Real voxel, bool closed,
                                              const std::string& name = "voxel");

/// Throws what voxelise would.
void check_voxel_size(const TriangleMesh& mesh, Real voxel, bool moving, const std::string& name);

/// False for a mesh so thin that it has no node inside, which matter would pass through.
bool has_inside(const VoxelDistance& voxels);

}  // namespace phyxel
