#pragma once

#include <vector>

#include "phyxel/app/surfaces/surface_choice.h"
#include "phyxel/colliders/collider.h"
#include "phyxel/surfaces/local_transforms.h"
#include "phyxel/surfaces/surfels/advance_surfels.h"

namespace phyxel {

/// The surfels of one [surface.NAME] table with method = "surfels".
struct SceneSurfels {
  std::size_t table = 0;  // of Scene::surfaces
  SurfelSurface surface;
  SurfelOptions options;
  SurfelPhyxels phyxels;  // that it was made for or advanced to last
  bool remembers =
      false;       // its method has a reference shape: each frame follows from the one before
  int frame = -1;  // that it is of
  RestShape rest;  // of the others
};

/// Makes surfels of the particles of each frame, as sets of it with the names of their tables. They
/// carry what pictures are coloured by.
class SurfelMaker {
 public:
  explicit SurfelMaker(const Scene& scene);

  /// The tables, by name.
  std::vector<std::string> names() const;
  /// Whether what it makes follows from all frames before.
  bool remembers() const;
  /// Adds the sets that the frame does not have yet. Tables whose method has a reference shape must
  /// be asked for all frames in order, the first one at the start. Throws InputError with a place
  /// in the scene where a table asks for what cannot be.
  void add_sets(const Exec& exec, Frame& frame);
  /// Of the tables that it has begun with.
  const std::vector<std::string>& warnings() const { return warnings_; }
  /// Whether the sets of a frame can be made from its particles alone.
  static bool is_free(const Frame& frame);

  /// The state of the tables that have one, for checkpoints, and back; of the frame.
  std::vector<SurfelColumns> save() const;
  /// Throws InputError where a table finds no state of its own.
  void load(const std::vector<SurfelColumns>& saved, const Frame& frame);

 private:
  SceneSurfels start(const Exec& exec, std::size_t table, const Frame& particles);
  void follow(const Exec& exec, SceneSurfels& surfels, const Frame& particles);
  std::vector<TouchedSurface> touched(const Exec& exec, const SceneSurfels& by, double time);
  FrameSet set_of(const SceneSurfels& surfels, const Frame& particles) const;

  Scene scene_;
  SurfaceChoice choice_;
  std::vector<std::size_t> tables_;    // of Scene::surfaces
  std::vector<SceneSurfels> surfels_;  // in their order; empty before the first frame
  std::vector<Collider> colliders_;
  std::vector<std::string> warnings_;
  SurfelScratch scratch_;
};

}  // namespace phyxel
