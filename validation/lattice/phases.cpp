#include "lattice/phases.h"

#include <algorithm>
#include <cmath>

namespace phyxel::validation::lattice {

namespace {

/// Layers of a bar across x, by the places of the start.
class BarLayers {
 public:
  explicit BarLayers(World& world) : start_(places_of(world)) {
    distance_ = world.live.bodies.front().spacing * std::sqrt(0.5);
    first_ = start_.front()[0];
    for (const Vec3d& x : start_) first_ = std::min(first_, x[0]);
  }

  /// The widest distance between two that follow each other, over that at rest.
  double widest_gap(World& world) const {
    const std::vector<Vec3d> now = places_of(world);
    std::vector<double> sum, n;
    for (std::size_t i = 0; i < now.size(); ++i) {
      const auto k = static_cast<std::size_t>(std::lround((start_[i][0] - first_) / distance_));
      if (k >= sum.size()) sum.resize(k + 1, 0), n.resize(k + 1, 0);
      sum[k] += now[i][0];
      ++n[k];
    }
    double widest = 0;
    for (std::size_t k = 1; k < sum.size(); ++k)
      widest = std::max(widest, sum[k] / n[k] - sum[k - 1] / n[k - 1]);
    return widest / distance_;
  }

 private:
  std::vector<Vec3d> start_;
  double distance_ = 0, first_ = 0;
};

void advance_to(World& world, double time) {
  while (world.environment.time < time - 1e-9) advance(world);
}

/// Moves the half of x > 0 along x.
void shift(World& world, const std::vector<char>& is_right, double distance) {
  HostParticles& p = particles_of(world);
  for (Index i = 0; i < p.size(); ++i)
    if (is_right[p.id[i]] != 0) p.x[i][0] += static_cast<Real>(distance);
}

}  // namespace

Parted cut_bar(const Changes& changes) {
  World world = world_of("cut_bar", changes);
  const BarLayers bar(world);
  std::vector<char> is_right(particles_of(world).x.size(), 0);
  for (const ParticleId id : group_where(world, [](const Vec3& x) { return x[0] > Real(0.01); }))
    is_right[id] = 1;
  shift(world, is_right, 0.1);
  advance_to(world, 0.2);
  shift(world, is_right, -0.1);
  advance_to(world, world.live.duration);
  return {bar.widest_gap(world), 0.04 / 0.5};
}

Snapped snap_bar(const Changes& changes) {
  World world = world_of("snapped_bar", changes);
  const BarLayers bar(world);
  Snapped snapped;
  advance_to(world, 0.7);
  snapped.first = bar.widest_gap(world);
  advance_to(world, 1.4);
  snapped.pushed = bar.widest_gap(world);
  advance_to(world, world.live.duration);
  snapped.second = bar.widest_gap(world);
  return snapped;
}

namespace {

/// Boxes of a grid that are set or not.
class Grid {
 public:
  Grid(const Vec3d& low, const Vec3d& high, double cell) : low_(low), cell_(cell) {
    for (int k = 0; k < 3; ++k) size_[k] = static_cast<int>((high[k] - low[k]) / cell) + 1;
    set_.assign(std::size_t(size_[0]) * size_[1] * size_[2], 0);
  }

  /// Calls visit(value) for all boxes whose middle is within the radius of x.
  template <class Visit>
  void around(const Vec3d& x, double radius, const Visit& visit) {
    int from[3], to[3], at[3];
    for (int k = 0; k < 3; ++k) {
      from[k] = std::max(0, static_cast<int>((x[k] - radius - low_[k]) / cell_));
      to[k] = std::min(size_[k] - 1, static_cast<int>((x[k] + radius - low_[k]) / cell_));
    }
    for (at[0] = from[0]; at[0] <= to[0]; ++at[0])
      for (at[1] = from[1]; at[1] <= to[1]; ++at[1])
        for (at[2] = from[2]; at[2] <= to[2]; ++at[2])
          if (length_squared(middle(at) - x) <= radius * radius) visit(value(at));
  }

  template <class Visit>
  void all(const Visit& visit) {
    int at[3];
    for (at[0] = 0; at[0] < size_[0]; ++at[0])
      for (at[1] = 0; at[1] < size_[1]; ++at[1])
        for (at[2] = 0; at[2] < size_[2]; ++at[2]) visit(middle(at), value(at));
  }

 private:
  Vec3d middle(const int* at) const {
    return low_ + Vec3d{at[0] + 0.5, at[1] + 0.5, at[2] + 0.5} * cell_;
  }
  char& value(const int* at) {
    return set_[(std::size_t(at[0]) * size_[1] + at[1]) * size_[2] + at[2]];
  }

  Vec3d low_;
  double cell_;
  int size_[3];
  std::vector<char> set_;
};

/// What particles fill of the domain: all within a spacing of one, less what is then within two
/// thirds of one of what is empty, so that gaps inside and at walls are closed and free surfaces
/// lie a third beyond the particles.
double filled_volume(World& world) {
  const double spacing = world.live.bodies.front().spacing, cell = spacing / 5;
  const Vec3d low = cast<double>(world.live.world.domain_min),
              high = cast<double>(world.live.world.domain_max);
  Grid near(low, high, cell);
  for (const Vec3d& x : places_of(world)) near.around(x, spacing, [](char& box) { box = 1; });
  Grid inside = near;
  near.all([&](const Vec3d& x, char box) {
    if (box == 0) inside.around(x, spacing * 2 / 3, [](char& outer) { outer = 0; });
  });
  double count = 0;
  inside.all([&](const Vec3d&, char box) { count += box; });
  return count * cell * cell * cell;
}

double liquid_share(World& world) {
  const std::uint8_t* phase = column<std::uint8_t>(world, "phase");
  double count = 0;
  for (Index i = 0; i < particles_of(world).size(); ++i) count += phase[i];
  return count / double(particles_of(world).size());
}

}  // namespace

Refrozen melt_and_freeze(const Changes& changes) {
  World world = world_of("melting_block", changes);
  const double volume = filled_volume(world), height = world.live.bodies.front().shape.size[1];
  const double speed = std::sqrt(2 * 9.81 * height), freezing = world.live.events.back().time;
  Refrozen result;
  while (world.frame < frames_of(world)) {
    const double next = (world.frame + 1) / world.live.fps;
    if (result.liquid_volume == 0 && next > freezing)
      result.liquid_volume = filled_volume(world) / volume;
    advance(world);
    const Diagnostics d = diagnose(world);
    result.kinetic.push_back({world.environment.time, d.kinetic_energy});
    result.fastest = std::max(result.fastest, d.max_speed / speed);
    result.liquid = std::max(result.liquid, liquid_share(world));
    if (world.environment.time > freezing)
      result.burst = std::max(result.burst, d.kinetic_energy / (d.mass * 9.81 * height));
  }
  result.frozen = 1 - liquid_share(world);
  result.volume = filled_volume(world) / volume;
  return result;
}

}  // namespace phyxel::validation::lattice
