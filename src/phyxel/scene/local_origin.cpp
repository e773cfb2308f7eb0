#include "phyxel/scene/local_origin.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <optional>

#include "phyxel/core/origin.h"
#include "phyxel/scene/body_material.h"
#include "phyxel/scene/fail.h"
#include "phyxel/scene/read_shape.h"

namespace phyxel {

namespace {

using WorldBounds = BoundsOf<double>;

/// Spacings from zero at which the last bit of a double is a millionth of one.
constexpr double farthest_in_spacings = 1e10;

Mat3d turn_of(const ShapeSpec& spec) {
  const Vec3d a = cast<double>(spec.rotation) * (M_PI / 180);
  return rotation(Vec3d{0, 0, 1}, a[2]) * rotation(Vec3d{0, 1, 0}, a[1]) *
         rotation(Vec3d{1, 0, 0}, a[0]);
}

bool is_turned(const ShapeSpec& spec) {
  return !(spec.rotation == Vec3::zero());
}

/// From the axes of an operation to those around it and back; exact where it is not turned.
Vec3d turned(const ShapeSpec& spec, const Vec3d& x) {
  return is_turned(spec) ? turn_of(spec) * x : x;
}
Vec3d turned_back(const ShapeSpec& spec, const Vec3d& x) {
  return is_turned(spec) ? transpose(turn_of(spec)) * x : x;
}

Vec3d relative(const Vec3d& place, const Vec3d& origin) {
  Vec3d result;
  for (int k = 0; k < 3; ++k) result[k] = decimal_difference(place[k], origin[k]);
  return result;
}

/// Where matter of a shape is: the middles of the solids that it is made of. Planes have none.
void include_places(ShapeFiles& files, const ShapeSpec& spec, WorldBounds& places) {
  if (spec.type == "plane") return;
  if (spec.type == "particles") {
    // Errors of the file are reported when its points are read.
    try {
      places.include(bounds_of_points(spec, files));
    } catch (const Error&) {
    }
    return;
  }
  for (const Vec3& corner : spec.points)  // of a polyline
    places.include(spec.centre + turned(spec, cast<double>(corner)));
  if (!spec.points.empty()) return;
  if (spec.of.empty()) return places.include(spec.centre);
  const std::size_t parts = spec.type == "difference" ? 1 : spec.of.size();
  for (std::size_t k = 0; k < parts; ++k) {
    WorldBounds part;
    include_places(files, spec.of[k], part);
    if (part.empty()) continue;
    for (const Vec3d& corner : {part.min, part.max})
      places.include(spec.centre + turned(spec, corner));
  }
}

/// The smallest of all bodies; none where one of them cannot be told, which build() refuses.
std::optional<double> smallest_spacing(const Scene& scene) {
  double smallest = infinity;
  try {
    for (const BodySpec& body : scene.bodies)
      smallest = std::min<double>(smallest, rest_spacing(scene, body));
  } catch (const InputError&) {
    return std::nullopt;
  }
  return std::isfinite(smallest) && smallest > 0 ? std::optional(smallest) : std::nullopt;
}

/// The cell of the grid that a material names, m.
std::optional<double> given_cell(const Scene& scene) {
  for (const MaterialSpec& spec : scene.materials) {
    Material material = spec.material;
    Fields fields = described_parameters(material);
    const Parameter* cell = fields.find("cell");
    const auto* const* value = cell ? std::get_if<Real*>(&cell->value) : nullptr;
    if (value && is_given(**value)) return double(**value);
  }
  return std::nullopt;
}

/// number / 10^decimals.
struct Decimal {
  double number = 1;
  int decimals = 0;
};

double power_of_ten(int exponent) {
  double power = 1;
  for (int k = 0; k < exponent; ++k) power *= 10;
  return power;
}

/// The number of at most four digits that was rounded to `value`, if there is one.
std::optional<Decimal> short_decimal(double value) {
  for (int decimals = 0; decimals <= 12; ++decimals) {
    const double scaled = value * power_of_ten(decimals), whole = std::round(scaled);
    if (whole > 9999) break;
    if (whole >= 1 && std::abs(scaled - whole) < 1e-6 * whole) return Decimal{whole, decimals};
  }
  return std::nullopt;
}

/// Origins are multiples of it, m: the cell of the grid where it is a short decimal number, so that
/// its nodes are at multiples of it in the world too, otherwise a power of ten that is at most a
/// hundredth of the spacing.
Decimal step_of(const Scene& scene, double spacing) {
  if (const auto cell = given_cell(scene))
    if (const auto step = short_decimal(*cell)) return *step;
  const int decimals = static_cast<int>(std::ceil(2 - std::log10(spacing)));
  return {1, std::clamp(decimals, 0, 18)};
}

/// The multiple of the step that is nearest to `at`. Places are often halfway between two; what
/// rounding has left of them must not decide.
double rounded(double at, const Decimal& step) {
  const double power = power_of_ten(step.decimals);
  const double count = std::floor(at / (step.number / power) + 0.51);
  return count * step.number / power;
}

/// How far from the origin positions are precise enough for particles that are `spacing` apart, m.
/// Measured with a cube at rest: up to here rounding moves matter by less than a thousandth of its
/// speed of sound (docs/far_from_the_origin.md).
double reach_of_origin(double spacing) {
  return spacing * 0x1p-11 / std::numeric_limits<Real>::epsilon();
}

bool is_level_floor(const ColliderSpec& collider) {
  const ShapeSpec& s = collider.shape;
  return s.type == "plane" && s.normal[0] == 0 && s.normal[1] > 0 && s.normal[2] == 0 &&
         collider.motion.times.empty();
}

/// Height of the highest floor that is below all matter and not far from it.
std::optional<double> floor_below(const Scene& scene, const WorldBounds& matter, double spacing) {
  std::optional<double> level;
  const auto offer = [&](double height) {
    if (height <= matter.min[1] && matter.max[1] - height < reach_of_origin(spacing))
      level = std::max(level.value_or(height), height);
  };
  for (const ColliderSpec& collider : scene.colliders)
    if (is_level_floor(collider)) offer(collider.shape.point[1]);
  if (scene.world.walls != Walls::open && !scene.world.periodic[1])
    offer(scene.world.domain_min[1]);
  return level;
}

/// Where all matter is.
WorldBounds places_of_matter(const Scene& scene) {
  WorldBounds matter;
  ShapeFiles files{scene.folder};
  for (const BodySpec& body : scene.bodies) include_places(files, body.shape, matter);
  return matter;
}

/// The largest distance from the origin of parts of an operation, m.
double extent_of(const std::vector<ShapeSpec>& parts, const Vec3d& origin) {
  double extent = 0;
  for (const ShapeSpec& part : parts)
    if (part.type != "plane") {
      const Vec3d own = part.centre - origin;
      extent = std::max(extent, length(own));
    }
  return extent;
}

/// Whether the centre of an operation moves with the origin; otherwise its parts do, as they must
/// where they are far away in its own axes.
bool takes_origin(const ShapeSpec& spec, const Vec3d& origin) {
  if (spec.centre == Vec3d::zero()) return false;
  const double moved = length(spec.centre - origin) + extent_of(spec.of, Vec3d::zero());
  const double kept = length(spec.centre) + extent_of(spec.of, turned_back(spec, origin));
  return moved <= 16 * kept;
}

/// Moves the places of a scene; `far`: planes need not be known farther away than that, m.
struct Mover {
  Vec3d origin;
  double far;

  void move(Vec3d& place) const { place = relative(place, origin); }

  /// Any point of a plane will do; one that has come from far away is put near.
  void move_plane(ShapeSpec& plane) const {
    move(plane.point);
    const Vec3d n = normalized(cast<double>(plane.normal));
    const Vec3d nearest = n * dot(n, plane.point);
    if (length(plane.point - nearest) > far) plane.point = nearest;
  }

  void move(ShapeSpec& spec) const {
    if (spec.type == "plane") return move_plane(spec);
    if (spec.of.empty() || takes_origin(spec, origin)) return move(spec.centre);
    const Mover inner{turned_back(spec, origin), far};
    for (ShapeSpec& part : spec.of) inner.move(part);
  }

  void move(Motion& motion) const {
    if (motion.rotations.empty())
      motion.pivot = Vec3d::zero();  // nothing turns about it
    else
      move(motion.pivot);
  }
};

template <class AnyMover>
void move_all(Scene& scene, const AnyMover& mover) {
  for_each_solid(scene, [&](const std::string&, ShapeSpec& shape, Motion* motion) {
    mover.move(shape);
    if (motion) mover.move(*motion);
  });
  for (FieldSpec& field : scene.fields) {
    if (field.region) mover.move(*field.region);
    // Places in the parameters of any type are doubles; so are all vectors of a build in double.
    Fields fields = described(field);
    for (const Parameter& p : fields.list)
      if (Vec3d* const* const point = std::get_if<Vec3d*>(&p.value); point && p.unit == "m")
        mover.move(**point);
  }
  for (LightSpec& light : scene.lights)
    for (Vec3d* place : {&light.position, &light.target}) mover.move(*place);
  for (Vec3d* place : {&scene.world.domain_min, &scene.world.domain_max,
                       &scene.render.camera_position, &scene.render.camera_target})
    mover.move(*place);
}

/// The number that is `local` when it is read relative to `origin`, written with few decimals where
/// one of those is; if there is none, their sum.
double absolute(double local, double origin) {
  const double sum = origin + local;
  for (const double at : {decimal_difference(local, -origin), sum, std::nextafter(sum, -infinity),
                          std::nextafter(sum, infinity)})
    if (decimal_difference(at, origin) == local) return at;
  return sum;
}

/// The opposite of Mover, as far as doubles allow.
struct Returner {
  Vec3d origin;

  void move(Vec3d& place) const {
    for (int k = 0; k < 3; ++k) place[k] = absolute(place[k], origin[k]);
  }

  void move(ShapeSpec& spec) const {
    if (spec.type == "plane") return move(spec.point);
    if (spec.of.empty()) return move(spec.centre);
    ShapeSpec whole = spec;
    move(whole.centre);
    if (takes_origin(whole, origin)) {
      spec.centre = whole.centre;
      return;
    }
    const Returner inner{turned_back(spec, origin)};
    for (ShapeSpec& part : spec.of) inner.move(part);
  }

  void move(Motion& motion) const {
    if (!motion.rotations.empty()) move(motion.pivot);
  }
};

void add_places(const ShapeSpec& spec, std::vector<Vec3d>& places) {
  places.insert(places.end(), {spec.centre, spec.point});
  for (const ShapeSpec& part : spec.of) add_places(part, places);
}

/// All that a Mover moves.
std::vector<Vec3d> all_places(const Scene& scene) {
  std::vector<Vec3d> places = {scene.origin, scene.world.domain_min, scene.world.domain_max,
                               scene.render.camera_position, scene.render.camera_target};
  for (const LightSpec& light : scene.lights)
    places.insert(places.end(), {light.position, light.target});
  for_each_solid(scene, [&](const std::string&, const ShapeSpec& shape, const Motion* motion) {
    add_places(shape, places);
    if (motion) places.push_back(motion->pivot);
  });
  return places;
}

/// Bits are compared: camera positions that are not given are not numbers.
bool same_bits(const std::vector<Vec3d>& a, const std::vector<Vec3d>& b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(Vec3d)) == 0;
}

void set_origin(Scene& scene, const Vec3d& origin, const WorldBounds& matter, double spacing) {
  const Vec3d by = relative(origin, scene.origin);
  if (by == Vec3d::zero()) return;
  move_all(scene, Mover{by, 10 * length(matter.size()) + reach_of_origin(spacing)});
  scene.origin = origin;
}

double largest_part(const Vec3d& v) {
  return std::max({std::abs(v[0]), std::abs(v[1]), std::abs(v[2])});
}

/// A shape that stands far away and is brought here by large offsets has lost its last digits.
/// Matter (`carries`) must not be moved far away either.
void check_motion(const Scene& scene, const std::string& path, const ShapeSpec& shape,
                  const Motion& motion, bool carries, double reach, Problems& problems) {
  const Vec3d centre = shape.type == "plane" ? shape.point : shape.centre;
  for (std::size_t k = 0; k < motion.positions.size(); ++k) {
    const Vec3d offset = cast<double>(motion.positions[k]), at = centre + offset;
    const double size = largest_part(offset);
    const bool comes_near = size > reach && 2 * largest_part(at) < size;
    if (!comes_near && !(carries && largest_part(at) > reach)) continue;
    problems.add(
        scene.place_of(path + ".motion.positions"),
        fmt::format("{}.motion.positions has an offset of {:.7g} m; {} at most {:.6g} m, 4096 "
                    "spacings, are precise: give the shape a centre where it is near matter, and "
                    "offsets from there",
                    path, size, carries ? "around the origin of the scene" : "beside matter",
                    reach));
    return;
  }
}

}  // namespace

void set_origin(Scene& scene, const Vec3d& origin) {
  const std::optional<double> spacing = smallest_spacing(scene);
  const WorldBounds matter = places_of_matter(scene);
  if (spacing && !matter.empty()) set_origin(scene, origin, matter, *spacing);
}

std::optional<Scene> in_world(const Scene& scene) {
  Scene absolute = scene;
  if (scene.origin == Vec3d::zero()) return absolute;
  move_all(absolute, Returner{scene.origin});
  absolute.origin = Vec3d::zero();
  Scene again = absolute;
  set_origin(again, scene.origin);
  if (!same_bits(all_places(again), all_places(scene))) return std::nullopt;
  return absolute;
}

void choose_origin(Scene& scene) {
  if (is_given(scene.world.origin[0])) {
    if (scene.world.positions == Positions::origin)
      scene.origin = scene.world.origin;
    else
      set_origin(scene, scene.world.origin);
    return;
  }
  const std::optional<double> spacing = smallest_spacing(scene);
  if (!spacing) return;
  const WorldBounds matter = places_of_matter(scene);
  if (matter.empty()) return;
  const Decimal step = step_of(scene, *spacing);
  Vec3d origin = matter.centre();
  if (const auto level = floor_below(scene, matter, *spacing)) origin[1] = *level;
  for (int k = 0; k < 3; ++k) origin[k] = rounded(origin[k], step);
  if (scene.dimensions == 2) origin[2] = 0;
  set_origin(scene, origin, matter, *spacing);
}

void check_reach(const Scene& scene, const BodySpec& body, const Bounds& bounds) {
  const double spacing = rest_spacing(scene, body), reach = reach_of_origin(spacing);
  const double farthest = farthest_in_spacings * spacing;
  for (int k = 0; k < 3; ++k)
    for (const double at : {double(bounds.min[k]), double(bounds.max[k])}) {
      const double origin = scene.origin[k], place = origin + at;
      if (std::abs(place) > farthest)
        fail(body.shape.place,
             "{} reaches to {} = {:.7g} m, where positions are too coarse for a spacing of {:.4g} "
             "m; it must be within {:.3g} m of zero, 1e10 spacings: move the scene there",
             body.path(), "xyz"[k], place, spacing, farthest);
      if (std::abs(at) > reach)
        fail(body.shape.place,
             "{} reaches to {} = {:.7g} m, {:.6g} m from the origin that the scene is computed "
             "around, {} = {:.7g} m; with a spacing of {:.4g} m it must be within {:.6g} m: bring "
             "the bodies nearer to each other, make two scenes of them, raise the spacing or use a "
             "build with PHYXEL_DOUBLE",
             body.path(), "xyz"[k], place, std::abs(at), "xyz"[k], origin, spacing, reach);
    }
}

void check_motions(const Scene& scene, Problems& problems) {
  const std::optional<double> spacing = smallest_spacing(scene);
  if (!spacing) return;
  const double reach = reach_of_origin(*spacing);
  for_each_solid(scene, [&](const std::string& path, const ShapeSpec& shape, const Motion* motion) {
    const bool carries = !path.starts_with("collider.") && !path.starts_with("sink.");
    if (motion) check_motion(scene, path, shape, *motion, carries, reach, problems);
  });
}

}  // namespace phyxel
