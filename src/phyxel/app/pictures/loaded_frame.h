#pragma once

#include <filesystem>
#include <optional>

#include "phyxel/app/surfaces/surface_choice.h"
#include "phyxel/matter/surface_mesh.h"

namespace phyxel {

struct FrameFile {
  int number = 0;
  std::filesystem::path path;
};

/// A frame from the disk: particles, the vertices of a surface, or surfels.
struct LoadedFrame {
  Frame frame;
  SurfaceMesh surface;                   // empty: none
  std::optional<FrameSet> surfels = {};  // of a file of them

  bool is_surface() const { return surfels || !surface.mesh.triangles.empty(); }
};

LoadedFrame load_frame(const FrameFile& file, double fps);

/// The frame relative to the origin of the scene that it is drawn with.
LoadedFrame in_scene(LoadedFrame loaded, const Scene& scene);

}  // namespace phyxel
