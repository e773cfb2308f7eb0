#include <cmath>

#include "phyxel/core/random.h"
#include "phyxel/methods/benchmark_world.h"

namespace phyxel::lennard_jones {

namespace {

/// Velocities of a gas of kT = 0.02 e0: each component is normal with variance kT/mass.
void heat(HostParticles& p, std::size_t) {
  constexpr double kT = 0.02;
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
/// neighbours, warm enough to vibrate and too cold to melt.
std::string crystal(std::size_t n) {
  return free_cube(n, R"(
method = "lennard_jones"
particle_mass = 1.0
dissociation_energy = 1.0)");
}

}  // namespace

std::vector<BenchmarkWorld> benchmark_worlds() {
  return {
      {"pairs", "lennard_jones steps of a warm crystal, cut-off 2 r0, lists included", 256000, 100,
       crystal, heat},
  };
}

}  // namespace phyxel::lennard_jones
