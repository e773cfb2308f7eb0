#include "cuda/colliders.h"

#include <algorithm>
#include <doctest/doctest.h>
#include <limits>

#include "colliders/every_collider.h"

using namespace phyxel;
using namespace phyxel::test;

namespace {

constexpr Real eps = std::numeric_limits<Real>::epsilon();

/// How the contacts of one collider agree.
struct Agreement {
  Real distance = 0;   // largest difference, m
  int other_side = 0;  // points whose normal or velocity differs
};

Agreement agreement(const Contact* a, const Contact* b, std::size_t n) {
  Agreement result;
  for (std::size_t i = 0; i < n; ++i) {
    result.distance = std::max(result.distance, std::abs(a[i].distance - b[i].distance));
    // A direction is a difference of places over a distance; speeds are a few m/s.
    const Real near = std::min(Real(1), std::abs(a[i].distance));
    const Real allowed = 512 * eps / std::max(near, Real(1e-3));
    result.other_side += length(a[i].normal - b[i].normal) > allowed ||
                         length(a[i].velocity - b[i].velocity) > 10 * allowed;
  }
  return result;
}

void check_agreement(double time) {
  std::vector<Collider> colliders = every_collider();
  move_to(colliders, time);
  PackedColliders packed;
  pack(colliders, packed);
  const std::vector<Vec3> points = random_points(4000);
  const std::vector<Contact> device = contacts_on_device(packed, points);
  for (std::size_t k = 0; k < colliders.size(); ++k) {
    CAPTURE(k);
    std::vector<Contact> host;
    for (const Vec3& x : points) host.push_back(contact_at(colliders[k], x));
    const Agreement a = agreement(host.data(), &device[k * points.size()], points.size());
    // nvcc fuses other products with sums than the host's compiler: places within 2 m differ by a
    // few roundings, a host without fused products by 5 eps.
    CHECK(a.distance <= 16 * eps);
    // Where two surfaces are equally near, rounding decides which of them it is.
    CHECK(a.other_side <= static_cast<int>(points.size() / 400));
  }
}

}  // namespace

TEST_CASE("contacts_on_the_device_are_those_of_the_host_to_rounding") {
  check_agreement(0.04);
}

TEST_CASE("contacts_on_the_device_follow_the_colliders") {
  check_agreement(0.11);
}
