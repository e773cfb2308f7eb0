#include <algorithm>
#include <chrono>
#include <cmath>
#include <ctime>
#include <fmt/format.h>

#include "phyxel/core/error.h"
#include "phyxel/core/exec.h"
#include "phyxel/scene/build.h"
#include "phyxel/scene/read_scene.h"

// One scene by explicit and by implicit steps: what both cost, and how far apart they end.
//
//     bench_implicit scene.toml frames threads [key=value ...]
//
// Keys and values are those of `phyxel run --set`; one that begins with "implicit:" or "explicit:"
// is for these steps alone.

using namespace phyxel;

namespace {

using Places = std::vector<Vec3d>;  // by id

struct Run {
  double seconds = 0, cpu_seconds = 0;
  int steps = 0;
  double iterations = 0;
  std::vector<Places> places;  // of each frame, the start first
};

Places places_of(World& world) {
  const HostParticles& p = world.methods.front()->particles();
  Places places(p.x.size());
  for (Index i = 0; i < p.size(); ++i) places[p.id[i]] = cast<double>(p.x[i]);
  return places;
}

double cpu_seconds() {
  return double(std::clock()) / CLOCKS_PER_SEC;
}

double iterations_of(World& world) {
  for (const auto& [name, value] : diagnose(world).extra)
    if (name == "solve_iterations") return value;
  return 0;
}

Run run(const Scene& scene, int frames) {
  World world = build(scene, {});
  Run r;
  r.places.push_back(places_of(world));
  for (int k = 0; k < frames; ++k) {
    const auto start = std::chrono::steady_clock::now();
    const double cpu = cpu_seconds();
    r.steps += advance(world).substeps;
    r.cpu_seconds += cpu_seconds() - cpu;
    r.seconds += std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    r.iterations += iterations_of(world);
    r.places.push_back(places_of(world));
  }
  return r;
}

/// Root of the mean square.
double apart(const Places& a, const Places& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += length_squared(a[i] - b[i]);
  return std::sqrt(sum / double(a.size()));
}

std::vector<Override> overrides_for(const std::string& integration, int argc, char** argv) {
  std::vector<Override> list;
  const std::string explicit_only = "explicit:", implicit_only = "implicit:";
  for (int k = 4; k < argc; ++k) {
    std::string text = argv[k];
    if (text.starts_with(explicit_only) || text.starts_with(implicit_only)) {
      if (!text.starts_with(integration + ":")) continue;
      text = text.substr(explicit_only.size());
    }
    list.push_back(parse_override(text));
  }
  return list;
}

/// All materials are of this method.
Run run_with(const std::string& integration, int argc, char** argv) {
  std::vector<Override> list = overrides_for(integration, argc, argv);
  for (const auto& material : read_scene(argv[1], list).materials)
    list.push_back(
        parse_override("material." + material.material.name + ".integration=" + integration));
  return run(read_scene(argv[1], list), std::stoi(argv[2]));
}

void print(const char* name, const Run& r) {
  fmt::print("{}  {:9.3f} s  {:9.3f} s of processors  {:7} steps  {:6.1f} iterations each\n", name,
             r.seconds, r.cpu_seconds, r.steps, r.iterations / r.steps);
}

}  // namespace

int main(int argc, char** argv) try {
  if (argc < 4) throw InputError("bench_implicit scene.toml frames threads [key=value ...]");
  const ThreadLimit limit(std::stoi(argv[3]));
  const Run implicit = run_with("implicit", argc, argv);
  print("implicit", implicit);
  std::fflush(stdout);
  const Run reference = run_with("explicit", argc, argv);
  print("explicit", reference);
  fmt::print("ratio {:.2f}, of processors {:.2f}\n", reference.seconds / implicit.seconds,
             reference.cpu_seconds / implicit.cpu_seconds);
  fmt::print("frame   moved by, m   apart, m   share\n");
  const int frames = int(reference.places.size()) - 1;
  for (int k = 1; k <= frames; k += std::max(1, frames / 12)) {
    const double path = apart(reference.places[k], reference.places[0]);
    const double difference = apart(reference.places[k], implicit.places[k]);
    fmt::print("{:5} {:13.4e} {:10.3e} {:7.3f}\n", k, path, difference, difference / path);
  }
} catch (const std::exception& error) {
  fmt::print(stderr, "{}\n", error.what());
  return 1;
}
