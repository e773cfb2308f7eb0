#pragma once

#include "phyxel/colliders/kernel_colliders.h"
#include "phyxel/core/kernel_table.h"
#include "phyxel/methods/method.h"
#include "phyxel/methods/skeleton/extremes.h"
#include "phyxel/methods/skeleton/field_stage.h"
#include "phyxel/methods/skeleton/heat_state.h"
#include "phyxel/methods/skeleton/own_columns.h"
#include "phyxel/methods/skeleton/particle_view.h"
#include "phyxel/methods/skeleton/reaction_counter.h"
#include "phyxel/methods/skeleton/skin.h"

namespace phyxel {

inline namespace PHYXEL_BACKEND {

/// What methods with neighbours share: particles in the order of cells, rows of neighbours that
/// stay valid for some steps, and pins and colliders where kernels see them. A method adds its law,
/// its columns and a step that is a list of stages.
class NeighbourMethod : public Method {
 public:
  HostParticles& particles() final { return store_.for_host(); }
  const HostParticles& particles_to_read() final { return store_.for_reading(); }
  void keep(const Exec& exec, const HostColumn<Index>& order) final;
  StableStep stable_dt(const Environment& environment) final;
  void step(const Environment& environment, Real dt) final;
  std::vector<ColumnView> columns() final;
  ReactionSums take_reactions(const Environment& environment) final {
    ReactionSums sums = reactions_.take(environment);
    sums.fields = take_impulse(fields_done_);
    return sums;
  }
  /// The skin and the heat stage; a method that has more to save adds it.
  std::map<std::string, double> save() override;
  void load(const std::map<std::string, double>& numbers) override;

 protected:
  /// `stage` names the forces in messages: "sph.forces".
  explicit NeighbourMethod(const char* stage, const Skin& skin = {}) : skin_(skin), stage_(stage) {}

  /// Called in every step, because keyframes may change any parameter at any time.
  virtual void refresh_laws(const Environment& environment) = 0;
  /// Sorts the particles and makes the rows, with build_rows().
  virtual void build_neighbours(const Environment& environment) = 0;
  /// The stages of a step of dt; they end with forces and extremes. With dt = 0 these are found for
  /// the state as it is and nothing moves.
  virtual void advance(const Environment& environment, Real dt) = 0;
  /// The step that the extremes allow.
  virtual StableStep limit_of_step(const Environment& environment) = 0;
  /// What is not finite where position and velocity of a particle are.
  virtual const char* other_bad_part(Index) { return "force"; }

  Index size() { return store_.for_kernels().size(); }

  /// For begin(): columns for all particles, and nothing known of neighbours and forces.
  void start_frame();

  /// For a method that has added particles: columns for all of them.
  void resize_columns() { resize_own(store_.for_host().x.size()); }

  /// Pins and colliders at the end of a step of dt.
  void update_boundaries(const Environment& environment, Real dt);

  /// The same, and rows where they are not valid: how most steps begin.
  void start_step(const Environment& environment, Real dt);

  /// Called before particles are removed: what they have counted must not be lost.
  virtual void before_removal(const Exec&) {}

  /// Of particles that are gone, once half of the most that there were are.
  virtual void give_back_memory();

  /// For the constructor of a method that conducts heat.
  void declare_heat() { declare_heat_columns(heat_, own_); }

  /// For refresh_laws(): what the materials in use do with heat. Pairs within `support` exchange
  /// it.
  template <class Parameters>
  void refresh_heat(const Environment& environment, const std::vector<Index>& used, Real support) {
    thermal_.assign(environment.materials.size(), {});
    for (const Index m : used)
      thermal_[m] = parameters_of<Parameters>(environment.materials[m]).thermal;
    set_thermal(environment, support);
  }

  /// How far rows have to reach for heat, m.
  Real heat_reach() const { return heat_.active ? heat_.kernel.support : Real(0); }

  /// For begin(), at its end: enthalpies of particles that are new or were given a temperature.
  void update_enthalpies();

  /// The heat of a step of dt; rows are valid. With dt = 0 powers are found where there are none.
  void exchange_heat(const Environment& environment, Real dt);

  /// Forces that diagnostics and the first step need.
  void require_forces(const Environment& environment);

  /// The fields of this step, as update_boundaries() and what follows see them; none without any.
  ForceFieldViews fields_now(const Environment& environment) const {
    return environment.force_fields.empty() ? ForceFieldViews{} : fields_.views();
  }
  /// Counts what a method itself has done to particles by them.
  void add_field_pass(const FieldPass& pass) {
    fields_done_.work += pass.work;
    fields_done_.impulse += pass.impulse;
  }

  /// What force fields have done so far; 0 without any.
  double field_work() const { return fields_done_.work; }

  /// Energies and momenta of the motion; potential_energy is that of gravity.
  Diagnostics measure_motion(const Environment& environment);

  /// Mass of the heaviest particle of each material, kg; 0 where no particle is of it.
  std::vector<Real> heaviest_by_material(const Environment& environment);

  /// Materials that particles have.
  std::vector<Index> materials_in_use(const Environment& environment);

  /// A view of the method's own type, filled with what all kernels see and with its own columns.
  template <class View>
  View start_view(const Environment& environment) {
    View view;
    static_cast<ParticleView&>(view) = particle_view(environment);
    own_.point(view);
    return view;
  }

  /// Sorts particles by cell, with all columns, and makes rows of all pairs within the cut-off, the
  /// skin that makes steps cheapest, and `more`.
  void build_rows(const Environment& environment, Real cutoff, Real more = 0);

  /// Sorts particles by cells of other positions than their own, with all columns, and makes rows
  /// of all pairs that are nearer than `radius` there, m. `at` is one of the method's own columns.
  void build_rows_at(const Environment& environment, SharedColumn<Vec3>& at, Real radius);

  /// How far the rows that were built last reach beyond the cut-off, m.
  Real skin() const { return skin_width_; }

  /// Whether rows are still valid after particles have moved this far since they were built: no
  /// pair can have entered the cut-off, whatever keyframes made of it. To be called once in each
  /// step.
  bool rows_stay_valid(Real moved, Real cutoff);

  OwnColumns own_;
  HeatStage heat_;
  ParticleStore store_;
  std::vector<PinView> pins_;
  KernelTable<PinView> pin_table_;
  KernelColliders colliders_;
  CellTable cells_;
  NeighbourRows rows_;
  ReorderScratch scratch_;
  Column<Vec3> x_at_build_;
  Extremes extremes_;
  Skin skin_;
  bool rows_valid_ = false;
  bool forces_valid_ = false;
  bool colliders_moved_ = true;  // since particles near them were found
  ReactionCounter reactions_;
  ForceShares force_shares_;  // of a method that counts forces

 private:
  [[noreturn]] void report_non_finite(Index i);
  ParticleView particle_view(const Environment& environment);
  void set_thermal(const Environment& environment, Real support);
  template <class Positions>
  void sort_and_search(const Environment& environment, const Positions& at, Real radius);
  Real largest_spacing(const Environment& environment);
  void resize_own(std::size_t n);
  void update_fields(const Environment& environment, double time);
  void push_by_fields(const Environment& environment, Real dt);
  void tighten_by_fields(const Environment& environment, StableStep& limit);

  const char* stage_;
  Real skin_width_ = 0;  // m
  Real more_ = 0;        // m, that rows reach beyond cut-off and skin
  int steps_with_rows_ = 0;
  std::size_t own_size_ = 0;        // of the method's own columns
  std::size_t most_particles_ = 0;  // since memory was given back
  std::vector<Thermal> thermal_;  // by material, as it is now; kept so that steps allocate nothing
  KernelForceFields fields_;
  FieldTotals fields_done_;
};

/// The sum of a column.
double sum_of(const Exec& exec, const char* stage, const Column<Real>& column);

}  // namespace PHYXEL_BACKEND

}  // namespace phyxel
