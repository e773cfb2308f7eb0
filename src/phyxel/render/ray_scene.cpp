#include "phyxel/render/ray_scene.h"

#include <algorithm>
#include <cmath>
#include <deque>
#include <embree3/rtcore.h>
#include <fmt/format.h>

#include "phyxel/core/error.h"
#include "phyxel/render/discs.h"
#include "phyxel/render/field_boxes.h"
#include "phyxel/render/ground_plane.h"
#include "phyxel/render/implicit.h"
#include "phyxel/render/mesh_normals.h"
#include "phyxel/render/shape_mesh.h"

namespace phyxel::render {
namespace {

constexpr int most_borders = 16;  // of discs that a ray passes

constexpr const char* smaller_picture =
    "free some memory or raise its limit (ulimit -v); fewer particles, a coarser surface or "
    "--no-render need less";

[[noreturn]] void fail(RTCError code, const char* message) {
  const char* const what = message && *message ? message : "unknown error";
  if (code == RTC_ERROR_OUT_OF_MEMORY)
    throw Error(fmt::format("ray tracer: there is no memory for the picture; {}", smaller_picture));
  if (code == RTC_ERROR_UNSUPPORTED_CPU)
    throw Error(
        fmt::format("ray tracer: {}: Embree does not know this processor; --no-render does without "
                    "it",
                    what));
  throw Error(fmt::format("ray tracer: {}; {}", what, smaller_picture));
}

void on_device_error(void*, RTCError code, const char* message) {
  if (code != RTC_ERROR_NONE) fail(code, message);
}

/// Embree's device. It says why there is none only in a number.
RTCDevice new_device() {
  RTCDevice device = rtcNewDevice(nullptr);
  if (!device) fail(rtcGetDeviceError(nullptr), "Embree could not be started");
  return device;
}

struct ReleaseDevice {
  void operator()(RTCDevice d) const { rtcReleaseDevice(d); }
};
struct ReleaseScene {
  void operator()(RTCScene s) const { rtcReleaseScene(s); }
};
using Device = std::unique_ptr<std::remove_pointer_t<RTCDevice>, ReleaseDevice>;
using Scene = std::unique_ptr<std::remove_pointer_t<RTCScene>, ReleaseScene>;

/// What the geometry with a given Embree number is.
struct Part {
  enum class Kind { spheres, mesh, shape, field, discs } kind;
  std::size_t index;
  Finish finish;  // lengths in picture units
};

template <class T>
const T& one_or_each(const std::vector<T>& values, std::size_t i) {
  return values[values.size() == 1 ? 0 : i];
}

void check_count(const char* what, std::size_t have, std::size_t each) {
  if (have != 1 && have != each)
    throw Error(fmt::format("picture: {} {} for {} elements; give one for all or one each", have,
                            what, each));
}

template <class T>
T* new_buffer(RTCGeometry g, RTCBufferType type, RTCFormat format, std::size_t stride,
              std::size_t n) {
  return static_cast<T*>(rtcSetNewGeometryBuffer(g, type, 0, format, stride, n));
}

RTCGeometry sphere_geometry(RTCDevice device, const SphereSet& set, const PictureUnits& units) {
  check_count("radii", set.radii.size(), set.centres.size());
  check_count("colours", set.colours.size(), set.centres.size());
  RTCGeometry g = rtcNewGeometry(device, RTC_GEOMETRY_TYPE_SPHERE_POINT);
  float* v =
      new_buffer<float>(g, RTC_BUFFER_TYPE_VERTEX, RTC_FORMAT_FLOAT4, 16, set.centres.size());
  for (std::size_t i = 0; i < set.centres.size(); ++i) {
    const Vec3f c = to_picture(units, set.centres[i]);
    std::copy(c.c, c.c + 3, v + 4 * i);
    v[4 * i + 3] = static_cast<float>(one_or_each(set.radii, i) * units.scale);
  }
  return g;
}

RTCGeometry mesh_geometry(RTCDevice device, const MeshObject& object, const PictureUnits& units) {
  const TriangleMesh& mesh = object.mesh;
  check_count("colours", object.colours.size(), mesh.vertices.size());
  RTCGeometry g = rtcNewGeometry(device, RTC_GEOMETRY_TYPE_TRIANGLE);
  auto* v =
      new_buffer<Vec3f>(g, RTC_BUFFER_TYPE_VERTEX, RTC_FORMAT_FLOAT3, 12, mesh.vertices.size());
  for (std::size_t i = 0; i < mesh.vertices.size(); ++i) v[i] = to_picture(units, mesh.vertices[i]);
  auto* t = new_buffer<Int3>(g, RTC_BUFFER_TYPE_INDEX, RTC_FORMAT_UINT3, 12, mesh.triangles.size());
  std::copy(mesh.triangles.begin(), mesh.triangles.end(), t);
  return g;
}

Ray ray_of(const RTCRay& r) {
  return {{r.org_x, r.org_y, r.org_z}, {r.dir_x, r.dir_y, r.dir_z}, r.tnear, r.tfar};
}

/// What Embree hands to callbacks: with the discs that they found.
struct RayContext {
  RTCIntersectContext embree;
  RayStart start;
  DiscHits discs;
};

// What Embree asks about one primitive of user geometry: a solid is one, a field has its boxes, a
// set of surfels its discs.
BoundsOf<float> bounds_of_primitive(const Implicit& solid, unsigned) {
  return picture_bounds(solid);
}
BoundsOf<float> bounds_of_primitive(const FieldBoxes& field, unsigned box) {
  return picture_bounds(field, box);
}
BoundsOf<float> bounds_of_primitive(const DiscSet& set, unsigned disc) {
  return picture_bounds(set, disc);
}
std::optional<ImplicitHit> hit_primitive(const Implicit& solid, unsigned, const Ray& ray) {
  return intersect(solid, ray);
}
std::optional<ImplicitHit> hit_primitive(const FieldBoxes& field, unsigned box, const Ray& ray) {
  return intersect(field, box, ray);
}
std::optional<DiscHit> hit_primitive(const DiscSet& set, unsigned disc, const Ray& ray) {
  const auto hit = meet(set, disc, ray);
  return hit && hides(*hit) ? hit : std::nullopt;
}

template <class Object>
void user_bounds(const RTCBoundsFunctionArguments* args) {
  const auto b =
      bounds_of_primitive(*static_cast<const Object*>(args->geometryUserPtr), args->primID);
  RTCBounds& out = *args->bounds_o;
  out.lower_x = b.min[0], out.lower_y = b.min[1], out.lower_z = b.min[2];
  out.upper_x = b.max[0], out.upper_y = b.max[1], out.upper_z = b.max[2];
}

// Only single rays are traced, so that N is always 1 in these two.
template <class Object>
void user_intersect(const RTCIntersectFunctionNArguments* args) {
  if (!args->valid[0]) return;
  auto& both = *reinterpret_cast<RTCRayHit*>(args->rayhit);
  const auto hit = hit_primitive(*static_cast<const Object*>(args->geometryUserPtr), args->primID,
                                 ray_of(both.ray));
  if (!hit) return;
  both.ray.tfar = hit->distance;
  both.hit.Ng_x = hit->normal[0], both.hit.Ng_y = hit->normal[1], both.hit.Ng_z = hit->normal[2];
  both.hit.geomID = args->geomID;
  both.hit.primID = args->primID;
  both.hit.instID[0] = args->context->instID[0];
}

/// Discs are no hits by themselves: those around the first one are blended later.
template <>
void user_intersect<DiscSet>(const RTCIntersectFunctionNArguments* args) {
  if (!args->valid[0]) return;
  RTCRay& ray = reinterpret_cast<RTCRayHit*>(args->rayhit)->ray;
  const auto& set = *static_cast<const DiscSet*>(args->geometryUserPtr);
  auto& context = *reinterpret_cast<RayContext*>(args->context);
  Ray asked = ray_of(ray);
  asked.start = context.start;
  if (const auto hit = meet(set, args->primID, asked))
    ray.tfar = std::min(ray.tfar, add(context.discs, *hit, set.discs[args->primID]));
}

template <class Object>
void user_occluded(const RTCOccludedFunctionNArguments* args) {
  if (!args->valid[0]) return;
  auto& ray = *reinterpret_cast<RTCRay*>(args->ray);
  if (hit_primitive(*static_cast<const Object*>(args->geometryUserPtr), args->primID, ray_of(ray)))
    ray.tfar = -std::numeric_limits<float>::infinity();
}

template <class Object>
RTCGeometry user_geometry(RTCDevice device, Object& object, std::size_t primitives) {
  RTCGeometry g = rtcNewGeometry(device, RTC_GEOMETRY_TYPE_USER);
  rtcSetGeometryUserPrimitiveCount(g, static_cast<unsigned>(primitives));
  rtcSetGeometryUserData(g, &object);
  rtcSetGeometryBoundsFunction(g, user_bounds<Object>, nullptr);
  rtcSetGeometryIntersectFunction(g, user_intersect<Object>);
  rtcSetGeometryOccludedFunction(g, user_occluded<Object>);
  return g;
}

template <class T>
T interpolate(const std::vector<T>& values, const Int3& t, float u, float v) {
  if (values.size() == 1) return values[0];
  return values[t[0]] * (1 - u - v) + values[t[1]] * u + values[t[2]] * v;
}

RTCRay embree_ray(const Ray& ray) {
  RTCRay r{};
  r.org_x = ray.origin[0], r.org_y = ray.origin[1], r.org_z = ray.origin[2];
  r.dir_x = ray.direction[0], r.dir_y = ray.direction[1], r.dir_z = ray.direction[2];
  r.tnear = ray.near, r.tfar = ray.far;
  r.mask = ~0u;
  return r;
}

}  // namespace

struct RayScene::Impl {
  const PictureScene& picture;
  PictureUnits units;
  Device device{new_device()};
  Scene scene;
  std::vector<Part> parts;
  std::vector<Implicit> solids;
  std::deque<MeshObject> shape_meshes;  // of shapes that are plain meshes; stay where they are
  std::vector<const MeshObject*> meshes;
  std::vector<std::vector<Vec3f>> normals;  // at the corners of the smooth meshes' triangles
  std::vector<FieldBoxes> fields;
  bool has_clear = false;
  std::vector<DiscSet> discs;
  std::size_t first_discs = 0;  // part of the first of them
  GroundPlane ground;

  Impl(const PictureScene& p, const PictureUnits& u) : picture(p), units(u) {
    rtcSetDeviceErrorFunction(device.get(), on_device_error, nullptr);
    scene.reset(rtcNewScene(device.get()));
    ground = make_ground_plane(picture.ground, units);
  }

  void attach(RTCGeometry g, Part::Kind kind, std::size_t index, Finish finish) {
    rtcCommitGeometry(g);
    rtcAttachGeometry(scene.get(), g);
    rtcReleaseGeometry(g);
    finish.depth *= units.scale;
    finish.haze *= units.scale;
    parts.push_back({kind, index, finish});
    has_clear = has_clear || finish.interior == Interior::clear;
  }
  void attach_mesh(const MeshObject& object);
  void attach_shapes();
  void attach_fields();
  void attach_discs();
  void build();
  RTCRayHit first_hit(const Ray& ray, RayContext& context) const;
  std::optional<Surface> first_surface(Ray ray) const;
  Surface surface_of(const BlendedHit& hit, const Ray& ray) const;
  void surface_of_sphere(const RTCHit& hit, std::size_t index, Surface& s) const;
  void surface_of_mesh(const RTCHit& hit, std::size_t index, Surface& s) const;
  Surface surface_of(const RTCRayHit& both) const;
};

void RayScene::Impl::attach_mesh(const MeshObject& object) {
  if (object.mesh.triangles.empty()) return;
  attach(mesh_geometry(device.get(), object, units), Part::Kind::mesh, meshes.size(),
         object.finish);
  meshes.push_back(&object);
  const bool averaged = object.smooth && object.normals.empty();
  normals.push_back(averaged ? corner_normals(object.mesh) : std::vector<Vec3f>{});
}

void RayScene::Impl::attach_shapes() {
  for (const ShapeObject& object : picture.shapes)
    if (auto mesh = mesh_of(object))
      attach_mesh(shape_meshes.emplace_back(std::move(*mesh)));
    else
      solids.push_back(make_implicit(object, units));
  for (std::size_t k = 0; k < solids.size(); ++k)
    attach(user_geometry(device.get(), solids[k], 1), Part::Kind::shape, k,
           solids[k].object->finish);
}

void RayScene::Impl::attach_fields() {
  for (const FieldObject& object : picture.fields) {
    check_count("colours", object.colours.size(), object.field->size());
    fields.push_back(make_field_boxes(object, units));
  }
  for (std::size_t k = 0; k < fields.size(); ++k)
    if (!fields[k].boxes.empty())
      attach(user_geometry(device.get(), fields[k], fields[k].boxes.size()), Part::Kind::field, k,
             fields[k].object->finish);
}

void RayScene::Impl::attach_discs() {
  for (const SurfelSet& set : picture.surfels) {
    check_count("colours", set.colours.size(), set.centres.size());
    discs.push_back(make_discs(set, units));
    discs.back().number = static_cast<unsigned>(discs.size() - 1);
  }
  first_discs = parts.size();
  for (DiscSet& set : discs)
    attach(user_geometry(device.get(), set, set.discs.size()), Part::Kind::discs, set.number,
           set.object->finish);
}

void RayScene::Impl::build() {
  for (std::size_t k = 0; k < picture.spheres.size(); ++k)
    if (!picture.spheres[k].centres.empty())
      attach(sphere_geometry(device.get(), picture.spheres[k], units), Part::Kind::spheres, k,
             picture.spheres[k].finish);
  for (const MeshObject& object : picture.meshes) attach_mesh(object);
  attach_shapes();
  attach_fields();
  attach_discs();
  // No gaps between triangles; spheres do not need it and are faster without.
  if (!meshes.empty()) rtcSetSceneFlags(scene.get(), RTC_SCENE_FLAG_ROBUST);
  // Built by one thread, so that hits at equal distances do not depend on the number of threads.
  const ThreadLimit one_thread(1);
  rtcCommitScene(scene.get());
}

void RayScene::Impl::surface_of_sphere(const RTCHit& hit, std::size_t index, Surface& s) const {
  const SphereSet& set = picture.spheres[index];
  s.albedo = one_or_each(set.colours, hit.primID);
  // The point of a small, far sphere is better known from its centre than along the ray.
  s.point = to_picture(units, set.centres[hit.primID]) +
            s.normal * static_cast<float>(one_or_each(set.radii, hit.primID) * units.scale);
}

void RayScene::Impl::surface_of_mesh(const RTCHit& hit, std::size_t index, Surface& s) const {
  const MeshObject& m = *meshes[index];
  const Int3& t = m.mesh.triangles[hit.primID];
  const float u = hit.u, v = hit.v;
  s.albedo = interpolate(m.colours, t, u, v);
  if (m.texture && !m.coordinates.empty())
    s.albedo = scaled(s.albedo,
                      sample_image(*m.texture, cast<float>(interpolate(m.coordinates, t, u, v))));
  if (m.back && s.inside) s.albedo = *m.back;
  const auto first = static_cast<Index>(3 * hit.primID);
  const Vec3f geometric = s.normal;
  if (!m.normals.empty())
    s.normal = normalized(cast<float>(interpolate(m.normals, t, u, v)));
  else if (m.smooth)
    s.normal = normalized(interpolate(normals[index], {first, first + 1, first + 2}, u, v));
  if (dot(s.normal, geometric) < 0) s.normal = -s.normal;
}

Surface RayScene::Impl::surface_of(const RTCRayHit& both) const {
  const Ray ray = ray_of(both.ray);
  const RTCHit& hit = both.hit;
  const Part& part = parts[hit.geomID];
  Surface s{};
  s.distance = ray.far;
  s.point = ray.origin + ray.direction * ray.far;
  s.normal = normalized(Vec3f{hit.Ng_x, hit.Ng_y, hit.Ng_z});
  s.inside = dot(s.normal, ray.direction) > 0;
  s.finish = part.finish;
  if (part.kind == Part::Kind::spheres) {
    surface_of_sphere(hit, part.index, s);
  } else if (part.kind == Part::Kind::mesh) {
    surface_of_mesh(hit, part.index, s);
  } else if (part.kind == Part::Kind::shape) {
    s.albedo = solids[part.index].object->colour;
    s.offset = solid_offset;
  } else {
    s.albedo = colour_at(fields[part.index], s.point);
    s.offset = solid_offset;
  }
  if (s.inside) s.normal = -s.normal;
  return s;
}

Surface RayScene::Impl::surface_of(const BlendedHit& hit, const Ray& ray) const {
  Surface s{};
  s.distance = hit.distance;
  s.point = ray.origin + ray.direction * hit.distance;
  s.inside = dot(hit.normal, ray.direction) > 0;
  s.normal = s.inside ? -hit.normal : hit.normal;
  s.albedo = hit.colour;
  s.finish = parts[first_discs + hit.set].finish;
  s.offset = hit.offset;
  return s;
}

RTCRayHit RayScene::Impl::first_hit(const Ray& ray, RayContext& context) const {
  rtcInitIntersectContext(&context.embree);
  context.start = ray.start;
  context.discs.count = 0;
  RTCRayHit both{};
  both.ray = embree_ray(ray);
  both.hit.geomID = RTC_INVALID_GEOMETRY_ID;
  rtcIntersect1(scene.get(), &context.embree, &both);
  return both;
}

/// Of all but the ground.
std::optional<Surface> RayScene::Impl::first_surface(Ray ray) const {
  for (int border = 0; border < most_borders; ++border) {
    RayContext context;
    const RTCRayHit both = first_hit(ray, context);
    if (!has_surface(context.discs)) {
      if (const auto hit = blend_ends(context.discs, discs, ray, both.ray.tfar))
        return surface_of(*hit, ray);
      if (both.hit.geomID == RTC_INVALID_GEOMETRY_ID) return std::nullopt;
      return surface_of(both);
    }
    if (const auto hit = blend(context.discs, discs, ray, both.ray.tfar))
      return surface_of(*hit, ray);
    ray.near = context.discs.hit[0].distance;
  }
  return std::nullopt;
}

RayScene::RayScene(const PictureScene& scene, const PictureUnits& units)
    : impl_(std::make_unique<Impl>(scene, units)) {
  impl_->build();
}

RayScene::~RayScene() = default;

std::optional<Surface> RayScene::intersect(const Ray& ray) const {
  const auto surface = impl_->first_surface(ray);
  Ray rest = ray;
  if (surface) rest.far = surface->distance;
  if (const auto t = meet(impl_->ground, rest)) return surface_of(impl_->ground, ray, *t);
  return surface;
}

bool RayScene::has_clear() const {
  return impl_->has_clear;
}

bool RayScene::occluded(const Ray& ray) const {
  if (meet(impl_->ground, ray)) return true;
  RTCIntersectContext context;
  rtcInitIntersectContext(&context);
  RTCRay r = embree_ray(ray);
  rtcOccluded1(impl_->scene.get(), &context, &r);
  return r.tfar < 0;
}

}  // namespace phyxel::render
