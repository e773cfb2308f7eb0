#pragma once

#include <string>
#include <vector>

#include "phyxel/core/kernel_table.h"
#include "phyxel/matter/frame.h"
#include "phyxel/methods/pbd/constraints/plastic.h"
#include "phyxel/methods/pbd/rows.h"
#include "phyxel/methods/pbd/step_view.h"

namespace phyxel::pbd {

inline namespace PHYXEL_BACKEND {

/// What becomes permanent in the constraints of a lot; a yield below 0: nothing does.
struct PlasticLot {
  Plasticity length{-1, 0, 0}, angle{-1, 0, 0};

  bool flows() const { return length.yield >= 0 || angle.yield >= 0; }
};

PlasticLot plastic_of(const Parameters& p);

/// What rows need to flow.
template <class Kind>
struct PlasticRows {
  std::vector<Real> rest;  // by constraint of the model: while rows are made anew, and of a file
  Column<Index> lot;       // by row, into Model::lots; -1: none
  Column<Real> first;      // by row, rest value of the body as it was made
};

/// Rest lengths and angles that follow what is beyond their yield. They are state: checkpoints have
/// them by the number of their constraint.
class PlasticFlow {
 public:
  void set_lots(const std::vector<PlasticLot>& of_lot);
  bool flows() const { return flows_; }

  /// Before rows are made anew: keeps their rest values.
  void keep(const Model& model, const AllRows& rows);
  /// Afterwards: puts rest values into them.
  void restore(AllRows& rows);
  /// What a step of dt makes permanent.
  void advance(const Exec& exec, const StepView& view, Real dt, const Model& model, AllRows& rows);

  /// For checkpoints. Empty where nothing can yield.
  std::vector<FrameColumn> save(const Model& model, const AllRows& rows);
  void load(const std::vector<FrameColumn>& columns);

 private:
  PlasticRows<Distance> lengths_;
  PlasticRows<Bending> angles_;
  KernelTable<PlasticLot> lots_;
  bool flows_ = false;
  bool loaded_ = false;    // rest values are those of a file
  bool prepared_ = false;  // columns are those of the rows
};

}  // namespace PHYXEL_BACKEND

}  // namespace phyxel::pbd
