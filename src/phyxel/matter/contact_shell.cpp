#include "phyxel/matter/contact_shell.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "phyxel/neighbours/neighbour_rows.h"

namespace phyxel {

namespace {

constexpr Real reach_in_diameters = Real(1.8);
constexpr Real cosine_of_cone = Real(0.5);

/// Unit vectors that are spread evenly over a sphere, or a circle in the plane z = 0.
std::vector<Vec3> make_directions(bool flat) {
  const int count = flat ? 24 : 64;
  const double golden = M_PI * (3 - std::sqrt(5.0));
  std::vector<Vec3> directions;
  for (int k = 0; k < count; ++k) {
    const double angle = flat ? 2 * M_PI * k / count : golden * k;
    const double z = flat ? 0 : 1 - (2 * k + 1.0) / count, ring = std::sqrt(1 - z * z);
    directions.push_back(cast<Real>(Vec3d{ring * std::cos(angle), ring * std::sin(angle), z}));
  }
  return directions;
}

/// Whether a cone around one of the directions has no neighbour in it. `to`: vectors to neighbours,
/// of length 1.
bool has_free_cone(const std::vector<Vec3>& directions, const Vec3* to, int count) {
  for (const Vec3& direction : directions) {
    bool is_free = true;
    for (int k = 0; k < count && is_free; ++k) is_free = !(dot(direction, to[k]) > cosine_of_cone);
    if (is_free) return true;
  }
  return false;
}

struct Ball {
  Vec3 x;
  Real radius;
};

std::vector<Ball> surface_balls(const ContactShell& shell) {
  std::vector<Ball> balls;
  for (std::size_t i = 0; i < shell.size(); ++i)
    if (shell.surface[i]) balls.push_back({shell.x[i], shell.radius[i]});
  return balls;
}

/// A run of balls, and the box around them.
struct Group {
  Ball* first;
  Ball* last;
  Bounds box;

  Group(Ball* f, Ball* l) : first(f), last(l) {
    for (const Ball* ball = f; ball < l; ++ball) {
      box.include(ball->x - Vec3::filled(ball->radius));
      box.include(ball->x + Vec3::filled(ball->radius));
    }
  }
  std::ptrdiff_t count() const { return last - first; }

  /// Where the second half begins, across the longest side of the box.
  Ball* split() const {
    const Vec3 size = box.size();
    const int axis = size[0] >= size[1] && size[0] >= size[2] ? 0 : size[1] >= size[2] ? 1 : 2;
    Ball* const middle = first + count() / 2;
    std::nth_element(first, middle, last,
                     [&](const Ball& a, const Ball& b) { return a.x[axis] < b.x[axis]; });
    return middle;
  }
};

bool boxes_within(const Bounds& a, const Bounds& b, double gap) {
  double squares = 0;
  for (int k = 0; k < 3; ++k) {
    const double apart = std::max({0.0, double(a.min[k]) - b.max[k], double(b.min[k]) - a.max[k]});
    squares += apart * apart;
  }
  return squares < gap * gap;
}

/// Halves the larger group until boxes are apart, or few pairs are left.
bool come_within(const Group& a, const Group& b, double gap) {
  if (!boxes_within(a.box, b.box, gap)) return false;
  if (a.count() * b.count() <= 64) {
    for (const Ball* p = a.first; p < a.last; ++p)
      for (const Ball* q = b.first; q < b.last; ++q)
        if (double(length(p->x - q->x)) < gap + double(p->radius + q->radius)) return true;
    return false;
  }
  const Group& large = a.count() >= b.count() ? a : b;
  const Group& other = &large == &a ? b : a;
  Ball* const middle = large.split();
  return come_within(Group(large.first, middle), other, gap) ||
         come_within(Group(middle, large.last), other, gap);
}

}  // namespace

bool come_within(const ContactShell& a, const ContactShell& b, double gap) {
  std::vector<Ball> first = surface_balls(a), second = surface_balls(b);
  if (first.empty() || second.empty()) return false;
  return come_within(Group(first.data(), first.data() + first.size()),
                     Group(second.data(), second.data() + second.size()), gap);
}

ContactShell balls_of(const HostParticles& particles, const Environment& environment,
                      const std::vector<Real>& modulus) {
  ContactShell shell;
  const std::size_t n = particles.x.size();
  shell.id.assign(particles.id.begin(), particles.id.end());
  shell.body.assign(particles.body.begin(), particles.body.end());
  shell.x.assign(particles.x.begin(), particles.x.end());
  shell.v.assign(particles.v.begin(), particles.v.end());
  shell.mass.assign(particles.mass.begin(), particles.mass.end());
  shell.radius.resize(n);
  shell.stiffness.resize(n);
  shell.surface.assign(n, 0);
  for (std::size_t i = 0; i < n; ++i) {
    const Index m = particles.material[i];
    const Real spacing = environment.materials[m].spacing;
    shell.radius[i] = spacing / 2;
    // A particle as a rod of its own size; in a flat scene as one of unit width.
    shell.stiffness[i] = modulus[m] * (environment.dimensions == 2 ? Real(1) : spacing);
  }
  return shell;
}

void find_surface(const Environment& environment, ContactShell& shell) {
  const std::size_t n = shell.size();
  if (n == 0) return;
  const Exec exec{environment.exec.timers};
  const Real largest = *std::max_element(shell.radius.begin(), shell.radius.end());
  const Real reach = reach_in_diameters * 2 * largest;
  CellTable cells;
  NeighbourRows rows;
  Column<Vec3> x(n);
  std::copy(shell.x.begin(), shell.x.end(), x.begin());
  build_cells_for_rows(exec, x, reach, environment.box, cells);
  for (std::size_t k = 0; k < n; ++k) x[k] = shell.x[cells.order[k]];
  build_rows(exec, x, cells, reach, rows);
  const std::vector<Vec3> directions = make_directions(environment.dimensions == 2);
  for_each(exec, "contact_shell.surface", static_cast<Index>(n), [&](Index k) {
    constexpr int most = 256;  // farther ones of very dense matter do not open a cone
    std::array<Vec3, most> to;
    int count = 0;
    const Index i = cells.order[k];
    const Real own_reach = reach_in_diameters * 2 * shell.radius[i];
    for (Index e = 0; e < rows.count[k] && count < most; ++e) {
      const Vec3 d = minimum_image(environment.box, x[rows.neighbour[rows.start[k] + e]] - x[k]);
      const Real distance = length(d);
      if (distance > 0 && distance < own_reach) to[count++] = d / distance;
    }
    shell.surface[i] = has_free_cone(directions, to.data(), count) ? 1 : 0;
  });
}

}  // namespace phyxel
