#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "phyxel/matter/surface_mesh.h"

namespace phyxel {

/// How particles become a Points prim.
struct UsdPoints {
  double radius = 0;  // m, of frames without a column `radius`; 0: the viewer chooses
  std::vector<std::string> primvars = {};  // further columns; those the frame lacks are skipped
};

/// A whole animation in one USD text file (.usda) for usdview, Houdini and Blender: surfaces, whose
/// triangles may change from frame to frame, and particles.
///
///     UsdAnimation animation("water.usda", 24);
///     for (int frame = 0; frame < 100; ++frame) {
///       animation.add_mesh("water", frame, surface_of(frame));
///       animation.add_points("spray", frame, particles_of(frame), {.radius = 0.01});
///     }
///     animation.finish();
///
/// One frame at a time is in memory. USD wants the samples of each attribute together, so they wait
/// in a nameless file beside the target, as large as the target; the target appears whole in
/// finish(). Without finish() nothing is left.
///
/// Frames may come in any order, from one thread at a time. A prim is invisible in frames of the
/// animation that it has no sample of. Names become identifiers: what is no letter, digit or _
/// becomes _.
class UsdAnimation {
 public:
  /// frames_per_second: time codes per second.
  UsdAnimation(const std::filesystem::path& path, double frames_per_second);
  ~UsdAnimation();
  UsdAnimation(UsdAnimation&&) noexcept;
  UsdAnimation& operator=(UsdAnimation&&) noexcept;

  /// The Mesh `name` at one time code: positions, triangles, normals, texture (primvars:st), colour
  /// (displayColor, displayOpacity), velocity (velocities), other attributes as primvars.
  void add_mesh(const std::string& name, double time_code, const SurfaceMesh& surface);

  /// The Points `name` at one time code: positions, and the columns radius (widths), id (ids),
  /// velocity (velocities) and colour where the frame has them.
  void add_points(const std::string& name, double time_code, const Frame& frame,
                  const UsdPoints& options = {});

  /// Writes the file; nothing may be added afterwards.
  void finish();

 private:
  struct Stage;
  std::unique_ptr<Stage> stage_;
};

/// `name` as a USD identifier.
std::string usd_identifier(const std::string& name);

}  // namespace phyxel
