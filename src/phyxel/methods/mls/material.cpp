#include "phyxel/methods/mls/material.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

#include "phyxel/core/error.h"

namespace phyxel::mls {

namespace {

/// Lame's parameters, Pa.
struct Lame {
  double lambda, mu;
};
Lame lame_of(const Parameters& p) {
  const double e = p.youngs_modulus, nu = p.poissons_ratio;
  return {e * nu / ((1 + nu) * (1 - 2 * nu)), e / (2 * (1 + nu))};
}

/// Of stress in a plane and along a line, where the other directions are free of stress.
double sheet_lambda(const Lame& m) {
  return 2 * m.lambda * m.mu / (m.lambda + 2 * m.mu);
}
double line_lambda(const Lame& m) {
  return m.mu * m.lambda / (m.lambda + m.mu);
}

/// C stays positive definite below it.
double largest_volume_stiffness(const Lame& m) {
  return m.lambda + 0.6 * m.mu;
}

/// k of stabilisation over its modulus and the size of a phyxel: v trace(M^+) / 3 deep inside, so
/// that displacements which strain does not see cost as much as those that it sees. M is that of an
/// even spread of neighbours within h = support r, with the mean distance r of the ten nearest.
double hold_share(double support, int dimensions) {
  return dimensions == 2 ? 3.41 / std::pow(support, 4) : 8.95 / std::pow(support, 5);
}

Real or_none(Real value) {
  return is_given(value) ? value : no_limit;
}

}  // namespace

Solid solid_of(const Material& material, Plane plane) {
  const Parameters& p = parameters_of<Parameters>(material);
  const Lame m = lame_of(p);
  const bool sheet = material.dimensions == 2 && plane == Plane::stress;
  Solid s;
  s.volume_stiffness = sheet ? Real(0) : p.volume_stiffness;
  s.lambda = static_cast<Real>((sheet ? sheet_lambda(m) : m.lambda) - double(s.volume_stiffness));
  s.mu = static_cast<Real>(m.mu);
  s.sheet_lambda = static_cast<Real>(sheet_lambda(m));
  s.line_lambda = static_cast<Real>(line_lambda(m));
  s.fibre_stiffness = is_given(p.fibre_modulus) ? p.fibre_modulus - p.youngs_modulus : Real(0);
  s.stabilisation = static_cast<Real>(p.stabilisation * p.youngs_modulus *
                                      hold_share(p.support, material.dimensions));
  s.damping = p.damping;
  s.yield_strain = or_none(p.yield_strain);
  s.creep = or_none(p.creep);
  s.largest_plastic = or_none(p.largest_plastic_strain);
  s.melted_share = is_given(p.melted_modulus) ? p.melted_modulus / p.youngs_modulus : Real(1);
  s.melted_creep = melts(p) ? p.melted_creep : Real(0);
  s.flow_stiffness = p.sound_speed * p.sound_speed;
  s.density = material.density;
  return s;
}

Touch touch_of(const Material& material) {
  const Parameters& p = parameters_of<Parameters>(material);
  const Real d = material.spacing;
  // A column of phyxels one spacing wide.
  return {d / 2, material.dimensions == 2 ? p.youngs_modulus : p.youngs_modulus * d,
          p.contact_damping, p.friction, static_cast<std::uint8_t>(p.self_contact)};
}

std::string idle(const Parameters& p, const std::set<std::string>& given, const std::string& name) {
  if ((name == "tolerance" || name == "iterations") &&
      p.integration == Integration::explicit_steps && !given.contains("integration"))
    return "it is used by implicit steps only; give integration = \"implicit\" too, or remove it";
  const bool flows = p.flows || given.contains("flows") || melts(p);
  if (name == "creep" && !is_given(p.yield_strain))
    return "nothing yields; give yield_strain too (0: any shear flows), or remove it";
  if (name == "largest_plastic_strain" && !is_given(p.yield_strain))
    return "nothing yields; give yield_strain too, or remove it";
  if (name == "sound_speed" && !flows)
    return "it is used where the matter flows only; give flows or melted_creep too, or remove it";
  if (name == "melted_modulus" && !melts(p))
    return "nothing melts; give melted_creep too, or remove it";
  if (name == "fibre" && !is_given(p.fibre_modulus))
    return "there are no fibres; give fibre_modulus too, or remove it";
  if (name == "melting_temperature" && melts(p)) return "";
  return idle(p.thermal, given, name);
}

void resolve(Material& material) {
  Parameters& p = std::any_cast<Parameters&>(material.parameters);
  const std::string name = "material." + material.name;
  const Lame m = lame_of(p);
  if (!is_given(p.volume_stiffness)) p.volume_stiffness = static_cast<Real>(m.lambda + 0.1 * m.mu);
  if (double(p.volume_stiffness) > largest_volume_stiffness(m))
    throw InputError(fmt::format(
        "{}.volume_stiffness = {} must be at most {:.6g} with this Young's modulus and Poisson's "
        "ratio, so that they stay true; lower it, or leave it out for a good value",
        name, p.volume_stiffness, largest_volume_stiffness(m)));
  if (is_given(p.fibre_modulus) && p.fibre_modulus < p.youngs_modulus)
    throw InputError(fmt::format("{}.fibre_modulus = {} must be at least youngs_modulus, {}", name,
                                 p.fibre_modulus, p.youngs_modulus));
  if (is_given(p.fibre_modulus) && !(is_finite(p.fibre) && length(p.fibre) > 0))
    throw InputError(fmt::format(
        "{}.fibre_modulus = {} needs a direction of length above 0; give fibre = [1, 0, 0] or "
        "the like",
        name, p.fibre_modulus));
  if (p.integration == Integration::implicit_steps && (p.flows || melts(p)))
    throw InputError(fmt::format(
        "{}.integration = \"implicit\" is for reference shapes that stay; choose \"explicit\", or "
        "remove {}",
        name, p.flows ? "flows" : "melted_creep"));
}

void check_agreement(const Material& a, const Material& b) {
  const Parameters &p = parameters_of<Parameters>(a), &q = parameters_of<Parameters>(b);
  const auto refuse = [&](const char* name) {
    throw InputError(fmt::format(
        "material.{}.{} differs from that of material.{}; all materials of mls share one", b.name,
        name, a.name));
  };
  if (p.integration != q.integration) refuse("integration");
  if (p.tolerance != q.tolerance) refuse("tolerance");
  if (p.iterations != q.iterations) refuse("iterations");
}

std::vector<std::string> report(const Material& material) {
  const Parameters& p = parameters_of<Parameters>(material);
  const Lame m = lame_of(p);
  const double speed = std::sqrt((m.lambda + 2 * m.mu) / material.density);
  std::vector<std::string> lines = {
      fmt::format("shear modulus               {:.6g} Pa", m.mu),
      fmt::format("bulk modulus                {:.6g} Pa, {:.6g} of it by volume_stiffness",
                  m.lambda + 2 * m.mu / 3, double(p.volume_stiffness)),
      fmt::format("speed of sound              {:.6g} m/s", speed)};
  const double g = is_given(p.melted_modulus) ? m.mu * p.melted_modulus / p.youngs_modulus : m.mu;
  if (is_given(p.creep) && is_given(p.yield_strain))
    lines.push_back(fmt::format("viscosity beyond the yield  {:.6g} Pa s", m.mu / p.creep));
  if (is_given(p.melted_creep))
    lines.push_back(fmt::format("viscosity once molten       {:.6g} Pa s", g / p.melted_creep));
  return lines;
}

}  // namespace phyxel::mls
