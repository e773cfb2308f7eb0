#pragma once

#include <string>
#include <vector>

#include "phyxel/surfaces/flow.h"

// Borders that flow structuring finds, on points in bodies whose surface is known. The tests run
// them small, validate_flow at full size.

namespace phyxel::validation {

/// Points that fill a body, and how deep each lies in it.
struct PointBody {
  std::string name;
  Column<Vec3> x;      // m
  Column<Real> depth;  // m, below the surface
  Real spacing = 0;    // m
  Real layer = 0;      // m; what lies less deep is the outermost layer
};

/// About n points. ball, torus, slab, box: a crystal, each point moved at random by up to `noise`
/// spacings along each axis. thread: a coiled one, 30 times as long as thick.
PointBody point_body(const std::string& name, double n, Real noise);

/// What is found against what is there.
struct BorderScore {
  double points = 0, mean_neighbours = 0;
  double outermost = 0, marked = 0;  // points
  double precision = 0;              // share of the marked that are of the outermost layer
  double near = 0;                   // share of the marked that are of the two outermost layers
  double recall = 0;                 // share of the outermost layer that is marked
  double covered = 0;  // share of the outermost layer with a marked point within L_alpha / 2
};
BorderScore score_border(const PointBody& body, const FlowOptions& options);

}  // namespace phyxel::validation
