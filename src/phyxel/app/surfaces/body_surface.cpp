#include "phyxel/app/surfaces/body_surface.h"

#include <algorithm>

#include "phyxel/app/surfaces/scene_surfaces.h"
#include "phyxel/scene/body_points.h"
#include "phyxel/scene/body_seed.h"
#include "phyxel/surfaces/tube.h"

namespace phyxel {

std::vector<BodySeed> sheets_of(const Scene& scene, const std::vector<std::size_t>& bodies) {
  std::vector<BodySeed> sheets;
  ShapeFiles files{scene.folder};
  const std::size_t last = bodies.empty() ? 0 : *std::ranges::max_element(bodies) + 1;
  ParticleId id = 0;
  for (std::size_t b = 0; b < last; ++b) {
    if (scene.bodies[b].nozzle) continue;
    if (std::ranges::find(bodies, b) == bodies.end()) {
      id += static_cast<ParticleId>(body_points(scene, scene.bodies[b], files).size());
      continue;
    }
    sheets.push_back(body_seed(scene, b, id, files));
    id += static_cast<ParticleId>(sheets.back().points.size());
  }
  return sheets;
}

SurfaceMesh sheet_surface(const std::vector<BodySeed>& sheets, const Frame& frame) {
  std::vector<MatterPart> parts;
  for (const BodySeed& sheet : sheets) {
    parts.emplace_back();
    const FrameSet* const found = frame.find_set(sheet.name);
    const bool is_mesh = found && found->kind == SetKind::mesh;
    const FrameSet mesh = is_mesh ? *found : mesh_of(sheet, frame);
    const Real radius = (sheet.thickness > 0 ? sheet.thickness : sheet.spacing) / 2;
    parts.back().surface = sheet.kind == BodyKind::line ? tubes_around(mesh, radius, frame.origin)
                                                        : surface_of(mesh, frame.origin);
  }
  return joined(parts);
}

}  // namespace phyxel
