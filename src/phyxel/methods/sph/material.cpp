#include "phyxel/methods/sph/material.h"

#include <cmath>
#include <fmt/format.h>

#include "phyxel/core/error.h"

namespace phyxel::sph {

Law law_of(const Material& material, Real h) {
  const Parameters& p = parameters_of<Parameters>(material);
  Law law;
  law.density = material.density;
  law.sound_speed = p.sound_speed;
  law.gamma = p.gamma;
  law.viscosity = p.viscosity;
  law.bulk_viscosity = p.artificial_viscosity * p.sound_speed * h * material.density;
  law.xsph = p.xsph;
  law.tension = p.surface_tension;
  return law;
}

void resolve(Material& material) {
  Parameters& p = std::any_cast<Parameters&>(material.parameters);
  if (is_given(p.bulk_modulus)) p.sound_speed = std::sqrt(p.bulk_modulus / material.density);
  if (!is_given(p.sound_speed)) p.sound_speed = 30;
  if (!is_given(p.smoothing_ratio))
    p.smoothing_ratio = material.dimensions == 2 ? Real(1.2) : Real(1);
}

void check_agreement(const Material& a, const Material& b) {
  const Parameters &p = parameters_of<Parameters>(a), &q = parameters_of<Parameters>(b);
  if (p.smoothing_ratio != q.smoothing_ratio)
    throw InputError(fmt::format(
        "material.{}.smoothing_ratio = {} differs from that of material.{}, {}; all materials of "
        "sph share one",
        b.name, q.smoothing_ratio, a.name, p.smoothing_ratio));
}

std::vector<std::string> report(const Material& material) {
  const Parameters& p = parameters_of<Parameters>(material);
  const double c = p.sound_speed, neighbours = 2 * p.smoothing_ratio;
  constexpr double pi = 3.14159265358979323846;
  return {
      fmt::format("speed of sound              {:.6g} m/s: for flows up to {:.6g} m/s", c, c / 10),
      fmt::format("bulk modulus                {:.6g} Pa", material.density * c * c),
      fmt::format("neighbours of a particle    {:.0f}", material.dimensions == 2
                                                            ? pi * neighbours * neighbours
                                                            : 4 * pi / 3 * std::pow(neighbours, 3)),
  };
}

}  // namespace phyxel::sph
