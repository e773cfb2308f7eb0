#pragma once

#include "phyxel/core/quad.h"
#include "phyxel/methods/pbd/contact/advance.h"
#include "phyxel/methods/pbd/contact/candidates.h"

namespace phyxel::pbd {

/// The particles of a substep, where kernels see them.
struct ContactParticles {
  Index n = 0;
  const Vec3* x = nullptr;     // m, at the beginning
  Quad* p = nullptr;           // m, at the end; and inverse mass, 1/kg, 0: moved by pins alone
  const Vec3* rest = nullptr;  // m, in its body: elements nearer there keep that distance; or null
  const Index* body = nullptr;
  Vec3* pull = nullptr;  // kg m, takes up what pushes particles without inverse mass; or null

  PHYXEL_FN Vec3 end(Index i) const { return {p[i].c[0], p[i].c[1], p[i].c[2]}; }
  PHYXEL_FN void set_end(Index i, const Vec3& at) const {
    for (int k = 0; k < 3; ++k) p[i].c[k] = at[k];
  }
  PHYXEL_FN Real inverse_mass(Index i) const { return p[i].c[3]; }
};

/// By how much the corners of a candidate may have brought its elements nearer; `moved` by
/// particle.
PHYXEL_FN Real moved_by(const Real* moved, const Candidate& c) {
  const Real a = moved[c.corner[0]], b = moved[c.corner[1]];
  const Real d = moved[c.corner[2]], e = moved[c.corner[3]];
  return c.kind == PairKind::vertex_triangle ? a + max(b, max(d, e)) : max(a, b) + max(d, e);
}

inline namespace PHYXEL_BACKEND {

/// Keeps what does not intersect from intersecting: the last word on positions. Where the paths of
/// two elements lead through each other their particles go half of the way, a quarter, an eighth,
/// and in the end stay, where they are safe; paths of others that meet these are tested again.
class ContactGuard {
 public:
  /// `floor`: m, the distance that elements keep on their paths, or half of what they begin with.
  /// Returns how many particles were held back.
  Index hold(const Exec& exec, const Column<Candidate>& candidates, const Column<Real>& moved,
             Real floor, const ContactParticles& particles);

  // Parts of hold(): nvcc makes no kernels of private functions.
  void find_suspects(const Exec& exec, const Column<Candidate>& candidates,
                     const Column<Real>& moved, Real floor);
  Index test_suspects(const Exec& exec, Real floor, const ContactParticles& particles);

 private:
  void hold_more(bool all, bool for_good);

  Column<Index> places_, met_;
  Column<Candidate> suspects_;
  HostColumn<Index> met_on_host_;
  HostColumn<Candidate> suspects_on_host_;
  std::vector<std::uint8_t> held_;  // by particle: how often
  std::vector<Index> touched_;      // particles that are held
  std::vector<Index> now_;          // those that are held more in this round
  std::vector<Real> part_now_;      // of the motion that they had, what they keep
  Column<Index> now_column_;
  Column<Real> part_column_;
};

}  // namespace PHYXEL_BACKEND

}  // namespace phyxel::pbd
