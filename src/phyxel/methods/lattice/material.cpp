#include "phyxel/methods/lattice/material.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <limits>

#include "phyxel/core/error.h"

namespace phyxel::lattice {

std::string idle(const Parameters& p, const std::set<std::string>& given, const std::string& name) {
  // A rate of 0 that the scene names may be one of a series, or the beginning of a ramp.
  const auto some = [&](Real value, const char* key) { return value != 0 || given.contains(key); };
  const auto is_one_of = [&](const std::set<std::string>& names) { return names.contains(name); };
  const bool melts = some(p.melting_rate, "melting_rate"),
             freezes = some(p.freezing_rate, "freezing_rate");
  if (name == "poissons_ratio" && p.law == LawKind::stiffness)
    return "law = \"stiffness\" has none; choose law = \"hookean\", or remove it";
  if (is_one_of({"freezing_speed", "freezing_force"}) && !freezes)
    return "nothing freezes; give freezing_rate too, or remove it";
  if (name == "freezing_rate" && p.phase == Phase::solid && !melts)
    return "it is never liquid; give melting_rate or phase = \"liquid\" too, or remove it";
  if (is_one_of({"melting_rate", "docking_rate", "docking_change", "strength", "yield_stress"}) &&
      p.phase == Phase::liquid && !freezes)
    return "it is never solid; give freezing_rate or phase = \"solid\" too, or remove it";
  return idle(p.thermal, given, name);
}

void resolve(Material& material) {
  Parameters& p = std::any_cast<Parameters&>(material.parameters);
  if (is_given(p.docking_change) && !is_given(p.docking_rate))
    throw InputError(
        fmt::format("material.{}.docking_change = {} needs a docking_rate that it can change",
                    material.name, p.docking_change));
  if (is_given(p.yield_stress) && p.law == LawKind::stiffness)
    throw InputError(
        fmt::format("material.{}.yield_stress = {} needs a stress, which law = \"stiffness\" does "
                    "not know; choose law = \"hookean\"",
                    material.name, p.yield_stress));
}

Real lattice_spacing(const Material& material, Real mass) {
  const double volume = rest_volume(material, mass);
  return static_cast<Real>(material.dimensions == 2 ? std::sqrt(volume / cell_volume<2>)
                                                    : std::cbrt(volume / cell_volume<3>));
}

namespace {

template <int Dim>
void set_laws(const Parameters& p, Plane plane, Real spacing, Solid& solid) {
  // Poisson's ratio of the springs is zero: both planes are the same to them.
  solid.springs = stiffness_law<Dim>(p.youngs_modulus, solid.weights, spacing);
  const PlaneModuli<Real> moduli = Dim == 2 && plane == Plane::strain
                                       ? in_plane_strain(p.youngs_modulus, p.poissons_ratio)
                                       : PlaneModuli<Real>{p.youngs_modulus, p.poissons_ratio};
  solid.hookean = hookean_law<Dim>(moduli.youngs_modulus, moduli.poissons_ratio, spacing);
  solid.full_weight = full_weight<Dim>(solid.weights);
}

template <int Dim>
double stable_dt_in(const Solid& solid, Real mass) {
  // Contact is a spring between particles whatever the law.
  const Real springs = stable_dt<Dim>(solid.springs, solid.weights, mass);
  if (solid.kind == LawKind::stiffness) return springs;
  return std::min(springs, stable_dt<Dim>(solid.hookean, solid.weights, solid.spacing, mass));
}

}  // namespace

Solid solid_of(const Material& material, Real spacing, Plane plane) {
  const Parameters& p = parameters_of<Parameters>(material);
  Solid solid;
  solid.kind = p.law;
  solid.weights = {{1, Real(0.4), Real(0.2)}, p.shells};
  solid.spacing = spacing;
  if (!(spacing > Real(1e-5) && spacing < Real(1e5)))
    solid.unit = std::ldexp(Real(1), -2 * std::ilogb(spacing));
  solid.damping = p.damping;
  solid.contact_damping = p.contact_damping;
  solid.friction = p.friction;
  solid.fractures = is_given(p.docking_rate) || is_given(p.strength);
  // With the strength alone, any particle may dock at a lattice point that never broke.
  solid.docking.largest = is_given(p.docking_rate) ? p.docking_rate : Real(1e30);
  if (is_given(p.docking_rate))
    solid.docking.change = is_given(p.docking_change) ? p.docking_change : 100 * p.docking_rate;
  solid.strength = is_given(p.strength) ? p.strength : std::numeric_limits<Real>::infinity();
  solid.yields = is_given(p.yield_stress);
  if (solid.yields) solid.yield_stress = p.yield_stress;
  solid.youngs_modulus = p.youngs_modulus;
  solid.may_flow = p.phase == Phase::liquid || p.melting_rate > 0;
  solid.may_be_solid = p.phase == Phase::solid || p.freezing_rate > 0;
  const Real edge = spacing * Real(material.dimensions == 2 ? std::sqrt(cell_volume<2>)
                                                            : std::cbrt(cell_volume<3>));
  solid.liquid = {material.density,
                  p.sound_speed,
                  7,
                  p.viscosity,
                  Real(0.1) * p.sound_speed * edge * material.density,
                  0};
  solid.melting = {p.melting_rate, p.thermal.melting_temperature};
  solid.freezing.rate = p.freezing_rate;
  solid.freezing.temperature = p.thermal.melting_temperature;
  solid.freezing.largest_speed = p.freezing_speed;
  solid.freezing.largest_force =
      is_given(p.freezing_force) ? p.freezing_force : std::numeric_limits<Real>::infinity();
  if (material.dimensions == 2)
    set_laws<2>(p, plane, spacing, solid);
  else
    set_laws<3>(p, plane, spacing, solid);
  return solid;
}

double stable_dt(const Solid& solid, Real mass, int dimensions) {
  return dimensions == 2 ? stable_dt_in<2>(solid, mass) : stable_dt_in<3>(solid, mass);
}

double stable_liquid_dt(const Solid& solid, Real h, double speed) {
  const sph::Law& law = solid.liquid;
  // After Monaghan 1992.
  const double sound = 0.4 * h / (1.2 * double(law.sound_speed) + speed);
  return std::min(sound, 0.125 * double(h) * h * law.density / (law.viscosity + 1e-30));
}

std::vector<std::string> report(const Material& material) {
  const Parameters& p = parameters_of<Parameters>(material);
  const double speed = std::sqrt(double(p.youngs_modulus) / material.density);
  return {fmt::format("speed of sound in a bar     {:.6g} m/s", speed)};
}

}  // namespace phyxel::lattice
