#pragma once

#include <map>

#include "phyxel/matter/body_seed.h"
#include "phyxel/methods/mls/implicit.h"
#include "phyxel/methods/mls/material.h"
#include "phyxel/methods/mls/passes.h"
#include "phyxel/methods/skeleton/neighbour_method.h"

namespace phyxel::mls {

inline namespace PHYXEL_BACKEND {

/// Elastic, plastic and flowing matter that remembers a reference shape, after Mueller et al. 2004.
class Solver final : public NeighbourMethod {
 public:
  Solver();
  void add_body(const BodySeed& seed) override;
  void begin(const Environment& environment) override;
  Diagnostics diagnostics(const Environment& environment) override;
  std::map<std::string, double> save() override;
  void load(const std::map<std::string, double>& numbers) override;

 private:
  void refresh_laws(const Environment& environment) override;
  void build_neighbours(const Environment& environment) override;
  void advance(const Environment& environment, Real dt) override;
  StableStep limit_of_step(const Environment& environment) override;
  void before_removal(const Exec&) override { reference_valid_ = stepped_ = false; }

  void add_seed(const Environment& environment, const BodySeed& seed, std::size_t first);
  void add_new_phyxels(const Environment& environment);
  void measure_samples(const Environment& environment);
  void lay_fibres(const Environment& environment);
  void refresh_columns();
  bool flows_now(const Environment& environment, Index material);
  void update_flow(const Environment& environment);
  void start_flowing(const Environment& environment, const std::vector<std::uint8_t>& starts);
  void stop_flowing(const Environment& environment, const std::vector<std::uint8_t>& stops);
  void find_deformations(const Environment& environment);
  void absorb_all(const Environment& environment);
  void build_reference(const Environment& environment);
  void refresh_near(const Environment& environment);
  void move(const Environment& environment, Real dt);
  void exchange_heat_where_it_touches(const Environment& environment, Real dt);
  void find_forces(const Environment& environment, Real dt);
  void step_implicitly(const Environment& environment, Real dt);
  bool uses_coarse_space();
  std::vector<Real> coarse_for() const;
  StepView view(const Environment& environment);

  /// A body whose phyxels are not measured yet: this takes the parameters of its material.
  struct Waiting {
    BodySeed seed;
    std::size_t first;  // of its phyxels
  };

  SharedColumn<Vec3> reference_;
  SharedColumn<Real> volume_, support_;
  SharedColumn<Index> object_;
  SharedColumn<Symmetric<Real>> plastic_, strain_;
  SharedColumn<Vec3> fibre_;
  SharedColumn<Mat3> absorbed_;
  SharedColumn<Vec3> acceleration_;
  SharedColumn<Real> rest_density_, swollen_, molten_shape_;
  SharedColumn<Mat3> shown_deformation_;
  SharedColumn<std::uint8_t> shown_absorbs_;

  std::vector<Index> used_;          // materials of this method
  std::vector<Solid> solids_;        // by material
  std::vector<Touch> touches_;       // by material
  std::vector<std::uint8_t> flows_;  // by material: the reference shape follows
  KernelTable<Solid> solid_table_;
  KernelTable<Touch> touch_table_;
  std::vector<Thermal> melting_;  // by material
  KernelTable<Thermal> melting_table_;
  ContactRows contact_;
  ImplicitSpace implicit_;
  ImplicitReport solves_;     // since the last diagnosis
  double iterations_ = 0;     // of all solves so far
  bool coarse_laid_ = false;  // nodes of the coarse space are those of the reference shape
  bool is_implicit_ = false;
  Real largest_support_ = 0, largest_radius_ = 0;  // m
  Real near_skin_ = 0;                             // m, that the last search allows for
  Real moved_ = 0;                                 // m, at most, since that search
  Real rate_ = 0;                                  // squared frequency, 1/s^2
  Real size_ = 1;                 // m, of phyxels where all are of one size; see rest_row
  Real lightest_ = 0;             // kg
  bool mixed_ = false;            // there are several materials
  bool irregular_ = false;        // phyxels have several sizes
  bool several_objects_ = false;  // rows may have neighbours of other objects
  bool other_ = false;            // neighbours have to tell more than their pull
  bool all_bodies_ = true;        // no neighbourhood is flat
  bool reference_valid_ = false;  // rows are those of the reference shape as it is
  bool yields_ = false, damps_ = false, melts_ = false, has_fibres_ = false;  // some do, or did
  bool ever_flowed_ = false, flowing_ = false;
  Index freezes_ = 0;     // how often flowing matter has become solid
  bool stepped_ = false;  // accelerations are those of an explicit step
  std::vector<Waiting> seeds_;
  Column<Real>& energy_ = own_.scratch(&StepView::energy);
  Column<Mat3>& deformation_ = own_.scratch(&StepView::deformation);
};

std::unique_ptr<Method> make_solver();

}  // namespace PHYXEL_BACKEND

}  // namespace phyxel::mls
