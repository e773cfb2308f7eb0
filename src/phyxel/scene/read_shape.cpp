#include "phyxel/scene/read_shape.h"

#include <fmt/format.h>

#include "phyxel/geometry/heightfield.h"
#include "phyxel/geometry/mesh_distance.h"
#include "phyxel/geometry/mesh_files.h"
#include "phyxel/geometry/models.h"
#include "phyxel/geometry/ply_elements.h"
#include "phyxel/io/points.h"
#include "phyxel/scene/toml_table.h"

namespace phyxel {

namespace {

/// { mesh = "file.obj" } is short for { type = "mesh", file = "file.obj" }.
bool read_short_form(TomlTable& table, ShapeSpec& spec) {
  for (const char* type : {"mesh", "particles"})
    if (table.has(type)) {
      Fields fields;
      fields(type, spec.file, "file to read");
      table.read(fields);
      spec.type = type;
      return true;
    }
  return false;
}

void require(const TomlTable& table, const ShapeSpec& spec, const char* key, bool given) {
  if (!given)
    throw InputError(spec.place, fmt::format("{}: a {} needs {}", table.path(), spec.type, key));
}

void check_required(const TomlTable& table, const ShapeSpec& spec) {
  const std::string& t = spec.type;
  if (t == "box" || t == "heightfield")
    require(table, spec, "size = [x, y, z]", is_given(spec.size[0]));
  if (t == "ellipsoid") require(table, spec, "radii = [x, y, z]", is_given(spec.radii[0]));
  if (t == "sphere" || t == "cylinder" || t == "capsule" || t == "cone" || t == "torus")
    require(table, spec, "radius", is_given(spec.radius));
  if (t == "cylinder" || t == "capsule" || t == "cone")
    require(table, spec, "height", is_given(spec.height));
  if (t == "torus") require(table, spec, "thickness", is_given(spec.thickness));
  if (t == "bunny" || t == "bust" || t == "die")
    require(table, spec, "size", is_given(spec.height));
  if (t == "mesh" || t == "particles" || t == "heightfield" || t == "mesh_sequence")
    require(table, spec, "file", !spec.file.empty());
  // Behind a zero the system would see another name than we do.
  if (spec.file.find('\0') != spec.file.npos)
    throw InputError(spec.place,
                     fmt::format("{}: the name of a file must not contain \\u0000", table.path()));
  if (t == "plane" && length(spec.normal) == 0)
    table.fail("normal", "= [0, 0, 0] has no direction; [0, 1, 0] is up");
}

void read_parts(TomlTable& table, ShapeSpec& spec) {
  if (spec.type != "union" && spec.type != "intersection" && spec.type != "difference") return;
  for (TomlTable& part : table.table_array("of")) spec.of.push_back(read_shape(part));
  if (spec.of.size() < 2)
    throw InputError(spec.place,
                     fmt::format("{}: a {} needs at least two shapes in of = [ {{...}}, {{...}} ]",
                                 table.path(), spec.type));
}

Shape make_operation(const ShapeSpec& spec, const std::filesystem::path& folder) {
  Shape result = make_shape(spec.of.front(), folder);
  for (std::size_t k = 1; k < spec.of.size(); ++k) {
    const Shape part = make_shape(spec.of[k], folder);
    result = spec.type == "union"          ? unite(result, part, spec.blend)
             : spec.type == "intersection" ? intersect(result, part, spec.blend)
                                           : subtract(result, part, spec.blend);
  }
  return result;
}

std::filesystem::path find_file(const ShapeSpec& spec, const std::filesystem::path& folder) {
  const std::filesystem::path file = folder / spec.file;
  std::error_code none;  // names that are too long do not exist either
  if (!std::filesystem::exists(file, none))
    throw InputError(
        spec.place,
        fmt::format("file = \"{}\" does not exist; it is looked for beside the scene: {}",
                    spec.file, file.string()));
  return file;
}

Shape make_from_file(const ShapeSpec& spec, const std::filesystem::path& folder) {
  const std::filesystem::path file = find_file(spec, folder);
  if (spec.type == "mesh") return shape_mesh(make_mesh_distance(read_mesh(file), file.string()));
  return shape_heightfield(parse_heightfield(read_whole_file(file), file.string(),
                                             Vec2{spec.size[0], spec.size[2]}, spec.size[1]));
}

Shape make_simple(const ShapeSpec& s, const std::filesystem::path& folder) {
  if (s.type == "box") return shape_box(s.size, s.rounding);
  if (s.type == "sphere") return shape_sphere(s.radius);
  if (s.type == "ellipsoid") return shape_ellipsoid(s.radii);
  if (s.type == "cylinder") return shape_cylinder(s.radius, s.height);
  if (s.type == "capsule") return shape_capsule(s.radius, s.height);
  if (s.type == "cone") return shape_cone(s.radius, s.top_radius, s.height);
  if (s.type == "torus") return shape_torus(s.radius, s.thickness);
  if (s.type == "plane") return shape_plane(s.point, s.normal);
  if (s.type == "bunny") return model_bunny(s.height);
  if (s.type == "bust") return model_bust(s.height);
  if (s.type == "die") return model_die(s.height);
  if (s.type == "mesh" || s.type == "heightfield") return make_from_file(s, folder);
  throw InputError(s.place, fmt::format("a {} is not a solid; it cannot be used here", s.type));
}

Transform pose_of(const ShapeSpec& spec) {
  return {rotation_degrees(spec.rotation), spec.centre};
}

/// What geometry and files complain about, with the place in the scene in front.
template <class Make>
auto placed(const ShapeSpec& spec, Make make) {
  try {
    return make();
  } catch (const InputError& error) {
    const std::string message = error.what();
    if (message.starts_with(to_string(spec.place))) throw;
    throw InputError(spec.place, message);
  }
}

}  // namespace

ShapeSpec read_shape(TomlTable& table) {
  ShapeSpec spec;
  spec.place = table.place();
  Fields type;
  type("type", spec.type, "what it is");
  if (!read_short_form(table, spec)) table.read(type);
  const std::vector<std::string> types = shape_types();
  if (spec.type.empty())
    throw InputError(spec.place, fmt::format("{} has no type; one of: {}", table.path(),
                                             fmt::join(types, ", ")));
  if (std::find(types.begin(), types.end(), spec.type) == types.end())
    table.fail("type", fmt::format("= \"{}\" is not a shape{}; one of: {}", spec.type,
                                   suggestion(spec.type, types), fmt::join(types, ", ")));
  Fields fields;
  describe(fields, spec);
  table.read(fields);
  read_parts(table, spec);
  table.finish();
  check_required(table, spec);
  return spec;
}

Shape make_shape(const ShapeSpec& spec, const std::filesystem::path& folder) {
  const Shape shape = spec.of.empty() ? placed(spec, [&] { return make_simple(spec, folder); })
                                      : make_operation(spec, folder);
  if (spec.type == "plane") return shape;
  return transformed(shape, pose_of(spec), spec.scale);
}

std::vector<Vec3> read_shape_points(const ShapeSpec& spec, const std::filesystem::path& folder) {
  const Frame frame = placed(spec, [&] { return read_points(find_file(spec, folder)); });
  std::vector<Vec3> points(frame.count);
  for (std::size_t i = 0; i < frame.count; ++i)
    points[i] = apply(pose_of(spec), frame.position(i) * spec.scale);
  return points;
}

std::vector<Vec3> read_shape_velocities(const ShapeSpec& spec,
                                        const std::filesystem::path& folder) {
  const Frame frame = placed(spec, [&] { return read_points(find_file(spec, folder)); });
  const FrameColumn* const column = frame.find("velocity");
  if (!column || column->components != 3) return {};
  std::vector<Vec3> velocities(frame.count);
  for (std::size_t i = 0; i < frame.count; ++i) {
    Vec3 v;
    for (int c = 0; c < 3; ++c) v[c] = static_cast<Real>(column->number(i, c));
    velocities[i] = rotate(pose_of(spec), v * spec.scale);
  }
  return velocities;
}

}  // namespace phyxel
