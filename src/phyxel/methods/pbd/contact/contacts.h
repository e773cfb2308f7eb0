#pragma once

#include "phyxel/methods/pbd/contact/candidates.h"
#include "phyxel/methods/pbd/contact/contact.h"
#include "phyxel/methods/pbd/contact/guard.h"

namespace phyxel::pbd {

/// How the elements of a scene touch each other.
struct ContactSettings {
  Real thickness = 0;      // m, distance that elements keep
  Real friction = 0;       // Coulomb's coefficient
  Real floor = Real(0.1);  // of the thickness: what is kept of it at least
};

/// What kernels read and write of candidates; entry k of each column is of candidate k.
struct CandidateView {
  const Candidate* candidate;
  const Real* gap;    // m, that its elements keep
  const Real* moved;  // m, by particle
  Index* active;      // whether `contact` is one
  Contact* contact;
  ContactParticles particles;
  ContactSettings settings;
  Real part_of_search;  // of the time that candidates are for, at the end of the substep
  bool continuous;

  PHYXEL_FN void gather(const Candidate& c, Vec3 (&x)[4], Vec3 (&p)[4]) const {
    for (int k = 0; k < 4; ++k) {
      x[k] = particles.x[c.corner[k]];
      p[k] = particles.end(c.corner[k]);
    }
  }
};

inline namespace PHYXEL_BACKEND {

/// Contact of elements with each other through substeps: start() with predicted positions,
/// project() in every sweep, resolve() and hold() before velocities are taken.
///
/// A particle stays within a ball that goes on from where it was when pairs were searched, seen
/// from a point that drifts with the mean of all; new pairs are searched after some substeps, or
/// before one leaves its ball. No pair outside of the candidates can meet until then.
class ElementContacts {
 public:
  void set_elements(const ContactElements& elements);
  /// Forgets candidates: they follow from the particles alone afterwards.
  void forget() { valid_ = false; }

  /// Finds contacts of the paths from x to the predicted p.
  void start(const Exec& exec, const ContactSettings& settings, const ContactParticles& particles);
  /// One sweep over all contacts. All see the same positions; a particle in n contacts lends each
  /// of them a part n of its mass (mass splitting, Tonge et al. 2012), which keeps momentum and
  /// never overshoots.
  void project(const Exec& exec, const ContactParticles& particles);
  /// Where the paths to p still lead through each other, pairs get impulses along their normals
  /// (Bridson et al. 2002), which keep momentum too. Most often all is well afterwards.
  void resolve(const Exec& exec, const ContactParticles& particles);
  /// Whether no paths met in the end; else hold() has something to do.
  bool settled() const { return settled_; }
  /// The last word on positions: what still meets moves together. Returns how many particles were
  /// held.
  Index hold(const Exec& exec, const ContactParticles& particles);

  Index count_contacts(const Exec& exec) const;
  Index candidates() const { return static_cast<Index>(candidates_.size()); }
  Index searches() const { return searches_; }
  /// Off: positions are tested at the end of a substep only, and nothing holds them; for
  /// comparison.
  bool continuous = true;

  // Parts of the above: nvcc makes no kernels of private functions.
  void find_candidates(const Exec& exec, const ContactParticles& particles);
  void find_gaps(const Exec& exec, const ContactParticles& particles);
  void list_by_particle(const Exec& exec, const ContactParticles& particles);
  Real measure_motion(const Exec& exec, const ContactParticles& particles);
  void stay_in_balls(const Exec& exec, const ContactParticles& particles, Real most);
  void find_contacts(const Exec& exec, const ContactParticles& particles);
  void count_shares(const Exec& exec);
  Index find_meeting(const Exec& exec, const ContactParticles& particles);
  void add_meeting(const Exec& exec, const ContactParticles& particles);
  void list_meeting(const Exec& exec);

 private:
  CandidateView view(const ContactParticles& particles);
  Real floor() const { return settings_.floor * settings_.thickness; }

  ContactSettings settings_;
  CandidateSearch search_;
  bool valid_ = false, settled_ = true;
  Index searches_ = 0;
  int age_ = 0, steps_ = 1;  // substeps since the search, and that it is for
  Column<ContactBall> balls_;
  Column<Real> moved_;  // m, from the centre of the ball, at the beginning or end of the substep
  Column<Candidate> candidates_;
  Column<Real> gaps_;     // m, that candidates keep
  Column<Index> active_;  // of candidates: 1 where there is a contact
  Column<Contact> contacts_;
  Column<Vec3> push_;           // of contacts, in this sweep, kg m
  Column<Real> share_;          // by particle: in how many contacts it is
  Column<std::uint64_t> keys_;  // particles of entries, sorted
  Column<Index> entries_;       // candidate * 4 + corner
  Column<Index> runs_;          // where entries of a particle begin, and their number at the end
  Column<Index> meeting_, places_;
  Column<Candidate> met_;
  SortScratch scratch_;
  ContactGuard guard_;
};

}  // namespace PHYXEL_BACKEND

}  // namespace phyxel::pbd
