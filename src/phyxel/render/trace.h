#pragma once

#include "phyxel/render/ray_scene.h"

namespace phyxel::render {

/// What the paths of each pixel found, averaged: light, and the features that guide the denoiser.
struct Film {
  Image light;                  // scene light
  Image albedo;                 // of the first surface; the background is its own albedo
  Image normal;                 // of the first surface, picture units; zero where there is none
  Image point;                  // of the first surface, picture units
  std::vector<float> variance;  // of `light` over `albedo`, as luminance of the mean
};

/// Path tracing, Kajiya 1986: the key light is sampled at every vertex, sky and fill are found by
/// the reflected rays, and both ways of finding the key are weighted (Veach and Guibas 1995).
Film trace(const Exec& exec, const PictureScene& scene, const Camera& camera,
           const RenderOptions& options);

}  // namespace phyxel::render
