#include "phyxel/matter/force_fields/field_types.h"

#include <fmt/format.h>

#include "phyxel/core/error.h"

namespace phyxel {

namespace {

/// A type whose law both back ends know.
template <class Parameters>
FieldType library_type(std::string name, std::string summary) {
  FieldType type = detail::type_of_parameters<Parameters>(std::move(name), std::move(summary));
  type.runs_on_gpu = true;
  return type;
}

template <class Parameters>
const Parameters& as(const std::any& parameters) {
  return std::any_cast<const Parameters&>(parameters);
}

FieldType wind_type() {
  FieldType type = library_type<WindParameters>("wind", "draws matter along with moving air");
  type.show = [](const std::any& p, const FieldMoment& moment, ForceFieldView& view) {
    detail::write_law(wind_at(as<WindParameters>(p), moment.time, moment.seed, moment.flat),
                      ForceFieldKind::wind, view);
  };
  type.check = [](const std::any& p, bool flat) -> std::string {
    const Real z = as<WindParameters>(p).velocity[2];
    return flat && z != 0 ? fmt::format(
                                "velocity has z = {:.7g}; a scene with dimensions = 2 lies "
                                "in the plane z = 0",
                                z)
                          : "";
  };
  return type;
}

FieldType drag_type() {
  FieldType type = library_type<DragParameters>("drag", "slows all motion");
  type.show = [](const std::any& p, const FieldMoment&, ForceFieldView& view) {
    detail::write_law(as<DragParameters>(p), ForceFieldKind::drag, view);
  };
  return type;
}

FieldType attractor_type() {
  FieldType type = library_type<AttractorParameters>("attractor", "pulls towards a point");
  type.show = [](const std::any& p, const FieldMoment&, ForceFieldView& view) {
    detail::write_law(as<AttractorParameters>(p), ForceFieldKind::attractor, view);
  };
  type.check = [](const std::any& any, bool flat) -> std::string {
    const auto& p = as<AttractorParameters>(any);
    if (flat && p.point[2] != 0)
      return fmt::format(
          "point has z = {:.7g}; a scene with dimensions = 2 lies in the plane z = 0", p.point[2]);
    if (p.falloff > 0 && p.softening == 0 && !is_given(p.limit))
      return fmt::format(
          "falloff = {:.7g} makes the acceleration infinite at the point; give a softening, such "
          "as 0.01, or a limit",
          p.falloff);
    return "";
  };
  type.potential = [](const std::any& any, const Vec3& x) {
    const auto& p = as<AttractorParameters>(any);
    return has_potential(p) ? potential_of(p, x) : 0.0;
  };
  return type;
}

FieldType vortex_type() {
  FieldType type = library_type<VortexParameters>("vortex", "pushes matter around an axis");
  type.show = [](const std::any& p, const FieldMoment&, ForceFieldView& view) {
    detail::write_law(as<VortexParameters>(p), ForceFieldKind::vortex, view);
  };
  type.check = [](const std::any& any, bool flat) -> std::string {
    const Vec3& axis = as<VortexParameters>(any).axis;
    if (!(length_squared(axis) > 0))
      return "axis = [0, 0, 0] has no direction; [0, 1, 0] is upright";
    if (flat && (axis[0] != 0 || axis[1] != 0))
      return fmt::format(
          "axis = [{:.7g}, {:.7g}, {:.7g}] would turn matter out of the plane z = 0 of a scene "
          "with "
          "dimensions = 2; it must be [0, 0, 1] or [0, 0, -1]",
          axis[0], axis[1], axis[2]);
    return "";
  };
  return type;
}

/// Types until the list is used for the first time; it never changes afterwards.
struct Additions {
  std::vector<FieldType> types = {wind_type(), drag_type(), attractor_type(), vortex_type()};
  bool closed = false;
};
Additions& additions() {
  static Additions all;
  return all;
}

}  // namespace

const std::vector<FieldType>& field_types() {
  additions().closed = true;
  return additions().types;
}

const FieldType* find_field_type(const std::string& name) {
  for (const FieldType& type : field_types())
    if (type.name == name) return &type;
  return nullptr;
}

std::vector<std::string> field_type_names() {
  std::vector<std::string> names;
  for (const FieldType& type : field_types()) names.push_back(type.name);
  return names;
}

void add_field_type(FieldType type) {
  const std::string call = "add_field_type(\"" + type.name + "\")";
  if (additions().closed)
    throw Error(call + ": the types are in use already; add it before the first scene is read");
  if (!type.default_parameters || !type.describe || !type.show)
    throw Error(call + ": FieldType lacks parameters or a law: start with field_type<...>()");
  for (const FieldType& other : additions().types)
    if (other.name == type.name)
      throw Error(call + ": there is a type of this name; choose another one");
  additions().types.push_back(std::move(type));
}

}  // namespace phyxel
