#include "phyxel/matter/force_fields/turbulence.h"

namespace phyxel {

namespace {

constexpr std::uint32_t turbulence_stream = 0x74757262;

/// A random direction: in the plane z = 0 where the scene is flat.
Vec3d direction(double along_axis, double turn, bool flat) {
  const double angle = 2 * M_PI * turn;
  const double z = flat ? 0 : 2 * along_axis - 1, ring = std::sqrt(1 - z * z);
  return {ring * std::cos(angle), ring * std::sin(angle), z};
}

/// A unit vector across `wave`, turned about it by a random angle.
Vec3d across(const Vec3d& wave, double turn, bool flat) {
  if (flat) return cross(Vec3d{0, 0, 1}, wave);
  const Vec3d aside = std::abs(wave[0]) < 0.7 ? Vec3d{1, 0, 0} : Vec3d{0, 1, 0};
  const Vec3d first = normalized(cross(wave, aside)), second = cross(wave, first);
  return first * std::cos(2 * M_PI * turn) + second * std::sin(2 * M_PI * turn);
}

}  // namespace

Turbulence make_turbulence(Real speed, Real size, Real duration, double time, std::uint32_t seed,
                           bool flat) {
  Turbulence t;
  if (!(speed > 0)) return t;
  const Random random{seed, turbulence_stream};
  t.count = Turbulence::most;
  // Each wave has a mean square of half its amplitude squared.
  const double amplitude = double(speed) * std::sqrt(2.0 / t.count);
  for (int k = 0; k < t.count; ++k) {
    const auto number = [&](int which) { return double(random.uniform(k, which)); };
    // Lengths from half to twice the mean, frequencies up to the fastest change.
    const double wave_length = double(size) * std::exp2(2 * number(0) - 1);
    const double frequency = 2 * M_PI * (2 * number(1) - 1) / double(duration);
    const Vec3d unit = direction(number(2), number(3), flat);
    t.wave[k].wave = cast<Real>(unit * (2 * M_PI / wave_length));
    t.wave[k].along = cast<Real>(across(unit, number(4), flat) * amplitude);
    t.wave[k].phase =
        static_cast<Real>(std::fmod(2 * M_PI * number(5) + frequency * time, 2 * M_PI));
  }
  return t;
}

}  // namespace phyxel
