#pragma once

#include "phyxel/colliders/kernel_colliders.h"
#include "phyxel/methods/method.h"
#include "phyxel/methods/mpm/foresee.h"
#include "phyxel/methods/mpm/grid_update.h"
#include "phyxel/methods/mpm/heat.h"
#include "phyxel/methods/mpm/implicit.h"
#include "phyxel/methods/mpm/material.h"
#include "phyxel/methods/mpm/pins.h"

namespace phyxel::mpm {

/// The material point method after Stomakhin et al. 2013, with affine transfers (Jiang et al.
/// 2015). Within a frame particles are rows in blocks; the columns hold them between frames.
class Solver final : public Method {
 public:
  HostParticles& particles() override { return particles_; }
  void begin(const Environment& environment) override;
  StableStep stable_dt(const Environment& environment) override;
  bool plans_ahead() const override { return true; }
  StableStep prepare(const Environment& environment, Real dt) override;
  void step(const Environment& environment, Real dt) override;
  std::vector<ColumnView> columns() override;
  Diagnostics diagnostics(const Environment& environment) override;
  std::map<std::string, double> save() override;
  void load(const std::map<std::string, double>& numbers) override;

 private:
  void read_materials(const Environment& environment);
  void set_cell(const Environment& environment);
  void add_new_particles();
  void sort_particles(const Exec& exec);
  void make_rows(const Exec& exec);
  void rasterise_volumes(const Environment& environment);
  void rebin(const Exec& exec);
  void resize_chunks();
  void write_particles(const Exec& exec);
  void total_limits();
  void measure_thinnest();
  double largest_diffusivity() const;
  void look_around(const Environment& environment, Real dt);
  void shorten_sums(const Exec& exec, Real dt);
  void measure_matter();
  void measure_pins(const Environment& environment);
  Real longest_path(const GridSpeeds& speeds, Real dt);
  GridSpeeds move_grid(const Exec& exec, const StepNumbers& in);
  Real path_of(const Exec& exec, const StepNumbers& in, const GridSpeeds& speeds);
  Real room() const;
  void check_places() const;
  StableStep longest_implicit_step(const Environment& environment) const;
  [[noreturn]] void report_non_finite() const;
  ParticleView view();

  HostParticles particles_;
  HostColumn<Mat3> gradient_;     // of the velocity, 1/s
  HostColumn<Mat3> deformation_;  // elastic
  HostColumn<Real> memory_;       // of the law
  HostColumn<Real> volume_;       // at rest, m^3

  std::vector<AnyLaw> laws_;   // by material; those of other methods are not used
  std::vector<Real> density_;  // by material, kg/m^3
  std::vector<Real>
      thinnest_;         // by material: the largest volume of a particle over its mass, m^3/kg
  StepNumbers numbers_;  // what is the same in all steps
  bool is_implicit_ = false;
  ImplicitNumbers implicit_;
  bool rasterises_ = false;  // volumes, at the start
  bool fresh_ = true;        // no particle has moved yet

  Heat heat_;

  Blocks blocks_;
  BlockMap old_nodes_;
  Rows rows_;
  Nodes nodes_;
  Surroundings around_;
  PinnedPlaces pinned_places_;
  KernelColliders colliders_;
  bool sums_valid_ = false;    // they hold particle to grid for the next step
  Real sums_dt_ = 0;           // s, of that step
  Real prepared_dt_ = 0;       // s, of the step that nodes are ready for; 0: none
  bool must_rebin_ = false;    // before that step
  Bounds matter_;              // m, that all rows stay within until they are sorted again
  std::vector<Real> pin_arm_;  // m, from a pin's pivot to the farthest of its particles; -1: none
  Real collider_speed_ = 0;    // m/s, of those near matter in this step
  ChunkLimits limits_;

  ImplicitSpace implicit_space_;
  int solve_iterations_ = 0, unfinished_solves_ = 0;  // since begin

  // Scratch space, kept so that steps allocate nothing.
  Column<Row16> row_scratch_;
  Column<Quad> quad_scratch_;
  Column<Index> index_scratch_, sorted_;
  Column<Mat3> matrix_scratch_;
  Column<std::uint64_t> keys_;
  SortScratch sort_scratch_;
  ReorderScratch reorder_scratch_;
};

std::unique_ptr<Method> make_solver();

}  // namespace phyxel::mpm
