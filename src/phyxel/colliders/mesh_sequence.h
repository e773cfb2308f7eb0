#pragma once

#include <memory>
#include <string>
#include <vector>

#include "phyxel/geometry/mesh.h"

namespace phyxel {

struct MeshDistance;  // mesh_distance.h

/// A closed mesh for every frame of an animation made elsewhere. Where all frames have the same
/// triangles, vertices move in straight lines between frames; otherwise the nearest frame is shown.
struct MeshSequence {
  std::vector<TriangleMesh> frames;
  double fps = 24;              // 1/s
  double start = 0;             // s, of the first frame
  bool same_triangles = false;  // in all frames
  bool closed = false;          // all frames, without a hole
};

/// Checks every frame and turns its faces outward. `name` stands in messages. InputError for no
/// frames, a bad fps, or a frame that is no solid.
std::shared_ptr<const MeshSequence> make_mesh_sequence(std::vector<TriangleMesh> frames, double fps,
                                                       double start, const std::string& name);

/// A sequence at one moment. Before the first and after the last frame it is held, at rest.
struct MovingMesh {
  std::shared_ptr<const MeshDistance> mesh;  // null before the first move_to
  double time = 0;                           // s
  double ahead = 0;  // s, from the time of the mesh to `time`: more than 0 with a `step` only
  // How the surface moves; without either it is at rest.
  std::vector<Vec3> velocity;  // m/s, of each vertex where all frames have the same triangles
  std::shared_ptr<const MeshDistance> before, after;  // frames around the nearest one, otherwise
  double interval = 0;                                // s, from before to after

  // Kept: frames prepared for queries while time stays near them.
  Index frame = -1;
  double part = -1;  // of the way to the next frame, of a mesh whose vertices move
  std::shared_ptr<const MeshDistance> frame_mesh;
};

/// Costs nothing when called again with the same time. With a `step` (m) the mesh is made once for
/// each part of the way in which no vertex moves farther: it depends on the time alone.
void move_to(MovingMesh& moving, const MeshSequence& sequence, double time, Real step = 0);

}  // namespace phyxel
