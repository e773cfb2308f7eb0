#pragma once

#include "phyxel/methods/method.h"
#include "phyxel/methods/mpm/grid_update.h"
#include "phyxel/methods/mpm/material.h"

namespace phyxel::mpm {

/// The material point method after Stomakhin et al. 2013, with affine transfers (Jiang et al. 2015).
/// Within a frame particles are rows in blocks; the columns hold them between frames.
class Solver final : public Method {
 public:
  HostParticles& particles() override { return particles_; }
  void begin(const Environment& environment) override;
  StableStep stable_dt(const Environment& environment) override;
  bool plans_ahead() const override { return true; }
  void step(const Environment& environment, Real dt) override;
  std::vector<ColumnView> columns() override;
  Diagnostics diagnostics(const Environment& environment) override;
  std::map<std::string, double> save() override;
  void load(const std::map<std::string, double>& numbers) override;

 private:
  void read_materials(const Environment& environment);
  void add_new_particles(const Environment& environment);
  void sort_particles(const Exec& exec);
  void make_rows(const Exec& exec);
  void rebin(const Exec& exec);
  void resize_chunks();
  void write_particles(const Exec& exec);
  void total_limits();
  ParticleVelocities velocities();

  HostParticles particles_;
  HostColumn<Mat3> gradient_;     // of the velocity, 1/s
  HostColumn<Mat3> deformation_;  // elastic
  HostColumn<Real> memory_;       // of the law
  HostColumn<Real> volume_;       // at rest, m^3

  std::vector<AnyLaw> laws_;  // by material; those of other methods mean nothing
  std::vector<Real> density_;
  Real dx_ = 1;  // m

  Blocks blocks_;
  BlockMap old_nodes_;
  Rows rows_;
  Column<Row16> row_scratch_;
  Column<Index> index_scratch_;
  Column<std::uint64_t> keys_;
  Column<Index> sorted_;
  SortScratch sort_scratch_;
  ReorderScratch reorder_scratch_;
  Column<Mat3> matrix_scratch_;
  Nodes nodes_;
  Column<Quad> node_scratch_;
  PackedColliders colliders_;

  bool tiles_valid_ = false;  // they hold what the particles tell the next step
  Real tiles_dt_ = 0;         // and how long that is to be
  ChunkLimits limits_;
};

std::unique_ptr<Method> make_solver();

MethodInfo info();

}  // namespace phyxel::mpm
