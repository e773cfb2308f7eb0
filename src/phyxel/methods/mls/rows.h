#pragma once

// Places in the rows of sixteen numbers that a step reads and writes, a cache line each.

namespace phyxel::mls {

/// What follows from the reference shape.
namespace rest_row {
constexpr int inverse = 0;          // M^+, 6 numbers, 1/m^2
constexpr int lean = 6;             // sum w X, 3 numbers, m
constexpr int volume = 9;           // m^3
constexpr int inverse_h2 = 10;      // 1/m^2
constexpr int rank = 11;            // directions in which neighbours lie
constexpr int size = 12;            // cube root of the volume, m; 1 in flat scenes
constexpr int stiffness = 13;       // of strain over its modulus and the mass, m/kg
constexpr int hold_stiffness = 14;  // of stabilisation, likewise
}  // namespace rest_row

/// What a neighbourhood does to its phyxels.
namespace pull_row {
constexpr int reference = 0;  // X, m
constexpr int position = 3;   // x, m
constexpr int stress = 6;     // Q = v P M^+ - k F, 9 numbers, row by row, N/m
constexpr int inverse_h2 = 15;
}  // namespace pull_row

}  // namespace phyxel::mls
