#include "phyxel/app/bench.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

#include "phyxel/core/random.h"
#include "phyxel/geometry/sampling.h"
#include "phyxel/neighbours/cell_sort.h"
#include "phyxel/neighbours/neighbour_rows.h"
#include "phyxel/scene/build.h"
#include "phyxel/scene/read_scene.h"

namespace phyxel {

namespace {

constexpr int repetitions = 5;

/// Best of several: machines are noisy, and nothing makes code faster than it is.
template <class Work>
double best_seconds(Work work) {
  double best = 1e300;
  for (int k = 0; k < repetitions; ++k) {
    const double start = now_seconds();
    work();
    best = std::min(best, now_seconds() - start);
  }
  return best;
}

/// A cube of closest packing with about n particles of spacing 1.
Shape cube_for(std::size_t n) {
  const Real edge = static_cast<Real>(std::cbrt(static_cast<double>(n) / std::sqrt(2.0)));
  return shape_box({edge, edge, edge});
}

BenchResult result_of(const char* name, std::size_t n, int steps, double seconds) {
  return {name, n, thread_count(), "cpu", static_cast<double>(n) * steps / seconds, seconds, steps};
}

/// A spinning free crystal with the n-m potential faded from r0 to 2 r0: about 54 neighbours.
BenchResult measure_pairs(std::size_t n) {
  const double edge = std::cbrt(static_cast<double>(n) / std::sqrt(2.0));
  const std::string text = fmt::format(R"(
[world]
gravity = [0, 0, 0]
[material.m]
method = "lennard_jones"
particle_mass = 1.0
dissociation_energy = 1.0
[body.b]
material = "m"
shape = {{ type = "box", size = [{0}, {0}, {0}] }}
spacing = 1.0
)",
                                       edge);
  World world = build(parse_scene(text, "pairs"));
  Method& method = *world.methods.front();
  // Thermal motion at kT = 0.02 e0: about a thirtieth of what melts the crystal.
  HostParticles& p = method.particles();
  for (Index i = 0; i < p.size(); ++i)
    p.v[i] = (Random{1, 0}.uniform3(p.id[i]) * 2 - Vec3::filled(1)) *
             static_cast<Real>(std::sqrt(3 * 0.02));
  method.begin(world.environment);
  const auto steps = [&](int count) {
    for (int k = 0; k < count; ++k) {
      const Real dt = static_cast<Real>(stable_step(world).dt);
      move_to(world.environment, world.environment.time + dt);
      method.step(world.environment, dt);
    }
  };
  constexpr int per_repetition = 20;
  steps(20);
  const double seconds = best_seconds([&] { steps(per_repetition); });
  return result_of("pairs", method.particles().x.size(), per_repetition, seconds);
}

/// Sort by cell, put the points in order, rows of all neighbours within 2 spacings.
BenchResult measure_neighbours(std::size_t n) {
  const Shape cube = cube_for(n);
  const std::vector<Vec3> points = sample_inside(cube, Packing::closest, 1, 1, 3);
  const Column<Vec3> x(points.begin(), points.end());
  Column<Vec3> sorted = x, scratch;
  CellTable cells;
  NeighbourRows rows;
  const Exec exec;
  const PeriodicBox open;
  const Real radius = Real(2.02);
  const auto search = [&] {
    sorted = x;
    build_cells_for_rows(exec, sorted, radius, open, cells);
    permute(exec, "bench.permute", sorted, cells.order, scratch);
    build_rows(exec, sorted, cells, radius, rows);
  };
  search();
  return result_of("neighbours", x.size(), 1, best_seconds(search));
}

}  // namespace

const std::vector<BenchInfo>& benchmarks() {
  static const std::vector<BenchInfo> list = {
      {"pairs", "lennard_jones steps of a closest packing, cut-off 2 r0, lists included", 256000,
       measure_pairs},
      {"neighbours", "rows of neighbours within 2 spacings of a closest packing, sort included",
       1000000, measure_neighbours},
  };
  return list;
}

std::string to_json(const std::vector<BenchResult>& results) {
  std::vector<std::string> rows;
  for (const BenchResult& r : results)
    rows.push_back(fmt::format(
        "  {{\"name\": \"{}\", \"particles\": {}, \"threads\": {}, \"device\": \"{}\", "
        "\"updates_per_second\": {:.6g}, \"seconds\": {:.6g}, \"steps\": {}}}",
        r.name, r.particles, r.threads, r.device, r.updates_per_second, r.seconds, r.steps));
  return fmt::format("[\n{}\n]\n", fmt::join(rows, ",\n"));
}

}  // namespace phyxel
