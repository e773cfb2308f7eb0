#pragma once

#include "phyxel/render/lights.h"

namespace phyxel::render {

/// What paths of light wander through, in picture units.
struct PathScene {
  const RayScene& rays;
  const Lights& lights;
  const Background& background;
  int bounces;  // off surfaces that are not clear
  float
      brightest;  // light after two reflections is cut here: rare bright paths would show as sparks
};

/// What one path brought.
struct PathLight {
  Colour light = Colour::zero();
  Colour albedo = Colour::filled(1);  // of the first surface that is not clear
};

/// Light from a surface towards the eye, whose ray came along `direction`: path tracing, Kajiya
/// 1986. Sources are aimed at from every surface; sky and fill are found by the reflected rays.
PathLight follow_path(const PathScene& scene, const Surface& first, const Vec3f& direction,
                      Sampler& sampler);

/// Light from a white chalk surface that nothing hides. Draws the numbers that follow_path draws.
Colour open_light(const PathScene& scene, const Vec3f& point, const Vec3f& normal,
                  Sampler& sampler);

}  // namespace phyxel::render
