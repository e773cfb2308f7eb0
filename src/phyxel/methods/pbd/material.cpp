#include "phyxel/methods/pbd/material.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

#include "phyxel/core/error.h"
#include "phyxel/methods/pbd/constraint.h"

namespace phyxel::pbd {

std::string idle(const Parameters& p, const std::set<std::string>& given, const std::string& name) {
  const bool by_share = p.projection == Projection::stiffness || given.contains("projection");
  if (name == "stiffness" && !by_share)
    return "moduli say how stiff it is; give projection = \"stiffness\" too, or remove it";
  const bool has_strain = is_given(p.yield_strain) || given.contains("yield_strain");
  const bool has_angle = is_given(p.yield_angle) || given.contains("yield_angle");
  if (name == "creep" && !has_strain && !has_angle)
    return "nothing yields; give yield_strain or yield_angle too, or remove it";
  if (name == "largest_plastic_strain" && !has_strain)
    return "no length yields; give yield_strain too, or remove it";
  const bool of_lattice = p.elements == Elements::tetrahedra || p.elements == Elements::cells;
  if (name == "yield_strain" && of_lattice)
    return "cells and tetrahedra do not yield; give elements = \"network\", or remove it";
  const bool of_gas = name == "ambient_pressure" || name == "gas";
  if (of_gas && !is_given(p.pressure)) return "there is no gas without pressure; give it too";
  const bool of_triangles = p.elements == Elements::triangles;
  if (name == "shear_modulus" && !of_triangles)
    return "springs of sheets have no shear of their own; give elements = \"triangles\", or remove "
           "it";
  if (name == "yield_strain" && of_triangles)
    return "triangles do not yield; give elements = \"network\", or remove it";
  if (name == "yield_angle" && p.bending == BendLaw::isometric)
    return "angles yield; give bending = \"angle\", or remove it";
  const bool of_elements = name == "poissons_ratio" || name == "law";
  if (of_elements && p.elements == Elements::network)
    return "networks of springs have a Poisson's ratio of 1/4 and no other law; give elements = "
           "\"cells\"";
  if (name == "continuous" && !p.self_contact)
    return "nothing touches without self_contact; remove one of them";
  if (name == "air_density" && !(p.drag_coefficient > 0) && !(p.lift_coefficient > 0) &&
      !given.contains("drag_coefficient") && !given.contains("lift_coefficient"))
    return "air does nothing without drag_coefficient or lift_coefficient; give one too, or remove "
           "it";
  return "";
}

ShapeGive shape_of(const Parameters& p) {
  if (!is_given(p.shape_frequency)) return {0};
  const double omega = 2 * M_PI * double(p.shape_frequency);
  const bool by_share = p.projection == Projection::stiffness;
  return {omega * omega, by_share ? double(share_of_sweep(p.stiffness, p.iterations)) : -1};
}

void resolve(Material& material) {
  Parameters& p = std::any_cast<Parameters&>(material.parameters);
  if (!is_given(p.contact_thickness)) p.contact_thickness = material.spacing / 2;
}

void check_agreement(const Material& a, const Material& b) {
  const Parameters &p = parameters_of<Parameters>(a), &q = parameters_of<Parameters>(b);
  const auto refuse = [&](const char* name) {
    throw InputError(fmt::format(
        "material.{}.{} differs from that of material.{}; all materials of pbd share one", b.name,
        name, a.name));
  };
  if (p.substeps != q.substeps) refuse("substeps");
  if (p.iterations != q.iterations) refuse("iterations");
  if (p.projection != q.projection) refuse("projection");
  if (p.continuous != q.continuous) refuse("continuous");
}

double depth_of_edges(const Material& material) {
  const double gap = double(parameters_of<Parameters>(material).contact_thickness) / 2;
  return std::max(double(material.spacing) / 2 - std::sqrt(2.0) * gap, 0.0);
}

std::vector<std::string> report(const Material& material) {
  const Parameters& p = parameters_of<Parameters>(material);
  std::vector<std::string> lines = {
      fmt::format("step                        {:.6g} s at most", step_of(p)),
      fmt::format("distance from colliders     {:.6g} m", double(p.contact_thickness) / 2)};
  // Rounding by r takes (sqrt(2) - 1) r off a corner.
  if (const double depth = depth_of_edges(material); depth > 0)
    lines.push_back(fmt::format(
        "sharp edges of colliders    may look out between particles, up to {:.3g} m; not with "
        "rounding = {:.3g} or contact_thickness = {:.3g}",
        depth, depth / (std::sqrt(2.0) - 1), double(material.spacing) / std::sqrt(2.0)));
  return lines;
}

}  // namespace phyxel::pbd
