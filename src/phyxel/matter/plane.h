#pragma once

namespace phyxel {

/// What a flat scene is of solids. strain: a slice of something long, which keeps its width.
/// stress: a sheet, which becomes thinner where it is stretched and has no stress across it.
enum class Plane { strain, stress };

}  // namespace phyxel
