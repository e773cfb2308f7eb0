#include "phyxel/app/surfaces/sample_bodies.h"

#include <algorithm>
#include <fmt/format.h>

#include "phyxel/app/surfaces/bare_surfels.h"
#include "phyxel/render/image.h"
#include "phyxel/scene/body_points.h"
#include "phyxel/scene/fail.h"
#include "phyxel/surfaces/point_runs.h"
#include "phyxel/surfaces/surfels/sample_surfels.h"

namespace phyxel {

namespace {

using Picture = std::shared_ptr<const render::Image>;

Picture picture_of(const Scene& scene, const SurfaceSpec& spec) {
  if (spec.texture.empty()) return nullptr;
  try {
    return std::make_shared<render::Image>(render::read_picture(scene.folder / spec.texture));
  } catch (const InputError& error) {
    fail(scene, "surface." + spec.name + ".texture", "surface.{}.texture: {}", spec.name,
         error.what());
  }
}

SurfelSampling sampling_of(const SurfaceSpec& spec, Real spacing, const Picture& picture) {
  SurfelSampling sampling;
  sampling.spacing = spec.surfel_spacing > 0 ? spec.surfel_spacing : spacing / 4;
  if (picture)
    sampling.of_texture = [picture](const Vec2& uv) {
      return cast<Real>(render::sample_image(*picture, cast<float>(uv)));
    };
  return sampling;
}

/// True for shapes that are sampled by their distance.
bool is_solid(const SurfaceSpec& spec, const BodySpec& body) {
  return spec.mesh.empty() && body.shape.type != "mesh" && body.shape.type != "particles";
}

Surfels sample(const Exec& exec, const Scene& scene, const SurfaceSpec& spec, const BodySpec& body,
               const std::vector<Vec3>& points, Real spacing, const SurfelSampling& sampling,
               ShapeFiles& files) {
  if (is_solid(spec, body) && !sampling.of_texture)
    return sample_surfels(exec, make_shape(body.shape, files), sampling);
  const SurfaceMesh mesh = rest_mesh(exec, scene, spec, body, points, spacing, files);
  if (sampling.of_texture && mesh.texture.size() != mesh.mesh.vertices.size())
    throw InputError(
        "texture: the mesh has no texture coordinates; give mesh = \"file.obj\" with vt lines");
  return sample_surfels(exec, mesh, sampling);
}

/// The paint of the table with its width, for particles of a spacing.
Paint paint_of(const Scene& scene, const SurfaceSpec& spec, Real spacing) {
  Paint paint = spec.paint;
  if (paint.width == 0) paint.width = 4 * spacing;
  const std::string path = "surface." + spec.name;
  if (paint.pattern != "none" && !spec.texture.empty())
    fail(scene, path + ".paint", "{0}.paint: there is a texture too; remove one of them", path);
  if (paint.pattern == "stripes" && !(length_squared(paint.direction) > 0))
    fail(scene, path + ".paint_direction",
         "{0}.paint_direction = [0, 0, 0] has no direction; [0, 1, 0] makes level stripes", path);
  return paint;
}

/// What the sampling of a body says, with its place in the scene.
[[noreturn]] void refuse(const Scene& scene, const SurfaceSpec& spec, const BodySpec& body,
                         const std::string& message) {
  const std::string key = message.starts_with("surfels: spacing") ? ".surfel_spacing"
                          : message.starts_with("texture")        ? ".texture"
                                                                  : ".mesh";
  const std::string table = "surface." + spec.name;
  const bool given = scene.places.contains(table + key);
  fail(scene, table + key, "{}: {}: {}", given ? table + key : table, body.path(), message);
}

Vec3 extent(const Column<Vec3>& x) {
  Bounds bounds;
  for (const Vec3& p : x) bounds.include(p);
  return bounds.size();
}

/// A mesh of a file belongs to the body whose particles are around it; limit in spacings.
constexpr Real farthest_surfel = 3;

void check_place(const Exec& exec, const Surfels& surfels, const std::vector<Vec3>& points,
                 Real spacing) {
  const Real limit = farthest_surfel * spacing;
  const Column<Vec3> places(points.begin(), points.end());
  const IndexedCells cells = index_cells(exec, places, limit);
  const auto is_near = [&](const Vec3& x) {
    bool found = false;
    visit_runs(cells, x, limit, 1, [&](Index first, Index last) {
      for (Index c = first; c < last && !found; ++c)
        found = length_squared(places[cells.cells.order[c]] - x) <= limit * limit;
    });
    return found;
  };
  const auto far = std::ranges::count_if(surfels.x, [&](const Vec3& x) { return !is_near(x); });
  if (far == 0) return;
  const Vec3 size = extent(surfels.x), own = extent(places);
  throw InputError(
      fmt::format("surfels: {} of {} on the mesh are farther than {:.3g} m (three spacings) from "
                  "all particles; "
                  "the mesh is {:.3g} x {:.3g} x {:.3g} m large and the body {:.3g} x {:.3g} x "
                  "{:.3g} m: give a "
                  "mesh of the same shape, around the same point",
                  far, surfels.x.size(), limit, size[0], size[1], size[2], own[0], own[1], own[2]));
}

/// Colours are kept where all bodies have them.
void append(const Surfels& part, Surfels& all) {
  const auto add = [](auto& to, const auto& from) {
    to.insert(to.end(), from.begin(), from.end());
  };
  const bool coloured = !part.colour.empty() && all.colour.size() == all.x.size();
  add(all.x, part.x), add(all.u, part.u), add(all.v, part.v);
  if (coloured)
    add(all.colour, part.colour);
  else
    all.colour.clear();
  for (std::size_t k = 0; k < part.x.size(); ++k)
    all.id.push_back(static_cast<ParticleId>(all.id.size()));
}

}  // namespace

SampledBodies sample_bodies(const Exec& exec, const Scene& scene, const SurfaceSpec& spec,
                            const std::vector<std::size_t>& bodies, Real spacing) {
  const SurfelSampling sampling = sampling_of(spec, spacing, picture_of(scene, spec));
  const Paint paint = paint_of(scene, spec, spacing);
  SampledBodies sampled;
  sampled.spacing = sampling.spacing;
  ShapeFiles files{scene.folder};
  for (const std::size_t b : bodies) {
    const BodySpec& body = scene.bodies[b];
    const std::vector<Vec3> points = body_points(scene, body, files);
    sampled.points.insert(sampled.points.end(), points.begin(), points.end());
    sampled.body_of_point.resize(sampled.points.size(), static_cast<Index>(b));
    try {
      Surfels own = sample(exec, scene, spec, body, points, spacing, sampling, files);
      if (!spec.mesh.empty()) check_place(exec, own, points, spacing);
      if (paint.pattern != "none") paint_surfels(paint, own);
      const std::string bare =
          bare_surfels_warning(exec, own, points, spacing, "surface." + spec.name, body.path());
      if (!bare.empty()) sampled.warnings.push_back(bare);
      append(own, sampled.surfels);
    } catch (const InputError& error) {
      refuse(scene, spec, body, error.what());
    }
    sampled.body.resize(sampled.surfels.x.size(), static_cast<Index>(b));
  }
  return sampled;
}

}  // namespace phyxel
