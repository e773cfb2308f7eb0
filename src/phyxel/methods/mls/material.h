#pragma once

#include <set>
#include <string>
#include <vector>

#include "phyxel/matter/material.h"
#include "phyxel/matter/plane.h"
#include "phyxel/methods/mls/law.h"
#include "phyxel/methods/mls/parameters.h"

namespace phyxel::mls {

/// What phyxels of a material do where they touch others.
struct Touch {
  Real radius = 0;     // m, half of the spacing
  Real stiffness = 0;  // N/m
  Real damping = 0;    // share of critical
  Real friction = 0;
  std::uint8_t self = 0;  // 1: parts of one body touch each other
};

/// The numbers of a material for kernels.
Solid solid_of(const Material& material, Plane plane);
Touch touch_of(const Material& material);

/// Whether it flows above its melting temperature.
inline bool melts(const Parameters& p) {
  return is_given(p.melted_creep);
}
inline bool yields(const Parameters& p) {
  return is_given(p.yield_strain) || p.flows || melts(p);
}

/// Why a parameter does nothing with the values of the others; empty where it does.
std::string idle(const Parameters& p, const std::set<std::string>& given, const std::string& name);

/// Checks what spans several parameters, and fills in the volume stiffness.
void resolve(Material& material);

/// Throws InputError where two materials cannot be in one scene.
void check_agreement(const Material& a, const Material& b);

/// What `phyxel check` says of a material.
std::vector<std::string> report(const Material& material);

}  // namespace phyxel::mls
