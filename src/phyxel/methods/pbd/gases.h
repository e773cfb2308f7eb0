#pragma once

#include "phyxel/methods/pbd/bodies.h"
#include "phyxel/methods/pbd/constraints/gas.h"
#include "phyxel/methods/pbd/step_view.h"

// Balloons: one constraint with all particles of a closed surface. A sweep gathers the gradients of
// the volume, adds up what follows from them and moves the particles.

namespace phyxel::pbd {

inline namespace PHYXEL_BACKEND {

/// A surface as a sweep finds it.
struct GasSums {
  double volume = 0;  // m^3
  double weight = 0;  // sum of w |grad V|^2, m^4/kg
};

/// What a balloon remembers in a step.
struct GasState {
  GasSums sums;
  double lambda = 0, change = 0;  // kg/m
};

/// One balloon. Member m is particle member[m]; entries from start[m] to start[m + 1] are its
/// triangles, with their other two corners in order.
struct BalloonView {
  const Index* member;
  const Index* start;
  const Vec<Index, 2>* others;
  Vec3* gradient;  // of the volume, by member, m^2
  GasState* state;
  Index members;
  Real rest_volume;
};

class Gases {
 public:
  /// `particle`: of each vertex; a balloon that misses one (-1) or was torn has burst and holds
  /// nothing.
  void build(const Model& model, const std::vector<Index>& particle);
  /// The gas of each balloon of the model, from its material.
  void set_gases(const std::vector<Gas>& of_balloon) { gas_of_ = of_balloon; }

  bool empty() const { return balloons_.empty(); }
  /// Before the first sweep of a step.
  void clear(const Exec& exec);
  void project(const Exec& exec, const StepView& view, double dt);
  /// Volume (m^3) and energy (J) where particles are now.
  struct Totals {
    double volume = 0, energy = 0, amount = 0;  // amount: sum of p V, J
  };
  Totals measure(const Exec& exec, const StepView& view);

 private:
  struct Balloon {
    Index number;  // in the model
    double rest_volume;
    Column<Index> member, start;
    Column<Vec<Index, 2>> others;
    Column<Vec3> gradient;
    Column<GasState> state;
  };
  BalloonView view_of(Balloon& balloon);

  std::vector<Balloon> balloons_;
  std::vector<Gas> gas_of_;
};

}  // namespace PHYXEL_BACKEND

}  // namespace phyxel::pbd
