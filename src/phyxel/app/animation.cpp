#include "phyxel/app/animation.h"

#include <algorithm>
#include <limits>

#include "phyxel/io/mesh_read.h"
#include "phyxel/io/points.h"
#include "phyxel/io/usd.h"
#include "phyxel/scene/body_material.h"

namespace phyxel {

void write_animation(const OutputFolder& folder, const Scene& scene) {
  UsdAnimation animation(folder.animation(), scene.fps);
  UsdPoints points;
  points.radius = std::numeric_limits<double>::max();
  for (const BodySpec& body : scene.bodies)
    points.radius =
        std::min<double>(points.radius, rest_spacing(scene, body) * scene.render.particle_radius);
  for (const auto& [frame, path] : particle_frames(folder))
    animation.add_points("particles", frame, read_points(path), points);
  for (const auto& [frame, path] : frame_files(folder.root / "surface", "ply"))
    if (holds_a_surface(path)) animation.add_mesh("surface", frame, read_surface(path));
  animation.finish();
}

}  // namespace phyxel
