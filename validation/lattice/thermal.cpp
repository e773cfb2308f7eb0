#include "lattice/thermal.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

#include "phyxel/methods/lattice/material.h"

namespace phyxel::validation::lattice {

namespace {

/// Mean temperature of each layer of the slab, by its place at the start.
class Layers {
 public:
  explicit Layers(World& world) {
    for (const Vec3d& x : places_of(world)) place_.push_back(x[0]);
    first_ = *std::min_element(place_.begin(), place_.end());
    distance_ = 2 * first_;
    count_ = static_cast<std::size_t>(std::lround(1 / distance_));
  }

  std::vector<double> temperatures(World& world) const {
    const HostParticles& p = particles_of(world);
    std::vector<double> sum(count_, 0), n(count_, 0);
    for (Index i = 0; i < p.size(); ++i) {
      const auto k = static_cast<std::size_t>(std::lround((place_[p.id[i]] - first_) / distance_));
      sum[k] += p.temperature[i];
      ++n[k];
    }
    for (std::size_t k = 0; k < count_; ++k) sum[k] /= n[k];
    return sum;
  }

  /// By the cubic through the four layers around x.
  double temperature_at(World& world, double x) const {
    const std::vector<double> t = temperatures(world);
    const int from =
        std::clamp(static_cast<int>((x - first_) / distance_) - 1, 0, static_cast<int>(count_) - 4);
    double sum = 0;
    for (int a = from; a < from + 4; ++a) {
      double weight = 1;
      for (int b = from; b < from + 4; ++b)
        if (a != b) weight *= ((x - first_) / distance_ - b) / (a - b);
      sum += weight * t[a];
    }
    return sum;
  }

 private:
  std::vector<double> place_;
  double first_ = 0, distance_ = 0;
  std::size_t count_ = 0;
};

}  // namespace

Cooled cool_slab(double until) {
  World world = world_of("heat_slab");
  const Layers slab(world);
  Cooled cooled;
  for (const std::vector<double>& row : read_table("heat/heat_slab.csv")) {
    if (row[0] > until) break;
    while (world.environment.time < row[0] - 1e-9) {
      advance(world);
      cooled.middle.push_back({world.environment.time, slab.temperature_at(world, 0.5)});
    }
    const double difference = std::abs(slab.temperature_at(world, row[1]) - row[2]);
    cooled.worst = std::max(cooled.worst, difference / row[2]);
    cooled.largest = std::max(cooled.largest, difference);
  }
  return cooled;
}

namespace {

double heat_of(World& world) {
  const HostParticles& p = particles_of(world);
  const double* enthalpy = column<double>(world, "enthalpy");
  double sum = 0;
  for (Index i = 0; i < p.size(); ++i) sum += p.mass[i] * enthalpy[i];
  return sum;
}

double spread_of(World& world) {
  const Diagnostics d = diagnose(world);
  return d.max_temperature - d.min_temperature;
}

}  // namespace

Levelled level_heat(std::uint64_t steps) {
  World world = world_of("insulated_block");
  HostParticles& p = particles_of(world);
  const Thermal thermal =
      phyxel::parameters_of<phyxel::lattice::Parameters>(world.environment.materials.front())
          .thermal;
  for (Index i = 0; i < p.size(); ++i)
    if (p.x[i][0] < 0) p.temperature[i] = 100;
  method_of(world).begin(world.environment);
  const double before = heat_of(world), spread = spread_of(world);
  double more = 0;
  for (Index i = 0; i < p.size(); ++i)
    if (p.x[i][0] < 0) more += p.mass[i] * (enthalpy_of(thermal, 100) - enthalpy_of(thermal, 20));
  while (world.environment.step < steps) advance(world);
  return {std::abs(heat_of(world) - before) / more, spread_of(world) / spread,
          world.environment.step};
}

Melted melt_slab(double stefan, double lambda, const Changes& changes, double until) {
  Changes all = changes;
  all.push_back(fmt::format("material.matter.latent_heat={:.9g}", 1 / stefan));
  World world = world_of("melting_slab", all);
  const Thermal thermal =
      phyxel::parameters_of<phyxel::lattice::Parameters>(world.environment.materials.front())
          .thermal;
  const double volume = 1 / double(particles_of(world).x.size());
  const double layer = world.live.bodies.front().spacing * std::sqrt(0.5);
  Melted melted;
  while (melted.front.empty() || melted.front.back().y < until) {
    advance(world);
    const double* enthalpy = column<double>(world, "enthalpy");
    const std::uint8_t* phase = column<std::uint8_t>(world, "phase");
    double front = 0, liquid = 0;
    for (Index i = 0; i < particles_of(world).size(); ++i) {
      front += volume * melted_fraction(thermal, enthalpy[i]);
      liquid += volume * phase[i];
    }
    const double time = world.environment.time, exact = 2 * lambda * std::sqrt(time);
    melted.front.push_back({time, front});
    if (exact < 0.2) continue;
    melted.worst = std::max(melted.worst, std::abs(front / exact - 1));
    melted.behind = std::max(melted.behind, (exact - liquid) / layer);
  }
  return melted;
}

}  // namespace phyxel::validation::lattice
