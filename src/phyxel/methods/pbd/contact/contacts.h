#pragma once

#include "phyxel/methods/pbd/contact/candidates.h"
#include "phyxel/methods/pbd/contact/contact.h"
#include "phyxel/methods/pbd/contact/guard.h"

namespace phyxel::pbd {

/// How the elements of a scene touch each other.
struct ContactSettings {
  Real thickness = 0;      // m, distance that elements keep
  Real friction = 0;       // Coulomb's coefficient
  Real floor = Real(0.1);  // of the thickness: what the guard keeps of it at least
};

inline namespace PHYXEL_BACKEND {

/// Contact of elements with each other through substeps: start() with predicted positions,
/// project() in every sweep, finish() before velocities are taken.
///
/// A particle stays within a ball around where it was when pairs were searched; finish() sees to
/// that. No pair outside of the candidates can meet while it does.
class ElementContacts {
 public:
  void set_elements(const ContactElements& elements) { search_.set_elements(elements); }
  /// Forgets candidates: they follow from the particles alone afterwards.
  void forget() { valid_ = false; }

  /// Finds contacts of the paths from x to the predicted p.
  void start(const Exec& exec, const ContactSettings& settings, const ContactParticles& particles);
  /// One sweep over all contacts. All see the same positions; a particle in n contacts lends each
  /// of them a part n of its mass (mass splitting, Tonge et al. 2012), which keeps momentum and
  /// never overshoots.
  void project(const Exec& exec, const ContactParticles& particles);
  /// Takes back motion until no candidate passes through another; returns how many particles were
  /// held.
  Index finish(const Exec& exec, const ContactParticles& particles);

  Index contacts() const { return static_cast<Index>(contacts_.size()); }
  Index candidates() const { return static_cast<Index>(candidates_.size()); }
  Index searches() const { return searches_; }
  /// Off: positions are tested at the end of a substep only, and nothing holds them; for
  /// comparison.
  bool continuous = true;

  // Parts of the above: nvcc makes no kernels of private functions.
  void find_candidates(const Exec& exec, const ContactParticles& particles);
  bool measure_motion(const Exec& exec, const ContactParticles& particles);
  void find_contacts(const Exec& exec, const ContactParticles& particles);
  void sort_by_particle(const Exec& exec, const ContactParticles& particles);
  void keep_in_balls(const Exec& exec, const ContactParticles& particles);

 private:
  ContactSettings settings_;
  CandidateSearch search_;
  bool valid_ = false;
  Index searches_ = 0;
  Column<ContactBall> balls_;
  Column<Real> moved_;  // m, from the centre of the ball, at the beginning or end of the substep
  Column<Candidate> candidates_;
  Column<Index> places_;
  Column<Contact> contacts_;
  Column<Real> weight_;         // of contacts, with the masses that they are lent
  Column<Vec3> push_;           // of contacts, in this sweep, kg m
  Column<Real> share_;          // by entry: in how many contacts its particle is
  Column<std::uint64_t> keys_;  // particles of entries, sorted; n: no corner
  Column<Index> entries_;       // contact * 4 + corner
  SortScratch scratch_;
  ContactGuard guard_;
};

}  // namespace PHYXEL_BACKEND

}  // namespace phyxel::pbd
