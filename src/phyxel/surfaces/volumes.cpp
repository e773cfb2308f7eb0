#include "phyxel/surfaces/volumes.h"

#include <map>

#include "phyxel/surfaces/surface_scratch.h"

namespace phyxel {

namespace {

using Parts = std::map<int, std::vector<Vec3>>;

/// Positions of each material.
Parts split(const Frame& frame, bool separate) {
  const FrameColumn* material = separate ? frame.find("material") : nullptr;
  Parts parts;
  for (std::size_t i = 0; i < frame.count; ++i)
    parts[material ? static_cast<int>(material->number(i)) : 0].push_back(frame.position(i));
  return parts;
}

Frame bare_frame(const std::vector<Vec3>& x) {
  Frame frame;
  frame.count = x.size();
  frame.columns = {make_frame_column("position", "m", x.data(), x.size())};
  return frame;
}

}  // namespace

Volumes make_volumes(const Exec& exec, const Frame& frame, const SurfaceOptions& options,
                     SurfaceScratch& scratch) {
  SurfaceOptions each = options;
  Volumes volumes;
  volumes.cell = options.cell;
  volumes.origin = frame.origin;
  for (const auto& [material, x] : split(frame, options.separate)) {
    const SurfaceMesh surface = make_surface(exec, bare_frame(x), each, scratch);
    each.cell = volumes.cell = scratch.grid.cell;  // one grid for all
    BodyVolume& body = volumes.bodies.emplace_back();
    body.material = material;
    make_level_set(exec, surface.mesh, volumes.cell, body.distance);
    make_density(exec, scratch.field, volumes.cell, body.density);
    append(volumes.mesh, surface.mesh);
  }
  return volumes;
}

}  // namespace phyxel
