#pragma once

#include <set>
#include <string>

#include "phyxel/core/vec.h"
#include "phyxel/matter/parameters.h"

// Heat of particles: exchange of two of them, enthalpy and temperature, convection. Powers are in W
// and positive where they warm the particle named first.

namespace phyxel {

/// What a material does with heat.
struct Thermal {
  Real conductivity = 0;         // W/(m K)
  Real specific_heat = 1000;     // J/(kg K)
  Real latent_heat = 0;          // of melting, J/kg; 0: none
  Real melting_temperature = 0;  // degrees C
  Real heating = 0;              // from within, W/kg
  Real convection = 0;           // coefficient, W/(m^2 K)

  bool operator==(const Thermal&) const = default;
};
void describe(Fields& field, Thermal& t);

/// Why a parameter of heat does nothing with the values of the others, and what to do about it;
/// empty where it does. `given`: the names that the scene has.
std::string idle(const Thermal& t, const std::set<std::string>& given, const std::string& name);

/// Whether the temperature of such matter can change.
PHYXEL_FN bool takes_heat(const Thermal& t) {
  return t.conductivity > 0 || t.heating != 0 || t.convection > 0;
}

/// Enthalpy is counted from the solid at the melting temperature, J/kg. While latent heat goes in
/// or out the temperature stays.
PHYXEL_FN double enthalpy_of(const Thermal& t, Real temperature) {
  const double sensible = double(t.specific_heat) * (double(temperature) - t.melting_temperature);
  return temperature > t.melting_temperature ? sensible + t.latent_heat : sensible;
}
PHYXEL_FN Real temperature_of(const Thermal& t, double enthalpy) {
  const double sensible = enthalpy < 0               ? enthalpy
                          : enthalpy > t.latent_heat ? enthalpy - t.latent_heat
                                                     : 0.0;
  return static_cast<Real>(t.melting_temperature + sensible / t.specific_heat);
}
/// From 0, solid, to 1, all of its latent heat taken up.
PHYXEL_FN Real melted_fraction(const Thermal& t, double enthalpy) {
  if (t.latent_heat <= 0) return enthalpy > 0 ? Real(1) : Real(0);
  return static_cast<Real>(clamp(enthalpy / t.latent_heat, 0.0, 1.0));
}

/// Power between particles i and j per degree of difference, W/K. `steepness` is -W'(r) / r of the
/// smoothing kernel, 1/m^(Dim + 2). Cleary and Monaghan 1999: the mean of the
/// conductivities that keeps the flux continuous where materials meet. The same bits for (i, j) and
/// (j, i), so that what one gains the other loses.
PHYXEL_FN Real pair_conductance(Real conductivity_i, Real conductivity_j, Real volume_i,
                                Real volume_j, Real steepness) {
  const Real sum = conductivity_i + conductivity_j;
  if (!(sum > 0)) return 0;
  return 4 * (conductivity_i * conductivity_j) / sum * (volume_i * volume_j) * steepness;
}

/// Area of free surface that belongs to a particle, m^2 (m in 2D): twice its volume times |sum over
/// neighbours of V_j grad W|, which across a surface integrates to one, half of it within matter.
/// Deep inside the terms nearly cancel; less than a tenth of the steepest gradient is no surface.
PHYXEL_FN Real exposed_area(Real volume, Real colour_gradient, Real steepest) {
  return colour_gradient > Real(0.1) * steepest ? 2 * volume * colour_gradient : Real(0);
}

/// Convection to the ambient (air) temperature: coefficient in W/(m^2 K).
PHYXEL_FN Real convection_power(Real coefficient, Real area, Real air_temperature,
                                Real temperature) {
  return coefficient * area * (air_temperature - temperature);
}

}  // namespace phyxel
