#include "cuda/colliders.h"
#include "cuda/device_array.h"

namespace phyxel::test {

std::vector<Contact> contacts_on_device(PackedColliders& packed, const std::vector<Vec3>& points) {
  const DeviceArray<std::byte> block(packed.bytes.size());
  rebase(packed, block.data);
  block.copy_from(packed.bytes.data(), packed.bytes.size());
  const ColliderViews colliders = views_of(packed);
  const Index n = static_cast<Index>(points.size());
  const DeviceArray<Vec3> in(n);
  in.copy_from(points.data(), n);
  const DeviceArray<Contact> out(n * colliders.count);
  const Vec3* const x = in.data;
  Contact* const to = out.data;
  run_on_device(
      n * colliders.count,
      PHYXEL_LAMBDA(Index i) { to[i] = contact_at(colliders.data[i / n], x[i % n]); });
  return out.values(n * colliders.count);
}

}  // namespace phyxel::test
