#pragma once

#include "phyxel/colliders/collider.h"
#include "phyxel/core/exec.h"
#include "phyxel/matter/frame.h"
#include "phyxel/render/camera.h"
#include "phyxel/render/image.h"
#include "phyxel/scene/scene.h"

namespace phyxel {

/// Turns frames of one scene into pictures. Everything follows from the scene and the frame alone,
/// so that pictures do not depend on who makes them, or when.
class Photographer {
 public:
  explicit Photographer(const Scene& scene);
  /// Throws where pictures of such frames cannot be made: an attribute that is not there.
  void check(const Frame& frame) const;
  render::Image picture(const Exec& exec, const Frame& frame);
  const render::Camera& camera() const { return camera_; }

 private:
  Scene scene_;
  std::vector<Collider> colliders_;
  std::vector<Real> radius_of_body_;
  Bounds view_;  // what the camera was chosen to show
  render::Camera camera_;
};

}  // namespace phyxel
