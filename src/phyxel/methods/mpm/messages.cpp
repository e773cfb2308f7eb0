#include "phyxel/methods/mpm/messages.h"

#include <fmt/format.h>

#include "phyxel/core/error.h"

namespace phyxel::mpm {

void refuse_periodic_box(const PeriodicBox& box) {
  if (box.periodic[0] || box.periodic[1] || box.periodic[2])
    throw InputError("world.periodic: the method mpm has no periodic domain; use closed walls");
}

void refuse_far_place(ParticleId id, const Vec3& x, double dx, double farthest) {
  double at = 0;
  for (int k = 2; k >= 0; --k)
    if (!(std::abs(double(x[k])) < farthest)) at = std::abs(double(x[k]));
  throw Error(fmt::format(
      "mpm.begin: particle {} is {:.3g} m from the scene's local origin, where positions are "
      "coarser than a hundredth of a cell of {:.3g} m; keep matter within {:.3g} m of it, use "
      "larger cells or a build with PHYXEL_DOUBLE",
      id, at, dx, farthest));
}

void report_bad_particle(ParticleId id, const char* part) {
  throw Error(fmt::format("mpm.particles: particle {} has a non-finite {}", id, part));
}

void report_bad_nodes(const BadPoint& bad) {
  if (bad.part) report_bad_particle(bad.id, bad.part);
  throw Error("mpm.step: a node of the grid has a non-finite velocity");
}

void report_long_step(const StableStep& longest, Real dt) {
  throw Error(fmt::format("{} in a step of {:.3g} s; {:.3g} s are possible", longest.reason, dt,
                          longest.dt));
}

void report_other_step(Real dt, Real announced) {
  throw Error(
      fmt::format("mpm.step: a step of {} s follows where {} s were announced", dt, announced));
}

}  // namespace phyxel::mpm
