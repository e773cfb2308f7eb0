#pragma once

#include "phyxel/render/scene.h"

// Small scenes that tests of pictures share.

namespace phyxel::render {

/// The same light from everywhere, no ground, black behind.
inline PictureScene uniform_light(float radiance) {
  PictureScene scene;
  scene.ground.visible = false;
  scene.background = {Colour::zero(), Colour::zero()};
  const Colour c = Colour::filled(radiance);
  scene.lighting.zenith = scene.lighting.horizon = scene.lighting.nadir = c;
  scene.lighting.key_colour = scene.lighting.fill_colour = Colour::zero();
  return scene;
}

inline SphereSet white_sphere(Real radius, const Finish& finish) {
  SphereSet set;
  set.centres = {{0, 0, 0}};
  set.radii = {radius};
  set.colours = {{1, 1, 1}};
  set.finish = finish;
  return set;
}

inline Camera front(Real height) {
  Camera camera;
  camera.position = {0, 0, 5};
  camera.orthographic_height = height;
  return camera;
}

inline RenderOptions square(int pixels, int samples) {
  RenderOptions o;
  o.width = o.height = pixels;
  o.samples = samples;
  return o;
}

inline double mean_luminance(const Image& image, int left, int right, int top, int bottom) {
  double sum = 0;
  for (int y = top; y < bottom; ++y)
    for (int x = left; x < right; ++x) sum += luminance(image.at(x, y));
  return sum / ((right - left) * (bottom - top));
}

}  // namespace phyxel::render
