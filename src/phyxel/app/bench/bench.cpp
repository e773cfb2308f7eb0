#include "phyxel/app/bench/bench.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <numeric>

#include "phyxel/app/device.h"
#include "phyxel/geometry/sampling.h"
#include "phyxel/io/hash.h"
#include "phyxel/methods/method_info.h"
#include "phyxel/methods/registry.h"
#include "phyxel/neighbours/neighbour_rows.h"
#include "phyxel/scene/build.h"
#include "phyxel/scene/read_scene.h"
#include "phyxel/surfaces/field.h"
#include "phyxel/surfaces/flow.h"
#include "phyxel/surfaces/flow_cells.h"
#include "phyxel/surfaces/marching_cubes.h"
#include "phyxel/surfaces/mean_distance.h"
#include "phyxel/surfaces/surfels/advance_surfels.h"
#include "phyxel/surfaces/surfels/sample_surfels.h"

namespace phyxel {

namespace {

template <class Work>
void warm_up(const BenchOptions& options, Work work) {
  const TimerScope scope(options.timers, "warm_up");
  work();
}

/// Best of several: machines are noisy, and nothing makes code faster than it is.
template <class Work>
double best_seconds(const BenchOptions& options, Work work) {
  double best = 1e300;
  for (int k = 0; k < options.repeats; ++k) {
    const TimerScope scope(options.timers, "repetition");
    const double start = now_seconds();
    work();
    best = std::min(best, now_seconds() - start);
  }
  return best;
}

BenchResult result_of(const BenchOptions& options, std::size_t n, int steps, double seconds,
                      std::size_t bytes_before) {
  const std::size_t bytes = bytes_in_use(exec_on(options.device).device);
  BenchResult r;
  r.particles = n;
  r.threads = thread_count();
  r.device = options.device;
  r.updates_per_second = static_cast<double>(n) * steps / seconds;
  r.seconds = seconds;
  r.steps = steps;
  r.bytes_per_particle = static_cast<double>(bytes - std::min(bytes, bytes_before)) / n;
  return r;
}

void take_steps(World& world, int count) {
  for (int k = 0; k < count; ++k) {
    const Real dt = static_cast<Real>(stable_step(world).dt);
    move_to(world.environment, world.environment.time + dt);
    for (auto& method : world.methods) method->step(world.environment, dt);
    ++world.environment.step;
  }
}

/// Frames of `count` steps, as a run takes them.
void take_frame_of_steps(World& world, int count) {
  Environment& environment = world.environment;
  for (auto& method : world.methods) method->begin(environment);
  const Real dt = static_cast<Real>(stable_step(world).dt);
  for (int k = 1; k <= count; ++k) {
    environment.next_dt = k < count ? dt : 0;
    move_to(environment, environment.time + dt);
    for (auto& method : world.methods) method->step(environment, dt);
    ++environment.step;
  }
}

/// Positions and velocities in order of id.
std::uint64_t state_of(World& world) {
  const HostParticles& p = world.methods.front()->particles();
  std::vector<Index> order(p.x.size());
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(), [&](Index i, Index j) { return p.id[i] < p.id[j]; });
  std::vector<Vec3> state;
  for (const Index i : order) state.insert(state.end(), {p.x[i], p.v[i]});
  return hash_of({reinterpret_cast<const char*>(state.data()), state.size() * sizeof(Vec3)});
}

World world_of(const BenchmarkWorld& benchmark, std::size_t n, const Exec& exec) {
  World world = build(parse_scene(benchmark.scene(n), benchmark.name), exec);
  if (!benchmark.stir) return world;
  benchmark.stir(world.methods.front()->particles(), n);
  world.methods.front()->begin(world.environment);
  return world;
}

BenchResult measure_world(const BenchmarkWorld& benchmark, const BenchOptions& options) {
  const Exec exec = exec_on(options.device, options.timers);
  const std::size_t bytes = bytes_in_use(exec.device);
  World world = world_of(benchmark, options.particles, exec);
  const bool in_frames = world.methods.front()->plans_ahead();
  const auto take = in_frames ? take_frame_of_steps : take_steps;
  warm_up(options, [&] { take(world, in_frames ? benchmark.steps : 20); });
  const double seconds = best_seconds(options, [&] { take(world, benchmark.steps); });
  BenchResult result = result_of(options, world.methods.front()->particles().x.size(),
                                 benchmark.steps, seconds, bytes);
  result.state = state_of(world);
  return result;
}

/// Sort by cell, put the points in order, rows of all neighbours within 2 spacings.
BenchResult measure_neighbours(const BenchOptions& options) {
  const Exec exec = exec_on(options.device, options.timers);
  if (exec.device != Device::cpu)
    throw InputError("neighbours: measures the cpu only; pairs includes the search on a GPU");
  const Real edge = static_cast<Real>(cube_edge(options.particles));
  const std::vector<Vec3> points =
      sample_inside(shape_box({edge, edge, edge}), Packing::closest, 1, 1, 3);
  const std::size_t bytes = bytes_in_use(exec.device);
  const Column<Vec3> x(points.begin(), points.end());
  Column<Vec3> sorted, scratch;
  CellTable cells;
  NeighbourRows rows;
  const PeriodicBox open;
  const Real radius = Real(2.02);
  const auto search = [&] {
    sorted = x;
    build_cells_for_rows(exec, sorted, radius, open, cells);
    permute(exec, "bench.permute", sorted, cells.order, scratch);
    build_rows(exec, sorted, cells, radius, rows);
  };
  warm_up(options, search);
  // Small sets so often that a repetition is long against the waking of threads.
  const int searches = 1 + static_cast<int>(500000 / x.size());
  const auto repetition = [&] {
    for (int k = 0; k < searches; ++k) search();
  };
  return result_of(options, x.size(), searches, best_seconds(options, repetition), bytes);
}

/// From the points to the triangles: sort, field at the nodes of a grid as fine as the spacing,
/// marching cubes.
BenchResult measure_surface(const BenchOptions& options) {
  const Exec exec = exec_on(options.device, options.timers);
  if (exec.device != Device::cpu) throw InputError("surface: measures the cpu only");
  const Real edge = static_cast<Real>(cube_edge(options.particles));
  const std::vector<Vec3> points =
      sample_inside(shape_box({edge, edge, edge}), Packing::closest, 1, 1, 3);
  const std::size_t bytes = bytes_in_use(exec.device);
  const Column<Vec3> x(points.begin(), points.end());
  FieldOptions field;
  field.kind = field_kind(options.field);
  field.spacing = 1;
  PointField around;
  SparseField grid;
  TriangleMesh mesh;
  const auto surface = [&] {
    make_field(exec, x, field, around);
    sample_field(exec, around, 1, grid);
    mesh = marching_cubes(exec, grid);
  };
  warm_up(options, surface);
  const int surfaces = 1 + static_cast<int>(500000 / x.size());
  const auto repetition = [&] {
    for (int k = 0; k < surfaces; ++k) surface();
  };
  return result_of(options, x.size(), surfaces, best_seconds(options, repetition), bytes);
}

/// Phyxels of a ball at rest, a fiftieth as many as surfels (Mueller et al. 2004: 200 and 10 000).
SurfelPhyxels phyxels_of_ball(Real radius, std::size_t surfels) {
  const double volume = 4 * M_PI / 3 * std::pow(double(radius), 3);
  const auto spacing = static_cast<Real>(std::cbrt(volume * std::sqrt(2.0) * 50 / double(surfels)));
  SurfelPhyxels p;
  for (const Vec3& x : sample_inside(shape_sphere(radius), Packing::closest, spacing, 1, 3)) {
    p.id.push_back(p.x.size());
    p.x.push_back(x);
  }
  p.reference = p.x;
  p.deformation.assign(p.x.size(), Mat3::identity());
  p.support.assign(p.x.size(), 3 * spacing);
  return p;
}

/// The displacement approach: both half axes too, anchors stay.
BenchResult measure_surfels(const BenchOptions& options) {
  const Exec exec = exec_on(options.device, options.timers);
  if (exec.device != Device::cpu) throw InputError("surfels: measures the cpu only");
  const auto radius = static_cast<Real>(std::sqrt(double(options.particles) / (4 * M_PI)));
  SurfelSampling sampling;
  sampling.spacing = 1;
  const std::size_t bytes = bytes_in_use(exec.device);
  const SurfelPhyxels rest = phyxels_of_ball(radius, options.particles);
  const SurfelOptions displacement = displacement_only();
  SurfelSurface surface = make_surfel_surface(
      exec, sample_surfels(exec, shape_sphere(radius), sampling), rest, 1, displacement);
  SurfelScratch scratch;
  const auto frame = [&] { advance_surfels(exec, surface, rest, rest, displacement, {}, scratch); };
  warm_up(options, frame);
  const auto n = static_cast<std::size_t>(surface.detail.size());
  const int frames = 1 + static_cast<int>(5000000 / n);
  const auto repetition = [&] {
    for (int k = 0; k < frames; ++k) frame();
  };
  return result_of(options, n, frames, best_seconds(options, repetition), bytes);
}

/// A jittered ball from its points to its border: about 1100 neighbours a point at a million.
BenchResult measure_flow_structuring(const BenchOptions& options) {
  const Exec exec = exec_on(options.device, options.timers);
  if (exec.device != Device::cpu) throw InputError("flow_structuring: measures the cpu only");
  const double radius = std::cbrt(double(options.particles) * 3 / (4 * M_PI));
  const std::vector<Vec3> points =
      sample_inside(shape_sphere(static_cast<Real>(radius)), Packing::jittered, 1, 1, 3);
  const std::size_t bytes = bytes_in_use(exec.device);
  const Column<Vec3> x(points.begin(), points.end());
  const FlowOptions flow;
  FlowScratch scratch;
  FlowStructure structure;
  const auto frame = [&] {
    const PairDistances pairs = pair_distances(exec, x);
    structure_flow(exec, x, longest_edge(flow, mean_distance({&pairs, 1}).mean), flow, scratch,
                   structure);
  };
  warm_up(options, frame);
  return result_of(options, x.size(), 1, best_seconds(options, frame), bytes);
}

}  // namespace

const std::vector<BenchInfo>& benchmarks() {
  static const std::vector<BenchInfo> all = [] {
    std::vector<BenchInfo> list = {
        {"neighbours",
         "rows of neighbours within 2 spacings of a closest packing, sort included",
         {1000000},
         measure_neighbours},
        {"surface",
         "triangles around the points of a closest packing, grid = spacing, sort included",
         {1000000},
         measure_surface},
        {"surfels",
         "surfels carried by phyxels, a fiftieth as many: the displacement approach, per frame",
         {1000000},
         measure_surfels},
        {"flow_structuring",
         "graph, average close vectors and border of a ball of points, mean distance included",
         {100000, 1000000},
         measure_flow_structuring},
    };
    for (const MethodInfo& method : method_registry())
      for (const BenchmarkWorld& world : method.benchmark_worlds)
        list.push_back(
            {world.name, world.summary, {world.particles}, [world](const BenchOptions& o) {
               return measure_world(world, o);
             }});
    return list;
  }();
  return all;
}

const BenchInfo& find_benchmark(const std::string& name) {
  std::vector<std::string> names;
  for (const BenchInfo& info : benchmarks()) {
    if (info.name == name) return info;
    names.push_back(info.name);
  }
  throw InputError(fmt::format("{}: not a benchmark{}; there are: {}", name,
                               suggestion(name, names), fmt::join(names, ", ")));
}

BenchResult measure(const BenchInfo& info, BenchOptions options) {
  const TimerScope scope(options.timers, info.name.c_str());
  if (options.particles == 0) options.particles = info.particles.back();
  BenchResult result = info.measure(options);
  result.name = info.name;
  return result;
}

std::string to_json(const std::vector<BenchResult>& results) {
  std::vector<std::string> rows;
  for (const BenchResult& r : results)
    rows.push_back(
        fmt::format("  {{\"name\": \"{}\", \"particles\": {}, \"threads\": {}, \"device\": \"{}\", "
                    "\"updates_per_second\": {:.6g}, \"seconds\": {:.6g}, \"steps\": {}, "
                    "\"bytes_per_particle\": {:.0f}, \"state\": \"{:016x}\"}}",
                    r.name, r.particles, r.threads, r.device, r.updates_per_second, r.seconds,
                    r.steps, r.bytes_per_particle, r.state));
  return fmt::format("[\n{}\n]\n", fmt::join(rows, ",\n"));
}

}  // namespace phyxel
