#include "phyxel/render/ray_scene.h"

#include <algorithm>
#include <cmath>
#include <deque>
#include <embree3/rtcore.h>
#include <fmt/format.h>

#include "phyxel/core/error.h"
#include "phyxel/render/implicit.h"
#include "phyxel/render/mesh_normals.h"
#include "phyxel/render/shape_mesh.h"

namespace phyxel::render {
namespace {

void on_device_error(void*, RTCError code, const char* message) {
  if (code != RTC_ERROR_NONE)
    throw Error(fmt::format("ray tracer: {}", message ? message : "unknown error"));
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
  enum class Kind { spheres, mesh, shape } kind;
  std::size_t index;
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

void implicit_bounds(const RTCBoundsFunctionArguments* args) {
  const auto b = picture_bounds(*static_cast<const Implicit*>(args->geometryUserPtr));
  RTCBounds& out = *args->bounds_o;
  out.lower_x = b.min[0], out.lower_y = b.min[1], out.lower_z = b.min[2];
  out.upper_x = b.max[0], out.upper_y = b.max[1], out.upper_z = b.max[2];
}

Ray ray_of(const RTCRay& r) {
  return {{r.org_x, r.org_y, r.org_z}, {r.dir_x, r.dir_y, r.dir_z}, r.tnear, r.tfar};
}

// Only single rays are traced, so that N is always 1 in these two.
void implicit_intersect(const RTCIntersectFunctionNArguments* args) {
  if (!args->valid[0]) return;
  auto& both = *reinterpret_cast<RTCRayHit*>(args->rayhit);
  const auto hit =
      intersect(*static_cast<const Implicit*>(args->geometryUserPtr), ray_of(both.ray));
  if (!hit) return;
  both.ray.tfar = hit->distance;
  both.hit.Ng_x = hit->normal[0], both.hit.Ng_y = hit->normal[1], both.hit.Ng_z = hit->normal[2];
  both.hit.geomID = args->geomID;
  both.hit.primID = args->primID;
  both.hit.instID[0] = args->context->instID[0];
}

void implicit_occluded(const RTCOccludedFunctionNArguments* args) {
  if (!args->valid[0]) return;
  auto& ray = *reinterpret_cast<RTCRay*>(args->ray);
  if (intersect(*static_cast<const Implicit*>(args->geometryUserPtr), ray_of(ray)))
    ray.tfar = -std::numeric_limits<float>::infinity();
}

RTCGeometry implicit_geometry(RTCDevice device, Implicit& solid) {
  RTCGeometry g = rtcNewGeometry(device, RTC_GEOMETRY_TYPE_USER);
  rtcSetGeometryUserPrimitiveCount(g, 1);
  rtcSetGeometryUserData(g, &solid);
  rtcSetGeometryBoundsFunction(g, implicit_bounds, nullptr);
  rtcSetGeometryIntersectFunction(g, implicit_intersect);
  rtcSetGeometryOccludedFunction(g, implicit_occluded);
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

/// 1 on the grid's lines, 0 between; lines keep their share of the spacing at any distance.
float grid_ink(const Ground& ground, const Vec3f& point, const PictureUnits& units) {
  if (!(ground.grid_spacing > 0)) return 0;
  const Vec3 p = to_scene(units, point);
  float ink = 0;
  for (int k = 0; k < 3; ++k) {
    if (std::abs(ground.normal[k]) > Real(0.7)) continue;
    const Real cell = p[k] / ground.grid_spacing;
    const float off = static_cast<float>(std::abs(cell - std::round(cell)));
    ink = std::max(ink, std::clamp((0.016f - off) / 0.006f, 0.0f, 1.0f));
  }
  return ink;
}

}  // namespace

struct RayScene::Impl {
  const PictureScene& picture;
  PictureUnits units;
  Device device{rtcNewDevice(nullptr)};
  Scene scene;
  std::vector<Part> parts;
  std::vector<Implicit> solids;
  std::deque<MeshObject> shape_meshes;  // of shapes that are plain meshes; stay where they are
  std::vector<const MeshObject*> meshes;
  std::vector<std::vector<Vec3f>> normals;  // at the corners of the smooth meshes' triangles
  Vec3f ground_point, ground_normal;

  Impl(const PictureScene& p, const PictureUnits& u) : picture(p), units(u) {
    if (!device) throw Error("ray tracer: Embree could not be started");
    rtcSetDeviceErrorFunction(device.get(), on_device_error, nullptr);
    scene.reset(rtcNewScene(device.get()));
    ground_point = to_picture(units, picture.ground.point);
    ground_normal = normalized(cast<float>(picture.ground.normal));
  }

  void attach(RTCGeometry g, Part part) {
    rtcCommitGeometry(g);
    rtcAttachGeometry(scene.get(), g);
    rtcReleaseGeometry(g);
    parts.push_back(part);
  }
  void attach_mesh(const MeshObject& object);
  void attach_shapes();
  void build();
  void surface_of_mesh(const RTCHit& hit, std::size_t index, const Vec3f& direction,
                       Surface& s) const;
  Surface surface_of(const RTCRayHit& both) const;
  bool meets_ground(const Ray& ray, float& distance) const;
  Surface ground_surface(const Ray& ray, float distance) const;
};

void RayScene::Impl::attach_mesh(const MeshObject& object) {
  if (object.mesh.triangles.empty()) return;
  attach(mesh_geometry(device.get(), object, units), {Part::Kind::mesh, meshes.size()});
  meshes.push_back(&object);
  normals.push_back(object.smooth ? corner_normals(object.mesh) : std::vector<Vec3f>{});
}

void RayScene::Impl::attach_shapes() {
  for (const ShapeObject& object : picture.shapes)
    if (auto mesh = mesh_of(object))
      attach_mesh(shape_meshes.emplace_back(std::move(*mesh)));
    else
      solids.push_back(make_implicit(object, units));
  for (std::size_t k = 0; k < solids.size(); ++k)
    attach(implicit_geometry(device.get(), solids[k]), {Part::Kind::shape, k});
}

void RayScene::Impl::build() {
  for (std::size_t k = 0; k < picture.spheres.size(); ++k)
    if (!picture.spheres[k].centres.empty())
      attach(sphere_geometry(device.get(), picture.spheres[k], units), {Part::Kind::spheres, k});
  for (const MeshObject& object : picture.meshes) attach_mesh(object);
  attach_shapes();
  // No gaps between triangles; spheres do not need it and are faster without.
  if (!meshes.empty()) rtcSetSceneFlags(scene.get(), RTC_SCENE_FLAG_ROBUST);
  // Built by one thread, so that hits at equal distances do not depend on the number of threads.
  const ThreadLimit one_thread(1);
  rtcCommitScene(scene.get());
}

void RayScene::Impl::surface_of_mesh(const RTCHit& hit, std::size_t index, const Vec3f& direction,
                                     Surface& s) const {
  const MeshObject& m = *meshes[index];
  const float u = hit.u, v = hit.v;
  s.albedo = interpolate(m.colours, m.mesh.triangles[hit.primID], u, v);
  s.finish = m.finish;
  const float side = dot(s.normal, direction) > 0 ? -1.0f : 1.0f;
  if (m.smooth) {
    const auto first = static_cast<Index>(3 * hit.primID);
    s.normal = normalized(interpolate(normals[index], {first, first + 1, first + 2}, u, v));
  }
  s.normal = s.normal * side;
}

Surface RayScene::Impl::surface_of(const RTCRayHit& both) const {
  const Ray ray = ray_of(both.ray);
  const RTCHit& hit = both.hit;
  Surface s{};
  s.distance = ray.far;
  s.point = ray.origin + ray.direction * ray.far;
  s.normal = normalized(Vec3f{hit.Ng_x, hit.Ng_y, hit.Ng_z});
  const Part& part = parts[hit.geomID];
  if (part.kind == Part::Kind::spheres) {
    const SphereSet& set = picture.spheres[part.index];
    s.albedo = one_or_each(set.colours, hit.primID);
    s.finish = set.finish;
    // The point of a small, far sphere is better known from its centre than along the ray.
    s.point = to_picture(units, set.centres[hit.primID]) +
              s.normal * static_cast<float>(one_or_each(set.radii, hit.primID) * units.scale);
  } else if (part.kind == Part::Kind::mesh) {
    surface_of_mesh(hit, part.index, ray.direction, s);
  } else {
    s.albedo = solids[part.index].object->colour;
    s.finish = solids[part.index].object->finish;
    s.offset = solid_offset;
  }
  return s;
}

bool RayScene::Impl::meets_ground(const Ray& ray, float& distance) const {
  const float slope = dot(ray.direction, ground_normal);
  if (!picture.ground.visible || slope > -1e-6f) return false;
  distance = dot(ground_point - ray.origin, ground_normal) / slope;
  return distance > ray.near && distance < ray.far;
}

Surface RayScene::Impl::ground_surface(const Ray& ray, float distance) const {
  Surface s{distance, ray.origin + ray.direction * distance, ground_normal, {}, {0.6f, 0.5f}, true};
  const float ink = grid_ink(picture.ground, s.point, units) * picture.ground.grid_strength;
  s.albedo = picture.ground.colour * (1 - ink);
  return s;
}

PictureUnits picture_units(const Camera& camera) {
  const Real distance = camera.orthographic_height > 0 ? camera.orthographic_height * Real(1.8)
                                                       : length(camera.target - camera.position);
  if (!(distance > 0) || !std::isfinite(distance))
    throw InputError(fmt::format(
        "render.camera: position and target are {} m apart; they must be different finite points",
        distance));
  return {camera.target, 1 / distance};
}

RayScene::RayScene(const PictureScene& scene, const PictureUnits& units)
    : impl_(std::make_unique<Impl>(scene, units)) {
  impl_->build();
}

RayScene::~RayScene() = default;

std::optional<Surface> RayScene::intersect(const Ray& ray) const {
  RTCIntersectContext context;
  rtcInitIntersectContext(&context);
  RTCRayHit both{};
  both.ray = embree_ray(ray);
  both.hit.geomID = RTC_INVALID_GEOMETRY_ID;
  rtcIntersect1(impl_->scene.get(), &context, &both);
  Ray rest = ray;
  rest.far = both.ray.tfar;
  if (float t; impl_->meets_ground(rest, t)) return impl_->ground_surface(ray, t);
  if (both.hit.geomID == RTC_INVALID_GEOMETRY_ID) return std::nullopt;
  return impl_->surface_of(both);
}

bool RayScene::occluded(const Ray& ray) const {
  if (float t; impl_->meets_ground(ray, t)) return true;
  RTCIntersectContext context;
  rtcInitIntersectContext(&context);
  RTCRay r = embree_ray(ray);
  rtcOccluded1(impl_->scene.get(), &context, &r);
  return r.tfar < 0;
}

}  // namespace phyxel::render
