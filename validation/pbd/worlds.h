#pragma once

#include "lattice/common.h"
#include "phyxel/methods/pbd/parameters.h"

namespace phyxel::validation::pbd {

/// A scene of this folder, and its world.
Scene scene_of_pbd(const std::string& scene, const lattice::Changes& changes);
World world_of_pbd(const std::string& scene, const lattice::Changes& changes);

/// Of its first material.
const phyxel::pbd::Parameters& parameters_of_pbd(const World& world);

/// So many substeps that a wave of this speed (m/s) crosses a quarter of a spacing in each: one
/// sweep then reaches the rest of its constraints.
int substeps_for(double speed, double spacing);

}  // namespace phyxel::validation::pbd
