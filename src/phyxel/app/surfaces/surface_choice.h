#pragma once

#include <array>
#include <vector>

#include "phyxel/matter/frame.h"
#include "phyxel/scene/scene.h"

namespace phyxel {

/// Which particles belong to which [surface.NAME] table.
struct SurfaceChoice {
  // Of the solid and of the liquid particles of a body; number of tables: none.
  std::vector<std::array<std::size_t, 2>> surface_of_body;
  std::vector<Real> spacing;  // of the particles of each table, m

  explicit SurfaceChoice(const Scene& scene);

  /// Particles of a frame for each table, and last those of none.
  std::vector<std::vector<std::size_t>> chosen(const Frame& frame) const;
  /// Bodies with particles for a table, by number.
  std::vector<std::size_t> bodies(std::size_t table) const;
};

}  // namespace phyxel
