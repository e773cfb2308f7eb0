#include "phyxel/methods/pbd/contact/guard.h"

namespace phyxel::pbd {

inline namespace PHYXEL_BACKEND {

namespace {

constexpr int halvings = 3;      // of a path, before its particle stays where it is
constexpr int most_rounds = 64;  // before all suspects stay

PHYXEL_FN bool paths_meet(const Candidate& c, const ContactParticles& particles, Real floor) {
  Vec3 x[4], move[4];
  for (int k = 0; k < 4; ++k) {
    x[k] = particles.x[c.corner[k]];
    move[k] = particles.end(c.corner[k]) - x[k];
  }
  const Real distance = sqrt(nearest(c.kind, x).squared);
  if (!(distance > 0)) return false;  // they intersect: there is nothing to keep
  return free_part(c.kind, x, move, min(floor, distance / 2)) < 1;
}

}  // namespace

/// Candidates that may come near on paths as long as these, or shorter.
void ContactGuard::find_suspects(const Exec& exec, const Column<Candidate>& candidates,
                                 const Column<Real>& moved, Real floor) {
  const Index n = static_cast<Index>(candidates.size());
  places_.resize(n);
  Index* const places = places_.data();
  const Candidate* const candidate = candidates.data();
  const Real* const motion = moved.data();
  for_each(
      exec, "pbd.contact.guard", n, PHYXEL_LAMBDA(Index k) {
        places[k] = candidate[k].distance - moved_by(motion, candidate[k]) < floor ? 1 : 0;
      });
  const Index total = scan(exec, "pbd.contact.guard", places_);
  suspects_.resize(total);
  Candidate* const suspects = suspects_.data();
  for_each(
      exec, "pbd.contact.guard", n, PHYXEL_LAMBDA(Index k) {
        const Index next = k + 1 < n ? places[k + 1] : total;
        if (next > places[k]) suspects[places[k]] = candidate[k];
      });
}

/// Leaves in met_ which of the suspects have paths that meet; returns how many.
Index ContactGuard::test_suspects(const Exec& exec, Real floor, const ContactParticles& particles) {
  const Index n = static_cast<Index>(suspects_.size());
  met_.resize(n);
  Index* const met = met_.data();
  const Candidate* const suspects = suspects_.data();
  return static_cast<Index>(reduce_sum(
      exec, "pbd.contact.guard", n, PHYXEL_LAMBDA(Index k) {
        met[k] = paths_meet(suspects[k], particles, floor) ? 1 : 0;
        return double(met[k]);
      }));
}

/// Chooses the particles of suspects that meet, or of all, and how much of their motion they keep.
void ContactGuard::hold_more(bool all, bool for_good) {
  constexpr std::uint8_t chosen = 0x80;
  now_.clear();
  part_now_.clear();
  for (std::size_t k = 0; k < suspects_on_host_.size(); ++k) {
    if (met_on_host_[k] == 0 && !all) continue;
    for (const Index i : suspects_on_host_[k].corner) {
      if (held_[i] == 0) touched_.push_back(i);
      if (held_[i] > halvings) continue;  // it stays already, or is chosen
      held_[i] |= chosen;
      now_.push_back(i);
    }
  }
  for (const Index i : now_) {
    held_[i] = for_good ? halvings + 1 : (held_[i] & ~chosen) + 1;
    part_now_.push_back(held_[i] > halvings ? Real(0) : Real(0.5));
  }
}

Index ContactGuard::hold(const Exec& exec, const Column<Candidate>& candidates,
                         const Column<Real>& moved, Real floor, const ContactParticles& particles) {
  find_suspects(exec, candidates, moved, floor);
  held_.assign(particles.n, 0);
  touched_.clear();
  for (int round = 0; test_suspects(exec, floor, particles) > 0; ++round) {
    if (round == 0) copy_to_host(suspects_, suspects_on_host_);
    copy_to_host(met_, met_on_host_);
    const bool last = round == most_rounds;
    hold_more(last, last);
    assign(now_column_, now_);
    assign(part_column_, part_now_);
    const Index* const now = now_column_.data();
    const Real* const part = part_column_.data();
    for_each(
        exec, "pbd.contact.guard", static_cast<Index>(now_.size()), PHYXEL_LAMBDA(Index k) {
          const Vec3 x = particles.x[now[k]];
          const Vec3 way = particles.end(now[k]) - x;
          particles.set_end(now[k], part[k] > 0 ? x + way * part[k] : x);
        });
    if (last) break;
  }
  return static_cast<Index>(touched_.size());
}

}  // namespace PHYXEL_BACKEND

}  // namespace phyxel::pbd
