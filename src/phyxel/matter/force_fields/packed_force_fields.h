#pragma once

#include "phyxel/core/kernel_table.h"
#include "phyxel/matter/environment.h"
#include "phyxel/matter/force_fields/force_field_view.h"
#include "phyxel/matter/particles.h"

namespace phyxel {

/// The active fields of an environment as plain arrays.
struct PackedForceFields {
  std::vector<ForceFieldView> fields;
  std::vector<Shape::Node> nodes;
  std::vector<std::uint8_t> acts;
  Index materials = 0;
  double time = 0;  // s
};

/// As they are at `time`. Cheap, and nothing where there are none.
void pack(const Environment& environment, double time, PackedForceFields& packed);

/// For the host.
ForceFieldViews views_of(const PackedForceFields& packed);

/// The largest acceleration of fields, and the largest rate at which velocities follow them, at
/// places spread over a box in which nothing is faster than `speed` (m/s). An estimate: a field may
/// be stronger between these places.
struct ForeseenFields {
  double acceleration = 0;  // m/s^2
  double frequency = 0;     // 1/s, of swings about points of attraction
};
ForeseenFields foresee_fields(const PackedForceFields& packed, const Bounds& box, double speed);

/// Potential energy in the fields that have one, J; fields with a region or a limit have none.
double field_energy(const Environment& environment, const HostParticles& particles);

inline namespace PHYXEL_BACKEND {

/// The fields in memory that the kernels of this back end can read.
class KernelForceFields {
 public:
  /// As they are at `time`.
  void update(const Environment& environment, double time) {
    pack(environment, time, packed_);
    if (packed_.fields.empty()) return;
#ifdef __CUDACC__
    fields_.assign(packed_.fields);
    nodes_.assign(packed_.nodes);
    acts_.assign(packed_.acts);
#endif
  }

  ForceFieldViews views() const {
    ForceFieldViews views = views_of(packed_);
#ifdef __CUDACC__
    if (views.count == 0) return views;
    views.data = fields_.data();
    views.nodes = nodes_.data();
    views.acts = acts_.data();
#endif
    return views;
  }

  const PackedForceFields& packed() const {
    return packed_;
  }

 private:
  PackedForceFields packed_;
#ifdef __CUDACC__
  KernelTable<ForceFieldView> fields_;
  KernelTable<Shape::Node> nodes_;
  KernelTable<std::uint8_t> acts_;
#endif
};

}  // namespace PHYXEL_BACKEND

}  // namespace phyxel
