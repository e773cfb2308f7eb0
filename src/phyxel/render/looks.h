#pragma once

#include <optional>
#include <string>
#include <vector>

#include "phyxel/render/scene.h"

namespace phyxel::render {

/// How a kind of matter looks.
struct Look {
  Finish finish;
  std::optional<Colour> colour;  // its own, for bodies without a colour
};

/// matte, glossy, cloth, velvet, silk, paper, rubber, metal, snow, wax, water, gel, glass.
const std::vector<std::string>& look_names();

/// Lengths follow the size of the body, m. Throws InputError with a suggestion for an unknown name.
Look find_look(const std::string& name, Real size);

/// The same for particles drawn as spheres, which overlap: light does not enter them.
Finish for_particles(Finish finish);

}  // namespace phyxel::render
