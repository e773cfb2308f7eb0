#include "phyxel/scene/read_shape.h"

#include <set>

#include "phyxel/geometry/heightfield.h"
#include "phyxel/geometry/mesh_distance.h"
#include "phyxel/geometry/models.h"
#include "phyxel/io/mesh_read.h"
#include "phyxel/io/points.h"
#include "phyxel/io/text_reader.h"
#include "phyxel/scene/fail.h"
#include "phyxel/scene/toml_table.h"
#include "phyxel/scene/words.h"

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

/// `needed` begins with the key; one that is there and wrong, or may be misspelt, is not asked for.
void require(TomlTable& table, const ShapeSpec& spec, const std::string& needed, bool given) {
  const std::string key = needed.substr(0, needed.find(' '));
  const bool wrong = table.is_wrong(key) || table.is_wrong(spec.type);  // also in its short form
  if (!given && !wrong && (table.lacks(key) || table.given(key)))
    table.complain(fmt::format("{}: a {} needs {}", table.path(), spec.type, needed));
}

void check_required(TomlTable& table, const ShapeSpec& spec) {
  const std::string& t = spec.type;
  const auto is = [&](std::set<std::string> types) { return types.contains(t); };
  if (is({"box", "heightfield"})) require(table, spec, "size = [x, y, z]", is_given(spec.size[0]));
  if (t == "ellipsoid") require(table, spec, "radii = [x, y, z]", is_given(spec.radii[0]));
  if (is({"sphere", "cylinder", "capsule", "cone", "torus"}))
    require(table, spec, "radius", is_given(spec.radius));
  if (is({"cylinder", "capsule", "cone"})) require(table, spec, "height", is_given(spec.height));
  if (t == "sheet") {
    require(table, spec, "width", is_given(spec.width));
    require(table, spec, "height", is_given(spec.height));
  }
  if (t == "polyline") require(table, spec, "points = [[x, y, z], ...]", !spec.points.empty());
  if (t == "torus") require(table, spec, "thickness", is_given(spec.thickness));
  if (is({"bunny", "bust", "die"})) require(table, spec, "size", is_given(spec.height));
  if (is({"mesh", "particles", "heightfield", "mesh_sequence"}))
    require(table, spec, "file", !spec.file.empty());
  // Behind a zero the system would see another name than we do.
  if (spec.file.find('\0') != spec.file.npos)
    table.complain(fmt::format("{}: the name of a file must not contain \\u0000", table.path()));
  if (t == "plane" && length(spec.normal) == 0)
    table.complain("normal", "= [0, 0, 0] has no direction; [0, 1, 0] is up");
}

void check_parts(TomlTable& table, const ShapeSpec& spec) {
  if (!is_operation(spec.type)) return;
  if (spec.of.size() < 2 && !table.is_wrong("of") && (table.lacks("of") || table.given("of")))
    table.complain(fmt::format("{}: a {} needs at least two shapes in of = [ {{...}}, {{...}} ]",
                               table.path(), spec.type));
}

Shape make_operation(const ShapeSpec& spec, ShapeFiles& files) {
  Shape result = make_shape(spec.of.front(), files);
  for (std::size_t k = 1; k < spec.of.size(); ++k) {
    const Shape part = make_shape(spec.of[k], files);
    result = spec.type == "union"          ? unite(std::move(result), part, spec.blend)
             : spec.type == "intersection" ? intersect(std::move(result), part, spec.blend)
                                           : subtract(std::move(result), part, spec.blend);
  }
  return result;
}

}  // namespace

std::filesystem::path shape_file(const ShapeSpec& spec, const std::filesystem::path& folder) {
  const std::filesystem::path file = folder / spec.file;
  std::error_code none;  // names that are too long do not exist either
  if (!std::filesystem::exists(file, none))
    throw InputError(
        spec.place,
        // The folder alone: of a message that is too long the middle is left out, and a name may
        // be.
        fmt::format("file = \"{}\" does not exist; it is looked for beside the scene, in {}",
                    spec.file, folder.empty() ? "this folder" : folder.string()));
  return file;
}

namespace {

/// What a table has under `key`; made now if it is the first time.
template <class Table, class Make>
auto once(Table& table, const typename Table::key_type& key, Make make) {
  auto& value = table[key];
  if (!value) value = make();
  return value;
}

Shape make_from_file(const ShapeSpec& spec, ShapeFiles& files) {
  const std::filesystem::path file = shape_file(spec, files.folder);
  if (spec.type == "mesh")
    return shape_mesh(once(files.meshes, spec.file,
                           [&] { return make_mesh_distance(read_mesh(file), file.string()); }));
  return shape_heightfield(
      once(files.heightfields, {spec.file, {spec.size[0], spec.size[1], spec.size[2]}}, [&] {
        return parse_heightfield(read_whole_file(file), file.string(),
                                 Vec2{spec.size[0], spec.size[2]}, spec.size[1]);
      }));
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

/// The content of a particle file. Large ones are read again rather than kept.
std::shared_ptr<const Frame> points_of(const ShapeSpec& spec, ShapeFiles& files) {
  constexpr std::size_t most_kept = 1'000'000;
  return placed(spec, [&] {
    const std::filesystem::path file = shape_file(spec, files.folder);
    if (const auto known = files.points.find(spec.file); known != files.points.end())
      return known->second;
    auto frame = std::make_shared<const Frame>(read_points(file));
    if (frame->count <= most_kept) files.points[spec.file] = frame;
    return frame;
  });
}

Shape make_simple(const ShapeSpec& s, ShapeFiles& files) {
  if (s.type == "box") return shape_box(s.size, s.rounding);
  if (s.type == "sphere") return shape_sphere(s.radius);
  if (s.type == "ellipsoid") return shape_ellipsoid(s.radii);
  if (s.type == "cylinder") return shape_cylinder(s.radius, s.height);
  if (s.type == "capsule") return shape_capsule(s.radius, s.height);
  if (s.type == "cone") return shape_cone(s.radius, s.top_radius, s.height);
  if (s.type == "torus") return shape_torus(s.radius, s.thickness);
  if (s.type == "plane") return shape_plane(cast<Real>(s.point), s.normal);
  if (s.type == "bunny") return model_bunny(s.height);
  if (s.type == "bust") return model_bust(s.height);
  if (s.type == "die") return model_die(s.height);
  if (s.type == "mesh" || s.type == "heightfield") return make_from_file(s, files);
  const bool thin = s.type == "sheet" || s.type == "polyline";
  fail(s.place, "a {} is not a solid; it cannot be used here{}", s.type,
       thin ? ", only as the shape of a body" : "");
}

Transform pose_of(const ShapeSpec& spec) {
  return {rotation_degrees(spec.rotation), cast<Real>(spec.centre)};
}

/// A point of a file where the scene has put it, in double: it may lie where the file says, far
/// from where the scene is computed.
Vec3d placed_point(const ShapeSpec& spec, const Mat3d& turn, const Vec3d& x) {
  return spec.centre + turn * (x * double(spec.scale));
}
Mat3d turn_of(const ShapeSpec& spec) {
  const Mat3 turn = rotation_degrees(spec.rotation);
  return {{cast<double>(turn[0]), cast<double>(turn[1]), cast<double>(turn[2])}};
}

}  // namespace

ShapeSpec read_shape(TomlTable& table) {
  ShapeSpec spec;
  spec.place = table.place();
  Fields type;
  type("type", spec.type, "what it is");
  if (!read_short_form(table, spec)) table.read(type);
  const std::vector<std::string> types = shape_types();
  const bool known = contains(types, spec.type);
  if (spec.type.empty() && !table.is_wrong("type") && !table.is_misspelt("type"))
    table.complain(fmt::format("{} has no type; one of: {}", table.path(), fmt::join(types, ", ")));
  else if (!known && !spec.type.empty())
    table.complain("type", "= \"{}\" is not a shape{}; one of: {}", spec.type,
                   shape_hint(spec.type), fmt::join(types, ", "));
  if (!known) return {};  // its keys depend on the type
  table.read(described(spec));
  if (is_operation(spec.type))
    for (TomlTable& part : table.table_array("of")) spec.of.push_back(read_shape(part));
  table.finish();
  check_parts(table, spec);
  check_required(table, spec);
  return spec;
}

Shape make_shape(const ShapeSpec& spec, ShapeFiles& files) {
  const Shape shape = spec.of.empty() ? placed(spec, [&] { return make_simple(spec, files); })
                                      : make_operation(spec, files);
  if (spec.type == "plane") return shape;
  return transformed(shape, pose_of(spec), spec.scale);
}

std::vector<Vec3> read_shape_points(const ShapeSpec& spec, ShapeFiles& files) {
  const auto kept = points_of(spec, files);
  const Frame& frame = *kept;
  std::vector<Vec3> points(frame.count);
  const Transform pose = pose_of(spec);
  const Mat3d turn = turn_of(spec);
  const bool fine = frame.columns.front().type == NumberType::float64;
  for (std::size_t i = 0; i < frame.count; ++i)
    points[i] = fine ? cast<Real>(placed_point(spec, turn, frame.world_position(i)))
                     : apply(pose, frame.position(i) * spec.scale);
  return points;
}

BoundsOf<double> bounds_of_points(const ShapeSpec& spec, ShapeFiles& files) {
  const auto kept = points_of(spec, files);
  const Frame& frame = *kept;
  const Mat3d turn = turn_of(spec);
  BoundsOf<double> bounds;
  for (std::size_t i = 0; i < frame.count; ++i)
    bounds.include(placed_point(spec, turn, frame.world_position(i)));
  return bounds;
}

std::vector<Vec3> read_shape_velocities(const ShapeSpec& spec, ShapeFiles& files) {
  const auto kept = points_of(spec, files);
  const Frame& frame = *kept;
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
