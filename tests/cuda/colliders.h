#pragma once

#include <vector>

#include "phyxel/colliders/packed_colliders.h"

namespace phyxel::test {

/// Contacts of every point with every collider, all points of the first collider first, as a kernel
/// sees the packed colliders.
std::vector<Contact> contacts_on_device(PackedColliders& packed, const std::vector<Vec3>& points);

}  // namespace phyxel::test
