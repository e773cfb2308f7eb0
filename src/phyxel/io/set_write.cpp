#include "phyxel/io/set_write.h"

#include <algorithm>

#include "phyxel/io/mesh_write.h"
#include "phyxel/io/points.h"
#include "phyxel/io/vtk.h"

namespace phyxel {

namespace {

std::string known_or_ply(const std::vector<std::string>& formats, const std::string& format) {
  return std::ranges::find(formats, format) == formats.end() ? "ply" : format;
}

Frame frame_of(const FrameSet& set, const Frame& frame) {
  Frame points;
  points.index = frame.index;
  points.time = frame.time;
  points.origin = frame.origin;
  points.count = set.count;
  points.columns = set.columns;
  return points;
}

}  // namespace

std::string set_extension(const FrameSet& set, const std::string& surface_format,
                          const std::string& particle_format) {
  if (set.kind == SetKind::grid) return "vti";
  if (set.kind == SetKind::surfels) return known_or_ply(particle_formats(), surface_format);
  if (set.kind == SetKind::points) return known_or_ply(particle_formats(), particle_format);
  return set.triangles.empty() ? "vtp" : known_or_ply(surface_formats(), surface_format);
}

void write_set(const std::filesystem::path& path, const FrameSet& set, const Frame& frame) {
  if (set.kind == SetKind::grid)
    write_vti(path, set, frame.origin);
  else if (set.kind == SetKind::points || set.kind == SetKind::surfels)
    write_points(path, frame_of(set, frame));
  else if (set.triangles.empty())
    write_vtp(path, frame_of(set, frame), set.edges);
  else
    write_surface(path, surface_of(set, frame.origin));
}

}  // namespace phyxel
