#include "phyxel/scene/resolution.h"

#include <algorithm>
#include <limits>

#include "phyxel/scene/body_material.h"
#include "phyxel/scene/fail.h"

namespace phyxel {

namespace {

Real refined(const Scene& scene, Real length) {
  const double result = length / scene.resolution;
  using Limits = std::numeric_limits<Real>;
  if (is_given(length) && length != 0 && !(result >= Limits::min() && result <= Limits::max()))
    fail(scene, "resolution",
         "resolution = {:.7g} turns a length of {:.7g} m into {:.7g} m; choose one nearer to 1",
         scene.resolution, length, result);
  return static_cast<Real>(result);
}

[[noreturn]] void refuse_of_one_particle(const Scene& scene, const Place& place,
                                         const std::string& path) {
  const bool mass = path.ends_with(".particle_mass");
  fail(place,
       "{} is that of particles as large as written, and resolution = {:.7g} makes other ones; {}, "
       "or leave resolution at 1",
       path, scene.resolution, mass ? "give density instead" : "leave it out");
}

bool is_of_one_particle(const MethodInfo& method, const std::string& key) {
  return key == "particle_mass" || contains(method.of_one_particle, key);
}

void refine(const Scene& scene, Material& material) {
  const MethodInfo& method = *find_method(material.method);
  for (const Parameter& parameter : described_whole(material).list) {
    auto* const* value = std::get_if<Real*>(&parameter.value);
    if (!value || !is_given(**value)) continue;
    const std::string path = "material." + material.name + "." + parameter.name;
    if (is_of_one_particle(method, parameter.name))
      refuse_of_one_particle(scene, scene.place_of(path), path);
    if (contains(method.lengths, parameter.name)) **value = refined(scene, **value);
  }
}

/// What is to be divided by, of a value that changes while running: the resolution for lengths of
/// a method, otherwise 1.
double divisor(const Scene& scene, const std::string& path, const Place& place) {
  const std::size_t first = path.find('.'), last = path.rfind('.');
  if (!path.starts_with("material.") || first == last) return 1;
  const Index m = material_index(scene, path.substr(first + 1, last - first - 1));
  if (m < 0) return 1;
  const MethodInfo& method = *find_method(scene.materials[m].material.method);
  const std::string key = path.substr(last + 1);
  if (is_of_one_particle(method, key)) refuse_of_one_particle(scene, place, path);
  return contains(method.lengths, key) ? scene.resolution : 1;
}

void refine_changes(Scene& scene) {
  for (EventSpec& event : scene.events)
    for (Assignment& set : event.set) {
      const double by = divisor(scene, set.path, set.place);
      if (auto* number = std::get_if<double>(&set.value)) *number /= by;
    }
  for (KeyframeSpec& keys : scene.keyframes) {
    const double by = divisor(scene, keys.path, keys.place);
    for (std::vector<double>& row : keys.values)
      for (double& number : row) number /= by;
  }
}

}  // namespace

void apply_resolution(Scene& scene) {
  if (scene.resolution == 1) return;
  for (BodySpec& body : scene.bodies) {
    if (body.shape.type == "particles")
      fail(scene, "resolution",
           "resolution = {:.7g}: the particles of {} come from a file, which has as many as it "
           "has; leave resolution at 1",
           scene.resolution, body.path());
    if (body.fill == Fill::surface)
      fail(scene, "resolution",
           "resolution = {:.7g}: the particles of {} are the vertices of a mesh; leave resolution "
           "at 1 and give a mesh with other triangles",
           scene.resolution, body.path());
    body.spacing = refined(scene, body.spacing);
  }
  for (MaterialSpec& spec : scene.materials) refine(scene, spec.material);
  for (SurfaceSpec& surface : scene.surfaces) {
    surface.options.field.radius = refined(scene, surface.options.field.radius);
    surface.options.cell = refined(scene, surface.options.cell);
    surface.surfel_spacing = refined(scene, surface.surfel_spacing);
  }
  refine_changes(scene);
}

}  // namespace phyxel
