#include "phyxel/colliders/mesh_sequence.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

#include "phyxel/core/error.h"
#include "phyxel/geometry/mesh_distance.h"

namespace phyxel {

namespace {

bool have_same_triangles(const std::vector<TriangleMesh>& frames) {
  return std::all_of(frames.begin(), frames.end(), [&](const TriangleMesh& mesh) {
    return mesh.vertices.size() == frames[0].vertices.size() &&
           mesh.triangles == frames[0].triangles;
  });
}

std::shared_ptr<const MeshDistance> prepared(TriangleMesh mesh, TriangleBvh bvh) {
  auto result = std::make_shared<MeshDistance>();
  result->bounds = bounds_of(mesh);
  result->winding = make_winding_tree(bvh);
  result->bvh = std::move(bvh);
  result->mesh = std::move(mesh);
  return result;
}

/// A frame ready for queries, without welding: its vertices must stay those of the other frames.
std::shared_ptr<const MeshDistance> prepared(const TriangleMesh& mesh) {
  return prepared(mesh, make_triangle_bvh(mesh));
}

/// Prepares `frame` unless it is the one prepared last. What is prepared depends on the time only,
/// so that a resumed run meets the same trees.
void prepare_frame(MovingMesh& moving, const MeshSequence& sequence, Index frame) {
  if (moving.frame == frame) return;
  moving.frame = frame;
  moving.frame_mesh = prepared(sequence.frames[frame]);
}

/// In how many parts the way from a frame to the next goes, none longer than `step` m.
double parts_between(const MeshSequence& sequence, Index frame, Real step) {
  const auto &from = sequence.frames[frame].vertices, &to = sequence.frames[frame + 1].vertices;
  Real longest = 0;
  for (std::size_t k = 0; k < from.size(); ++k)
    longest = std::max(longest, length_squared(to[k] - from[k]));
  return std::max(1.0, std::ceil(std::sqrt(double(longest)) / double(step)));
}

void move_vertices(MovingMesh& moving, const MeshSequence& sequence, double position, Real step) {
  const auto frame = static_cast<Index>(position);
  const double parts = step > 0 ? parts_between(sequence, frame, step) : 0;
  const double part = step > 0 ? std::floor((position - frame) * parts) / parts : position - frame;
  moving.ahead = (position - frame - part) / sequence.fps;
  if (moving.frame == frame && moving.part == part) return;
  moving.part = part;
  prepare_frame(moving, sequence, frame);
  const auto s = static_cast<Real>(part);
  const auto fps = static_cast<Real>(sequence.fps);
  TriangleMesh mesh = sequence.frames[frame];
  const std::vector<Vec3>& next = sequence.frames[frame + 1].vertices;
  moving.velocity.resize(mesh.vertices.size());
  for (std::size_t k = 0; k < mesh.vertices.size(); ++k) {
    const Vec3 way = next[k] - mesh.vertices[k];
    mesh.vertices[k] += way * s;
    moving.velocity[k] = way * fps;
  }
  TriangleBvh bvh = moving.frame_mesh->bvh;
  refit(mesh, bvh);
  moving.mesh = prepared(std::move(mesh), std::move(bvh));
}

void show_nearest_frame(MovingMesh& moving, const MeshSequence& sequence, double position) {
  const auto frame = static_cast<Index>(std::floor(position + 0.5));
  if (moving.frame != frame || !moving.before) {
    const Index last = static_cast<Index>(sequence.frames.size()) - 1;
    const Index before = std::max(frame - 1, 0), after = std::min(frame + 1, last);
    prepare_frame(moving, sequence, frame);
    moving.before = prepared(sequence.frames[before]);
    moving.after = prepared(sequence.frames[after]);
    moving.interval = (after - before) / sequence.fps;
  }
  moving.mesh = moving.frame_mesh;
}

void hold(MovingMesh& moving, const MeshSequence& sequence, Index frame) {
  prepare_frame(moving, sequence, frame);
  moving.mesh = moving.frame_mesh;
  moving.velocity.clear();
  moving.before = moving.after = nullptr;
  moving.part = -1;
  moving.ahead = 0;
}

}  // namespace

std::shared_ptr<const MeshSequence> make_mesh_sequence(std::vector<TriangleMesh> frames, double fps,
                                                       double start, const std::string& name) {
  if (frames.empty())
    throw InputError(fmt::format("{}: a mesh sequence needs at least one frame; found none", name));
  if (!(fps > 0) || !std::isfinite(fps))
    throw InputError(fmt::format("{}: fps = {} must be positive and finite", name, fps));
  MeshSequence sequence{std::move(frames), fps, start, false, false};
  sequence.closed = true;
  for (std::size_t k = 0; k < sequence.frames.size(); ++k) {
    TriangleMesh& mesh = sequence.frames[k];
    const auto solid = make_mesh_distance(mesh, fmt::format("{}, frame {}", name, k));
    sequence.closed = sequence.closed && open_edges(solid->mesh).count == 0;
    if (volume(mesh) < 0) mesh = flipped(std::move(mesh));
  }
  sequence.same_triangles = have_same_triangles(sequence.frames);
  return std::make_shared<MeshSequence>(std::move(sequence));
}

void move_to(MovingMesh& moving, const MeshSequence& sequence, double time, Real step) {
  if (moving.mesh && moving.time == time) return;
  moving.time = time;
  const double position = (time - sequence.start) * sequence.fps;
  const auto last = static_cast<Index>(sequence.frames.size()) - 1;
  if (!(position >= 0) || position >= last)
    hold(moving, sequence, position >= last ? last : 0);
  else if (sequence.same_triangles)
    move_vertices(moving, sequence, position, step);
  else
    show_nearest_frame(moving, sequence, position);
}

}  // namespace phyxel
