#pragma once

#include <vector>

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
  bool torn = false;     // tears have parted some: copies have the same place at rest

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

/// The last resort where impulses do not keep elements apart, as in piles of many layers. Particles
/// whose paths meet, directly or by others, are a zone: what each moves beside the mean of its zone
/// is halved, again and again, and in the end all of it moves together (rigid impact zones, Provot
/// 1997, without their spin), which keeps momentum. A zone with a pinned particle moves with that.
class ContactGuard {
 public:
  void begin(Index particles);
  /// Slows down the zones of pairs whose paths meet.
  void slow(const Exec& exec, const Column<Candidate>& met, const ContactParticles& particles);
  /// All particles stay where the substep began.
  void stop(const Exec& exec, const ContactParticles& particles);
  /// How many particles are in zones.
  Index held() const { return static_cast<Index>(touched_.size()); }

  // Parts of slow(): nvcc makes no kernels of private functions.
  void read_ways(const Exec& exec, const ContactParticles& particles);
  void write_ways(const Exec& exec, const ContactParticles& particles);

 private:
  Index root_of(Index particle);
  void join(Index a, Index b);
  void choose();
  void slow_zones();

  std::vector<Index> parent_;         // by particle, of a forest of zones; -1: in no zone
  std::vector<std::uint8_t> level_;   // of roots: how often their zone was slowed
  std::vector<std::uint8_t> chosen_;  // of roots: their zones are slowed in this round
  std::vector<Index> touched_;        // particles in zones
  std::vector<Index> now_;            // those of chosen zones
  HostColumn<Candidate> met_;
  HostColumn<Quad> ways_;  // of now_: m, and inverse mass
  Column<Index> now_column_;
  Column<Quad> ways_column_;
};

}  // namespace PHYXEL_BACKEND

}  // namespace phyxel::pbd
