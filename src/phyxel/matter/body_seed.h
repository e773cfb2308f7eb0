#pragma once

#include <string>
#include <vector>

#include "phyxel/geometry/body_mesh.h"
#include "phyxel/geometry/sampling.h"
#include "phyxel/geometry/transform.h"
#include "phyxel/matter/particles.h"

namespace phyxel {

/// What the particles of a body are at rest: parts of a volume, of a sheet or of a line.
enum class BodyKind { volume, sheet, line };

/// A body as it is handed to its method: its points, and how they came about. Particle k of the
/// body, of id first_id + k, is at points[k].
struct BodySeed {
  std::string name;
  Index body = -1;      // into World::bodies
  Index material = -1;  // into World::materials
  ParticleId first_id = 0;
  BodyKind kind = BodyKind::volume;
  std::vector<Vec3> points;       // m, where they are at rest
  std::size_t own_points = 0;     // of the body; `points` may be given back
  std::vector<ParticleId> added;  // ids of the points behind these, which tears have made
  BodyMesh mesh;                  // of its surface, or of a line; empty where there is none
  Transform frame;                // its centre and axes: x in the world = frame x in the body
  Packing packing = Packing::closest;
  Real spacing = 0;    // m, between neighbouring points
  Real volume = 0;     // m^3, that each point stands for; m^2 in flat scenes
  Real thickness = 0;  // m, of a sheet or a line; 0: volume over the area or length of a point

  ParticleId id_of(Index point) const {
    const auto k = static_cast<std::size_t>(point);
    return k < own_points ? first_id + k : added[k - own_points];
  }
};

}  // namespace phyxel
