#pragma once

#include "phyxel/geometry/shape.h"
#include "phyxel/scene/build.h"
#include "phyxel/scene/read_shape.h"

// The parts of plan() that compare shapes.

namespace phyxel {

/// What the search for overlaps needs of a body.
struct BodyRegion {
  const BodySpec* body = nullptr;
  Shape shape;  // empty for points
  Bounds bounds;
  std::vector<Vec3> points;  // of a body that is given by points: some of them
};

BodyRegion region_of_shape(const BodySpec& body, const Shape& shape);
/// The number of points that are kept is shared among the `bodies` of the scene.
BodyRegion region_of_points(const BodySpec& body, const std::vector<Vec3>& points,
                            std::size_t bodies);

/// What the search has found, and how many pairs it compared.
struct OverlapReport {
  std::vector<InputError> errors;  // bodies within each other, then beyond the domain, then within
                                   // colliders
  std::size_t pairs = 0;           // of which the regions were compared, as their boxes meet
};

/// Bodies that are inside of other bodies or colliders or outside of the domain at time 0.
OverlapReport find_overlaps(const Scene& scene, const std::vector<BodyRegion>& regions,
                            ShapeFiles& files);

/// Bodies of different methods do not interact. Finds those that may meet, by boxes around them;
/// `regions` has every body at the start, `files` the particle files that were read.
std::vector<Meeting> find_meetings(const Scene& scene, const std::vector<BodyRegion>& regions,
                                   ShapeFiles& files);

/// The same by the contact shells of the world at time 0: warnings of matter that is farther apart
/// than it may move are dropped.
void drop_far_meetings(const std::vector<Meeting>& meetings, World& world);

/// Sinks that no matter can reach: no body is of their materials, or all of them are too far away.
std::vector<std::string> sink_warnings(const Scene& scene, const std::vector<BodyRegion>& regions,
                                       ShapeFiles& files);

/// What the methods of sheets and lines say of them; one line for each that has something wrong.
std::vector<std::string> thin_body_warnings(const Scene& scene,
                                            const std::vector<BodyRegion>& regions);

/// One line for every collider that is thinner than a cell of a method with a grid: matter on its
/// two sides shares nodes. Where there are many, only the first few and how many more there are.
std::vector<std::string> thin_colliders(const Scene& scene, ShapeFiles& files);

}  // namespace phyxel
