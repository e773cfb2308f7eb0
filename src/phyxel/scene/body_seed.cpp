#include "phyxel/scene/body_seed.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "phyxel/geometry/sampling.h"
#include "phyxel/io/mesh_read.h"
#include "phyxel/matter/frame_rows.h"
#include "phyxel/scene/body_material.h"
#include "phyxel/scene/body_points.h"
#include "phyxel/scene/fail.h"

namespace phyxel {

namespace {

Transform pose_of(const ShapeSpec& spec) {
  return {rotation_degrees(spec.rotation), cast<Real>(spec.centre)};
}

/// A mesh file as a body has it, along the axes of the body.
SurfaceMesh mesh_of_file(const BodySpec& body, const ShapeFiles& files) {
  SurfaceMesh surface =
      rebased(read_textured_mesh(shape_file(body.shape, files.folder)), Vec3d::zero());
  for (Vec3& v : surface.mesh.vertices) v *= body.shape.scale;
  return surface;
}

BodyMesh make_mesh(const Scene& scene, const BodySpec& body, ShapeFiles& files) {
  const Real spacing = rest_spacing(scene, body);
  const ShapeSpec& shape = body.shape;
  if (shape.type == "sheet") return make_sheet(shape.width, shape.height, body.packing, spacing);
  if (shape.type == "polyline") return make_line(shape.points, spacing);
  const SurfaceMesh surface = mesh_of_file(body, files);
  return make_shell(surface.mesh, surface.texture, spacing);
}

void place(BodyMesh& mesh, const Transform& pose) {
  for (Vec3& v : mesh.surface.vertices) v = apply(pose, v);
}

/// Numbers of the rows of a frame by the ids of particles, which are in ascending order.
class RowOfId {
 public:
  explicit RowOfId(const FrameColumn& ids)
      : ids_(ids), count_(ids.data.size() / ids.element_size()) {}

  /// -1 where the frame has no such particle.
  std::ptrdiff_t operator()(double id) const {
    std::size_t first = 0, last = count_;
    while (first < last) {
      const std::size_t middle = (first + last) / 2;
      if (ids_.number(middle) < id)
        first = middle + 1;
      else
        last = middle;
    }
    return first < count_ && ids_.number(first) == id ? static_cast<std::ptrdiff_t>(first) : -1;
  }

 private:
  const FrameColumn& ids_;
  std::size_t count_;
};

/// The vertices of a mesh that are in a frame: their rows there, and the new number of each.
struct Present {
  std::vector<std::size_t> rows;
  std::vector<std::size_t> vertices;
  std::vector<Index> number;  // by vertex; -1: not there
};

Present present_in(const BodySeed& seed, const Frame& frame) {
  Present present;
  const FrameColumn* const ids = frame.find("id");
  if (!ids) throw Error("body." + seed.name + ": the frame has no ids, which its mesh needs");
  const RowOfId row_of(*ids);
  for (std::size_t v = 0; v < seed.mesh.point.size(); ++v) {
    const std::ptrdiff_t row = row_of(double(seed.id_of(seed.mesh.point[v])));
    present.number.push_back(row < 0 ? -1 : static_cast<Index>(present.rows.size()));
    if (row < 0) continue;
    present.rows.push_back(static_cast<std::size_t>(row));
    present.vertices.push_back(v);
  }
  return present;
}

template <int N>
std::vector<Vec<Index, N>> renumbered(const std::vector<Vec<Index, N>>& parts,
                                      const std::vector<Index>& number) {
  std::vector<Vec<Index, N>> result;
  for (const Vec<Index, N>& part : parts) {
    Vec<Index, N> now;
    bool whole = true;
    for (int c = 0; c < N; ++c) {
      now[c] = number[part[c]];
      whole = whole && now[c] >= 0;
    }
    if (whole) result.push_back(now);
  }
  return result;
}

/// Edges join points; of the vertices at a point the first one is taken.
std::vector<Vec<Index, 2>> edges_between_vertices(const BodyMesh& mesh) {
  std::vector<Index> vertex_of(mesh.point.size(), -1);
  for (std::size_t v = mesh.point.size(); v-- > 0;)
    vertex_of[mesh.point[v]] = static_cast<Index>(v);
  std::vector<Vec<Index, 2>> edges;
  for (const auto& e : mesh.edges) edges.push_back({vertex_of[e[0]], vertex_of[e[1]]});
  return edges;
}

}  // namespace

BodyMesh body_mesh(const Scene& scene, const BodySpec& body, ShapeFiles& files) {
  try {
    BodyMesh mesh = make_mesh(scene, body, files);
    place(mesh, pose_of(body.shape));
    return mesh;
  } catch (const InputError& error) {
    const std::string message = error.what();
    if (message.starts_with(to_string(body.shape.place))) throw;
    fail(body.shape.place, "{}: {}", body.path(), message);
  }
}

double particle_volume(const Scene& scene, const BodySpec& body, ShapeFiles& files) {
  const double spacing = rest_spacing(scene, body), thickness = body.thickness;
  if (!is_thin(body) || !is_given(body.thickness))
    return volume_per_point(body.packing, spacing, scene.dimensions);
  if (body.shape.type == "polyline")
    return spacing * thickness * (scene.dimensions == 2 ? 1 : M_PI / 4 * thickness);
  if (body.shape.type == "sheet") return area_per_point(body.packing, spacing) * thickness;
  const BodyMesh mesh = body_mesh(scene, body, files);
  return area(mesh.surface) / double(points_of(mesh).size()) * thickness;
}

BodySeed body_seed(const Scene& scene, std::size_t index, ParticleId first_id, ShapeFiles& files) {
  const BodySpec& body = scene.bodies[index];
  BodySeed seed;
  seed.name = body.name;
  seed.body = static_cast<Index>(index);
  seed.material = material_index(scene, body.material);
  seed.first_id = first_id;
  seed.frame = pose_of(body.shape);
  seed.packing = body.packing;
  seed.spacing = rest_spacing(scene, body);
  seed.volume = static_cast<Real>(particle_volume(scene, body, files));
  if (is_thin(body)) {
    seed.kind = body.shape.type == "polyline" ? BodyKind::line : BodyKind::sheet;
    seed.mesh = body_mesh(scene, body, files);
    if (is_given(body.thickness)) seed.thickness = body.thickness;
  } else if (body.shape.type == "mesh") {
    SurfaceMesh surface = mesh_of_file(body, files);
    seed.mesh = {std::move(surface.mesh), std::move(surface.texture), {}, {}};
    seed.mesh.edges = edges_of(seed.mesh.surface, {});
    place(seed.mesh, seed.frame);
  }
  seed.points = body_points(scene, body, files);
  seed.own_points = seed.points.size();
  return seed;
}

FrameSet mesh_of(const BodySeed& seed, const Frame& frame) {
  const Present present = present_in(seed, frame);
  FrameSet set;
  set.name = seed.name;
  set.kind = SetKind::mesh;
  set.count = present.rows.size();
  for (const FrameColumn& column : frame.columns)
    set.columns.push_back(rows_of(column, present.rows));
  if (!seed.mesh.texture.empty()) {
    const FrameColumn texture =
        make_frame_column("texture", "", seed.mesh.texture.data(), seed.mesh.texture.size());
    set.columns.push_back(rows_of(texture, present.vertices));
  }
  set.triangles = renumbered(seed.mesh.surface.triangles, present.number);
  set.edges = renumbered(edges_between_vertices(seed.mesh), present.number);
  return set;
}

void check_thin_bodies(const Scene& scene) {
  for (const BodySpec& body : scene.bodies) {
    const bool fills_plane = scene.dimensions == 2 && body.shape.type != "polyline";
    if (!is_thin(body) || fills_plane) continue;
    const std::string& method = material_of(scene, body).method;
    if (find_method(method)->has_thin_bodies) continue;
    std::vector<std::string> able;
    for (const MethodInfo& info : method_registry())
      if (info.has_thin_bodies) able.push_back(info.name);
    fail(body.shape.place,
         "{}: the method of material.{}, {}, needs neighbours on all sides, which a single layer "
         "has not; choose one of {}, or fill a box",
         body.path(), body.material, method, fmt::join(able, ", "));
  }
}

// Particles lie inside of the shape, half a spacing from its border in the mean. A layer lies in
// the middle however thin the shape is, and stands for a spacing / sqrt(2) of it in the closest
// packing.
void check_filling(const Scene& scene, const BodySpec& body, const BodySeed& seed,
                   ShapeFiles& files) {
  constexpr double most = 2;  // a cube of the least favourable size has that of 2.8 spacings
  const bool given_by_points = is_thin(body) || body.shape.type == "particles";
  if (given_by_points || !find_method(material_of(scene, body).method)->has_reference_shape) return;
  const double held = volume(make_shape(body.shape, files), scene.dimensions);
  const double times = double(seed.points.size()) * double(seed.volume) / held;
  if (times <= most) return;
  fail(
      scene, body.path() + ".spacing",
      "{}: spacing = {:.4g} m is too coarse for its shape: {} particles stand for {:.3g} times the "
      "matter that it holds, must be at most {}; lower the spacing, e.g. to {:.2g} m, or make a "
      "thin body of it: shape = {{ type = \"sheet\" }} or \"polyline\", with thickness",
      body.path(), seed.spacing, seed.points.size(), times, most, seed.spacing / times);
}

void check_nozzles(const Scene& scene) {
  for (const BodySpec& body : scene.bodies) {
    if (!body.nozzle) continue;
    const Material& material = material_of(scene, body);
    const MethodInfo& method = *find_method(material.method);
    if (!method.refuses_emitter) continue;
    if (const std::string why = method.refuses_emitter(material); !why.empty())
      fail(body.place, "{}: material.{} of {}: {}", body.path(), body.material, method.name, why);
  }
}

}  // namespace phyxel
