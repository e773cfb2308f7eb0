#pragma once

#include "phyxel/render/ray_scene.h"

namespace phyxel::render {

/// What the paths of each pixel found first, averaged over the paths that found it: light, and the
/// features that guide the denoiser. Picture units.
struct Layer {
  Image light;
  Image albedo;
  Image normal;
  Image point;
  std::vector<float> variance;  // of the mean of light over albedo, as luminance
  std::vector<float> coverage;  // share of the pixel's paths
};

/// Ground and objects are kept apart, so that neither is smoothed into the other where they meet
/// within a pixel.
struct Film {
  Layer ground;
  Layer objects;
  Image background;  // times its share of the pixel
};

/// The picture as it was traced.
Image flatten(const Film& film);

/// Path tracing, Kajiya 1986: the key light is sampled at every vertex, sky and fill are found by
/// the reflected rays, and both ways of finding the key are weighted (Veach and Guibas 1995).
Film trace(const Exec& exec, const PictureScene& scene, const Camera& camera,
           const RenderOptions& options);

}  // namespace phyxel::render
