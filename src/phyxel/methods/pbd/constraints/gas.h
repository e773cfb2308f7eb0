#pragma once

#include <cmath>

#include "phyxel/core/vec.h"

// Gas in a closed surface: its pressure above that outside is a force along the gradient of the
// volume. In the words of XPBD its multiplier is h^2 times that pressure, and the compliance is how
// the volume changes with it.

namespace phyxel::pbd {

/// Gas at a fixed temperature: p V is constant; or fed from outside at a constant pressure.
struct Gas {
  double amount;   // p V of all that is inside, J; with a constant pressure that pressure, Pa
  double ambient;  // pressure outside, Pa
  bool of_amount;  // p V = amount
};

/// Pressure above that outside, Pa.
PHYXEL_FN double gauge_pressure(const Gas& gas, double volume) {
  return (gas.of_amount ? gas.amount / volume : gas.amount) - gas.ambient;
}

/// The change of the multiplier, kg m^-1: Newton's step for lambda = h^2 (p(V) - ambient), with
/// V growing by `weight` = sum w |grad V|^2 for each unit of it. A surface that is inside out has
/// the pressure of a small volume.
PHYXEL_FN double gas_change(const Gas& gas, double volume, double rest_volume, double weight,
                            double lambda, double dt) {
  const double least = rest_volume / 64, v = volume > least ? volume : least;
  const double fall = gas.of_amount ? gas.amount / (v * v) : 0;  // -dp/dV
  return (dt * dt * gauge_pressure(gas, v) - lambda) / (1 + dt * dt * fall * weight);
}

/// Work that the gas and what is outside can still do, J, from the volume at rest.
PHYXEL_FN double gas_energy(const Gas& gas, double volume, double rest_volume) {
  const double outside = gas.ambient * (volume - rest_volume);
  return gas.of_amount ? outside - gas.amount * std::log(volume / rest_volume)
                       : outside - gas.amount * (volume - rest_volume);
}

}  // namespace phyxel::pbd
