#pragma once

#include <map>
#include <string>
#include <vector>

#include "phyxel/matter/parameters.h"

namespace phyxel {

/// A preset: values in SI units to start from.
struct KnownMaterial {
  std::string name;
  std::string method;
  std::string summary;
  std::map<std::string, ParameterValue> values;  // of keys of a [material.NAME] table
  // m, spacings of particles that its numbers are for: steps and stiffness suit bodies of some ten
  // to some hundred of them.
  double finest = 1e-3, coarsest = 0.1;
};

/// Puts the values where the parameters live.
void apply(const KnownMaterial& preset, Fields& fields);

/// "spacing 1 mm to 0.1 m".
std::string scale_of(const KnownMaterial& preset);

/// Those of all methods, in the order of the registry.
const std::vector<KnownMaterial>& known_materials();

/// The preset for `method`, or the first of that name when method is empty; null when there is
/// none.
const KnownMaterial* find_preset(const std::string& name, const std::string& method);

}  // namespace phyxel
