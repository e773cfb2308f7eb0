#include "phyxel/surfaces/surfels/resample.h"

#include <algorithm>
#include <cmath>
#include <doctest/doctest.h>
#include <set>

#include "phyxel/surfaces/surfels/bind.h"
#include "phyxel/surfaces/surfels/disc.h"
#include "surfaces/surfels/cases.h"

using namespace phyxel;

namespace {

constexpr Real spacing = Real(0.08);

SurfelOptions resampling() {
  SurfelOptions o = displacement_only();
  o.resamples = o.zombies = true;
  return o;
}

/// A colour that says where on the body at rest a surfel was.
Vec3 colour_of(const Vec3& rest) {
  return (rest + Vec3::filled(2)) * Real(0.25);
}

/// Neighbours within two spacings, not those of the other side.
Index neighbours(const Surfels& s, Index k) {
  const Vec3 n = disc_normal(s.u[k], s.v[k]);
  Index count = 0;
  for (Index j = 0; j < s.size(); ++j)
    count += j != k && length(s.x[j] - s.x[k]) < 2 * spacing &&
             dot(disc_normal(s.u[j], s.v[j]), n) > Real(-0.3);
  return count;
}

double nearest(const Surfels& s, const Vec3& p) {
  double best = 1e30;
  for (const Vec3& x : s.x) best = std::min(best, double(length(x - p)));
  return best;
}

/// By a disc, whose radius follows the room that its neighbours leave.
bool is_covered(const Surfels& s, const Vec3& p) {
  for (Index k = 0; k < s.size(); ++k)
    if (length(s.x[k] - p) < std::min(length(s.u[k]), length(s.v[k]))) return true;
  return false;
}

bool has_unique_ids(const Surfels& s) {
  const std::set<ParticleId> ids(s.id.begin(), s.id.end());
  return ids.size() == s.id.size();
}

const Vec3 plate_size = {1, Real(0.3), 1};

SurfelCase plate(const SurfelOptions& options) {
  return surfel_case(shape_box(plate_size), Real(0.15), spacing, options);
}

SurfelPhyxels stretched(const SurfelPhyxels& p, Real by) {
  SurfelMotion m;
  m.linear[0][0] = by;
  return moved(p, m);
}

/// Waves up and down of an elastic plate, so that surfels are resampled over and over.
void stretch_to_and_fro(SurfelCase& c, const SurfelOptions& options, int frames) {
  const SurfelPhyxels rest = c.phyxels;
  for (int frame = 1; frame <= frames; ++frame)
    advance(c, stretched(rest, 1 + 2 * Real(std::pow(std::sin(0.1 * frame), 2))), options);
  advance(c, rest, options);
}

/// How far from where its colour belongs a surfel is, m: the mean over all.
double colour_drift(const Surfels& s) {
  double sum = 0;
  for (Index k = 0; k < s.size(); ++k)
    sum += length(s.colour[k] - colour_of(s.x[k])) * 4;  // the inverse of the colour's slope
  return sum / s.size();
}

}  // namespace

TEST_CASE("a stretched plate stays covered, with as many neighbours as asked for") {
  SurfelCase c = plate(resampling());
  const SurfelPhyxels rest = c.phyxels;
  const Index before = c.surface.detail.size();
  for (int frame = 1; frame <= 20; ++frame)
    advance(c, stretched(rest, 1 + Real(0.15) * Real(frame)), resampling());  // up to 4 times
  const CarriedSurfels& d = c.surface.detail;
  CHECK(d.size() > 2 * before);
  CHECK(has_unique_ids(d));
  for (Real x = Real(-1.8); x < Real(1.8); x += Real(0.1))
    for (Real z = Real(-0.4); z < Real(0.45); z += Real(0.1)) {
      CHECK(is_covered(d, {x, Real(0.15), z}));
      CHECK(is_covered(d, {x, Real(-0.15), z}));
    }
  Index few = 0, many = 0;
  for (Index k = 0; k < d.size(); ++k) {
    few += neighbours(d, k) < resampling().least_neighbours - 2;
    many += neighbours(d, k) > resampling().most_neighbours;
  }
  // The plate stands still for no frame: some surfels wait for the next one.
  CHECK(few < d.size() / 20);
  CHECK(many < d.size() / 50);
}

TEST_CASE("new surfels lie on the surface and have its normal") {
  SurfelCase c = plate(resampling());
  const SurfelPhyxels rest = c.phyxels;
  for (int frame = 1; frame <= 10; ++frame)
    advance(c, stretched(rest, 1 + Real(0.2) * Real(frame)), resampling());
  const CarriedSurfels& d = c.surface.detail;
  Index looked = 0;
  for (Index k = 0; k < d.size(); ++k) {
    if (std::abs(d.x[k][0]) > Real(1.3) || std::abs(d.x[k][2]) > Real(0.35)) continue;
    ++looked;
    CHECK(std::abs(d.x[k][1]) == doctest::Approx(0.15).epsilon(1e-3));
    CHECK(std::abs(disc_normal(d.u[k], d.v[k])[1]) > 0.9999);
  }
  CHECK(looked > 300);
}

TEST_CASE("a squeezed plate loses surfels, not more than its neighbours allow") {
  SurfelCase c = plate(resampling());
  const SurfelPhyxels rest = c.phyxels;
  const Index before = c.surface.detail.size();
  for (int frame = 1; frame <= 30; ++frame)
    advance(c, stretched(rest, std::max(Real(0.3), 1 - Real(0.05) * Real(frame))), resampling());
  const CarriedSurfels& d = c.surface.detail;
  CHECK(d.size() < before * 0.7);
  Index many = 0;
  for (Index k = 0; k < d.size(); ++k) many += neighbours(d, k) > resampling().most_neighbours;
  CHECK(many < d.size() / 20);
  for (Real x = Real(-0.12); x < Real(0.13); x += Real(0.04))
    CHECK(nearest(d, {x, Real(0.15), 0}) < spacing);
}

TEST_CASE("zombies keep colour where it belongs; without them it drifts") {
  SurfelOptions options = resampling();
  SurfelCase kept = plate(options);
  stretch_to_and_fro(kept, options, 120);
  options.zombies = false;
  SurfelCase drifted = plate(options);
  stretch_to_and_fro(drifted, options, 120);
  MESSAGE("mean drift of colour, spacings: with zombies "
          << colour_drift(kept.surface.detail) / spacing << ", without "
          << colour_drift(drifted.surface.detail) / spacing);
  CHECK(colour_drift(kept.surface.detail) < spacing);
  CHECK(colour_drift(drifted.surface.detail) > 2 * colour_drift(kept.surface.detail));
}

TEST_CASE("a hole in matter that flows is filled, though none at its rim is short of neighbours") {
  SurfelOptions options = resampling();
  SurfelCase c = plate(options);
  CarriedSurfels& d = c.surface.detail;
  const Vec3 middle = {0, Real(0.15), 0};
  Column<std::uint8_t> kept(d.x.size(), 1);
  for (Index k = 0; k < d.size(); ++k)
    kept[k] = std::hypot(d.x[k][0], 2 * d.x[k][2]) > 3 * spacing || d.x[k][1] < 0;
  keep_surfels(kept, d);
  // Shear leaves discs of the same area behind.
  for (Index k = 0; k < d.size(); ++k) d.u[k] *= Real(1.3), d.v[k] *= 1 / Real(1.3);
  const auto farthest = [&] {
    double worst = 0;
    for (Real x = Real(-0.24); x < Real(0.25); x += Real(0.02))
      worst = std::max(worst, nearest(c.surface.detail, middle + Vec3{x, 0, 0}));
    return worst;
  };
  CHECK(farthest() > 1.3 * spacing);
  for (int frame = 0; frame < 12; ++frame) advance(c, flowed(c.phyxels, {}), options);
  // A disc has a radius of one spacing.
  CHECK(farthest() < spacing);
  // Where there is no hole nothing is added.
  CHECK(d.size() < 1.02 * surfels_on(shape_box(plate_size), spacing).size());
}

TEST_CASE("zombies stay as they were sampled") {
  SurfelCase c = plate(resampling());
  const Surfels rest = c.surface.zombies;
  stretch_to_and_fro(c, resampling(), 40);
  CHECK(c.surface.zombies.id == rest.id);
  CHECK(c.surface.zombies.colour == rest.colour);
  CHECK(distance(c.surface.zombies, rest, {}) < 1e-5);  // roundings of places of 1 m
}

TEST_CASE("a surface that only turns is not resampled") {
  SurfelCase c = plate(resampling());
  const Surfels rest = c.surface.detail;
  const SurfelMotion turn = {rotation_degrees({30, 40, 50}), {1, 2, 3}};
  advance(c, moved(c.phyxels, turn), resampling());
  CHECK(c.surface.detail.id == rest.id);
  CHECK(distance(c.surface.detail, rest, turn) < 1e-5);
}

TEST_CASE("all of it gives the same bits on any number of threads, and after loading") {
  SurfelOptions options;
  options.contact = false;
  const auto run = [&](int threads, bool reloads) {
    const ThreadLimit limit(threads);
    SurfelCase c = plate(options);
    for (int frame = 0; frame < 8; ++frame) {
      SurfelMotion m;
      m.linear[0][0] = Real(1.2);
      m.linear[1][0] = Real(0.05);
      advance(c, flowed(c.phyxels, m), options);
      if (reloads) c.surface = load_surfels(save(c.surface));
    }
    return c.surface;
  };
  const SurfelSurface one = run(1, false);
  CHECK(one.detail.size() > one.zombies.size());
  for (int threads = 1; threads <= 4; ++threads) {
    const SurfelSurface again = run(threads, threads == 1);
    CHECK(again.detail.x == one.detail.x);
    CHECK(again.detail.u == one.detail.u);
    CHECK(again.detail.colour == one.detail.colour);
    CHECK(again.detail.id == one.detail.id);
    CHECK(again.zombies.x == one.zombies.x);
    CHECK(again.implicit.x == one.implicit.x);
    CHECK(again.implicit.id == one.implicit.id);
  }
}
