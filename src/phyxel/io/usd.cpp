#include "phyxel/io/usd.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "phyxel/core/error.h"
#include "phyxel/io/columns.h"
#include "phyxel/io/file_numbers.h"
#include "phyxel/io/surface_data.h"
#include "phyxel/io/text_reader.h"
#include "phyxel/io/usd_stage.h"

namespace phyxel {

namespace {

const std::string per_vertex = "interpolation = \"vertex\"";
const std::string constant = "interpolation = \"constant\"";

/// Where the arrays of one prim at one time go.
struct Sample {
  UsdPrim& prim;
  double time;
  ScratchFile& scratch;
  std::string file;  // name for messages

  /// `wanted`, or with _2, _3 ... behind it where this time has an array of that name.
  std::string unused(const std::string& wanted) const {
    std::string name = wanted;
    const auto has_it = [&](const UsdAttribute& a) {
      return a.name == name && a.samples.count(time);
    };
    for (int k = 2; std::any_of(prim.attributes.begin(), prim.attributes.end(), has_it); ++k)
      name = wanted + "_" + std::to_string(k);
    return name;
  }

  UsdAttribute& attribute(const std::string& type, const std::string& name,
                          const std::string& metadata) {
    for (UsdAttribute& known : prim.attributes) {
      if (known.name != name) continue;
      if (known.type == type && known.metadata == metadata) return known;
      throw Error(Place{file}, "'" + prim.identifier + "' at time code " + fmt::to_string(time) +
                                   ": " + name + " is " + type + " with " + metadata +
                                   ", earlier it was " + known.type + " with " + known.metadata +
                                   "; attributes keep their type over an animation");
    }
    return prim.attributes.emplace_back(UsdAttribute{type, name, metadata, {}});
  }

  template <class Value>
  void array(const std::string& type, const std::string& name, const std::string& metadata,
             std::size_t count, int components, Value&& value) {
    UsdAttribute& target = attribute(type, name, metadata);
    const std::size_t first = scratch.writer().bytes();
    Lines lines{scratch.writer()};
    add_array(lines, count, components, value);
    lines.flush();
    target.samples[time] = {first, scratch.writer().bytes() - first};
  }

  template <class T, int N>
  void vectors(const std::string& type, const std::string& name, const std::string& metadata,
               const std::vector<Vec<T, N>>& values) {
    array(type, name, metadata, values.size(), N,
          [&](std::size_t i, int c) { return static_cast<float>(values[i][c]); });
  }

  void column(const std::string& type, const std::string& name, const std::string& metadata,
              const FrameColumn& column, float scale = 1) {
    const std::size_t count = column.data.size() / column.element_size();
    array(type, name, metadata, count, column.components,
          [&](std::size_t i, int c) { return static_cast<float>(column.number(i, c)) * scale; });
  }
};

void add_extent(Sample& sample, Bounds bounds, Real margin) {
  if (!bounds.empty()) {
    bounds.min = bounds.min - Vec3::filled(margin);
    bounds.max = bounds.max + Vec3::filled(margin);
  } else {  // as USD's own empty range
    bounds.min = Vec3::filled(std::numeric_limits<float>::max());
    bounds.max = -bounds.min;
  }
  sample.vectors("float3[]", "extent", "", std::vector<Vec3>{bounds.min, bounds.max});
}

void add_colour(Sample& sample, const FrameColumn& colour) {
  const std::size_t count = colour.data.size() / colour.element_size();
  sample.array("color3f[]", "primvars:displayColor", per_vertex, count, 3,
               [&](std::size_t i, int c) { return colour_light(colour, i, c); });
  if (colour.components == 4)
    sample.array("float[]", "primvars:displayOpacity", per_vertex, count, 1,
                 [&](std::size_t i, int) { return colour_light(colour, i, 3); });
}

/// A column as primvar of its own name: float[], int[], float3[] ...; one of more than four
/// components as that many numbers in a row per element.
void add_primvar(Sample& sample, const FrameColumn& column) {
  const std::string name = sample.unused("primvars:" + usd_identifier(column.name));
  const bool flat = column.components > 4;
  const int components = flat ? 1 : column.components;
  const std::size_t count = column.data.size() / size_of(column.type) / components;
  const std::string size = components > 1 ? std::to_string(components) + "[]" : "[]";
  const std::string metadata =
      flat ? fmt::format("elementSize = {}\n            {}", column.components, per_vertex)
           : per_vertex;
  const auto number = [&](std::size_t i, int c) {
    return number_at(column.type, column.data, i * components + c);
  };
  if (column.type == NumberType::float32 || column.type == NumberType::float64)
    sample.array("float" + size, name, metadata, count, components,
                 [&](std::size_t i, int c) { return static_cast<float>(number(i, c)); });
  else if (column.type == NumberType::uint64 && components == 1)
    sample.array("int64[]", name, metadata, count, 1,
                 [&](std::size_t i, int c) { return static_cast<long long>(number(i, c)); });
  else  // the bits of an unsigned number, as USD has int only
    sample.array("int" + size, name, metadata, count, components, [&](std::size_t i, int c) {
      const auto value = static_cast<std::int64_t>(number(i, c));
      return static_cast<long long>(static_cast<std::int32_t>(value));
    });
}

/// Colour, velocity, or a primvar.
void add_column(Sample& sample, const FrameColumn& column) {
  if (is_colour(column))
    add_colour(sample, column);
  else if (column.name == "velocity" && column.components == 3)
    sample.column("vector3f[]", "velocities", "", column);
  else
    add_primvar(sample, column);
}

void add_triangles(Sample& sample, const std::vector<Int3>& triangles) {
  sample.array("int[]", "faceVertexCounts", "", triangles.size(), 1,
               [](std::size_t, int) { return 3LL; });
  sample.array("int[]", "faceVertexIndices", "", triangles.size() * 3, 1, [&](std::size_t k, int) {
    return static_cast<long long>(triangles[k / 3][static_cast<int>(k % 3)]);
  });
}

/// Widths of particles; the largest radius.
Real add_widths(Sample& sample, const Frame& frame, double radius) {
  const FrameColumn* radii = frame.find("radius");
  if (radii && radii->components == 1) {
    sample.column("float[]", "widths", per_vertex, *radii, 2);
    double largest = 0;
    for (std::size_t i = 0; i < frame.count; ++i) largest = std::max(largest, radii->number(i));
    return static_cast<Real>(largest);
  }
  if (radius > 0)
    sample.array("float[]", "widths", constant, 1, 1,
                 [&](std::size_t, int) { return static_cast<float>(2 * radius); });
  return static_cast<Real>(radius);
}

bool is_one_of(const std::string& name, const std::vector<std::string>& names) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

}  // namespace

std::string usd_identifier(const std::string& name) {
  const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
  const auto is_letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); };
  std::string identifier = name;
  for (char& c : identifier)
    if (!is_digit(c) && !is_letter(c)) c = '_';
  if (identifier.empty() || is_digit(identifier[0])) identifier.insert(0, "_");
  return identifier;
}

struct UsdAnimation::Stage {
  std::filesystem::path path;
  std::optional<ScratchFile> scratch;  // until finish()
  UsdLayer layer;
  std::map<std::string, UsdPrim*> prims = {};  // by the names of the caller

  [[noreturn]] void fail(const std::string& message) const {
    throw Error(Place{path.string()}, message);
  }

  std::string unused_identifier(const std::string& name) const {
    std::string identifier = usd_identifier(name);
    const auto has_it = [&](const UsdPrim& prim) { return prim.identifier == identifier; };
    for (int k = 2; std::any_of(layer.prims.begin(), layer.prims.end(), has_it); ++k)
      identifier = usd_identifier(name) + "_" + std::to_string(k);
    return identifier;
  }

  UsdPrim& prim(const std::string& name, const std::string& type) {
    UsdPrim*& known = prims[name];
    if (!known)
      known = &layer.prims.emplace_back(UsdPrim{type, unused_identifier(name), "", {}, {}, {}});
    if (known->type != type)
      fail(in_quotes(name) + " is a " + known->type + " already; give the " + type +
           " another name");
    return *known;
  }

  Sample sample(const std::string& name, const std::string& type, double time) {
    if (!scratch) fail("nothing can be added after finish()");
    if (!std::isfinite(time)) fail("time code " + fmt::to_string(time) + " is not finite");
    UsdPrim& target = prim(name, type);
    if (target.times.count(time))
      fail(in_quotes(name) + " has time code " + fmt::to_string(time) + " already");
    for (UsdAttribute& attribute : target.attributes)
      attribute.samples.erase(time);  // of a failure
    return {target, time, *scratch, path.string()};
  }
};

UsdAnimation::UsdAnimation(const std::filesystem::path& path, double frames_per_second) {
  if (!(frames_per_second > 0) || !std::isfinite(frames_per_second))
    throw InputError(Place{path.string()},
                     "frames per second = " + fmt::to_string(frames_per_second) +
                         " must be above 0; 24 is usual");
  stage_ = std::make_unique<Stage>();
  stage_->path = path;
  stage_->scratch.emplace(path);
  stage_->layer.frames_per_second = frames_per_second;
}
UsdAnimation::~UsdAnimation() = default;
UsdAnimation::UsdAnimation(UsdAnimation&&) noexcept = default;
UsdAnimation& UsdAnimation::operator=(UsdAnimation&&) noexcept = default;

namespace {

/// `given` relative to the origin of the prim, which the first sample chooses; `moved` where that
/// is another.
template <class Thing, class Prim>
const Thing& in_place(const Thing& given, Prim& prim, Thing& moved) {
  if (!prim.origin) prim.origin = given.origin;
  if (given.origin == *prim.origin) return given;
  moved = rebased(given, *prim.origin);
  return moved;
}

}  // namespace

void UsdAnimation::add_mesh(const std::string& name, double time_code, const SurfaceMesh& given) {
  check_surface(given, stage_->path.string());
  Sample sample = stage_->sample(name, "Mesh", time_code);
  SurfaceMesh moved;
  const SurfaceMesh& surface = in_place(given, sample.prim, moved);
  sample.prim.constants =
      "        uniform bool doubleSided = 1\n"
      "        uniform token orientation = \"rightHanded\"\n"
      "        uniform token subdivisionScheme = \"none\"\n";
  add_extent(sample, bounds_of(surface.mesh), 0);
  add_triangles(sample, surface.mesh.triangles);
  sample.vectors("point3f[]", "points", "", surface.mesh.vertices);
  if (!surface.normals.empty())
    sample.vectors("normal3f[]", "normals", per_vertex, surface.normals);
  if (!surface.texture.empty())
    sample.vectors("texCoord2f[]", "primvars:st", per_vertex, surface.texture);
  for (const FrameColumn& column : surface.attributes) add_column(sample, column);
  sample.prim.times.insert(time_code);
}

void UsdAnimation::add_points(const std::string& name, double time_code, const Frame& given,
                              const UsdPoints& options) {
  check_frame(given, stage_->path.string());
  Sample sample = stage_->sample(name, "Points", time_code);
  Frame moved;
  const Frame& frame = in_place(given, sample.prim, moved);
  Bounds bounds;
  for (std::size_t i = 0; i < frame.count; ++i) bounds.include(frame.position(i));
  add_extent(sample, bounds, add_widths(sample, frame, options.radius));
  sample.column("point3f[]", "points", "", frame.columns[0]);
  if (const FrameColumn* ids = frame.find("id"); ids && ids->components == 1)
    sample.array("int64[]", "ids", "", frame.count, 1,
                 [&](std::size_t i, int) { return static_cast<long long>(ids->number(i)); });
  std::vector<std::string> wanted = options.primvars;
  wanted.insert(wanted.end(), {"colour", "velocity"});
  for (std::size_t k = 1; k < frame.columns.size(); ++k)
    if (is_one_of(frame.columns[k].name, wanted)) add_column(sample, frame.columns[k]);
  sample.prim.times.insert(time_code);
}

void UsdAnimation::finish() {
  if (!stage_->scratch) stage_->fail("finish() was called before");
  write_atomically(stage_->path,
                   [&](FileWriter& file) { write_layer(stage_->layer, *stage_->scratch, file); });
  stage_->scratch.reset();
}

}  // namespace phyxel
