#include "phyxel/app/surfaces/rest_mesh.h"

#include "phyxel/geometry/body_mesh.h"
#include "phyxel/io/mesh_read.h"
#include "phyxel/matter/colour.h"
#include "phyxel/scene/body_seed.h"
#include "phyxel/surfaces/make_surface.h"
#include "phyxel/surfaces/surface_scratch.h"

namespace phyxel {

namespace {

/// The mesh of a file with its colours, unless the table of the surface has one; other attributes
/// are those of the particles.
SurfaceMesh mesh_from_file(const Scene& scene, const SurfaceSpec& spec,
                           const std::filesystem::path& file, const ShapeSpec& shape) {
  SurfaceMesh surface = read_surface(scene.folder / file);
  const Mat3 turn = rotation_degrees(shape.rotation);
  const Vec3 own = cast<Real>(surface.origin), centre = cast<Real>(shape.centre);
  for (Vec3& v : surface.mesh.vertices) v = turn * ((v + own) * shape.scale) + centre;
  surface.origin = Vec3d::zero();  // that of the particles takes its place
  surface.normals = vertex_normals(surface.mesh);
  std::erase_if(surface.attributes,
                [&](const FrameColumn& c) { return !is_colour(c) || is_given(spec.colour[0]); });
  for (FrameColumn& colour : surface.attributes) colour = code_values(colour);
  return surface;
}

}  // namespace

SurfaceMesh rest_mesh(const Exec& exec, const Scene& scene, const SurfaceSpec& spec,
                      const BodySpec& body, const std::vector<Vec3>& points, Real spacing,
                      ShapeFiles& files) {
  if (!spec.mesh.empty()) return mesh_from_file(scene, spec, spec.mesh, body.shape);
  if (body.shape.type == "mesh" && body.fill == Fill::volume)
    return mesh_from_file(scene, spec, body.shape.file, body.shape);
  if (is_thin(body)) {
    BodyMesh mesh = body_mesh(scene, body, files);
    return {mesh.surface, vertex_normals(mesh.surface), std::move(mesh.texture), {}, Vec3d::zero()};
  }
  Frame frame;
  frame.count = points.size();
  frame.columns.push_back(make_frame_column("position", "m", points.data(), points.size()));
  SurfaceOptions options;
  options.field.kind = FieldKind::zhu_bridson;
  options.field.spacing = spacing;
  SurfaceScratch scratch;
  return make_surface(exec, frame, options, scratch);
}

Column<Mat3> transforms_of(const Exec& exec, const RestShape& rest, const Frame& particles) {
  Column<Mat3> transforms;
  const FrameColumn* const known = particles.find("deformation");
  if (!known) {
    estimate_transforms(exec, rest, positions_of(particles), transforms);
    return transforms;
  }
  transforms.resize(particles.count);
  for (std::size_t i = 0; i < transforms.size(); ++i)
    for (int k = 0; k < 9; ++k)
      transforms[i][k / 3][k % 3] = static_cast<Real>(known->number(i, k));
  return transforms;
}

}  // namespace phyxel
