#pragma once

#include "phyxel/colliders/packed_colliders.h"

namespace phyxel {

inline namespace PHYXEL_BACKEND {

/// Colliders in memory that the kernels of this back end can read.
class KernelColliders {
 public:
  /// As they stand now, at the end of a step of dt. Returns whether anything has changed since the
  /// last time.
  bool update(const std::vector<Collider>& colliders, double time, Real dt) {
    pack(colliders, packed_, time, double(dt));
    const std::size_t size = packed_.bytes.size();
    const bool changed = packed_.changed_from < size;
#ifdef __CUDACC__
    if (size == 0) return changed;
    const bool has_room = size <= bytes_.size();
    if (!has_room) bytes_.discard_and_resize(size);
    rebase(packed_, bytes_.data());
    const std::size_t from = has_room ? packed_.changed_from : 0;
    if (from < size)
      device::copy_from_host(bytes_.data() + from, packed_.bytes.data() + from, size - from);
#else
    rebase(packed_, packed_.bytes.data());
#endif
    return changed;
  }

  ColliderViews views() const {
    return views_of(packed_);
  }

 private:
  PackedColliders packed_;
#ifdef __CUDACC__
  Column<std::byte> bytes_;
#endif
};

}  // namespace PHYXEL_BACKEND

}  // namespace phyxel
