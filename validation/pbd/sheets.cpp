#include "pbd/sheets.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>

#include "pbd/worlds.h"

namespace phyxel::validation::pbd {

using namespace lattice;

namespace {

constexpr double gravity = 9.81;  // of the scenes, m/s^2

std::string substeps(double speed, double spacing) {
  return fmt::format("material.cloth.substeps={}", substeps_for(speed, spacing));
}

// The disc.
constexpr double disc_radius = 0.15, table_radius = 0.09;  // m

struct Disc {
  std::vector<Vec3d> points;
  std::vector<Int3> triangles;
};

/// Rings of 6 k points, k = 1, 2, ..: nearly equilateral triangles up to a round rim.
Disc make_disc(int rings) {
  Disc disc;
  disc.points.push_back(Vec3d::zero());
  const auto first = [](int ring) {
    return static_cast<Index>(ring == 0 ? 0 : 1 + 3 * ring * (ring - 1));
  };
  const auto at = [&](int ring, int k) { return first(ring) + (ring == 0 ? 0 : k % (6 * ring)); };
  for (int ring = 1; ring <= rings; ++ring)
    for (int k = 0; k < 6 * ring; ++k) {
      const double angle = M_PI / 3 * k / ring, r = disc_radius * ring / rings;
      disc.points.push_back({r * std::cos(angle), 0, -r * std::sin(angle)});
    }
  for (int ring = 1; ring <= rings; ++ring)
    for (int side = 0; side < 6; ++side)
      for (int k = 0; k < ring; ++k) {
        const Index a = at(ring, side * ring + k), b = at(ring, side * ring + k + 1);
        const Index c = at(ring - 1, side * (ring - 1) + k);
        disc.triangles.push_back({a, b, c});
        if (k + 1 < ring) disc.triangles.push_back({b, at(ring - 1, side * (ring - 1) + k + 1), c});
      }
  return disc;
}

std::string write_disc(const Disc& disc, int rings) {
  const auto file =
      std::filesystem::temp_directory_path() / fmt::format("phyxel_disc_{}.obj", rings);
  std::ofstream out(file);
  for (const Vec3d& x : disc.points)
    out << fmt::format("v {:.9g} {:.9g} {:.9g}\n", x[0], x[1], x[2]);
  for (const Int3& t : disc.triangles)
    out << fmt::format("f {} {} {}\n", t[0] + 1, t[1] + 1, t[2] + 1);
  return file.string();
}

/// Area that triangles cover from above, in squares of 0.5 mm.
double shadow(const Disc& disc, const std::vector<Vec3d>& x) {
  constexpr int n = 800;
  constexpr double side = 0.0005;
  std::vector<char> dark(n * n, 0);
  for (const Int3& t : disc.triangles) {
    const Vec3d &a = x[t[0]], &b = x[t[1]], &c = x[t[2]];
    const auto [low_x, high_x] = std::minmax({a[0], b[0], c[0]});
    const auto [low_z, high_z] = std::minmax({a[2], b[2], c[2]});
    const auto cell = [&](double at) { return static_cast<int>(std::floor(at / side)) + n / 2; };
    const auto turn = [](const Vec3d& p, const Vec3d& q, double px, double pz) {
      return (q[0] - p[0]) * (pz - p[2]) - (q[2] - p[2]) * (px - p[0]);
    };
    for (int i = std::max(0, cell(low_x)); i <= std::min(n - 1, cell(high_x)); ++i)
      for (int k = std::max(0, cell(low_z)); k <= std::min(n - 1, cell(high_z)); ++k) {
        const double px = (i - n / 2 + 0.5) * side, pz = (k - n / 2 + 0.5) * side;
        const double ab = turn(a, b, px, pz), bc = turn(b, c, px, pz), ca = turn(c, a, px, pz);
        if ((ab >= 0 && bc >= 0 && ca >= 0) || (ab <= 0 && bc <= 0 && ca <= 0)) dark[i * n + k] = 1;
      }
  }
  return double(std::count(dark.begin(), dark.end(), 1)) * side * side;
}

}  // namespace

double hang_strip(int rows_in_a_tenth, const Changes& changes) {
  const double length = 1, spacing = 0.1 * length / rows_in_a_tenth;
  Changes all = {fmt::format("body.strip.spacing={:.9g}", spacing),
                 fmt::format("pin.top.shape.size=[1,{:.9g},1]", 0.9 * spacing)};
  const double modulus = 100, speed = std::sqrt(modulus / 0.3);  // of the scene
  all.push_back(substeps(speed, spacing));
  all.insert(all.end(), changes.begin(), changes.end());
  World world = world_of_pbd("strip", all);
  const std::vector<Vec3d> before = places_of(world);
  const double period = 4 * length / speed;
  load_for(world, {{}, Vec3d::zero(), 4 * M_PI / period, StepKind::velocities_first}, 4 * period);
  const std::vector<Vec3d> after = places_of(world);
  double top = -1e30, bottom = 1e30, left = 1e30, right = -1e30;
  for (const Vec3d& x : before) {
    top = std::max(top, x[1]), bottom = std::min(bottom, x[1]);
    left = std::min(left, x[0]), right = std::max(right, x[0]);
  }
  Group end;
  for (std::size_t i = 0; i < before.size(); ++i)
    if (before[i][1] < bottom + spacing / 10) end.push_back(i);
  double mass = 0;
  for (const Real m : particles_of(world).mass) mass += double(m);
  // Weight hangs down half of a row below the last one, on what lies between the outermost columns,
  // which lie half a spacing inside in every second row of triangles.
  const bool triangular = world.live.bodies.front().packing != Packing::cubic;
  const double y = top - bottom, row = triangular ? spacing * std::sqrt(0.75) : spacing;
  const double width = right - left - (triangular ? spacing / 2 : 0);
  const double per_area = mass * gravity / (width * (y + row)), l = y + row / 2;
  const double exact = per_area / modulus * (l * y - y * y / 2);
  return (mean_of(before, end)[1] - mean_of(after, end)[1]) / exact;
}

double drape(int rings, double bend_stiffness, const Changes& changes) {
  const Disc disc = make_disc(rings);
  const double spacing = disc_radius / rings;
  Changes all = {"body.disc.shape.file=\"" + write_disc(disc, rings) + "\"",
                 fmt::format("body.disc.spacing={:.9g}", spacing),
                 fmt::format("material.cloth.bend_stiffness={:.9g}", bend_stiffness)};
  const double speed = std::sqrt(100.0 / 0.2);
  all.push_back(substeps(speed, spacing));
  all.insert(all.end(), changes.begin(), changes.end());
  World world = world_of_pbd("drape", all);
  // Fast while it falls, slow while it swings.
  load_for(world, {{}, Vec3d::zero(), 4, StepKind::velocities_first}, 2.0);
  const double ring = M_PI * (disc_radius * disc_radius - table_radius * table_radius);
  return (shadow(disc, places_of(world)) - M_PI * table_radius * table_radius) / ring;
}

}  // namespace phyxel::validation::pbd
