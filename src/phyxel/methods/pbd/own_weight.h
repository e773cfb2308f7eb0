#pragma once

#include <string>

#include "phyxel/methods/method_info.h"
#include "phyxel/methods/pbd/parameters.h"

// What sheets and ropes stretch by where they hang by their own weight.

namespace phyxel::pbd {

/// Strain because of the sweeps, whatever the modulus. A sweep moves the ends of an edge by half of
/// what it is too long, the next edges by nothing, and gravity undoes it in the next step: for an
/// edge to hold a mass M below it takes C m / 2 = M g dt^2 in all sweeps of a step, so that rows of
/// a spacing s below a length L stretch to 2 g dt^2 L / (iterations s^2) in the end. Sheets of
/// triangles answer alike: two edges at 30 degrees to the load share it, and pull the rows
/// together.
double strain_of_sweeps(const Parameters& p, const ThinBody& body);

/// Strain because of the modulus.
double strain_of_modulus(const Parameters& p, double density, const ThinBody& body);

/// Says that a body will stretch more than it should, by how much and what to do about it; empty
/// where it does not.
std::string warn_of_own_weight(const Material& material, const ThinBody& body);

}  // namespace phyxel::pbd
