#include "phyxel/methods/skeleton/move_packs.h"

#include <doctest/doctest.h>
#include <vector>

#include "phyxel/core/random.h"

namespace phyxel {

namespace {

/// Particles that move, of which some are marked as near a collider far below.
struct Crowd {
  std::vector<Vec3> x, v, at_build;
  std::vector<Real> mass;
  std::vector<Index> is_near;
  std::vector<Moving> packed;
  std::vector<ColliderView> colliders{1};

  explicit Crowd(Index n) : mass(n, 1), is_near(n, 0), packed(n) {
    for (Index i = 0; i < n; ++i) {
      x.push_back(Random{1, 1}.uniform3(i) * Real(8));
      v.push_back((Random{2, 2}.uniform3(i) - Vec3::filled(Real(0.5))) * Real(30));
      at_build.push_back(x.back() + Random{3, 3}.uniform3(i) * Real(0.1));
    }
  }
  ContactView view() {
    ContactView s;
    s.n = static_cast<Index>(x.size());
    s.x = x.data();
    s.v = v.data();
    s.x_at_build = at_build.data();
    s.mass = mass.data();
    s.is_near = is_near.data();
    s.colliders.data = colliders.data();
    s.colliders.count = 1;
    return s;
  }
};

void pack_one(Crowd& crowd, Index i) {
  const Vec3 &x = crowd.x[i], &v = crowd.v[i];
  crowd.packed[i] = {{{x[0], x[1], x[2], 0}}, {{v[0], v[1], v[2], 0}}};
}

}  // namespace

TEST_CASE("particles_that_meet_nothing_move_in_packs_as_they_do_one_by_one") {
  const Index n = 20 * lanes + 3;
  Crowd alone(n), together(n);
  for (Crowd* crowd : {&alone, &together})
    for (const Index i : {Index(3), Index(2 * lanes), Index(n - 1)}) crowd->is_near[i] = 1;
  const Real dt = Real(0.01);
  const auto straight = [dt](const Vec3& from, const Vec3& v) { return from + v * dt; };

  Moved one_by_one;
  for (Index i = 0; i < n; ++i) {
    one_by_one = LargerMove{}(one_by_one, move_particle(alone.view(), i, dt, false, straight));
    pack_one(alone, i);
  }
  Index packs = 0, met = 0;
  const ContactView view = together.view();
  const Moved in_packs = move_in_packs(
      Exec{}, "test.move", view, dt, [&](Index first) { return lanes_meet_nothing(view, first); },
      [&](Index i) {
        ++met;
        const Moved moved = move_particle(view, i, dt, false, straight);
        pack_one(together, i);
        return moved;
      },
      [&](Index first, const Vec3Pack& x, const Vec3Pack& v) {
        const Pack none(Real(0));
        store_moving({{x[0], x[1], x[2], none}}, {{v[0], v[1], v[2], none}},
                     together.packed.data() + first);
        ++packs;
      });
  CHECK(packs == 18);
  CHECK(met == 2 * lanes + 3);
  // Products and sums may be fused in one and not in the other.
  const Real rounding = 4 * std::numeric_limits<Real>::epsilon();
  CHECK(in_packs.path_squared == doctest::Approx(one_by_one.path_squared).epsilon(rounding));
  CHECK(in_packs.speed_squared == doctest::Approx(one_by_one.speed_squared).epsilon(rounding));
  for (Index i = 0; i < n; ++i) {
    CHECK(length(together.x[i] - alone.x[i]) <= rounding * 8);
    for (int k = 0; k < 3; ++k) {
      CHECK(together.packed[i].x.c[k] == together.x[i][k]);
      CHECK(together.packed[i].v.c[k] == alone.v[i][k]);
    }
  }
}

TEST_CASE("a_particle_that_is_not_finite_has_moved_farther_than_any_skin") {
  Crowd crowd(2 * lanes);
  crowd.v[5][1] = std::numeric_limits<Real>::quiet_NaN();
  const ContactView view = crowd.view();
  const Moved moved = move_in_packs(
      Exec{}, "test.move", view, Real(0.01), [](Index) { return true; },
      [](Index) { return Moved{}; }, [](Index, const Vec3Pack&, const Vec3Pack&) {});
  CHECK(std::isinf(moved.path_squared));
}

}  // namespace phyxel
