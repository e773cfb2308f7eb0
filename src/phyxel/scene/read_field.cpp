#include <fmt/format.h>

#include "phyxel/scene/read_shape.h"
#include "phyxel/scene/read_tables.h"

namespace phyxel {

namespace {

void check_materials(TomlTable& table, const FieldSpec& field, const Scene& scene) {
  const Mistakes& mistakes = *table.mistakes();
  std::vector<std::string> names;
  for (const MaterialSpec& m : scene.materials) names.push_back(m.material.name);
  for (const std::string& name : field.materials) {
    if (material_index(scene, name) >= 0 || mistakes.names_unsure ||
        mistakes.in("material." + name))
      continue;
    table.complain("material", "names \"{}\", which is not a material of this scene{}; there {}",
                   name, suggestion(name, names),
                   names.empty() ? "is none: add a [material.NAME]"
                                 : fmt::format("are: {}", fmt::join(names, ", ")));
  }
}

/// Kernels see shapes of numbers only.
void check_region(TomlTable& table, const ShapeSpec& region) {
  for (const char* type : {"mesh", "heightfield", "mesh_sequence", "particles"})
    if (region.type == type)
      table.complain("region", "cannot be of type \"{}\"; use a solid, such as a box or a sphere",
                     type);
  for (const ShapeSpec& part : region.of) check_region(table, part);
}

void read_region(TomlTable& table, std::optional<TomlTable> region, FieldSpec& field) {
  if (region) {
    field.region = read_shape(*region);
    check_region(table, *field.region);
  } else if (table.given("edge") && table.lacks("region")) {
    table.complain("edge",
                   "is of a region, and the field has none; add region = {{ type = \"{}\", ... }}, "
                   "or remove it",
                   "box");
  }
}

void check_type(TomlTable& table, const FieldSpec& field, bool flat) {
  if (!field.type->check || table.mistakes()->in(table.path())) return;
  const std::string wrong = field.type->check(field.parameters, flat);
  if (wrong.empty()) return;
  const std::string key = wrong.substr(0, wrong.find(' '));
  table.complain(key, wrong.substr(key.size() + 1));
}

}  // namespace

FieldSpec read_field(const std::string& name, TomlTable& table, const Scene& scene) {
  FieldSpec field;
  field.name = name;
  field.place = table.place();
  std::string type;
  Fields first;
  describe_field_choice(first, type, field);
  table.read(first);
  field.type = find_field_type(type);
  if (field.type) field.parameters = field.type->default_parameters();
  table.read(described(field));
  auto region = table.table("region");
  if (!field.type) {
    if (!table.given("type") && !table.is_misspelt("type"))
      table.complain(fmt::format("{} has no type; one of: {}", table.path(),
                                 fmt::join(field_type_names(), ", ")));
    return field;  // its keys depend on the type
  }
  table.finish();
  read_region(table, std::move(region), field);
  check_materials(table, field, scene);
  check_type(table, field, scene.dimensions == 2);
  return field;
}

}  // namespace phyxel
