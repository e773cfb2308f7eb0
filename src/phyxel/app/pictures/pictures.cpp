#include "phyxel/app/pictures/pictures.h"

#include <algorithm>
#include <cmath>

#include "phyxel/render/colour_map.h"
#include "phyxel/render/legend.h"
#include "phyxel/render/looks.h"
#include "phyxel/render/scene.h"
#include "phyxel/scene/body_material.h"
#include "phyxel/scene/body_points.h"
#include "phyxel/scene/fail.h"
#include "phyxel/scene/make_collider.h"
#include "phyxel/scene/read_shape.h"
#include "phyxel/scene/timeline.h"
#include "phyxel/surfaces/surfels/surfel_set.h"

namespace phyxel {

namespace {

using render::Colour;

bool is_floor(const ShapeSpec& shape) {
  return shape.type == "plane" && shape.normal[1] > Real(0.9) * length(shape.normal);
}

Bounds body_bounds(const Scene& scene, const BodySpec& body, ShapeFiles& files) {
  const bool filled = body.shape.type != "particles" && !is_thin(body);
  if (filled) return bounds_of(make_shape(body.shape, files));
  Bounds bounds;
  for (const Vec3& x : body_points(scene, body, files)) bounds.include(x);
  return bounds;
}

/// A body that will fall is shown with the place where it lands.
void include_landing(const Scene& scene, const Bounds& body, Bounds& view) {
  if (scene.world.gravity[1] >= 0) return;
  for (const ColliderSpec& collider : scene.colliders) {
    if (!is_floor(collider.shape)) continue;
    Vec3 low = body.min, high = body.max;
    low[1] = Real(collider.shape.point[1]);
    high[1] = low[1] + (body.max[1] - body.min[1]);
    view.include(low);
    view.include(high);
  }
}

/// All bodies and the bounded colliders at the start.
Bounds visible_bounds(const Scene& scene, const std::vector<Collider>& colliders,
                      ShapeFiles& files) {
  Bounds bodies;
  for (const BodySpec& body : scene.bodies) bodies.include(body_bounds(scene, body, files));
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
  camera.aperture = r.aperture;
  camera.focus = is_given(r.focus) ? r.focus : 0;
  if (is_given(r.camera_target[0])) {
    const Vec3 target = cast<Real>(r.camera_target);
    camera.position += target - camera.target;
    camera.target = target;
  }
  if (is_given(r.camera_position[0])) camera.position = cast<Real>(r.camera_position);
  return camera;
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

/// Edge of a cube as large as the box around the bodies of a surface.
Real size_of(const Scene& scene, const SurfaceSpec& spec, ShapeFiles& files) {
  Bounds bounds;
  for (const BodySpec& body : scene.bodies)
    if (body.name == spec.of || body.material == spec.of)
      bounds.include(body_bounds(scene, body, files));
  return length(bounds.size()) / std::sqrt(Real(3));
}

render::Look look_of(const Scene& scene, const SurfaceSpec& spec, ShapeFiles& files) {
  render::Look look = render::find_look(spec.look, size_of(scene, spec, files));
  if (is_given(spec.roughness)) look.finish.roughness = static_cast<float>(spec.roughness);
  if (is_given(spec.depth)) look.finish.depth = spec.depth;
  if (is_given(spec.colour[0])) {
    look.colour = to_colour(spec.colour);
    return look;
  }
  for (const BodySpec& body : scene.bodies) {
    const Vec3 own = material_of(scene, body).colour;
    if ((body.name == spec.of || body.material == spec.of) && is_given(own[0]))
      look.colour = to_colour(own);
  }
  return look;
}

render::MeshObject mesh_object(const SurfaceMesh& surface, std::vector<Colour> colours,
                               const render::Finish& finish) {
  render::MeshObject object;
  object.mesh = surface.mesh;
  object.normals = surface.normals;
  object.coordinates = surface.texture;
  object.colours = std::move(colours);
  object.finish = finish;
  return object;
}

render::SurfelSet surfel_object(const FrameSet& set, std::vector<Colour> colours,
                                const render::Finish& finish, bool closed) {
  const Surfels surfels = surfels_of(set.columns);
  render::SurfelSet object;
  object.centres.assign(surfels.x.begin(), surfels.x.end());
  object.u.assign(surfels.u.begin(), surfels.u.end());
  object.v.assign(surfels.v.begin(), surfels.v.end());
  object.colours = std::move(colours);
  object.finish = finish;
  object.closed = closed;
  return object;
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
  if (scene.events.empty()) return;
  Scene live;
  live.colliders = scene.colliders;
  live.names = scene.names;
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
      picture.ground.visible = scene.render.ground != GroundLook::none;
      picture.ground.shadows_only = scene.render.ground == GroundLook::shadow;
      picture.ground.point = apply(collider.pose.transform, cast<Real>(spec.shape.point));
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

/// The picture in a file of the scene, or nothing.
std::shared_ptr<const render::Image> read_if_named(const Scene& scene, const std::string& file,
                                                   const std::string& path) {
  if (file.empty()) return nullptr;
  try {
    return std::make_shared<render::Image>(render::read_picture(scene.folder / file));
  } catch (const InputError& error) {
    fail(scene, path, "{}: {}", path, error.what());
  }
}

render::Lighting lighting_of(const Scene& scene, const render::Camera& camera,
                             const std::shared_ptr<const render::Image>& environment) {
  const RenderSpec& r = scene.render;
  render::Lighting lighting = render::studio_lighting(camera);
  const Real key = is_given(r.key_light) ? r.key_light : Real(environment ? 0 : 1);
  lighting.key_colour = lighting.key_colour * static_cast<float>(key);
  lighting.environment = environment;
  lighting.environment_turn = static_cast<float>(r.environment_turn);
  for (const LightSpec& l : scene.lights) {
    const Vec3 position = cast<Real>(l.position), target = cast<Real>(l.target);
    lighting.panels.push_back({position, normalized(target - position), l.width, l.height,
                               to_colour(l.colour) * static_cast<float>(l.strength)});
  }
  return lighting;
}

render::RenderOptions options_of(const RenderSpec& r) {
  render::RenderOptions options;
  options.width = r.width;
  options.height = r.height;
  options.samples = r.samples;
  options.seconds = r.seconds;
  options.bounces = r.bounces;
  options.brightest /= static_cast<float>(r.exposure);
  return options;
}

}  // namespace

Photographer::Photographer(const Scene& scene) : scene_(scene) {
  ShapeFiles files{scene_.folder};
  colliders_ = make_colliders(scene_, files);
  if (!scene_.render.colour_map.empty()) render::find_colour_map(scene_.render.colour_map);
  for (Collider& collider : colliders_) move_to(collider, 0);
  for (const BodySpec& body : scene_.bodies)
    radius_of_body_.push_back(rest_spacing(scene_, body) * scene_.render.particle_radius);
  for (const SurfaceSpec& spec : scene_.surfaces) {
    looks_.push_back(look_of(scene_, spec, files));
    textures_.push_back(read_if_named(scene_, spec.texture, "surface." + spec.name + ".texture"));
  }
  environment_ = read_if_named(scene_, scene_.render.environment, "render.environment");
  view_ = visible_bounds(scene_, colliders_, files);
  camera_ = choose_camera(scene_, view_);
}

void Photographer::check(const Frame& frame) const {
  const Colouring colouring(scene_, frame);
}

void Photographer::include(const Frame& frame) {
  for (std::size_t i = 0; i < frame.count; ++i) view_.include(frame.position(i));
  camera_ = choose_camera(scene_, view_);
}

void Photographer::look_all_around() {
  if (scene_.dimensions == 2)
    throw InputError("a flat scene has one side only; leave out --turntable");
  const Vec3 middle = view_.centre(), half = view_.size() / 2;
  const Real radius = std::hypot(half[0], half[2]);
  const Vec3 reach{radius, half[1], radius};
  camera_ = choose_camera(scene_, {middle - reach, middle + reach});
}

void Photographer::turn(Real degrees) {
  const Real angle = degrees * static_cast<Real>(M_PI / 180);
  const Vec3 off = camera_.position - camera_.target;
  const Real c = std::cos(angle), s = std::sin(angle);
  camera_.position =
      camera_.target + Vec3{c * off[0] + s * off[2], off[1], c * off[2] - s * off[0]};
}

void Photographer::add_matter(const std::vector<MatterPart>& parts, const Colouring& colouring,
                              render::PictureScene& picture) const {
  for (const MatterPart& part : parts) {
    const bool asked = part.table >= 0;
    if (part.particles.count == 0 || (asked && !scene_.surfaces[part.table].visible)) continue;
    const render::Look look = asked ? looks_[part.table] : render::Look{};
    if (!part.surface.mesh.triangles.empty()) {
      const auto& texture = textures_[part.table];
      picture.meshes.push_back(
          mesh_object(part.surface,
                      texture ? std::vector<Colour>{{1, 1, 1}}
                              : colouring.colours(vertices_of(part.surface), look.colour),
                      look.finish));
      picture.meshes.back().texture = texture;
      if (const Vec3& back = scene_.surfaces[part.table].back_colour; is_given(back[0]))
        picture.meshes.back().back = to_colour(back);
    } else if (part.surfels) {
      if (part.surfels->count == 0) continue;
      picture.surfels.push_back(
          surfel_object(*part.surfels, colouring.colours(points_of(*part.surfels), look.colour),
                        look.finish, part.closed));
    } else if (part.field) {
      picture.fields.push_back(
          {part.field, colouring.colours(part.particles, look.colour), look.finish});
    } else {
      picture.spheres.push_back(spheres_of(part.particles, radius_of_body_,
                                           colouring.colours(part.particles, look.colour)));
      picture.spheres.back().finish = render::for_particles(look.finish);
    }
  }
}

render::Image Photographer::picture(const Exec& exec, const Frame& frame,
                                    const std::vector<MatterPart>& parts) {
  const TimerScope scope(exec.timers, "picture");
  for (Collider& collider : colliders_) move_to(collider, frame.time);
  follow_events(scene_, frame.time, colliders_);
  const RenderSpec& r = scene_.render;
  const Colouring colouring(scene_, frame);
  render::PictureScene picture;
  add_matter(parts, colouring, picture);
  add_colliders(scene_, colliders_, view_, picture);
  picture.lighting = lighting_of(scene_, camera_, environment_);
  picture.background.kind = static_cast<render::Background::Kind>(r.background);
  render::Image image = render::render_picture(exec, picture, camera_, options_of(r));
  render::develop(image, static_cast<float>(r.exposure));
  if (!r.legend || r.background == BackgroundLook::transparent) return image;
  if (colouring.legend()) render::draw_legend(image, *colouring.legend());
  render::draw_caption(image, scene_.name, fmt::format("t = {:.2f} s", frame.time));
  return image;
}

}  // namespace phyxel
