#include "phyxel/app/surfaces/scene_skin.h"

#include "phyxel/app/surfaces/carried_column.h"
#include "phyxel/app/surfaces/rest_mesh.h"
#include "phyxel/matter/colour.h"
#include "phyxel/scene/body_points.h"
#include "phyxel/scene/fail.h"

namespace phyxel {

namespace {

/// Colours are kept where all bodies have them.
void append(const SurfaceMesh& part, SurfaceMesh& all) {
  const auto add = [](auto& to, const auto& from) {
    to.insert(to.end(), from.begin(), from.end());
  };
  if (all.mesh.vertices.empty()) all.attributes = part.attributes;
  const auto same = [](const FrameColumn& a, const FrameColumn& b) {
    return a.name == b.name && a.type == b.type && a.components == b.components;
  };
  if (!std::equal(all.attributes.begin(), all.attributes.end(), part.attributes.begin(),
                  part.attributes.end(), same))
    all.attributes.clear();
  else if (!all.mesh.vertices.empty())
    for (std::size_t k = 0; k < all.attributes.size(); ++k)
      add(all.attributes[k].data, part.attributes[k].data);
  append(all.mesh, part.mesh);
  add(all.normals, part.normals);
  add(all.texture, part.texture);
}

}  // namespace

SceneSkin make_scene_skin(const Exec& exec, const Scene& scene, const SurfaceSpec& spec,
                          const std::vector<const BodySpec*>& bodies, Real spacing) {
  SurfaceMesh mesh;
  std::vector<Vec3> all;
  const std::string path = "surface." + spec.name;
  ShapeFiles files{scene.folder};
  for (const BodySpec* body : bodies) {
    const std::vector<Vec3> points = body_points(scene, *body, files);
    all.insert(all.end(), points.begin(), points.end());
    try {
      append(rest_mesh(exec, scene, spec, *body, points, spacing, files), mesh);
    } catch (const InputError& error) {
      fail(scene, path + ".mesh", "{}.mesh: {}", path, error.what());
    }
  }
  if (!spec.texture.empty() && mesh.texture.size() != mesh.mesh.vertices.size())
    fail(scene, path + ".texture",
         "{}.texture: the mesh has no texture coordinates; give mesh = \"file.obj\" with vt lines",
         path);
  if (mesh.texture.size() != mesh.mesh.vertices.size()) mesh.texture.clear();
  const Column<Vec3> rest(all.begin(), all.end());
  SkinOptions options;
  const Real radius = spec.options.field.radius;
  options.radius = radius > 0 ? radius : Real(2.5) * spacing;
  return {spec.name, make_skin(exec, mesh, rest, options), make_rest_shape(exec, rest)};
}

SurfaceMesh posed(const Exec& exec, const SceneSkin& skin, const Frame& particles) {
  const std::size_t n = skin.skin.rest_positions.size();
  if (particles.count != n)
    throw Error(fmt::format(
        "surface.{}: its skin was made for {} particles and the frame has {}; a skin needs the "
        "particles of the start",
        skin.name, n, particles.count));
  const Column<Vec3> x = positions_of(particles);
  const Column<Mat3> transforms = transforms_of(exec, skin.rest, particles);
  SurfaceMesh surface;
  pose(exec, skin.skin, x, transforms, surface);
  surface.origin = particles.origin;
  const std::size_t vertices = surface.mesh.vertices.size();
  for (const FrameColumn& column : particles.columns) {
    if (column.name == "position" || column.name == "deformation") continue;
    std::erase_if(surface.attributes, [&](const FrameColumn& c) { return c.name == column.name; });
    surface.attributes.push_back(carried(
        column, {vertices, skin.skin.most, skin.skin.particle.data(), skin.skin.weight.data()}));
  }
  return surface;
}

}  // namespace phyxel
