#pragma once

#include <map>
#include <memory>
#include <optional>

#include "phyxel/app/surfaces/scene_skin.h"
#include "phyxel/app/surfaces/surface_choice.h"
#include "phyxel/matter/body_seed.h"
#include "phyxel/matter/surface_mesh.h"
#include "phyxel/scene/scene.h"
#include "phyxel/surfaces/flow_cells.h"
#include "phyxel/surfaces/flow_frame.h"
#include "phyxel/surfaces/surface_scratch.h"
#include "phyxel/surfaces/volumes.h"

namespace phyxel {

/// Some particles of a frame, and what is made of them.
struct MatterPart {
  int table = -1;                           // of Scene::surfaces; -1: no surface is asked for
  Frame particles;                          // these only; of flow: its border
  SurfaceMesh surface;                      // empty where there is none
  std::shared_ptr<const PointField> field;  // where it is traced directly
  std::optional<FrameSet> surfels = {};     // where the surface is made of discs
  bool closed = true;                       // of surfels: they are around a body
};

/// Makes what the [surface.NAME] tables of a scene ask for.
class SurfaceMaker {
 public:
  /// Throws where a file that the tables name cannot be used.
  explicit SurfaceMaker(const Scene& scene);

  /// The particles of each surface in the order of the scene, and last those of none. Surfels are
  /// sets of the frame with the names of their tables (SurfelMaker).
  std::vector<MatterPart> make(const Exec& exec, const Frame& frame);
  /// Throws InputError where a table finds no surface around particles that it has.
  void check(const Exec& exec, const Frame& frame);
  /// True where surfaces come out that can be written.
  bool writes() const;
  /// The same particles on one grid, as fine as the finest surface wants it.
  Volumes volumes(const Exec& exec, const std::vector<MatterPart>& parts);

 private:
  SurfaceOptions options_of(int table) const;
  SurfaceOptions keep_border(const Exec& exec, MatterPart& part);
  bool is_field(int table) const;
  void make_part(const Exec& exec, const Frame& frame, MatterPart& part);

  Scene scene_;
  SurfaceChoice choice_;
  std::map<int, SceneSkin> skins_;               // of the tables that have one
  std::map<int, std::vector<BodySeed>> sheets_;  // of those with method = "body"
  SurfaceScratch scratch_;
  FlowScratch flow_scratch_;
};

/// All surfaces as one, with the attributes that all of them have.
SurfaceMesh joined(const std::vector<MatterPart>& parts);

/// The chosen particles of a frame, in the order given.
Frame select(const Frame& frame, const std::vector<std::size_t>& chosen);

/// The vertices of a surface with what they know, as the points of a frame.
Frame vertices_of(const SurfaceMesh& surface);

/// The points of a set alone.
Frame points_of(const FrameSet& set);

}  // namespace phyxel
