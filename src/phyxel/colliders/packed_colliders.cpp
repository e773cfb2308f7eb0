#include "phyxel/colliders/packed_colliders.h"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "phyxel/colliders/voxel_distance.h"
#include "phyxel/geometry/box_tree.h"
#include "phyxel/geometry/mesh_distance.h"

namespace phyxel {

namespace {

// No padding: equal colliders are equal bytes.
static_assert(sizeof(ColliderView) == 40 * sizeof(Real) + sizeof(ContactKind) + sizeof(Sweep) +
                                          sizeof(ShapeView) + 2 * sizeof(void*));
static_assert(sizeof(VoxelDistanceView) ==
              6 * sizeof(Real) + 4 * sizeof(Index) + 5 * sizeof(void*));
static_assert(sizeof(ColliderTreeNode) == 6 * sizeof(Real) + 2 * sizeof(Index));
static_assert(sizeof(MovingMeshView) == 3 * sizeof(MeshDistanceView) + 6 * sizeof(void*));

// f(pointer, count) for every array behind a view.
template <class F>
void each_array(TriangleBvhView& v, F&& f) {
  f(v.nodes, v.node_count);
  f(v.leaves, v.leaf_count);
  f(v.triangles, v.triangle_count);
}
template <class F>
void each_array(MeshDistanceView& v, F&& f) {
  each_array(v.bvh, f);
  f(v.dipoles, v.bvh.node_count);
}
template <class F>
void each_array(HeightfieldView& v, F&& f) {
  each_array(v.bvh, f);
  f(v.heights, static_cast<std::size_t>(v.nx) * v.nz);
}
template <class F>
void each_array(MovingMeshView& v, F&& f) {
  for (MeshDistanceView* mesh : {&v.mesh, &v.before, &v.after}) each_array(*mesh, f);
  f(v.velocity, v.vertex_count);
  f(v.corners, v.corner_count);
  f(v.order, v.corner_count);
}
template <class F>
void each_array(VoxelDistanceView& v, F&& f) {
  const std::size_t nx = v.places[0], ny = v.places[1], nz = v.places[2];
  const std::size_t corners = (nx + 1) * (ny + 1) * (nz + 1);
  const auto nodes = static_cast<std::size_t>(v.blocks) * VoxelDistance::nodes;
  f(v.block, nx * ny * nz);
  f(v.corner, corners);
  f(v.value, nodes);
  f(v.corner_velocity, v.corner_velocity ? corners : 0);
  f(v.velocity, v.velocity ? nodes : 0);
}
template <class F>
void each_array(ColliderView& v, F&& f) {
  f(v.shape.nodes, v.shape.node_count);
  f(v.shape.meshes, v.shape.mesh_count);
  f(v.shape.heightfields, v.shape.heightfield_count);
  f(v.moving, v.moving ? std::size_t(1) : std::size_t(0));
  f(v.voxels, v.voxels ? std::size_t(1) : std::size_t(0));
}

/// A device's address is no place of the host's, so it is reckoned with as a number.
template <class T>
const T* address(const std::byte* base, std::size_t offset) {
  return reinterpret_cast<const T*>(reinterpret_cast<std::uintptr_t>(base) + offset);
}
std::size_t offset_of(const std::byte* base, const void* p) {
  return reinterpret_cast<std::uintptr_t>(p) - reinterpret_cast<std::uintptr_t>(base);
}

template <class T>
concept HasArrays = requires(T& view) {
  each_array(view, 0);
};

/// Appends arrays, with all that views among them point to, to bytes that begin at `first` of the
/// block, and makes pointers to them point into the block.
struct Writer {
  PackedColliders& packed;
  HostColumn<std::byte>& to;
  std::size_t first;

  void align() { to.resize((to.size() + 63) / 64 * 64); }

  template <class T>
  void write(std::size_t at, const T* from, std::size_t n) {
    std::memcpy(to.data() + (at - first), from, n * sizeof(T));
  }
  template <class T>
  std::size_t append(const T* from, std::size_t n) {
    align();
    const std::size_t at = first + to.size();
    to.resize(to.size() + n * sizeof(T));
    write(at, from, n);
    return at;
  }
  template <class T>
  std::size_t copied(const T* from, std::size_t n) {
    const std::size_t at = append(from, n);
    if constexpr (HasArrays<T>)
      for (std::size_t k = 0; k < n; ++k) {
        T view = from[k];
        each_array(view, *this);
        write(at + k * sizeof(T), &view, 1);
      }
    return at;
  }
  /// An array of a mesh or heightfield that several share is copied once.
  template <class T>
  std::size_t shared(const T* from, std::size_t n) {
    for (const PackedColliders::Piece& piece : packed.pieces)
      if (piece.from == from) return piece.at;
    packed.pieces.push_back({from, append(from, n)});
    return packed.pieces.back().at;
  }
  template <class T>
  void operator()(const T*& p, std::size_t n) {
    constexpr bool own = HasArrays<T> || std::is_same_v<T, Shape::Node>;
    if (n > 0) p = address<T>(packed.base, own ? copied(p, n) : shared(p, n));
  }
};

/// f(pointer) for every mesh and heightfield that no sequence changes, and for voxels, of which
/// those of sequences come last: what follows them is copied anew with them.
template <class F>
void each_still(const std::vector<Collider>& colliders, F&& f) {
  for (const Collider& collider : colliders) {
    if (collider.sequence) continue;
    if (collider.voxels) {
      f(collider.voxels);
      continue;
    }
    for (const auto& mesh : collider.shape.meshes) f(mesh);
    for (const auto& field : collider.shape.heightfields) f(field);
  }
  for (const Collider& collider : colliders)
    if (collider.sequence && collider.voxels) f(collider.voxels);
}

/// How many of the solids of the last pack, from the first on, are the same now; and whether there
/// are others.
struct SameStill {
  std::size_t count = 0;
  bool all = true;
};

SameStill same_still(const std::vector<Collider>& colliders, const PackedColliders& packed) {
  SameStill same;
  each_still(colliders, [&](const auto& solid) {
    const std::size_t k = same.count;
    same.all = same.all && k < packed.still.size() && packed.still[k].solid == solid;
    same.count += same.all;
  });
  same.all = same.all && same.count == packed.still.size();
  return same;
}

/// Packs the solids behind the first `kept`; returns the bytes that stay.
std::size_t pack_still(const std::vector<Collider>& colliders, std::size_t kept,
                       PackedColliders& packed) {
  const bool none = kept == packed.still.size();
  const std::size_t start = none ? packed.still_size : packed.still[kept].at;
  packed.bytes.resize(start);
  packed.pieces.resize(none ? packed.still_pieces : packed.still[kept].pieces);
  packed.still.resize(kept);
  Writer writer{packed, packed.bytes, 0};
  std::size_t k = 0;
  each_still(colliders, [&](const auto& solid) {
    if (k++ < kept) return;
    writer.align();
    packed.still.push_back({solid, packed.bytes.size(), packed.pieces.size()});
    auto view = view_of(*solid);
    each_array(view, writer);
  });
  writer.align();
  packed.still_size = packed.bytes.size();
  packed.still_pieces = packed.pieces.size();
  return start;
}

/// How paths are held against a collider.
Sweep sweep_of(const Collider& c) {
  using Op = Shape::Op;
  if (c.sequence || c.voxels || c.shape.nodes.size() != 1) return Sweep::general;
  switch (c.shape.nodes[0].op) {
    case Op::plane:
      return Sweep::none;
    case Op::box:
    case Op::sphere:
    case Op::ellipsoid:
    case Op::cylinder:
    case Op::capsule:
    case Op::cone:
      return Sweep::convex;
    default:
      return Sweep::general;
  }
}

/// What the motion of a collider has done in the step of dt to `time`.
Transform moved_in(const Collider& c, double time, double dt) {
  if (c.motion.times.empty() || !(dt > 0)) return {};
  if (jumps_between(c.jumps, time - dt, time)) return {};  // what it jumps over is not pushed ahead
  const Transform before = pose_at(c.motion, time - dt).transform, now = c.pose.transform;
  bool same = before.translation == now.translation;
  for (int k = 0; k < 3; ++k) same = same && before.rotation[k] == now.rotation[k];
  if (same) return {};
  const Mat3 turn = now.rotation * transpose(before.rotation);
  return {turn, now.translation - turn * before.translation};
}

/// The collider with pointers to what it owns; its other views live as long as this one.
struct OneView {
  MovingMeshView moving;
  VoxelDistanceView voxels;
  ColliderView view;

  OneView(const Collider& c, double time, double dt) {
    std::memset(static_cast<void*>(&view), 0, sizeof view);  // equal colliders are equal bytes
    static_cast<ContactParameters&>(view) = c;
    view.pose = c.pose;
    view.moved = moved_in(c, time, dt);
    view.pivot = cast<Real>(c.motion.pivot);
    view.withdrawn = c.withdrawal.depth;
    view.push_speed = c.withdrawal.speed;
    view.sweep = sweep_of(c);
    if (c.voxels) {
      voxels = view_of(*c.voxels, c.moving.ahead);
      view.voxels = &voxels;
      return;
    }
    view.shape = view_of(c.shape);
    if (!c.sequence) return;
    moving = view_of(c.moving);
    view.moving = &moving;
  }
  OneView(const OneView&) = delete;
};

/// Fewer colliders are as quickly looked at one by one.
constexpr std::size_t few_colliders = 16;
/// Around a collider through the step that ends now.
Bounds box_of(const Collider& c, const Transform& moved) {
  Bounds box = bounds_now(c);
  if (!is_bounded(box)) return box;
  Real farthest = 0;
  for (int corner = 0; corner < 8; ++corner) {
    const Vec3 now = corner_of(box, corner), before = apply_inverse(moved, now);
    farthest = std::max(farthest, length(now - before));
  }
  // Turning corners leave the boxes of both ends; distances are rounded.
  const Vec3 more = Vec3::filled(Real(1.5) * farthest + Real(1e-3) * length(box.size()));
  return {box.min - more, box.max + more};
}

/// The tree over the colliders in `order`, its leaves behind its inner nodes.
std::vector<ColliderTreeNode> tree_of(const std::vector<Bounds>& boxes,
                                      const std::vector<Index>& order) {
  const std::size_t leaves = std::bit_ceil(order.size());
  const Vec3 far = Vec3::filled(endless);
  std::vector<ColliderTreeNode> nodes(2 * leaves,
                                      {far, -far, std::numeric_limits<Index>::max(), -1});
  for (std::size_t k = 0; k < order.size(); ++k)
    nodes[leaves + k] = {boxes[order[k]].min, boxes[order[k]].max, order[k], order[k]};
  for (std::size_t k = leaves - 1; k > 0; --k) {
    const ColliderTreeNode &a = nodes[2 * k], &b = nodes[2 * k + 1];
    nodes[k] = {min(a.low, b.low), max(a.high, b.high), std::min(a.first, b.first),
                std::max(a.last, b.last)};
  }
  return nodes;
}

void pack_tree(const std::vector<Collider>& colliders, Writer& writer, PackedColliders& packed) {
  if (colliders.size() <= few_colliders) {
    packed.order.clear();
    return;
  }
  const auto* const views = reinterpret_cast<const ColliderView*>(packed.tail.data());
  std::vector<Bounds> boxes;
  for (std::size_t k = 0; k < colliders.size(); ++k)
    boxes.push_back(box_of(colliders[k], views[k].moved));
  // The order of the leaves decides about speed alone.
  if (packed.order.size() != boxes.size()) packed.order = make_box_tree(boxes).order;
  const std::vector<ColliderTreeNode> nodes = tree_of(boxes, packed.order);
  packed.tree_at = writer.append(nodes.data(), nodes.size());
}

void pack_tail(const std::vector<Collider>& colliders, double time, double dt,
               PackedColliders& packed) {
  packed.count = colliders.size();
  packed.tail.assign(packed.count * sizeof(ColliderView), std::byte(0));
  packed.pieces.resize(packed.still_pieces);
  Writer writer{packed, packed.tail, packed.still_size};
  for (std::size_t k = 0; k < packed.count; ++k) {
    OneView one(colliders[k], time, dt);
    each_array(one.view, writer);
    writer.write(packed.still_size + k * sizeof(ColliderView), &one.view, 1);
  }
  pack_tree(colliders, writer, packed);
}

bool is_same(const std::byte* bytes, const HostColumn<std::byte>& tail) {
  return tail.empty() || std::memcmp(bytes, tail.data(), tail.size()) == 0;
}

/// Moves a pointer into the block, and those of the views that it points to.
struct Rebase {
  std::byte* block;  // on the host
  const std::byte *from, *to;

  template <class T>
  void operator()(const T*& p, std::size_t n) const {
    if (n == 0) return;
    const std::size_t at = offset_of(from, p);
    if constexpr (HasArrays<T>)
      for (std::size_t k = 0; k < n; ++k) each_array(reinterpret_cast<T*>(block + at)[k], *this);
    p = address<T>(to, at);
  }
};

}  // namespace

void pack(const std::vector<Collider>& colliders, PackedColliders& packed, double time, double dt) {
  const SameStill same = same_still(colliders, packed);
  packed.changed_from = same.all ? packed.still_size : pack_still(colliders, same.count, packed);
  pack_tail(colliders, time, dt, packed);
  const std::size_t start = packed.still_size, size = start + packed.tail.size();
  if (same.all && packed.bytes.size() == size &&
      is_same(packed.bytes.data() + start, packed.tail)) {
    packed.changed_from = size;
    return;
  }
  packed.bytes.resize(size);
  std::copy(packed.tail.begin(), packed.tail.end(), packed.bytes.data() + start);
}

void rebase(PackedColliders& packed, const void* base) {
  if (base == packed.base) return;
  const ColliderView* views = views_of(packed).data;
  const Rebase move{packed.bytes.data(), packed.base, static_cast<const std::byte*>(base)};
  move(views, packed.count);
  packed.base = static_cast<const std::byte*>(base);
  packed.changed_from = 0;
}

ColliderViews views_of(const PackedColliders& packed) {
  ColliderViews views{address<ColliderView>(packed.base, packed.still_size),
                      static_cast<Index>(packed.count)};
  if (packed.order.empty()) return views;
  views.tree = address<ColliderTreeNode>(packed.base, packed.tree_at);
  views.leaves = static_cast<Index>(std::bit_ceil(packed.count));
  return views;
}

}  // namespace phyxel
