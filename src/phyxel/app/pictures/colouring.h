#pragma once

#include <optional>

#include "phyxel/matter/frame.h"
#include "phyxel/render/legend.h"
#include "phyxel/scene/scene.h"

namespace phyxel {

/// Colour as scene files write it: sRGB code values from 0 to 1.
render::Colour to_colour(const Vec3& code);

/// Which colours the points of a frame have, by what the scene says. The range of the colours
/// follows from the whole frame; they are then asked for parts of it and for surfaces around it.
class Colouring {
 public:
  /// Throws where the frame has no such attribute.
  Colouring(const Scene& scene, const Frame& frame);

  /// One for each point; `own` where nothing but the material decides.
  std::vector<render::Colour> colours(const Frame& points,
                                      const std::optional<render::Colour>& own = {}) const;
  const std::optional<render::Legend>& legend() const { return legend_; }

 private:
  std::vector<render::Colour> by_value(const Frame& points) const;
  std::vector<render::Colour> by_body(const Frame& points) const;

  const Scene* scene_;
  std::string attribute_;  // "": by body
  std::optional<render::Legend> legend_;
};

}  // namespace phyxel
