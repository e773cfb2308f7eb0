#pragma once

#include "pbd/cases.h"

// Sheets of pbd against textbooks.

namespace phyxel::validation::pbd {

/// A strip that hangs from its upper edge, with so many rows of points in a tenth of its length.
/// The extension over that by its weight, sum of rho t g (L y - y^2 / 2) / Y.
double hang_strip(int rows_in_a_tenth, const Changes& changes = {});

/// A disc of cloth, 0.3 m wide, whose inner 0.18 m lie on a table: the share of the ring that its
/// shadow covers, as measured of cloth (Cusick 1965). `rings`: points from the centre to the rim.
double drape(int rings, double bend_stiffness, const Changes& changes = {});

}  // namespace phyxel::validation::pbd
