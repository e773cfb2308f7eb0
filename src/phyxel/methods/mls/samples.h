#pragma once

#include "phyxel/matter/body_seed.h"

namespace phyxel::mls {

/// What a body's points say of its phyxels.
struct Samples {
  std::vector<Real> support;  // h, m
  std::vector<Real> volume;   // m^3; adds up to that of the body
};

/// Mean distance of the ten nearest others of each point, m; of all where there are fewer, and 0
/// where there are none. `spacing`: about how far neighbours are.
std::vector<Real> mean_distances(const std::vector<Vec3>& points, Real spacing);

/// Supports are `support` times the mean distance of the ten nearest. Points of a regular packing
/// have one support and stand for the same volume, others for one in proportion to the cube of that
/// distance (the square in a plane or a sheet). Mueller et al. 2004, section 3.2;
/// docs/methods/mls.md#put-right.
Samples sample_body(const BodySeed& seed, Real support, int dimensions);

}  // namespace phyxel::mls
