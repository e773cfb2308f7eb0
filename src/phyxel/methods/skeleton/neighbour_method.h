#pragma once

#include "phyxel/colliders/kernel_colliders.h"
#include "phyxel/core/kernel_table.h"
#include "phyxel/methods/method.h"
#include "phyxel/methods/skeleton/extremes.h"
#include "phyxel/methods/skeleton/particle_view.h"
#include "phyxel/methods/skeleton/skin.h"

namespace phyxel {

inline namespace PHYXEL_BACKEND {

/// What methods with neighbours share: particles in the order of cells, rows of neighbours that
/// stay valid for some steps, and pins and colliders where kernels see them. A method adds its law,
/// its columns and a step that is a list of stages.
class NeighbourMethod : public Method {
 public:
  HostParticles& particles() final { return store_.for_host(); }

 protected:
  /// Pins and colliders at the end of a step of dt.
  void update_boundaries(const Environment& environment, Real dt);

  /// A view of the method's own type, filled with what all kernels see.
  template <class View>
  View start_view(const Environment& environment) {
    View view;
    static_cast<ParticleView&>(view) = particle_view(environment);
    return view;
  }

  /// Sorts particles by cell and makes rows of all pairs within `radius`. `reorder_own` puts the
  /// method's own columns into the order it is given.
  template <class ReorderOwn>
  void build_rows_within(const Environment& environment, Real radius,
                         const ReorderOwn& reorder_own) {
    Particles& p = store_.for_kernels();
    build_cells_for_rows(environment.exec, p.x, radius, environment.box, cells_);
    reorder(environment.exec, p, cells_.order, scratch_);
    reorder_own(cells_.order);
    build_rows(environment.exec, p.x, cells_, radius, rows_);
    x_at_build_ = p.x;
    rows_valid_ = true;
  }

  /// Rows stay valid until a pair could have entered the cut-off.
  bool rows_reach(Real moved, Real cutoff) const { return 2 * moved < rows_.radius - cutoff; }

  /// Throws Error with the particle and its first non-finite part: position, velocity, or
  /// `other_part`.
  [[noreturn]] void report_non_finite(const char* stage, Index i, const char* other_part);

  ParticleView particle_view(const Environment& environment);

  ParticleStore store_;
  std::vector<PinView> pins_;
  KernelTable<PinView> pin_table_;
  KernelColliders colliders_;
  CellTable cells_;
  NeighbourRows rows_;
  ReorderScratch scratch_;
  Column<Vec3> x_at_build_;
  Extremes extremes_;
  bool rows_valid_ = false;
  bool forces_valid_ = false;
  bool colliders_moved_ = true;  // since particles near them were found
};

}  // namespace PHYXEL_BACKEND

}  // namespace phyxel
