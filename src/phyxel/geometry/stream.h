#pragma once

#include <vector>

#include "phyxel/geometry/sampling.h"

namespace phyxel {

/// Layers of a lattice that are kept in a nozzle: as many as the reach of particles.
constexpr int held_layers = 3;

/// Matter that comes out of a nozzle: layers of points across the mouth, one behind the other, and
/// after the last the first again.
struct Stream {
  Vec3 direction = {0, -1, 0};            // unit
  std::vector<std::vector<Vec3>> layers;  // points as they pass the mouth, m; two of a lattice
  Vec3 mouth = Vec3::zero();              // a point of the plane that layers pass, m
  Real thickness = 0;                     // from layer to layer, m
  Real area = 0;           // of the mouth, m^2: what a layer stands for over its thickness
  int held = held_layers;  // layers behind the mouth

  const std::vector<Vec3>& layer(std::int64_t k) const { return layers[k % layers.size()]; }
  std::size_t points() const;  // of all layers
  double points_per_layer() const { return double(points()) / double(layers.size()); }
  bool empty() const { return points() == 0; }
};

/// The mouth is where the plane through the middle of the shape, across the direction, cuts it. The
/// packing is one of those that have layers, closest, hexagonal, cubic or jittered, of which the
/// last two have the same; or poisson, whose layers are thin slices of a stream without order, in
/// which no two points are nearer than the spacing. In 2 dimensions the mouth is a line in the
/// plane z = 0.
Stream make_stream(const Shape& shape, const Vec3& direction, Packing packing, Real spacing,
                   int dimensions, std::uint32_t seed = 0);

}  // namespace phyxel
