#pragma once

#include <filesystem>

#include "phyxel/matter/surface_mesh.h"

namespace phyxel {

/// The looks of a surface in a .glb file: the metallic-roughness model of glTF.
struct GlbMaterial {
  Vec<float, 4> base_colour{1, 1, 1, 1};  // sRGB code values and alpha, 0..1; times `colour`
  float metallic = 0;                     // 0..1
  float roughness = 0.5f;                 // 0..1
  bool double_sided = true;
};

/// Binary glTF 2.0 of one surface: positions, normals, texture and the attribute `colour` as 32-bit
/// floats. v is turned over, as glTF counts it from the top; colours become linear light. Written
/// atomically. An empty surface becomes a node without a mesh, since glTF has no empty arrays.
void write_glb(const std::filesystem::path& path, const SurfaceMesh& surface,
               const GlbMaterial& material = {});

}  // namespace phyxel
