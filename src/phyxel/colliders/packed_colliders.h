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
/// and kernels that see `base` may use views_of(packed). Kernels of the host rebase to
/// packed.bytes.data() and copy nothing.
struct PackedColliders {
  HostColumn<std::byte> bytes;
  // Bytes before it are those that the last pack left; bytes.size(): nothing changed.
  std::size_t changed_from = 0;

  // How it is made: meshes, heightfields and voxels come first and stay, with their owners, while
  // the colliders have the same, those of sequences last; the tail holds all that may change from
  // step to step, beginning with the views of the colliders.
  struct Piece {
    const void* from;  // the array that was copied
    std::size_t at;    // where it lies in the block
  };
  const std::byte* base = nullptr;  // where the pointers in the block take it to be
  struct Owner {
    std::shared_ptr<const void> solid;
    std::size_t at, pieces;  // bytes and pieces of the block before it
  };
  std::vector<Owner> still;
  std::size_t still_size = 0, still_pieces = 0;
  std::vector<Piece> pieces;
  std::size_t count = 0;       // of the colliders
  HostColumn<std::byte> tail;  // kept, so that packing again allocates nothing
};

/// Packs the colliders as the last move_to has left them. Cheap where shapes stay: meshes,
/// heightfields and voxels are copied once, mesh sequences when they move, voxels of sequences when
/// they are made anew.
void pack(const std::vector<Collider>& colliders, PackedColliders& packed);

/// Makes all pointers of the block those of a block that begins at `base`.
void rebase(PackedColliders& packed, const void* base);

/// The colliders of a block that lies at the last base.
ColliderViews views_of(const PackedColliders& packed);

}  // namespace phyxel
