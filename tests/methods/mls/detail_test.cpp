#include <algorithm>
#include <cmath>
#include <doctest/doctest.h>
#include <numeric>

#include "methods/mls/mls_scenes.h"
#include "phyxel/geometry/shape.h"
#include "phyxel/surfaces/surfels/advance_surfels.h"
#include "phyxel/surfaces/surfels/sample_surfels.h"

using namespace phyxel;
using namespace phyxel::mls::test;

// Detail and colour of a surface where matter flows: the engraved end of a bar is held and turned
// by a pin, and the other end is drawn away until it splits off.

namespace {

constexpr Real spacing = Real(0.015);  // of surfels

const char* const scene = R"(
fps = 50
[world]
gravity = [0, 0, 0]
[material.gum]
method = "mls"
density = 1000.0
youngs_modulus = 4e4
poissons_ratio = 0.4
flows = true
yield_strain = 0.0
creep = 40.0
[body.bar]
material = "gum"
shape = { type = "box", size = [1.2, 0.3, 0.3] }
packing = "cubic"
spacing = 0.06
[pin.held]
body = "bar"
shape = { type = "box", centre = [-0.6, 0, 0], size = [1.2, 1, 1] }
motion = { times = [0, 2], positions = [[0, 0, 0], [0.1, 0.2, 0]], rotations = [[0, 0, 0], [0, 40, 20]] }
[pin.drawn]
body = "bar"
shape = { type = "box", centre = [0.6, 0, 0], size = [0.5, 1, 1] }
motion = { times = [0, 1.2], positions = [[0, 0, 0], [1.2, 0, 0]] }
)";

/// Grooves 0.02 m deep and 0.04 m wide around the end that is held.
Shape engraved_bar() {
  Shape bar = shape_box({Real(1.2), Real(0.3), Real(0.3)});
  for (const Real x : {Real(-0.5), Real(-0.4), Real(-0.3)})
    for (const int axis : {1, 2})
      for (const Real side : {Real(-1), Real(1)}) {
        Vec3 size = {Real(0.04), 1, 1}, at = {x, 0, 0};
        size[axis] = Real(0.04);
        at[axis] = side * Real(0.15);
        bar = subtract(bar, transformed(shape_box(size), {Mat3::identity(), at}));
      }
  return bar;
}

SurfelPhyxels phyxels_of(World& world) {
  look(world);  // frames show what was diagnosed last
  const Frame frame = take_frame(world);
  std::vector<std::size_t> all(frame.count);
  std::iota(all.begin(), all.end(), std::size_t(0));
  SurfelPhyxels phyxels = surfel_phyxels(frame, all);
  measure_boundary({}, 3, phyxels);
  return phyxels;
}

struct Carried {
  int steps = 0;
  double gap = 0;       // m, between the two parts at the end
  double distance = 0;  // of surfels of the held end from the engraved bar, carried rigidly, m
  double drift = 0;     // of their colours, m
  Index looked_at = 0;
  bool resampled = false;
};
Carried carry_detail() {
  World world = world_of(scene);
  SurfelPhyxels before = phyxels_of(world);
  const Column<Vec3> rest = before.x;
  SurfelSampling sampling;
  sampling.spacing = spacing;
  sampling.colour = [](const Vec3& x) { return x + Vec3::filled(Real(0.8)); };
  const Shape bar = engraved_bar();
  SurfelOptions options;
  options.contact = false;
  SurfelSurface surface =
      make_surfel_surface({}, sample_surfels({}, bar, sampling), before, spacing, options);
  const Index sampled = surface.detail.size();
  SurfelScratch scratch;
  Carried result;
  while (world.frame < 75) {
    result.steps += advance(world).substeps;
    SurfelPhyxels now = phyxels_of(world);
    advance_surfels({}, surface, before, now, options, {}, scratch);
    before = std::move(now);
  }
  std::vector<Vec3d> from, to, all;
  for (Index i = 0; i < before.size(); ++i) {
    all.push_back(cast<double>(before.x[i]));
    if (rest[i][0] > Real(-0.05)) continue;
    from.push_back(cast<double>(rest[i])), to.push_back(all.back());
  }
  const RigidMotion held = fitted(from, to);
  std::vector<double> along;
  for (const Vec3d& x : all) along.push_back(held.back(x)[0]);
  std::ranges::sort(along);
  for (std::size_t k = 1; k < along.size(); ++k)
    result.gap = std::max(result.gap, along[k] - along[k - 1]);
  for (Index k = 0; k < surface.detail.size(); ++k) {
    const Vec3 x = cast<Real>(held.back(cast<double>(surface.detail.x[k])));
    if (x[0] > Real(-0.25)) continue;
    ++result.looked_at;
    const Vec3 colour = surface.detail.colour[k] - Vec3::filled(Real(0.8));
    result.distance = std::max(result.distance, std::abs(double(signed_distance(bar, x).distance)));
    result.drift = std::max(result.drift, double(length(colour - x)));
  }
  result.resampled = surface.detail.size() > sampled;
  return result;
}

}  // namespace

TEST_CASE("detail_of_a_held_end_stays_within_a_tenth_of_a_surfel_while_the_other_end_splits_off") {
  const Carried carried = carry_detail();
  CAPTURE(carried.steps);
  CHECK(carried.steps > 500);
  CHECK(carried.gap > 0.3);
  CHECK(carried.resampled);
  CHECK(carried.looked_at > 2000);
  CAPTURE(carried.distance / spacing);
  CHECK(carried.distance < 0.1 * spacing);
  CAPTURE(carried.drift / spacing);
  CHECK(carried.drift < spacing);
}

namespace {

/// Both ends are held; one is drawn away and turned, and comes back: everything between them flows,
/// nothing parts.
const char* const there_and_back = R"(
fps = 50
[world]
gravity = [0, 0, 0]
[material.gum]
method = "mls"
density = 1000.0
youngs_modulus = 4e4
poissons_ratio = 0.49
flows = true
yield_strain = 0.0
creep = 40.0
[body.bar]
material = "gum"
shape = { type = "box", size = [1.2, 0.3, 0.3] }
packing = "cubic"
spacing = 0.06
[pin.held]
body = "bar"
shape = { type = "box", centre = [-0.6, 0, 0], size = [0.4, 1, 1] }
[pin.drawn]
body = "bar"
shape = { type = "box", centre = [0.6, 0, 0], size = [0.4, 1, 1] }
motion = { times = [0, 0.6, 1.2], positions = [[0, 0, 0], [0.3, 0, 0], [0, 0, 0]], rotations = [[0, 0, 0], [90, 0, 0], [0, 0, 0]] }
)";

/// How far phyxels around a place are from where they were at the start, in the mean.
Vec3 displacement_at(const Vec3& x, const SurfelPhyxels& now, const Column<Vec3>& start) {
  constexpr Real width = Real(0.06);
  Vec3 sum = Vec3::zero();
  Real total = 0;
  for (Index i = 0; i < now.size(); ++i) {
    const Real w = std::exp(-length_squared(now.x[i] - x) / (width * width));
    sum += (now.x[i] - start[i]) * w;
    total += w;
  }
  return sum * (1 / total);
}

struct Drift {
  double mean = 0, most_of_all = 0;  // spacings of surfels: of all, and of 98 of 100 at most
  bool resampled = false;
};
/// Of colours from the matter that they were painted on.
Drift drift_of_colour(bool zombies) {
  World world = world_of(there_and_back);
  SurfelPhyxels before = phyxels_of(world);
  const Column<Vec3> start = before.x;
  SurfelSampling sampling;
  sampling.spacing = spacing;
  sampling.colour = [](const Vec3& x) { return x + Vec3::filled(Real(0.8)); };
  SurfelOptions options;
  options.contact = false;
  options.zombies = zombies;
  const Shape bar = shape_box({Real(1.2), Real(0.3), Real(0.3)});
  SurfelSurface surface =
      make_surfel_surface({}, sample_surfels({}, bar, sampling), before, spacing, options);
  const ParticleId sampled = surface.next_id;
  SurfelScratch scratch;
  while (world.frame < 70) {
    advance(world);
    SurfelPhyxels now = phyxels_of(world);
    advance_surfels({}, surface, before, now, options, {}, scratch);
    before = std::move(now);
  }
  std::vector<double> drift;
  for (Index k = 0; k < surface.detail.size(); ++k) {
    const Vec3 x = surface.detail.x[k];
    if (std::abs(x[0]) > Real(0.4)) continue;
    const Vec3 painted = surface.detail.colour[k] - Vec3::filled(Real(0.8));
    drift.push_back(length(painted - (x - displacement_at(x, before, start))) / spacing);
  }
  std::ranges::sort(drift);
  Drift all;
  all.resampled = surface.next_id > sampled;
  all.mean = std::accumulate(drift.begin(), drift.end(), 0.0) / double(drift.size());
  all.most_of_all = drift[drift.size() * 98 / 100];
  return all;
}

}  // namespace

TEST_CASE("colours_of_matter_that_flows_stay_within_a_surfel_with_zombies_and_drift_without") {
  const Drift with = drift_of_colour(true), without = drift_of_colour(false);
  CHECK(with.resampled);
  CHECK(without.resampled);
  CAPTURE(with.mean);
  CAPTURE(with.most_of_all);
  CAPTURE(without.mean);
  CAPTURE(without.most_of_all);
  CHECK(with.mean < 1);
  CHECK(with.most_of_all < 1);
  CHECK(without.most_of_all > 3);
}
