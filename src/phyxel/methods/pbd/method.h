#pragma once

#include "phyxel/methods/pbd/air.h"
#include "phyxel/methods/pbd/contact/contacts.h"
#include "phyxel/methods/pbd/gases.h"
#include "phyxel/methods/pbd/material.h"
#include "phyxel/methods/pbd/passes.h"
#include "phyxel/methods/pbd/plastic_rows.h"
#include "phyxel/methods/pbd/shapes.h"
#include "phyxel/methods/pbd/spins.h"
#include "phyxel/methods/pbd/tearing.h"
#include "phyxel/methods/skeleton/neighbour_method.h"

namespace phyxel::pbd {

inline namespace PHYXEL_BACKEND {

/// Bodies held together by constraints on positions, after Mueller et al. 2006 and Macklin et al.
/// 2016. Particles keep the order in which bodies were added.
class Solver final : public NeighbourMethod {
 public:
  Solver();
  void add_body(const BodySeed& seed) override { seeds_.push_back(seed); }
  void begin(const Environment& environment) override;
  Diagnostics diagnostics(const Environment& environment) override;
  void tear_mesh(ParticleId last_id, BodySeed& seed) override;
  std::vector<FrameColumn> save_pairs() override;
  void load_pairs(const std::vector<FrameColumn>& columns) override;

 private:
  void refresh_laws(const Environment& environment) override;
  void build_neighbours(const Environment& environment) override;
  void advance(const Environment& environment, Real dt) override;
  StableStep limit_of_step(const Environment& environment) override;

  void find_vertices(const Environment& environment);
  void make_shapes(const Environment& environment, const std::vector<Index>& particle);
  void make_spins(const std::vector<Index>& particle);
  void tie_to_pins(const Environment& environment, const std::vector<Index>& particle);
  std::vector<std::uint8_t> held_particles(const Environment& environment);
  void make_contacts(const Environment& environment, const std::vector<Index>& particle);
  ContactParticles ends();
  void make_air(const std::vector<Index>& particle);
  void push_by_air(const Environment& environment, Real dt);
  void hold_apart(const Environment& environment, Real dt);
  void refresh_near(const Environment& environment, Real way);
  void project(const Environment& environment, Real dt);
  void set_tear_limits(const Environment& environment);
  void tear(const Environment& environment);
  void add_copies(std::size_t known);
  StepView view(const Environment& environment);

  std::vector<BodySeed> seeds_;  // of bodies that the model does not have yet
  Model model_;
  AllRows rows_of_kinds_;
  Gases gases_;
  Shapes shapes_;
  Spins spins_;
  PlasticFlow plastic_;
  Tearing tearing_;
  std::map<Index, double> longest_;      // by body that tears: share of the length at the start
  Column<Vec<Index, 2>> tearing_edges_;  // particles
  Column<Real> longest_squared_;         // m^2, of these edges
  std::vector<Index> particle_of_vertex_;
  std::vector<ParticleId> ids_;        // of particles, when vertices were found
  std::vector<std::uint8_t> tied_to_;  // by particle: 1 where active pins held it then
  KernelTable<Index> anchors_;         // by particle; empty: there are no ties
  bool bodies_valid_ = false;          // rows are those of the particles
  std::vector<Index> used_;            // materials of this method
  std::vector<LotNumbers> lots_;
  std::vector<Real> gaps_;  // m, by material
  KernelTable<Real> gap_table_;
  int substeps_ = 1, iterations_ = 1;
  Dither dither_;  // of this sweep
  bool by_share_ = false;
  Real spacing_ = 0;  // m, the largest

  Column<Int3> triangle_;  // of sheets, by particle
  Column<Index> triangle_start_, triangle_entry_;
  Column<Vec3> triangle_push_;
  std::vector<AirLaw> air_;  // by material
  KernelTable<AirLaw> air_table_;
  bool has_air_ = false;

  ElementContacts contacts_;  // of sheets and ropes
  ContactSettings contact_;
  bool has_contacts_ = false;
  Column<Vec3> rest_;  // m, of particles
  Index held_ = 0;     // by the guard, since the last diagnosis

  Column<Quad>& p_ = own_.scratch(&StepView::p, 1);
  Column<Index>& is_near_ = own_.scratch(&StepView::is_near);
  Column<Vec3> pull_;
  Column<Index> places_, near_;  // particles near colliders
  Column<Touch> touches_;
  bool near_valid_ = false;
  Real near_skin_ = 0;  // m, that the last search allows for
};

std::unique_ptr<Method> make_solver();

}  // namespace PHYXEL_BACKEND

}  // namespace phyxel::pbd
