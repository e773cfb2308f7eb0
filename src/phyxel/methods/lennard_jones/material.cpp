#include "phyxel/methods/lennard_jones/material.h"

#include <algorithm>
#include <fmt/format.h>

#include "phyxel/core/error.h"
#include "phyxel/methods/lennard_jones/crystal.h"

namespace phyxel::lennard_jones {

PairLaw pair_law(const Parameters& p, Real mass) {
  const Real r0 = p.equilibrium_distance;
  return {p.dissociation_energy,    r0,
          p.repulsive_exponent,     p.attractive_exponent,
          p.fade_from * r0,         p.cutoff * r0,
          p.viscous_damping * mass, p.truncation == Truncation::fade};
}

PairLaw mixed(const PairLaw& a, const PairLaw& b) {
  const auto mean = [](Real x, Real y) { return (x + y) / 2; };
  return {std::sqrt(a.e0) * std::sqrt(b.e0),
          mean(a.r0, b.r0),
          mean(a.n, b.n),
          mean(a.m, b.m),
          mean(a.fade_from, b.fade_from),
          mean(a.cutoff, b.cutoff),
          mean(a.viscosity, b.viscosity),
          a.faded || b.faded};
}

ObstacleLaw obstacle_law(const Parameters& p) {
  const Real r0 = p.equilibrium_distance;
  const Real d0 = is_given(p.obstacle_range) ? p.obstacle_range : Real(0.8) * r0;
  if (is_given(p.obstacle_alpha))
    return obstacle_from_alpha(d0, p.obstacle_exponent, p.obstacle_alpha);
  const Real stiffness =
      p.dissociation_energy * p.repulsive_exponent * p.attractive_exponent / (r0 * r0);
  const Real beta = is_given(p.obstacle_beta) ? p.obstacle_beta : stiffness * d0 / 50;
  return obstacle_from_beta(d0, p.obstacle_exponent, beta);
}

Softening softening_of(const Parameters& p) {
  if (!is_given(p.softening_start)) return {};
  return {p.softening_start, p.softening_end, p.softened_strength};
}

namespace {

void check_exponents(const Material& material, const Parameters& p) {
  if (p.repulsive_exponent <= p.attractive_exponent)
    throw InputError(fmt::format(
        "material.{}.repulsive_exponent = {} must be above attractive_exponent = {}; try {}",
        material.name, p.repulsive_exponent, p.attractive_exponent, 2 * p.attractive_exponent));
  if (p.truncation == Truncation::fade && p.fade_from >= p.cutoff)
    throw InputError(
        fmt::format("material.{}.fade_from = {} must be below cutoff = {}; the paper uses 1 and 2",
                    material.name, p.fade_from, p.cutoff));
}

void check_softening(const Material& material, const Parameters& p) {
  if (is_given(p.softening_start) != is_given(p.softening_end))
    throw InputError(fmt::format(
        "material.{}: softening_start and softening_end go together; {} is missing", material.name,
        is_given(p.softening_start) ? "softening_end" : "softening_start"));
  if (is_given(p.softening_start) && p.softening_end <= p.softening_start)
    throw InputError(
        fmt::format("material.{}.softening_end = {} must be above softening_start = {}",
                    material.name, p.softening_end, p.softening_start));
}

/// Bonds so much shorter than the spacing would have no effect until particles collide.
void check_bond_length(const Material& material, const Parameters& p) {
  if (p.equilibrium_distance >= Real(0.01) * material.spacing) return;
  throw InputError(fmt::format(
      "material.{}.equilibrium_distance = {:.4g} m must be at least {:.4g} m, a hundredth of the "
      "spacing of its particles; leave it out to have it chosen",
      material.name, p.equilibrium_distance, Real(0.01) * material.spacing));
}

/// Steps are so short that no particle jumps over the range of a collider.
void check_obstacle(const Material& material, const Parameters& p) {
  const Real r0 = p.equilibrium_distance;
  if (!is_given(p.obstacle_range) ||
      (p.obstacle_range >= Real(0.01) * r0 && p.obstacle_range <= 100 * r0))
    return;
  throw InputError(fmt::format(
      "material.{}.obstacle_range = {:.4g} m must be at least {:.4g} m and at most {:.4g} m, a "
      "hundredth and a hundred times the equilibrium distance; leave it out for 0.8 times",
      material.name, p.obstacle_range, Real(0.01) * r0, 100 * r0));
}

/// Young's modulus for e0 = 1 J.
Real unit_modulus(const Material& material, const Parameters& p) {
  const double modulus = youngs_modulus(unit_energy_law(p), material.dimensions);
  if (is_given(modulus)) return static_cast<Real>(modulus);
  throw InputError(fmt::format(
      "material.{}: closest packing is not stable with exponents {} and {}, fade_from = {} and "
      "cutoff = {}, so that "
      "youngs_modulus means nothing; cutoff = 1.4 (nearest neighbours), cutoff = 2 or higher "
      "exponents make it stable",
      material.name, p.repulsive_exponent, p.attractive_exponent, p.fade_from, p.cutoff));
}

}  // namespace

void resolve(Material& material) {
  Parameters& p = std::any_cast<Parameters&>(material.parameters);
  check_exponents(material, p);
  check_softening(material, p);
  if (!is_given(p.equilibrium_distance))
    p.equilibrium_distance = material.spacing / relaxed_spacing(unit_law(p), material.dimensions);
  check_bond_length(material, p);
  check_obstacle(material, p);
  if (is_given(p.youngs_modulus))
    p.dissociation_energy = p.youngs_modulus / unit_modulus(material, p);
  if (!is_given(p.dissociation_energy))
    throw InputError(
        fmt::format("material.{} says neither dissociation_energy nor youngs_modulus; give one, "
                    "e.g. youngs_modulus = 1e5",
                    material.name));
}

namespace {

std::string modulus_line(const PairLaw& law, int dimensions) {
  const double modulus = youngs_modulus(law, dimensions);
  if (!is_given(modulus))
    return "Young's modulus             none: the packing is not stable and will change";
  return fmt::format(
      "Young's modulus, measured   {:.6g} Pa, Poisson's ratio {:.3f} (virtual tensile test along "
      "x)",
      modulus, poisson_ratio(law, dimensions));
}

}  // namespace

std::vector<std::string> report(const Material& material) {
  const Parameters& p = parameters_of<Parameters>(material);
  const PairLaw law = pair_law(p, 1);
  const Bond bond = bond_of(law);
  const ObstacleLaw obstacle = obstacle_law(p);
  const double spacing = relaxed_spacing(law, material.dimensions);
  const double volume = volume_per_particle(spacing, material.dimensions);
  const char* cell = material.dimensions == 2 ? "m^2" : "m^3";
  return {
      fmt::format("dissociation energy e0      {:.6g} J", law.e0),
      fmt::format("equilibrium separation r0   {:.6g} m, at rest in a packing {:.6g} m", law.r0,
                  spacing),
      fmt::format("bond stiffness k            {:.6g} N/m", bond.stiffness),
      fmt::format("bond tears at r_t           {:.6g} m with {:.6g} N", bond.tensile_separation,
                  bond.tensile_force),
      fmt::format("volume per particle         {:.6g} {} (r0^3/sqrt2 = {:.6g} m^3)", volume, cell,
                  law.r0 * law.r0 * law.r0 / std::sqrt(2.0)),
      fmt::format("particles to fill 1 {}     {:.6g} (sqrt2/r0^3 = {:.6g} per m^3)", cell,
                  1 / volume, std::sqrt(2.0) / (law.r0 * law.r0 * law.r0)),
      modulus_line(law, material.dimensions),
      fmt::format("obstacle                    d0 = {:.6g} m, eta = {:.6g}, alpha = {:.6g} J "
                  "m^eta, beta = {:.6g} N",
                  obstacle.d0, obstacle.eta, obstacle.alpha, obstacle.beta),
  };
}

}  // namespace phyxel::lennard_jones
