#pragma once

#include "phyxel/scene/scene.h"

namespace phyxel {

struct Mistakes;

/// Refuses wrong combinations of values of a scene that has been read; needs no geometry. Tables
/// with mistakes are not checked.
void check_scene(const Scene& scene, Mistakes& mistakes);

/// Refuses values that the methods of the bodies would ignore.
void check_methods(const Scene& scene);

}  // namespace phyxel
