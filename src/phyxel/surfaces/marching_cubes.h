#pragma once

#include "phyxel/geometry/mesh.h"
#include "phyxel/surfaces/sparse_field.h"

namespace phyxel {

/// The surface where the field is zero: closed, every edge with two triangles, outward, no vertex
/// twice. Vertices and triangles come in the order of the blocks: the same on any thread count.
TriangleMesh marching_cubes(const Exec& exec, const SparseField& field);

}  // namespace phyxel
