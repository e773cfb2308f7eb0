#include "phyxel/scene/make_collider.h"

#include "phyxel/colliders/voxel_distance.h"
#include "phyxel/core/problems.h"
#include "phyxel/geometry/mesh_distance.h"
#include "phyxel/io/mesh_read.h"
#include "phyxel/scene/fail.h"
#include "phyxel/scene/read_shape.h"

namespace phyxel {

std::vector<std::filesystem::path> sequence_files(const Scene& scene, const ShapeSpec& spec) {
  const std::size_t braces = spec.file.find("{}");
  if (braces == std::string::npos)
    fail(spec.place,
         "file = \"{}\" has no {{}} for the number of the mesh; write it as in \"blade_{{}}.obj\"",
         spec.file);
  const auto numbered = [&](int k, int digits) {
    return scene.folder / (spec.file.substr(0, braces) + fmt::format("{:0{}}", k, digits) +
                           spec.file.substr(braces + 2));
  };
  std::error_code none;  // names that are too long do not exist either
  for (int digits = 1; digits <= 6; ++digits)
    for (int first : {0, 1}) {
      std::vector<std::filesystem::path> files;
      for (int k = first; std::filesystem::exists(numbered(k, digits), none); ++k)
        files.push_back(numbered(k, digits));
      if (!files.empty()) return files;
    }
  fail(spec.place,
       "file = \"{}\": no mesh 0 or 1 of this sequence exists beside the scene; looked for {} and "
       "the like",
       spec.file, numbered(0, 4).string());
}

namespace {

/// A mesh of a sequence where it stands.
TriangleMesh placed_mesh(const ShapeSpec& spec, const std::filesystem::path& file) {
  const Transform pose{rotation_degrees(spec.rotation), cast<Real>(spec.centre)};
  TriangleMesh mesh = read_mesh(file);
  for (Vec3& v : mesh.vertices) v = apply(pose, v * spec.scale);
  return mesh;
}

std::shared_ptr<const MeshSequence> make_sequence(const Scene& scene, const ShapeSpec& spec) {
  std::vector<TriangleMesh> meshes;
  try {
    for (const auto& file : sequence_files(scene, spec)) meshes.push_back(placed_mesh(spec, file));
    return make_mesh_sequence(std::move(meshes), spec.fps, 0.0, spec.file);
  } catch (const InputError& error) {
    if (problems_of(error).front().place.file == spec.place.file) throw;
    throw InputError(spec.place, error.what());
  }
}

/// The first voxels; what is wrong with those of later frames of a sequence is found now, too.
void make_voxels(const Scene& scene, Collider& collider) {
  const std::string path = "collider." + collider.name + ".voxel";
  try {
    if (collider.sequence)
      for (const TriangleMesh& mesh : collider.sequence->frames)
        check_voxel_size(mesh, collider.voxel, true, path);
    move_to(collider, 0);
  } catch (const InputError& error) {
    fail(scene, path, error.what());
  }
  if (!has_inside(*collider.voxels))
    fail(scene, path,
         "{} = {} m is too coarse: the mesh is so thin that no corner of a cell is inside of it; "
         "take half of its thickness",
         path, collider.voxel);
}

Collider make_collider(const Scene& scene, const ColliderSpec& spec, ShapeFiles& files) {
  Collider collider;
  collider.name = spec.name;
  if (spec.shape.type == "mesh_sequence")
    collider.sequence = make_sequence(scene, spec.shape);
  else
    collider.shape = make_shape(spec.shape, files);
  collider.motion = spec.motion;
  static_cast<ColliderParameters&>(collider) = spec;
  if (is_given(spec.voxel)) make_voxels(scene, collider);
  return collider;
}

Collider make_wall(const Scene& scene, int axis, bool upper) {
  Vec3 normal = Vec3::zero();
  normal[axis] = upper ? Real(-1) : Real(1);
  Collider wall;
  wall.name = fmt::format("wall_{}_{}", "xyz"[axis], upper ? "max" : "min");
  wall.shape =
      shape_plane(cast<Real>(upper ? scene.world.domain_max : scene.world.domain_min), normal);
  wall.friction = 0;
  wall.restitution = 1;
  if (scene.world.walls == Walls::sticky) wall.contact = ContactKind::sticky;
  wall.visible = false;
  return wall;
}

}  // namespace

Shape first_shape(const Scene& scene, const ShapeSpec& spec, ShapeFiles& files) {
  if (spec.type != "mesh_sequence") return make_shape(spec, files);
  return shape_mesh(
      make_mesh_distance(placed_mesh(spec, sequence_files(scene, spec).front()), spec.file));
}

std::vector<Collider> make_colliders(const Scene& scene) {
  ShapeFiles files{scene.folder};
  return make_colliders(scene, files);
}

std::vector<Collider> make_colliders(const Scene& scene, ShapeFiles& files) {
  std::vector<Collider> colliders;
  for (const ColliderSpec& spec : scene.colliders)
    colliders.push_back(make_collider(scene, spec, files));
  if (scene.world.walls == Walls::open) return colliders;
  for (int axis = 0; axis < scene.dimensions; ++axis)
    if (!scene.world.periodic[axis])
      for (bool upper : {false, true}) colliders.push_back(make_wall(scene, axis, upper));
  return colliders;
}

}  // namespace phyxel
