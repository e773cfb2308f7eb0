#pragma once

#include <fmt/format.h>
#include <string>
#include <vector>

#include "methods/pbd/crossings.h"
#include "phyxel/scene/build.h"
#include "phyxel/scene/local_origin.h"
#include "phyxel/scene/read_scene.h"

// Worlds of pbd, and what tests read of them.

namespace phyxel::pbd::test {

inline World world_of(const std::string& text) {
  Scene scene = parse_scene(text, "test");
  set_origin(scene, Vec3d::zero());  // tests look at places of the world
  return build(scene);
}

inline Method& method_of(World& world) {
  return *world.methods.front();
}
inline Diagnostics look(World& world) {
  return method_of(world).diagnostics(world.environment);
}

/// Of the first method, by id.
inline std::vector<Vec3d> places(World& world) {
  const HostParticles& p = method_of(world).particles();
  std::vector<Vec3d> x(p.x.size());
  for (Index i = 0; i < p.size(); ++i) x[p.id[i]] = cast<double>(p.x[i]);
  return x;
}

/// Pairs of triangles of all bodies that pass through each other. Ids are vertices.
inline int crossings_of(World& world) {
  TriangleMesh mesh;
  for (const Vec3d& x : places(world)) mesh.vertices.push_back(cast<Real>(x));
  for (const BodySeed& seed : world.seeds)
    for (const Int3& t : seed.mesh.surface.triangles) {
      Int3 ids;
      for (int k = 0; k < 3; ++k)
        ids[k] = static_cast<Index>(seed.first_id) + seed.mesh.point[t[k]];
      mesh.triangles.push_back(ids);
    }
  return pbd::count_crossings(mesh);
}

/// All columns byte by byte, in the order of ids, and the state beside them.
inline std::vector<std::byte> bytes_of(World& world) {
  Method& method = method_of(world);
  const HostParticles& p = method.particles();
  std::vector<Index> order(p.x.size());
  for (Index i = 0; i < p.size(); ++i) order[i] = i;
  std::sort(order.begin(), order.end(), [&](Index a, Index b) { return p.id[a] < p.id[b]; });
  std::vector<std::byte> bytes;
  for (const ColumnView& view : method.columns())
    for (const Index i : order) {
      const auto* from = static_cast<const std::byte*>(view.data) + i * view.element_size();
      bytes.insert(bytes.end(), from, from + view.element_size());
    }
  for (const FrameColumn& pairs : method.save_pairs())
    bytes.insert(bytes.end(), pairs.data.begin(), pairs.data.end());
  return bytes;
}

}  // namespace phyxel::pbd::test
