#include "phyxel/app/pictures.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

#include "phyxel/render/colour_map.h"
#include "phyxel/render/legend.h"
#include "phyxel/render/scene.h"
#include "phyxel/scene/make_collider.h"
#include "phyxel/scene/read_shape.h"
#include "phyxel/scene/rest_spacing.h"
#include "phyxel/scene/timeline.h"

namespace phyxel {

namespace {

using render::Colour;

Colour to_colour(const Vec3& c) {
  return {render::linear_from_srgb(static_cast<float>(c[0])),
          render::linear_from_srgb(static_cast<float>(c[1])),
          render::linear_from_srgb(static_cast<float>(c[2]))};
}

bool is_floor(const ShapeSpec& shape) {
  return shape.type == "plane" && shape.normal[1] > Real(0.9) * length(shape.normal);
}

Bounds body_bounds(const Scene& scene, const BodySpec& body) {
  if (body.shape.type != "particles") return bounds_of(make_shape(body.shape, scene.folder));
  Bounds bounds;
  for (const Vec3& x : read_shape_points(body.shape, scene.folder)) bounds.include(x);
  return bounds;
}

/// A body that will fall is shown with the place where it lands.
void include_landing(const Scene& scene, const Bounds& body, Bounds& view) {
  if (scene.world.gravity[1] >= 0) return;
  for (const ColliderSpec& collider : scene.colliders) {
    if (!is_floor(collider.shape)) continue;
    Vec3 low = body.min, high = body.max;
    low[1] = collider.shape.point[1];
    high[1] = low[1] + (body.max[1] - body.min[1]);
    view.include(low);
    view.include(high);
  }
}

/// All bodies and the bounded colliders at the start.
Bounds visible_bounds(const Scene& scene, const std::vector<Collider>& colliders) {
  Bounds bodies;
  for (const BodySpec& body : scene.bodies) bodies.include(body_bounds(scene, body));
  Bounds view = bodies;
  include_landing(scene, bodies, view);
  for (const Collider& collider : colliders) {
    if (!collider.visible || collider.sequence) continue;
    const Bounds b = bounds_of(transformed(collider.shape, collider.pose.transform));
    if (is_bounded(b) && length(b.size()) < 4 * length(bodies.size())) view.include(b);
  }
  return view;
}

render::Camera choose_camera(const Scene& scene, const Bounds& view) {
  const RenderSpec& r = scene.render;
  const Real aspect = static_cast<Real>(r.width) / static_cast<Real>(r.height);
  const Vec3 towards_camera =
      is_given(r.view_direction[0]) ? -r.view_direction : render::three_quarter_direction;
  render::Camera camera = render::frame_bounds(view, normalized(towards_camera), r.field_of_view,
                                               aspect, scene.dimensions == 2);
  camera.position = camera.target + (camera.position - camera.target) / r.zoom;
  camera.orthographic_height /= r.zoom;
  if (is_given(r.camera_target[0])) {
    camera.position += r.camera_target - camera.target;
    camera.target = r.camera_target;
  }
  if (is_given(r.camera_position[0])) camera.position = r.camera_position;
  return camera;
}

/// The column behind an attribute; "speed" and "height" are parts of others.
const FrameColumn& find_attribute(const Scene& scene, const Frame& frame, const std::string& name) {
  const FrameColumn* column = frame.find(name == "speed"    ? "velocity"
                                         : name == "height" ? "position"
                                                            : name);
  if (column) return *column;
  std::vector<std::string> names = {"speed", "height"};
  for (const FrameColumn& c : frame.columns) names.push_back(c.name);
  fail(scene, "render.colour_by",
       fmt::format("render.colour_by = \"{}\" is not an attribute{}; there are: {}", name,
                   suggestion(name, names), fmt::join(names, ", ")));
}

/// An attribute as one number per particle: a column, or the length of a vector.
std::vector<double> scalar_values(const Scene& scene, const Frame& frame, const std::string& name) {
  std::vector<double> values(frame.count);
  const FrameColumn* column = &find_attribute(scene, frame, name);
  for (std::size_t i = 0; i < frame.count; ++i) {
    if (name == "height" || column->components == 1) {
      values[i] = column->number(i, name == "height" ? 1 : 0);
      continue;
    }
    double sum = 0;
    for (int c = 0; c < column->components; ++c) sum += column->number(i, c) * column->number(i, c);
    values[i] = std::sqrt(sum);
  }
  return values;
}

struct Colouring {
  std::vector<Colour> colours;
  std::vector<render::Legend> legend;  // empty or one
};

Colouring colour_by_body(const Scene& scene, const Frame& frame) {
  std::vector<Colour> of_body;
  for (std::size_t b = 0; b < scene.bodies.size(); ++b) {
    const Vec3 own = material_of(scene, scene.bodies[b]).colour;
    of_body.push_back(is_given(own[0]) ? to_colour(own) : render::body_colour(b));
  }
  const FrameColumn* body = frame.find("body");
  Colouring result;
  result.colours.resize(frame.count);
  for (std::size_t i = 0; i < frame.count; ++i) {
    const std::size_t b = body ? static_cast<std::size_t>(body->number(i)) : 0;
    result.colours[i] = of_body.at(std::min(b, of_body.size() - 1));
  }
  return result;
}

std::string unit_of(const Frame& frame, const std::string& name) {
  if (name == "speed") return "m/s";
  if (name == "height") return "m";
  const FrameColumn* column = frame.find(name);
  return column ? column->unit : "";
}

Colouring colour_by_value(const Scene& scene, const Frame& frame) {
  const RenderSpec& r = scene.render;
  const std::vector<double> values = scalar_values(scene, frame, r.colour_by);
  const auto [least, most] = std::minmax_element(values.begin(), values.end());
  const double low = is_given(r.colour_min) ? r.colour_min : values.empty() ? 0 : *least;
  double high = is_given(r.colour_max) ? r.colour_max : values.empty() ? 1 : *most;
  if (high <= low) high = low + 1e-9 + std::abs(low) * 1e-6;
  const render::ColourMap& map = render::find_colour_map(r.colour_map);
  Colouring result;
  for (double v : values)
    result.colours.push_back(render::sample(map, static_cast<float>((v - low) / (high - low))));
  render::Legend legend;
  legend.title = r.colour_by;
  legend.unit = unit_of(frame, r.colour_by);
  legend.low = low;
  legend.high = high;
  legend.map = map;
  result.legend.push_back(legend);
  return result;
}

render::SphereSet spheres_of(const Frame& frame, const std::vector<Real>& radius_of_body,
                             std::vector<Colour> colours) {
  render::SphereSet set;
  set.colours = std::move(colours);
  const FrameColumn* body = frame.find("body");
  for (std::size_t i = 0; i < frame.count; ++i) {
    const std::size_t b = body ? static_cast<std::size_t>(body->number(i)) : 0;
    set.centres.push_back(frame.position(i));
    set.radii.push_back(radius_of_body.at(std::min(b, radius_of_body.size() - 1)));
  }
  return set;
}

/// A plane seen from its side in a flat scene is drawn as the solid below it.
Shape flat_solid(const Shape& plane, const Bounds& view) {
  const Vec3 size = view.size() * Real(20) + Vec3{1, 1, 1};
  return intersect(plane, transformed(shape_box(size), {Mat3::identity(), view.centre()}));
}

constexpr Colour default_solid{0.45f, 0.45f, 0.48f};

/// Events decide what is visible; all else that they change does not show. An event at the time of
/// a frame happens after it.
void follow_events(const Scene& scene, double time, std::vector<Collider>& colliders) {
  Scene live = scene;
  for (const EventSpec& event : scene.events)
    for (const Assignment& set : event.set)
      if (event.time < time && set.path.ends_with(".visible")) apply(live, set.path, set.value);
  for (std::size_t k = 0; k < live.colliders.size(); ++k)
    colliders[k].visible = live.colliders[k].visible;
}

void add_colliders(const Scene& scene, const std::vector<Collider>& colliders, const Bounds& view,
                   render::PictureScene& picture) {
  picture.ground.visible =
      scene.dimensions == 2;  // a backdrop, on which flat matter casts a little shadow
  picture.ground.point = {0, 0, Real(-0.02) * length(view.size())};
  picture.ground.normal = {0, 0, 1};
  for (std::size_t k = 0; k < colliders.size(); ++k) {
    const Collider& collider = colliders[k];
    if (!collider.visible) continue;
    const ColliderSpec& spec = scene.colliders.at(k);
    const bool coloured = is_given(spec.colour[0]);
    if (spec.shape.type == "plane" && scene.dimensions == 3) {
      if (!is_floor(spec.shape)) continue;  // side walls would hide what happens
      picture.ground.visible = true;
      picture.ground.point = apply(collider.pose.transform, spec.shape.point);
      picture.ground.normal = rotate(collider.pose.transform, normalized(spec.shape.normal));
      if (coloured) picture.ground.colour = to_colour(spec.colour);
    } else {
      render::ShapeObject object;
      object.shape = spec.shape.type == "plane" ? flat_solid(collider.shape, view) : collider.shape;
      object.pose = collider.pose.transform;
      object.colour = coloured ? to_colour(spec.colour) : default_solid;
      picture.shapes.push_back(object);
    }
  }
}

}  // namespace

Photographer::Photographer(const Scene& scene) : scene_(scene), colliders_(make_colliders(scene)) {
  if (!scene_.render.colour_map.empty()) render::find_colour_map(scene_.render.colour_map);
  for (Collider& collider : colliders_) move_to(collider, 0);
  for (const BodySpec& body : scene_.bodies)
    radius_of_body_.push_back(rest_spacing(scene_, body) * scene_.render.particle_radius);
  view_ = visible_bounds(scene_, colliders_);
  camera_ = choose_camera(scene_, view_);
}

void Photographer::check(const Frame& frame) const {
  if (!scene_.render.colour_by.empty()) find_attribute(scene_, frame, scene_.render.colour_by);
}

render::Image Photographer::picture(const Exec& exec, const Frame& frame) {
  const TimerScope scope(exec.timers, "picture");
  for (Collider& collider : colliders_) move_to(collider, frame.time);
  follow_events(scene_, frame.time, colliders_);
  render::PictureScene picture;
  const RenderSpec& r = scene_.render;
  Colouring colouring =
      r.colour_by.empty() ? colour_by_body(scene_, frame) : colour_by_value(scene_, frame);
  picture.spheres.push_back(spheres_of(frame, radius_of_body_, std::move(colouring.colours)));
  add_colliders(scene_, colliders_, view_, picture);
  picture.lighting = render::studio_lighting(camera_);
  render::RenderOptions options;
  options.width = r.width;
  options.height = r.height;
  options.samples = r.samples;
  render::Image image = render::render_picture(exec, picture, camera_, options);
  render::develop(image);
  if (!r.legend) return image;
  for (const render::Legend& legend : colouring.legend) render::draw_legend(image, legend);
  render::draw_caption(image, scene_.name, fmt::format("t = {:.2f} s", frame.time));
  return image;
}

}  // namespace phyxel
