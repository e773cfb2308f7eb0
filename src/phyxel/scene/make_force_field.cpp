#include "phyxel/scene/make_force_field.h"

#include <algorithm>
#include <fmt/format.h>

#include "phyxel/scene/body_material.h"

namespace phyxel {

namespace {

bool names(const FieldSpec& field, const std::string& material) {
  return std::ranges::find(field.materials, material) != field.materials.end();
}

/// On a grid that several materials share a field acts on all of them.
void check_grid(const Scene& scene, const FieldSpec& field, Problems& problems) {
  const MaterialSpec *named = nullptr, *other = nullptr;
  for (const MaterialSpec& spec : scene.materials) {
    const MethodInfo* const method = find_method(spec.material.method);
    if (!method || !method->grid_cell) continue;
    (names(field, spec.material.name) ? named : other) = &spec;
  }
  if (!named || !other) return;
  const std::string path = "field." + field.name + ".material";
  problems.add(
      scene.place_of(path),
      fmt::format("{} names {} and not {}, but materials of {} share one grid, on which "
                  "fields act; name both, or none of them, or give one another method",
                  path, named->material.name, other->material.name, named->material.method));
}

}  // namespace

std::vector<ForceField> make_force_fields(const Scene& scene, ShapeFiles& files, Device device) {
  std::vector<ForceField> fields;
  for (const FieldSpec& spec : scene.fields) {
    if (device != Device::cpu && !spec.type->runs_on_gpu)
      throw InputError(spec.place,
                       fmt::format("field.{}: type = \"{}\" runs on the cpu only; use --device cpu",
                                   spec.name, spec.type->name));
    ForceField field;
    field.name = spec.name;
    field.type = spec.type;
    if (spec.region) field.region = make_shape(*spec.region, files);
    if (!spec.materials.empty())
      for (const MaterialSpec& material : scene.materials)
        field.acts.push_back(names(spec, material.material.name) ? 1 : 0);
    fields.push_back(std::move(field));
  }
  refresh_force_fields(scene, fields);
  return fields;
}

void refresh_force_fields(const Scene& scene, std::vector<ForceField>& fields) {
  for (std::size_t k = 0; k < scene.fields.size(); ++k) {
    static_cast<FieldParameters&>(fields[k]) = scene.fields[k];
    fields[k].parameters = scene.fields[k].parameters;
  }
}

void check_force_fields(const Scene& scene, Problems& problems) {
  for (const FieldSpec& field : scene.fields) check_grid(scene, field, problems);
}

}  // namespace phyxel
