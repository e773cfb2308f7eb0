#include "phyxel/app/pictures/loaded_frame.h"

#include "phyxel/app/surfaces/scene_surfaces.h"
#include "phyxel/io/mesh_read.h"
#include "phyxel/io/points.h"
#include "phyxel/io/surfels_read.h"
#include "phyxel/surfaces/surfels/surfel_set.h"

namespace phyxel {

LoadedFrame load_frame(const FrameFile& file, double fps) {
  LoadedFrame loaded;
  if (holds_a_surface(file.path)) {
    loaded.surface = read_surface(file.path);
    if (volume(loaded.surface.mesh) < 0) loaded.surface.mesh = flipped(loaded.surface.mesh);
    loaded.frame = vertices_of(loaded.surface);
  } else {
    loaded.frame = read_points(file.path);
    if (has_surfels(loaded.frame.columns)) loaded.surfels = surfels_in(loaded.frame, "surfels");
  }
  loaded.frame.index = file.number;
  if (loaded.frame.time == 0) loaded.frame.time = file.number / fps;
  return loaded;
}

LoadedFrame in_scene(LoadedFrame loaded, const Scene& scene) {
  loaded.frame = rebased(std::move(loaded.frame), scene.origin);
  loaded.surface = rebased(std::move(loaded.surface), scene.origin);
  if (loaded.surfels) loaded.surfels->columns.front() = loaded.frame.columns.front();
  return loaded;
}

}  // namespace phyxel
