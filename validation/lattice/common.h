#pragma once

#include <string>
#include <vector>

#include "phyxel/scene/world.h"

// What the cases of this folder share: scenes, curves, and steps with loads.

namespace phyxel::validation::lattice {

/// "material.rubber.shells=2": changes to a scene.
using Changes = std::vector<std::string>;

/// A scene of this folder.
World world_of(const std::string& scene, const Changes& changes = {});

/// Its one method, and the particles in the order that they have now.
Method& method_of(World& world);
HostParticles& particles_of(World& world);

int frames_of(const World& world);

/// A column of the method.
template <class T>
const T* column(World& world, const std::string& name) {
  for (const ColumnView& view : method_of(world).columns())
    if (view.name == name) return static_cast<const T*>(view.data);
  return nullptr;
}

/// Points of a curve.
struct Point {
  double x, y;
};
using Curve = std::vector<Point>;

/// Columns of numbers; lines of # and of words are left out. The file is named from validation/.
std::vector<std::vector<double>> read_table(const std::string& file);

/// Slope and value at 0 of the straight line that is nearest to the points.
Point straight_line(const Curve& curve);

/// Half of the time between zeros of the curve, doubled: the period of a vibration.
double period_of(const Curve& curve);

/// Particles by their names, which they keep when they are sorted.
using Group = std::vector<ParticleId>;

/// Those whose place fulfils a condition.
template <class Condition>
Group group_where(World& world, const Condition& is_in) {
  const HostParticles& p = particles_of(world);
  Group group;
  for (Index i = 0; i < p.size(); ++i)
    if (is_in(p.x[i])) group.push_back(p.id[i]);
  return group;
}

/// Places of all particles, by id.
std::vector<Vec3d> places_of(World& world);
Vec3d mean_of(const std::vector<Vec3d>& places, const Group& group);

/// How a method's step moves particles, which decides when loads act so that drag sees the velocity
/// that is zero at rest: then it takes nothing from a load.
enum class StepKind {
  positions_first,   // x by v, then v by the forces there: lattice
  velocities_first,  // v by forces, then x by v: pbd
  verlet,            // half of the forces before and half after the motion: mls
};

/// Dead load on a group and drag on everything, which scenes do not have: steps are taken one by
/// one and velocities changed between them.
struct Loading {
  Group loaded;
  Vec3d force = Vec3d::zero();  // on all of them together, N
  double drag = 0;              // rate at which all velocities fall, 1/s
  StepKind kind = StepKind::positions_first;
};

/// Takes steps of the stable size for so many seconds.
void load_for(World& world, const Loading& loading, double seconds);

}  // namespace phyxel::validation::lattice
