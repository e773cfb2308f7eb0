#pragma once

#include "lattice/common.h"

// Elastic matter against textbooks.

namespace phyxel::validation::lattice {

/// Spacing that fills `size` metres with whole layers: those of closest packing along an axis, or
/// the rows of the hexagonal one in the plane.
double spacing_of(int count, double size, int dimensions = 3);
Changes layers(const std::string& body, int count, double size, int dimensions = 3);

struct Pulled {
  double youngs_modulus = 0;  // of the scene's
  double poissons_ratio = 0;
  double filled = 0;  // volume of the particles over that of the bar
};
Pulled pull_bar(const Changes& changes);

/// A beam of so many layers, this many times as long as high: the layer of x = 0 is the last that
/// is held.
Changes slender(int count, double slenderness, int dimensions = 3);

struct Bent {
  double load = 0;        // P L^2 / E I
  double drop = 0;        // of the tip over L
  double shortening = 0;  // the same along the beam
};
/// Loads one after the other, each until the beam is at rest.
std::vector<Bent> bend_beam(const std::vector<double>& loads, const Changes& changes);

struct Swung {
  Curve speed;        // of the centre of mass, m/s over s
  double period = 0;  // s, of a bar of 25 m
  double kept = 0;    // energy in the end over that at the start
};
/// Along itself, for three periods. The section has so many layers.
Swung swing_bar(int count, int dimensions = 3);

struct Rung {
  Curve motion;       // share of the velocities that has the shape of the mode, over time
  double period = 0;  // over that of a thin beam of Euler and Bernoulli
  double length = 0;  // m
};
/// Sideways, in the first mode of a beam that is held at one end, or free.
Rung ring_beam(bool held, const Changes& changes);

}  // namespace phyxel::validation::lattice
