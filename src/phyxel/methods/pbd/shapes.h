#pragma once

#include "phyxel/core/kernel_table.h"
#include "phyxel/methods/pbd/bodies.h"
#include "phyxel/methods/pbd/constraints/shape_match.h"
#include "phyxel/methods/pbd/groups.h"
#include "phyxel/methods/pbd/step_view.h"

// Shape matching of whole bodies: a sweep adds up where the particles of each body are, fits its
// shape and moves them towards their places in it.

namespace phyxel::pbd {

inline namespace PHYXEL_BACKEND {

/// What a body remembers in a step.
struct ShapeState {
  ShapeFit fit;
  double lambda = 0;  // kg^1/2 m
  double factor = 0;  // of p - g, of all particles
};

/// A body at rest.
struct RestShape {
  double mass, square;  // sums of m and m |q|^2, kg and kg m^2
};

struct ShapesView {
  GroupsView groups;
  const Vec3* rest;  // q by entry, m
  const RestShape* shape;
  const ShapeGive* give;
  ShapeSums* sums;
  ShapeState* state;
};

class Shapes {
 public:
  /// `particle`: of each vertex, -1: none. Bodies of materials with a shape are groups.
  void build(const Model& model, const std::vector<Index>& particle, const HostParticles& particles,
             const std::vector<char>& has_shape);
  bool empty() const { return materials_.empty(); }
  /// Material of each group.
  const std::vector<Index>& materials() const { return materials_; }
  void set_give(const std::vector<ShapeGive>& of_group);

  /// Before the first sweep of a step.
  void clear(const Exec& exec);
  void project(const Exec& exec, const StepView& view, double dt);
  /// J, where particles are now.
  double energy(const Exec& exec, const StepView& view);

 private:
  ShapesView view();

  Groups groups_;
  std::vector<Index> materials_;
  Column<Vec3> rest_;
  Column<RestShape> shape_;
  std::vector<ShapeGive> gives_;
  KernelTable<ShapeGive> give_;
  GroupSums<ShapeSums> sums_;
  Column<Vec3> base_;  // m, of each group: where places count from
  Column<ShapeState> state_;
};

}  // namespace PHYXEL_BACKEND

}  // namespace phyxel::pbd
