#pragma once

#include "phyxel/core/vec.h"

namespace phyxel::render {

/// A pinhole or a lens, or for flat scenes parallel rays.
struct Camera {
  Vec3 position{3, 2, 4};        // m
  Vec3 target{0, 0, 0};          // m; in the middle of the picture
  Vec3 up{0, 1, 0};              // points up in the picture
  Real field_of_view = 30;       // degrees, vertical
  Real orthographic_height = 0;  // m across the picture's height; 0: perspective
  Real aperture = 0;             // m, width of the lens; 0: everything is sharp
  Real focus = 0;                // m, distance that is sharp; 0: that of the target
};

/// Unit vectors of the picture: to the right, up, and into the scene.
struct CameraFrame {
  Vec3 right, up, forward;
};
CameraFrame frame_of(const Camera& camera);

/// Where a point lies in the picture: (-1, -1) is the lower left corner, (1, 1) the upper right.
Vec2 project(const Camera& camera, Real aspect, const Vec3& point);

/// From the scene towards the camera: a little from the right and from above.
inline constexpr Vec3 three_quarter_direction{Real(0.5), Real(0.36), Real(0.8)};

/// The camera that looks against `direction` and fills the picture with the box, leaving `margin`
/// (share of the half picture) free at the tightest edges. `flat`: parallel rays along z, for
/// scenes in the xy plane; `direction` is not used then.
Camera frame_bounds(const Bounds& bounds, const Vec3& direction = three_quarter_direction,
                    Real field_of_view = 30, Real aspect = Real(16) / 9, bool flat = false,
                    Real margin = Real(0.06));

}  // namespace phyxel::render
