#pragma once

#include "phyxel/app/pictures/colouring.h"
#include "phyxel/app/surfaces/scene_surfaces.h"
#include "phyxel/colliders/collider.h"
#include "phyxel/core/exec.h"
#include "phyxel/matter/frame.h"
#include "phyxel/render/camera.h"
#include "phyxel/render/image.h"
#include "phyxel/render/looks.h"
#include "phyxel/scene/scene.h"

namespace phyxel {

/// Turns frames of one scene into pictures. Everything follows from the scene and the frame alone,
/// so that pictures are the same during a run and later.
class Photographer {
 public:
  explicit Photographer(const Scene& scene);
  /// Throws where pictures of such frames cannot be made: an attribute that is not there.
  void check(const Frame& frame) const;
  /// The frame with its parts, as SurfaceMaker made them.
  render::Image picture(const Exec& exec, const Frame& frame, const std::vector<MatterPart>& parts);
  const render::Camera& camera() const { return camera_; }
  /// Chooses the camera again so that these particles are seen too.
  void include(const Frame& frame);
  /// Chooses the camera so that what it sees stays in the picture while it is turned.
  void look_all_around();
  /// Moves the camera around the vertical through its target.
  void turn(Real degrees);

 private:
  void add_matter(const std::vector<MatterPart>& parts, const Colouring& colouring,
                  render::PictureScene& picture) const;
  Scene scene_;
  std::vector<Collider> colliders_;
  std::vector<Real> radius_of_body_;
  std::vector<render::Look> looks_;                             // of each surface
  std::vector<std::shared_ptr<const render::Image>> textures_;  // of each surface, or null
  std::shared_ptr<const render::Image> environment_;
  Bounds view_;  // what the camera was chosen to show
  render::Camera camera_;
};

}  // namespace phyxel
