#pragma once

#include "lattice/common.h"

// Elastic matter of mls against textbooks. Bodies are filled with whole layers of cubic packing.

namespace phyxel::validation::mls {

using lattice::Changes;
using lattice::Curve;

struct Pulled {
  double stretch = 0;         // l
  double youngs_modulus = 0;  // of the scene's, by P = E l (l^2 - 1) / 2
  double poissons_ratio = 0;  // by l_t^2 = 1 - nu (l^2 - 1)
};
/// A bar of so many layers, pulled until it should be `stretch` times as long.
Pulled pull_bar(int layers, double stretch, const Changes& changes = {});

struct Bent {
  double load = 0;        // P L^2 / E I
  double drop = 0;        // of the tip over L
  double shortening = 0;  // the same along the beam
};
/// A beam 12 times as long as high. Loads one after the other, each until it is at rest.
std::vector<Bent> bend_beam(int layers, const std::vector<double>& loads, int dimensions);

/// The first period of a bar of 25 m that is held at one end, along itself, s.
double swing_bar(int layers);

/// The first period of the beam sideways over that of a thin one by Euler and Bernoulli.
double ring_beam(int layers, int dimensions);

/// What shear and the turning of sections add to the period of a beam that is held at one end, of
/// this height over length.
double thick_beam(double height_over_length, double poissons_ratio);

struct Fallen {
  int steps = 0;
  double most_energy = 0;  // kinetic, potential and elastic, over that of the start, at most
  double lowest = 0;       // of all centres at the end, over half of the spacing
  double bent = 0;         // largest change of a distance to the first phyxel, over it
};
/// The box of stiff_box.toml or firm_box.toml, until the end of its scene.
Fallen drop_box(const std::string& scene);

}  // namespace phyxel::validation::mls
