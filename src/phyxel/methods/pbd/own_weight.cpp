#include "phyxel/methods/pbd/own_weight.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

#include "phyxel/methods/pbd/material.h"

namespace phyxel::pbd {

double strain_of_sweeps(const Parameters& p, const ThinBody& body) {
  const double dt = step_of(p), s = body.spacing;
  return 2 * body.gravity * dt * dt * body.length / (p.iterations * s * s);
}

double strain_of_modulus(const Parameters& p, double density, const ThinBody& body) {
  const double pressure = density * body.gravity * body.length;
  if (body.is_line || !is_given(p.stretch_modulus)) return pressure / double(p.youngs_modulus);
  return pressure * body.thickness / double(p.stretch_modulus);
}

std::string warn_of_own_weight(const Material& material, const ThinBody& body) {
  constexpr double most = 0.02, good = 0.01;
  const Parameters& p = parameters_of<Parameters>(material);
  if (p.projection == Projection::stiffness) return "";
  const double by_modulus = strain_of_modulus(p, double(material.density), body);
  const double by_sweeps = strain_of_sweeps(p, body);
  const bool is_tied = body.is_pinned && is_given(p.long_range_strain);
  const double strain = is_tied ? std::min(by_sweeps, double(p.long_range_strain)) : by_sweeps;
  if (!(strain > most) || !(strain > by_modulus)) return "";
  return fmt::format(
      "will stretch by about {:.2g} % where {:.2g} m of it hang, its modulus asks for {:.2g} %: "
      "substeps = {} and iterations = {} are too few to pass the load on through {:.0f} particles; "
      "give substeps = {:.0f} for {:.2g} %{}",
      100 * strain, body.length, 100 * by_modulus, p.substeps, p.iterations,
      body.length / body.spacing, std::ceil(p.substeps * std::sqrt(by_sweeps / good)), 100 * good,
      body.is_pinned && !is_tied ? ", or long_range_strain = 0.01" : "");
}

}  // namespace phyxel::pbd
