#pragma once

#include <string>

namespace phyxel {

/// A known material: values in SI units to start from.
struct Preset {
  std::string name;
  std::string summary;
  std::string toml;  // keys of a [material.NAME] table
  // m, spacings of particles that its numbers are for: steps and stiffness suit bodies of some ten
  // to some hundred of them.
  double finest = 1e-3, coarsest = 0.1;
};

}  // namespace phyxel
