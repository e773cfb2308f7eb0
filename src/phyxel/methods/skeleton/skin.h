#pragma once

#include "phyxel/neighbours/neighbour_rows.h"

namespace phyxel {

/// How far rows reach beyond a cut-off, m: a share of it. A small periodic box leaves less room,
/// since rows may reach half of it.
Real skin_within(const PeriodicBox& box, Real cutoff, double share);

/// The skin that makes steps cheapest. A wide one makes long rows, a narrow one frequent searches.
/// Neither follows from the other: in a crystal rows grow by whole shells, and particles that
/// vibrate in place hardly use up a skin wider than their motion. So the share of the cut-off goes
/// one way as long as a step becomes cheaper, and turns where it does not. Costs are counted, not
/// taken from clocks: runs stay reproducible. Where rows are searched every few steps the share
/// moves about more than it gains: such methods keep a fixed one (bench/README.md).
struct Skin {
  double share = 0.1;         // of the cut-off
  double cost_of_search = 0;  // per particle, in entries of a row; 0: the share stays as it is
  double cost = 0;            // of a step with the share before
  bool grows = false;         // which way the share goes

  static constexpr double least_share = 0.02, largest_share = 0.25;

  bool adapts() const { return cost_of_search > 0; }
};

/// To be called with rows that have been valid for `steps` steps: entries of rows that a particle
/// has on average.
void adapt(double entries, int steps, Skin& skin);

}  // namespace phyxel
