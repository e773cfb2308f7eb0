#pragma once

#include "phyxel/colliders/kernel_colliders.h"
#include "phyxel/core/kernel_table.h"
#include "phyxel/methods/method.h"
#include "phyxel/methods/mpm/foresee.h"
#include "phyxel/methods/mpm/stages.h"
#include "phyxel/methods/skeleton/field_stage.h"
#include "phyxel/methods/skeleton/own_columns.h"
#include "phyxel/methods/skeleton/reaction_counter.h"

namespace phyxel::mpm {

inline namespace PHYXEL_BACKEND {

/// The material point method after Stomakhin et al. 2013, with affine transfers (Jiang et al.
/// 2015). Within a frame particles are rows in blocks; the columns hold them between frames. The
/// stages of a step are those of the back end.
class Solver final : public Method {
 public:
  Solver();
  HostParticles& particles() override { return store_.for_host(); }
  const HostParticles& particles_to_read() override { return store_.for_reading(); }
  void keep(const Exec& exec, const HostColumn<Index>& order) override;
  void begin(const Environment& environment) override;
  StableStep stable_dt(const Environment& environment) override;
  bool plans_ahead() const override { return true; }
  StableStep prepare(const Environment& environment, Real dt) override;
  void step(const Environment& environment, Real dt) override;
  std::vector<ColumnView> columns() override;
  Diagnostics diagnostics(const Environment& environment) override;
  ReactionSums take_reactions(const Environment& environment) override;
  std::map<std::string, double> save() override;
  void load(const std::map<std::string, double>& numbers) override;

 private:
  Index size() { return store_.for_kernels().size(); }
  void read_materials(const Environment& environment);
  void set_cell(const Environment& environment);
  void add_new_particles();
  void check_places(const Exec& exec);
  void sort_particles(const Exec& exec);
  void measure_thinnest(const Exec& exec);
  void measure_pins(const Environment& environment);
  void update_boundaries(const Environment& environment, Real dt);
  void update_fields(const Environment& environment, Real dt);
  void tighten_by_fields(const Environment& environment, double speed, StableStep& limit);
  void sums_for_step(const StepContext& with);
  void settle_last_step(const Exec& exec);
  bool is_doubtful(Real dt);
  double largest_diffusivity() const;
  Bounds matter() const;
  [[noreturn]] void report_non_finite(const Exec& exec);
  Points points();
  StepContext context(const Exec& exec, const StepNumbers& in);

  ParticleStore store_;
  OwnColumns own_;
  SharedColumn<Mat3> gradient_;     // of the velocity, 1/s
  SharedColumn<Mat3> deformation_;  // elastic
  SharedColumn<Real> memory_;       // of the law
  SharedColumn<Real> memory_2_;     // of laws with two numbers
  bool has_memory_2_ = false;       // a material has such a law
  SharedColumn<Real> volume_;       // at rest, m^3
  Index known_ = 0;                 // particles that have these columns
  Index most_particles_ = 0;        // since memory was given back
  ReorderScratch reorder_scratch_;

  std::vector<AnyLaw> laws_;   // by material; those of other methods are not used
  std::vector<Index> used_;    // materials of this method
  std::vector<Real> density_;  // by material, kg/m^3
  KernelTable<Real> density_table_;
  std::vector<Real> thinnest_;  // by material: largest volume of a particle over its mass, m^3/kg
  StepNumbers numbers_;         // what is the same in all steps
  bool is_implicit_ = false;
  ImplicitNumbers implicit_;
  bool rasterises_ = false;  // volumes, at the start
  bool fresh_ = true;        // no particle has moved yet

  Boundaries boundaries_;
  KernelColliders colliders_;
  KernelForceFields fields_;
  FieldTotals fields_done_;
  PackedForceFields coming_fields_;  // of the next step
  std::vector<PinView> pins_;
  KernelTable<PinView> pin_table_;
  std::vector<Real> pin_arms_;  // m, from a pin's pivot to the farthest of its particles; -1: none

  ReactionCounter reactions_;
  Stages stages_;
  Heat heat_;
  bool sums_valid_ = false;  // they hold particles to grid for the next step
  Real sums_dt_ = 0;         // s, of that step
  Real prepared_dt_ = 0;     // s, of the step that nodes are ready for; 0: none
};

std::unique_ptr<Method> make_solver();

}  // namespace PHYXEL_BACKEND

}  // namespace phyxel::mpm
