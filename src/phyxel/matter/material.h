#pragma once

#include <any>
#include <string>

#include "phyxel/core/vec.h"
#include "phyxel/matter/parameters.h"

namespace phyxel {

/// What a body is made of: a few values every method understands, and the parameters of its method.
struct Material {
  std::string name;
  std::string method;
  Real density = not_given;               // kg/m^3; always known after build()
  Real particle_mass = not_given;         // kg; instead of the density
  Vec3 colour = Vec3::filled(not_given);  // red, green, blue from 0 to 1
  Real spacing = not_given;               // m, of the bodies made of it; set by build()
  int dimensions = 3;                     // of the scene; set by build()
  std::any parameters;                    // the method's own struct
};

/// The method's parameters of a material.
template <class T>
const T& parameters_of(const Material& material) {
  return std::any_cast<const T&>(material.parameters);
}

/// Volume of a particle of the material at rest, m^3; in 2 dimensions its area, m^2.
inline Real rest_volume(const Material& material, Real mass) {
  return mass / material.density;
}

inline void describe(Fields& field, Material& m) {
  field("density", m.density, "kg/m^3", positive,
        "mass per volume; 1000 when neither it nor particle_mass is given");
  field("particle_mass", m.particle_mass, "kg", positive,
        "mass of one particle, instead of the density");
  field("colour", m.colour, "", fraction,
        "red, green and blue from 0 to 1; chosen for you when absent");
}

}  // namespace phyxel
