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
  std::vector<float> brightness;  // mean of light over albedo, as luminance
  std::vector<float> variance;    // of that mean
  std::vector<float> coverage;    // share of the pixel's paths
};

/// Ground and objects are kept apart, so that neither is smoothed into the other where they meet
/// within a pixel.
struct Film {
  Layer ground;
  Layer objects;
  Image background;          // times its share of the pixel
  std::vector<float> alpha;  // share of the pixel that is not background
};

/// The picture as it was traced.
Image flatten(const Film& film);

/// Follows the paths of every pixel: options.samples, or as many as fit into options.seconds.
Film trace(const Exec& exec, const PictureScene& scene, const Camera& camera,
           const RenderOptions& options);

/// Averages each layer's light over neighbours that show the same surface, lie in the same plane
/// and differ by no more than the noise explains: a-trous wavelets, Dammertz et al. 2010, with the
/// variance of the paths as in Schied et al. 2017. Edges and small spheres stay as sharp as they
/// were traced.
void denoise(const Exec& exec, Film& film);

}  // namespace phyxel::render
