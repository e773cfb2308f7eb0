#pragma once

#include <memory>
#include <vector>

#include "phyxel/colliders/collider.h"
#include "phyxel/colliders/collider_view.h"
#include "phyxel/core/column.h"

namespace phyxel {

/// Colliders as one block of bytes that points only into itself, so that a device gets them by one
/// copy. After every move_to:
///
///   pack(colliders, packed);
///   make room for packed.bytes.size() bytes at `base`, aligned to 64;
///   rebase(packed, base);  // costs nothing while the base stays
///   copy packed.bytes, from packed.changed_from on (all of them into a new room), to base;
///
/// and kernels that can read `base` may use views_of(packed). For kernels of the host, rebase to
/// packed.bytes.data() and copy nothing.
struct PackedColliders {
  HostColumn<std::byte> bytes;
  // Bytes before it are those that the last pack left; bytes.size(): nothing changed.
  std::size_t changed_from = 0;

  // Layout: meshes, heightfields and voxels come first, those of sequences last among them; they
  // stay, with their owners, while the colliders have the same. The tail holds all that may change
  // from step to step, beginning with the views of the colliders.
  struct Piece {
    const void* from;  // the array that was copied
    std::size_t at;    // where it lies in the block
  };
  const std::byte* base = nullptr;  // address of the block that its pointers are made for
  struct Owner {
    std::shared_ptr<const void> solid;
    std::size_t at, pieces;  // bytes and pieces of the block before it
  };
  std::vector<Owner> still;
  std::size_t still_size = 0, still_pieces = 0;
  std::vector<Piece> pieces;
  std::size_t count = 0;       // of the colliders
  std::vector<Index> order;    // of the leaves of their tree; empty where there is none
  std::size_t tree_at = 0;     // where it lies in the block
  HostColumn<std::byte> tail;  // kept, so that packing again allocates nothing
};

/// Packs the colliders as the last move_to has left them. Cheap where shapes stay: meshes,
/// heightfields and voxels are copied once, mesh sequences when they move, voxels of sequences when
/// they are made anew. `dt`: s, of the step that ends at `time`, for what moved in it.
void pack(const std::vector<Collider>& colliders, PackedColliders& packed, double time = 0,
          double dt = 0);

/// Changes all pointers of the block to those of a block that begins at `base`.
void rebase(PackedColliders& packed, const void* base);

/// The colliders of a block that lies at the last base.
ColliderViews views_of(const PackedColliders& packed);

}  // namespace phyxel
