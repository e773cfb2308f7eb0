#include "phyxel/matter/contact_shell.h"

#include <doctest/doctest.h>
#include <functional>

#include "phyxel/core/random.h"
#include "phyxel/geometry/sampling.h"

using namespace phyxel;

namespace {

constexpr Real spacing = Real(0.1);

ContactShell shell_of(const std::vector<Vec3>& points, int dimensions = 3) {
  Environment environment;
  environment.dimensions = dimensions;
  ContactShell shell;
  shell.x = points;
  shell.radius.assign(points.size(), spacing / 2);
  shell.surface.assign(points.size(), 0);
  find_surface(environment, shell);
  return shell;
}

/// Depth below the surface of particles on either side of it, in spacings.
struct Depths {
  double deepest_surface = 0, shallowest_inside = 1e30;
  std::size_t surface = 0, all = 0;
};
Depths depths_of(const ContactShell& shell, const std::function<double(const Vec3&)>& depth) {
  Depths d;
  d.all = shell.size();
  for (std::size_t i = 0; i < shell.size(); ++i) {
    const double own = depth(shell.x[i]) / double(spacing);
    if (shell.surface[i]) {
      d.deepest_surface = std::max(d.deepest_surface, own);
      ++d.surface;
    } else {
      d.shallowest_inside = std::min(d.shallowest_inside, own);
    }
  }
  return d;
}

std::vector<Vec3> filled(const Shape& shape, Packing packing) {
  return sample_inside(shape, packing, spacing, 1, 3);
}

}  // namespace

TEST_CASE("the_surface_of_a_ball_is_its_outermost_layer") {
  for (const Packing packing : {Packing::closest, Packing::cubic, Packing::jittered}) {
    CAPTURE(static_cast<int>(packing));
    const ContactShell shell = shell_of(filled(shape_sphere(1), packing));
    const Depths d = depths_of(shell, [](const Vec3& x) { return 1 - double(length(x)); });
    // The outermost layer is one and a half spacings thick where the ball cuts a crystal.
    CHECK(d.deepest_surface < 1.6);
    CHECK(d.shallowest_inside > 0.3);
    CHECK(d.surface > d.all / 10);
    CHECK(d.surface < d.all / 2);
  }
}

TEST_CASE("all_of_a_sheet_and_of_a_rod_is_on_the_surface") {
  std::vector<Vec3> sheet, rod, thick;
  for (int i = 0; i < 20; ++i) {
    rod.push_back({Real(i) * spacing, 0, 0});
    for (int j = 0; j < 20; ++j) {
      sheet.push_back({Real(i) * spacing, Real(j) * spacing, 0});
      for (int k = 0; k < 2; ++k)
        thick.push_back({Real(i) * spacing, Real(j) * spacing, Real(k) * spacing});
    }
  }
  for (const std::vector<Vec3>& points : {sheet, rod, thick}) {
    const ContactShell shell = shell_of(points);
    CHECK(std::ranges::count(shell.surface, 1) == std::ptrdiff_t(points.size()));
  }
}

TEST_CASE("a_flat_body_has_a_rim") {
  std::vector<Vec3> points;
  for (int i = 0; i < 10; ++i)
    for (int j = 0; j < 10; ++j) points.push_back({Real(i) * spacing, Real(j) * spacing, 0});
  const ContactShell shell = shell_of(points, 2);
  for (std::size_t k = 0; k < points.size(); ++k) {
    const std::size_t i = k / 10, j = k % 10;
    CHECK(int(shell.surface[k]) == (i == 0 || i == 9 || j == 0 || j == 9 ? 1 : 0));
  }
}

TEST_CASE("shells_come_within_a_gap_exactly_where_their_nearest_balls_do") {
  const ContactShell ball = shell_of(filled(shape_sphere(Real(0.4)), Packing::closest));
  ContactShell other = ball;
  for (Vec3& x : other.x) x += Vec3{Real(1.3), Real(0.6), Real(-0.2)};
  double nearest = 1e30;
  for (const Vec3& p : ball.x)
    for (const Vec3& q : other.x) nearest = std::min(nearest, double(length(p - q)));
  nearest -= double(spacing);
  CHECK(nearest > 0.3);
  CHECK(come_within(ball, other, nearest + 1e-4));
  CHECK_FALSE(come_within(ball, other, nearest - 1e-4));
  CHECK_FALSE(come_within(ball, ContactShell{}, 100));
}

TEST_CASE("a_single_particle_is_a_surface") {
  CHECK(shell_of({{0, 0, 0}}).surface[0] == 1);
}
