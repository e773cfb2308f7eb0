#pragma once

#include "phyxel/scene/scene.h"
#include "phyxel/surfaces/local_transforms.h"
#include "phyxel/surfaces/skin.h"

namespace phyxel {

/// A mesh tied to the particles of a [surface.NAME] table with method = "skin".
struct SceneSkin {
  std::string name;  // of the table
  Skin skin;
  RestShape rest;
};

/// The mesh of the table or of the bodies' shapes, where the bodies are at the start; around bodies
/// of other shapes the surface of their points. `spacing`: of the particles, m.
SceneSkin make_scene_skin(const Exec& exec, const Scene& scene, const SurfaceSpec& spec,
                          const std::vector<const BodySpec*>& bodies, Real spacing);

/// The mesh where the particles have carried it, with their attributes. They must be those of the
/// start.
SurfaceMesh posed(const Exec& exec, const SceneSkin& skin, const Frame& particles);

}  // namespace phyxel
