#pragma once

#include "phyxel/methods/pbd/constraints/spin.h"
#include "phyxel/methods/pbd/groups.h"
#include "phyxel/methods/pbd/step_view.h"

namespace phyxel::pbd {

inline namespace PHYXEL_BACKEND {

/// Gives pieces of matter that fly freely the spin back that corrections took: constraints/spin.h.
class Spins {
 public:
  /// `is_thin`: by particle, of sheets and ropes.
  void build(const std::vector<std::vector<Index>>& pieces, const std::vector<char>& is_thin,
             Index particles);
  bool empty() const { return groups_.view().groups == 0; }
  /// The rotation that each piece gets in this step; finish() adds it to velocities. `thin_touch`:
  /// some sheets and ropes touch something.
  void find_turns(const Exec& exec, const StepView& view, bool thin_touch, Real dt);
  SpinsView view() const;

 private:
  Groups groups_;
  Column<Index> group_of_;  // by particle, -1: none
  Column<Index> is_thin_;   // by group
  Column<Index> held_;      // by group
  GroupSums<SpinSums> sums_;
  bool all_thin_ = true, turning_ = false;
  Column<PieceTurn> turns_;
};

}  // namespace PHYXEL_BACKEND

}  // namespace phyxel::pbd
