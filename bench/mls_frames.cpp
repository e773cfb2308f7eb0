#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <fmt/format.h>
#include <string>

#include "phyxel/app/surfaces/scene_surfels.h"
#include "phyxel/core/error.h"
#include "phyxel/core/exec.h"
#include "phyxel/core/timer.h"
#include "phyxel/scene/build.h"
#include "phyxel/scene/read_scene.h"

// Frames of a scene with surfels: what the steps of a frame cost, and what its surface.
//
//     bench_mls_frames scene.toml frames threads [key=value ...]
//
// Keys and values are those of `phyxel run --set`. Prints one line of a table; with PHYXEL_TIMERS
// set, also where the time went.

using namespace phyxel;

namespace {

double now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

/// Mean and largest of the frames, ms.
struct Cost {
  double sum = 0, most = 0;
  void include(double seconds) { sum += 1e3 * seconds, most = std::max(most, 1e3 * seconds); }
};

struct Run {
  Cost steps, surface, both;
  std::size_t phyxels = 0, least_surfels = SIZE_MAX, most_surfels = 0;
  int substeps = 0;
};

void make_surface(const Exec& exec, World& world, SurfelMaker& maker, Run& r) {
  diagnose(world);  // which keeps the deformation that surfels follow
  Frame frame = take_frame(world);
  maker.add_sets(exec, frame);
  r.phyxels = frame.count;
  for (const FrameSet& set : frame.sets) {
    r.least_surfels = std::min(r.least_surfels, set.count);
    r.most_surfels = std::max(r.most_surfels, set.count);
  }
}

Run run(const Scene& scene, int frames, Timers* timers) {
  const Exec exec{timers};
  World world = build(scene, exec);
  SurfelMaker maker(scene);
  Run r;
  make_surface(exec, world, maker, r);
  for (int k = 0; k < frames; ++k) {
    const double start = now();
    r.substeps += advance(world).substeps;
    const double stepped = now();
    make_surface(exec, world, maker, r);
    const double end = now();
    r.steps.include(stepped - start);
    r.surface.include(end - stepped);
    r.both.include(end - start);
  }
  return r;
}

}  // namespace

int main(int argc, char** argv) try {
  if (argc < 4) throw InputError("bench_mls_frames scene.toml frames threads [key=value ...]");
  const ThreadLimit limit(std::stoi(argv[3]));
  std::vector<Override> overrides;
  for (int k = 4; k < argc; ++k) overrides.push_back(parse_override(argv[k]));
  const int frames = std::stoi(argv[2]);
  Timers timers;
  const bool shows = std::getenv("PHYXEL_TIMERS") != nullptr;
  const Run r = run(read_scene(argv[1], overrides), frames, shows ? &timers : nullptr);
  fmt::print("| {} | {}..{} | {:.1f} | {:.2f} | {:.2f} | {:.2f} | {:.2f} |\n", r.phyxels,
             r.least_surfels, r.most_surfels, double(r.substeps) / frames, r.steps.sum / frames,
             r.surface.sum / frames, r.both.sum / frames, r.both.most);
  if (shows) fmt::print("{}", to_text(timers));
} catch (const std::exception& error) {
  fmt::print(stderr, "{}\n", error.what());
  return 1;
}
