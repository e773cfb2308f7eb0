#include "phyxel/app/bench.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

#include "phyxel/app/device.h"
#include "phyxel/core/random.h"
#include "phyxel/geometry/sampling.h"
#include "phyxel/neighbours/neighbour_rows.h"
#include "phyxel/scene/build.h"
#include "phyxel/scene/read_scene.h"
#include "phyxel/surfaces/flow.h"
#include "phyxel/surfaces/marching_cubes.h"

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

/// Edge of a cube of closest packing with about n particles of spacing 1.
double cube_edge(std::size_t n) {
  return std::cbrt(static_cast<double>(n) / std::sqrt(2.0));
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

/// Velocities of a gas of that temperature: each component is normal with variance kT/mass.
void heat(HostParticles& p, double kT) {
  const Random random{1, 0};
  for (Index i = 0; i < p.size(); ++i) {
    const Random::Four w = random.words(p.id[i]);
    const double scale = std::sqrt(kT / double(p.mass[i]));
    const auto normal = [&](std::uint32_t a, std::uint32_t b) {  // Box and Muller 1958
      const double radius = std::sqrt(-2 * std::log(1 - double(Random::unit(a))));
      return scale * radius * std::cos(2 * M_PI * double(Random::unit(b)));
    };
    const Random::Four more = random.words(p.id[i], 1);
    p.v[i] = {static_cast<Real>(normal(w.word[0], w.word[1])),
              static_cast<Real>(normal(w.word[2], w.word[3])),
              static_cast<Real>(normal(more.word[0], more.word[1]))};
  }
}

/// A free crystal at rest spacing with the n-m potential faded from r0 to 2 r0, about 54
/// neighbours, warm enough to vibrate and too cold to melt: kT = 0.02 e0.
World warm_crystal(std::size_t n, const Exec& exec) {
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
                                       cube_edge(n));
  World world = build(parse_scene(text, "pairs"), exec);
  heat(world.methods.front()->particles(), 0.02);
  world.methods.front()->begin(world.environment);
  return world;
}

void take_steps(World& world, int count) {
  for (int k = 0; k < count; ++k) {
    const Real dt = static_cast<Real>(stable_step(world).dt);
    move_to(world.environment, world.environment.time + dt);
    for (auto& method : world.methods) method->step(world.environment, dt);
    ++world.environment.step;
  }
}

/// A ball of snow, jelly or water that flies, turns and rings in empty space: eight particles a
/// cell. It flies at some 3 m/s and turns as fast at its rim, about a tenth of the speed of its
/// waves, as matter does that was thrown: particles cross a cell in some fifteen steps.
World flying_ball(std::size_t n, const std::string& material, const Exec& exec) {
  const double radius = std::cbrt(static_cast<double>(n) * 3 / (4 * M_PI) / 8) * 2;
  const std::string text = fmt::format(R"(
[world]
gravity = [0, 0, 0]
[material.m]
method = "mpm"
{}
cell = 2.0
[body.b]
material = "m"
shape = {{ type = "sphere", radius = {} }}
packing = "jittered"
spacing = 1.0
velocity = [0.5, 2.5, 1.0]
angular_velocity = [{}, {}, {}]
)",
                                       material, radius, 1.4 / radius, 2.1 / radius, 0.7 / radius);
  return build(parse_scene(text, "mpm"), exec);
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

BenchResult measure_mpm(const BenchOptions& options, const std::string& material) {
  constexpr int steps = 100;  // of a frame, as in scenes: 60 frames a second of snow take more
  const Exec exec = exec_on(options.device, options.timers);
  const std::size_t bytes = bytes_in_use(exec.device);
  World world = flying_ball(options.particles, material, exec);
  warm_up(options, [&] { take_frame_of_steps(world, steps); });
  const double seconds = best_seconds(options, [&] { take_frame_of_steps(world, steps); });
  return result_of(options, world.methods.front()->particles().x.size(), steps, seconds, bytes);
}
BenchResult measure_mpm_snow(const BenchOptions& options) {
  return measure_mpm(options, "law = \"snow\"\ndensity = 400.0");
}
BenchResult measure_mpm_liquid(const BenchOptions& options) {
  return measure_mpm(options, "law = \"liquid\"\nbulk_modulus = 1e6");
}

BenchResult measure_mpm_elastic(const BenchOptions& options) {
  return measure_mpm(options, "law = \"neo_hookean\"\nyoungs_modulus = 1e5");
}

BenchResult measure_mpm_flip(const BenchOptions& options) {
  return measure_mpm(options, "law = \"snow\"\ndensity = 400.0\ntransfer = \"flip\"");
}

/// Water that swirls on a floor at up to 3 m/s, a tenth of the speed of sound: about 33 neighbours.
World stirred_water(std::size_t n, const Exec& exec) {
  const double edge = cube_edge(n) * 0.01;
  World world = build(parse_scene(fmt::format(R"(
[material.m]
method = "sph"
[body.b]
material = "m"
shape = {{ type = "box", centre = [0, {1}, 0], size = [{0}, {0}, {0}] }}
spacing = 0.01
[collider.floor]
shape = {{ type = "plane" }}
)",
                                              edge, edge / 2),
                                  "sph"),
                      exec);
  HostParticles& p = world.methods.front()->particles();
  const Real k = static_cast<Real>(2 * M_PI / edge);
  for (Index i = 0; i < p.size(); ++i)
    p.v[i] = Vec3{std::sin(k * p.x[i][2]), 0, -std::sin(k * p.x[i][0])} * Real(2.1);
  world.methods.front()->begin(world.environment);
  return world;
}

BenchResult measure_sph(const BenchOptions& options) {
  constexpr int steps = 50;  // rows serve for some steps: each repetition builds them too
  const Exec exec = exec_on(options.device, options.timers);
  const std::size_t bytes = bytes_in_use(exec.device);
  World world = stirred_water(options.particles, exec);
  warm_up(options, [&] { take_steps(world, 20); });
  const double seconds = best_seconds(options, [&] { take_steps(world, steps); });
  return result_of(options, world.methods.front()->particles().x.size(), steps, seconds, bytes);
}

/// A block of an elastic solid that flies, turns and rings in empty space, as fast as flying_ball:
/// about a tenth of the speed of its waves.
World flying_block(std::size_t n, const Exec& exec) {
  const double edge = cube_edge(n);
  World world = build(parse_scene(fmt::format(R"(
[world]
gravity = [0, 0, 0]
[material.m]
method = "lattice"
youngs_modulus = 1e6
[body.b]
material = "m"
shape = {{ type = "box", size = [{0}, {0}, {0}] }}
spacing = 1.0
velocity = [0.5, 2.5, 1.0]
angular_velocity = [{1}, {2}, {3}]
)",
                                              edge, 2.8 / edge, 4.2 / edge, 1.4 / edge),
                                  "lattice"),
                      exec);
  HostParticles& p = world.methods.front()->particles();
  const Real k = static_cast<Real>(2 * M_PI / edge);
  for (Index i = 0; i < p.size(); ++i) p.v[i][0] += Real(0.3) * std::cos(k * p.x[i][0]);
  world.methods.front()->begin(world.environment);
  return world;
}

BenchResult measure_lattice(const BenchOptions& options) {
  constexpr int steps = 50;  // rows serve for some steps: each repetition builds them too
  const Exec exec = exec_on(options.device, options.timers);
  const std::size_t bytes = bytes_in_use(exec.device);
  World world = flying_block(options.particles, exec);
  warm_up(options, [&] { take_steps(world, 20); });
  const double seconds = best_seconds(options, [&] { take_steps(world, steps); });
  return result_of(options, world.methods.front()->particles().x.size(), steps, seconds, bytes);
}

/// A block of masses in closest packing that is stirred, about 54 neighbours within reach.
World stirred_masses(const std::string& law, std::size_t n, const Exec& exec) {
  const double edge = cube_edge(n);
  World world = build(parse_scene(fmt::format(R"(
[world]
gravity = [0, 0, 0]
[material.m]
method = "mass_interaction"
particle_mass = 1.0
stiffness = 100.0
pair_viscosity = 1.0
{1}
[body.b]
material = "m"
shape = {{ type = "box", size = [{0}, {0}, {0}] }}
spacing = 1.0
)",
                                              edge, law),
                                  "masses"),
                      exec);
  HostParticles& p = world.methods.front()->particles();
  const Real k = static_cast<Real>(2 * M_PI / edge);
  for (Index i = 0; i < p.size(); ++i)
    p.v[i] = Vec3{std::sin(k * p.x[i][2]), 0, -std::sin(k * p.x[i][0])};
  world.methods.front()->begin(world.environment);
  return world;
}

BenchResult measure_masses(const BenchOptions& options, const std::string& law) {
  constexpr int steps = 50;
  const Exec exec = exec_on(options.device, options.timers);
  const std::size_t bytes = bytes_in_use(exec.device);
  World world = stirred_masses(law, options.particles, exec);
  warm_up(options, [&] { take_steps(world, 20); });
  const double seconds = best_seconds(options, [&] { take_steps(world, steps); });
  return result_of(options, world.methods.front()->particles().x.size(), steps, seconds, bytes);
}
BenchResult measure_thresholds(const BenchOptions& options) {
  return measure_masses(options, "viscous_distance = 2.0");
}
BenchResult measure_automata(const BenchOptions& options) {
  return measure_masses(options, "automaton = \"cohesive\"\npull_distance = 2.0");
}

BenchResult measure_pairs(const BenchOptions& options) {
  constexpr int steps = 100;  // rows serve for some 15 steps: each repetition builds them too
  const Exec exec = exec_on(options.device, options.timers);
  const std::size_t bytes = bytes_in_use(exec.device);
  World world = warm_crystal(options.particles, exec);
  warm_up(options, [&] { take_steps(world, 20); });
  const double seconds = best_seconds(options, [&] { take_steps(world, steps); });
  return result_of(options, world.methods.front()->particles().x.size(), steps, seconds, bytes);
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
  const auto& names = field_names();
  field.kind =
      static_cast<FieldKind>(std::find(names.begin(), names.end(), options.field) - names.begin());
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
  static const std::vector<BenchInfo> list = {
      {"pairs",
       "lennard_jones steps of a warm crystal, cut-off 2 r0, lists included",
       {256000},
       measure_pairs},
      {"mass_interaction",
       "masses that are stirred, two thresholds, 54 neighbours, search included",
       {256000},
       measure_thresholds},
      {"mass_interaction_states",
       "the same with bonds that form and tear: pairs have states",
       {256000},
       measure_automata},
      {"neighbours",
       "rows of neighbours within 2 spacings of a closest packing, sort included",
       {1000000},
       measure_neighbours},
      {"surface",
       "triangles around the points of a closest packing, grid = spacing, sort included",
       {1000000},
       measure_surface},
      {"flow_structuring",
       "graph, average close vectors and border of a ball of points, mean distance included",
       {100000, 1000000},
       measure_flow_structuring},
      {"mpm_snow",
       "mpm steps of a flying snowball, quadratic splines, 8 particles a cell",
       {600000},
       measure_mpm_snow},
      {"mpm_liquid", "the same with a liquid", {600000}, measure_mpm_liquid},
      {"mpm_elastic", "the same with neo-Hookean jelly", {600000}, measure_mpm_elastic},
      {"mpm_flip", "the snowball with cubic splines and PIC/FLIP", {600000}, measure_mpm_flip},
      {"sph",
       "sph steps of stirred water on a floor, 33 neighbours, search included",
       {100000},
       measure_sph},
      {"lattice",
       "lattice steps of a flying elastic block, 12 slots, search included",
       {100000},
       measure_lattice},
  };
  return list;
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
                    "\"bytes_per_particle\": {:.0f}}}",
                    r.name, r.particles, r.threads, r.device, r.updates_per_second, r.seconds,
                    r.steps, r.bytes_per_particle));
  return fmt::format("[\n{}\n]\n", fmt::join(rows, ",\n"));
}

}  // namespace phyxel
