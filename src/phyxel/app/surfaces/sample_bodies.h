#pragma once

#include "phyxel/app/surfaces/rest_mesh.h"
#include "phyxel/surfaces/surfels/surfels.h"

namespace phyxel {

/// The bodies of a [surface.NAME] table at the start.
struct SampledBodies {
  Surfels surfels;
  Column<Index> body;           // of each surfel, by number in the scene
  Real spacing = 0;             // of the surfels, m
  std::vector<Vec3> points;     // the particles of the bodies, one body after the other
  Column<Index> body_of_point;  // by number in the scene
  std::vector<std::string> warnings;
};

/// Surfels of the shapes of the bodies, or of the mesh of the table, with its colours. `spacing`:
/// of the particles, m. Throws InputError with a place in the scene where a surface is open or does
/// not suit the spacing.
SampledBodies sample_bodies(const Exec& exec, const Scene& scene, const SurfaceSpec& spec,
                            const std::vector<std::size_t>& bodies, Real spacing);

}  // namespace phyxel
