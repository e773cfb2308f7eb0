#include "phyxel/methods/pbd/contact/contacts.h"

#include <bit>

namespace phyxel::pbd {

inline namespace PHYXEL_BACKEND {

namespace {

/// Candidates are for so many substeps like the one to come; balls allow for particles that are
/// off by this many of those, seen from the drift, and by this part of the thickness.
constexpr int least_steps_of_search = 8, most_steps_of_search = 256;
constexpr Real steps_of_ball = 3;
constexpr Real thicknesses_of_ball = Real(0.25);
/// Rounds of impulses for what still meets after the sweeps, and sweeps in each of them.
constexpr int rounds_of_impulses = 6, sweeps_of_round = 4;
/// Rounds of the guard before all particles stay where they are for a substep.
constexpr int rounds_of_guard = 32;

/// Sums of what particles are away from the centres of their balls, at both ends of a substep.
struct Drift {
  Vec3d start = Vec3d::zero(), end = Vec3d::zero();
};
struct AddedVectors {
  PHYXEL_FN Vec3d operator()(const Vec3d& a, const Vec3d& b) const { return a + b; }
};
struct AddedDrifts {
  PHYXEL_FN Drift operator()(const Drift& a, const Drift& b) const {
    return {a.start + b.start, a.end + b.end};
  }
};

/// The distance that two elements keep: elements of one body not more than at rest.
PHYXEL_FN Real gap_of(const Candidate& c, const ContactParticles& particles, Real thickness) {
  if (!particles.rest || particles.body[c.corner[0]] != particles.body[c.corner[3]])
    return thickness;
  Vec3 rest[4];
  for (int k = 0; k < 4; ++k) rest[k] = particles.rest[c.corner[k]];
  const Real squared = nearest(c.kind, rest).squared;
  return squared < thickness * thickness ? Real(0.9) * sqrt(squared) : thickness;
}

/// A distance that the elements of a candidate do not fall below in this substep.
PHYXEL_FN Real least_distance(const CandidateView& view, const Candidate& c) {
  return c.distance - view.part_of_search * c.closing - moved_by(view.moved, c);
}

/// Whether the nearest points of a candidate are those of other pairs too, one of which has the
/// same contact: fewer contacts of a particle each move more of its mass.
PHYXEL_FN bool is_repeated(const Candidate& candidate, const Real (&part)[4]) {
  if (candidate.kind == PairKind::edge_edge) {
    const bool first_end = part[0] == 0 || part[1] == 0, second_end = part[2] == 0 || part[3] == 0;
    return (first_end && candidate.second_has_face()) || (second_end && candidate.first_has_face());
  }
  for (int k = 0; k < 3; ++k) {
    const int next = k == 2 ? 0 : k + 1, last = k == 0 ? 2 : k - 1;
    if (part[1 + k] == 0 || part[1 + last] != 0) continue;
    if (part[1 + next] != 0) return !candidate.owns_edge(k);
    // Of two vertices each is found with a triangle of the other.
    return !candidate.owns_vertex(k) ||
           (candidate.vertex_has_face() && candidate.corner[0] > candidate.corner[1 + k]);
  }
  return false;
}

/// Whether two elements touch in this substep, and how.
PHYXEL_FN bool touches(const CandidateView& view, Index k, Contact& c) {
  const Candidate& candidate = view.candidate[k];
  if (least_distance(view, candidate) >= view.settings.thickness) return false;
  Vec3 x[4], p[4];
  view.gather(candidate, x, p);
  // Without continuous tests all that is known is the end of the substep.
  if (!(view.continuous ? meet(candidate.kind, x, p, view.settings.thickness, c)
                        : meet(candidate.kind, p, p, view.settings.thickness, c)))
    return false;
  if (is_repeated(candidate, c.part)) return false;
  c.gap = view.gap[k];
  c.friction = view.settings.friction;
  Vec3 between = Vec3::zero();
  for (int i = 0; i < 4; ++i) {
    c.corner[i] = candidate.corner[i];
    between += (p[i] - p[0]) * c.part[i];
  }
  return dot(c.normal, between) < c.gap * Real(1.25);
}

/// What two elements keep of their distance on their paths: the floor, or half of what they begin
/// with.
PHYXEL_FN Real kept_of(Real distance, Real floor) {
  return min(floor, distance / 2);
}

/// Whether the paths of a candidate lead through each other, or nearly.
PHYXEL_FN bool paths_meet(const CandidateView& view, Index k, Real floor) {
  const Candidate& c = view.candidate[k];
  if (least_distance(view, c) >= floor) return false;
  Vec3 x[4], p[4];
  view.gather(c, x, p);
  for (int i = 0; i < 4; ++i) p[i] -= x[i];
  const Real distance = sqrt(nearest(c.kind, x).squared);
  if (!(distance > 0)) return false;  // they intersect: there is nothing to keep
  return free_part(c.kind, x, p, kept_of(distance, floor)) < 1;
}

/// The contact of elements whose paths meet, at the moment when they do. They end a little further
/// apart than they must.
PHYXEL_FN bool meet_late(const CandidateView& view, Index k, Real floor, Contact& c) {
  const Candidate& candidate = view.candidate[k];
  Vec3 x[4], p[4];
  view.gather(candidate, x, p);
  const Real distance = sqrt(nearest(candidate.kind, x).squared);
  if (!meet(candidate.kind, x, p, kept_of(distance, floor), c)) return false;
  c.gap = min(2 * floor, Real(0.9) * distance);
  c.friction = view.settings.friction;
  for (int i = 0; i < 4; ++i) c.corner[i] = candidate.corner[i];
  return true;
}

/// Changes the multipliers of a contact by a sweep; returns what that pushes its corners.
PHYXEL_FN Vec3 push_of(Contact& c, const ContactParticles& particles, const Real* share) {
  Vec3 end = Vec3::zero(), motion = Vec3::zero();
  Real weight = 0;
  for (int k = 0; k < 4; ++k)
    if (c.part[k] != 0) {
      const Index i = c.corner[k];
      const Vec3 p = particles.end(i);
      end += p * c.part[k];
      motion += (p - particles.x[i]) * c.part[k];
      weight += share[i] * particles.inverse_mass(i) * c.part[k] * c.part[k];
    }
  const ContactPush change =
      contact_push(c, dot(c.normal, end) - c.gap, motion - c.carried, weight);
  c.press += change.press;
  c.rub += change.rub;
  return c.normal * change.press + change.rub;
}

}  // namespace

void ElementContacts::set_elements(const ContactElements& elements) {
  search_.set_elements(elements);
  valid_ = false;
}

CandidateView ElementContacts::view(const ContactParticles& particles) {
  return {candidates_.data(), gaps_.data(), moved_.data(), active_.data(),
          contacts_.data(),   particles,    settings_,     Real(age_ + 1) / Real(steps_),
          continuous};
}

void ElementContacts::find_candidates(const Exec& exec, const ContactParticles& particles) {
  const Index n = particles.n;
  balls_.resize(n);
  ContactBall* const ball = balls_.data();
  const Vec3d sum = reduce(
      exec, "pbd.contact.balls", n, Vec3d::zero(),
      PHYXEL_LAMBDA(Index i) { return cast<double>(particles.end(i) - particles.x[i]); },
      AddedVectors{});
  const Vec3 mean = cast<Real>(sum / double(max(n, Index(1))));
  const Real least = settings_.thickness * (Real(0.5) + thicknesses_of_ball);
  const Real most = reduce_max(
      exec, "pbd.contact.balls", n, Real(0),
      PHYXEL_LAMBDA(Index i) { return length(particles.end(i) - particles.x[i] - mean); });
  // As many as move none by more than half of the thickness.
  steps_ = static_cast<int>(clamp(settings_.thickness / (2 * most), Real(least_steps_of_search),
                                  Real(most_steps_of_search)));
  const Real steps = Real(steps_);
  for_each(
      exec, "pbd.contact.balls", n, PHYXEL_LAMBDA(Index i) {
        const Vec3 x = particles.x[i];
        const Vec3 way = particles.end(i) - x - mean;
        ball[i] = {x, least + steps_of_ball * length(way), way * steps};
      });
  search_.find(exec, balls_, settings_.thickness / 2, particles.torn ? particles.rest : nullptr,
               candidates_);
  find_gaps(exec, particles);
  list_by_particle(exec, particles);
  valid_ = true;
  age_ = 0;
  ++searches_;
}

void ElementContacts::find_gaps(const Exec& exec, const ContactParticles& particles) {
  const Index n = candidates();
  gaps_.resize(n);
  active_.resize(n);
  contacts_.resize(n);
  push_.resize(n);
  meeting_.resize(n);
  Real* const gap = gaps_.data();
  Index* const active = active_.data();
  const Candidate* const candidate = candidates_.data();
  const Real thickness = settings_.thickness;
  for_each(
      exec, "pbd.contact.candidates", n, PHYXEL_LAMBDA(Index k) {
        gap[k] = gap_of(candidate[k], particles, thickness);
        active[k] = 0;
      });
}

/// Entries are corners of candidates in the order of their particles, for sums without races.
void ElementContacts::list_by_particle(const Exec& exec, const ContactParticles& particles) {
  const Index count = 4 * candidates();
  keys_.resize(count);
  entries_.resize(count);
  places_.resize(count);
  share_.resize(particles.n);
  const Candidate* const candidate = candidates_.data();
  std::uint64_t* const keys = keys_.data();
  Index *const entries = entries_.data(), *const places = places_.data();
  for_each(
      exec, "pbd.contact.sort", count, PHYXEL_LAMBDA(Index e) {
        keys[e] = std::uint64_t(candidate[e / 4].corner[e % 4]);
        entries[e] = e;
      });
  sort_pairs(exec, "pbd.contact.sort", keys_, entries_, std::bit_width(std::uint64_t(particles.n)),
             scratch_);
  const std::uint64_t* const sorted = keys_.data();
  for_each(
      exec, "pbd.contact.sort", count,
      PHYXEL_LAMBDA(Index e) { places[e] = e == 0 || sorted[e - 1] != sorted[e] ? 1 : 0; });
  const Index total = scan(exec, "pbd.contact.sort", places_);
  runs_.resize(std::size_t(total) + 1);
  Index* const runs = runs_.data();
  for_each(
      exec, "pbd.contact.sort", count + 1, PHYXEL_LAMBDA(Index e) {
        if (e == count)
          runs[total] = count;
        else if (e == 0 || sorted[e - 1] != sorted[e])
          runs[places[e]] = e;
      });
}

/// How far particles are from the centres of their balls, which travel, seen from the drift;
/// returns the largest part of a ball that one has used up.
Real ElementContacts::measure_motion(const Exec& exec, const ContactParticles& particles) {
  const Index n = particles.n;
  moved_.resize(n);
  Real* const moved = moved_.data();
  const ContactBall* const ball = balls_.data();
  const Real from = Real(age_) / Real(steps_), to = Real(age_ + 1) / Real(steps_);
  const Drift sum = reduce(
      exec, "pbd.contact.motion", n, Drift{},
      PHYXEL_LAMBDA(Index i) {
        const ContactBall& b = ball[i];
        return Drift{cast<double>(particles.x[i] - b.centre - b.travel * from),
                     cast<double>(particles.end(i) - b.centre - b.travel * to)};
      },
      AddedDrifts{});
  const double over = 1 / double(max(n, Index(1)));
  const Vec3 start = cast<Real>(sum.start * over), end = cast<Real>(sum.end * over);
  const Real half = settings_.thickness / 2;
  return reduce_max(
      exec, "pbd.contact.motion", n, Real(0), PHYXEL_LAMBDA(Index i) {
        const ContactBall& b = ball[i];
        moved[i] = sqrt(max(length_squared(particles.x[i] - b.centre - b.travel * from - start),
                            length_squared(particles.end(i) - b.centre - b.travel * to - end)));
        return moved[i] / (b.radius - half);
      });
}

/// Searches anew where a particle may use up more than the part `most` of its ball.
void ElementContacts::stay_in_balls(const Exec& exec, const ContactParticles& particles,
                                    Real most) {
  valid_ = valid_ && age_ < steps_;
  if (valid_ && measure_motion(exec, particles) <= most) return;
  find_candidates(exec, particles);
  measure_motion(exec, particles);
}

void ElementContacts::start(const Exec& exec, const ContactSettings& settings,
                            const ContactParticles& particles) {
  valid_ = valid_ && settings.thickness == settings_.thickness &&
           static_cast<Index>(balls_.size()) == particles.n;
  settings_ = settings;
  ++age_;
  if (!search_.has_elements()) return;
  stay_in_balls(exec, particles, Real(0.9));
  find_contacts(exec, particles);
  count_shares(exec);
}

void ElementContacts::find_contacts(const Exec& exec, const ContactParticles& particles) {
  const CandidateView v = view(particles);
  for_each(
      exec, "pbd.contact.find", candidates(),
      PHYXEL_LAMBDA(Index k) { v.active[k] = touches(v, k, v.contact[k]) ? 1 : 0; });
}

void ElementContacts::count_shares(const Exec& exec) {
  const Index* const runs = runs_.data();
  const Index *const entries = entries_.data(), *const active = active_.data();
  const std::uint64_t* const keys = keys_.data();
  const Contact* const contact = contacts_.data();
  Real* const share = share_.data();
  for_each(
      exec, "pbd.contact.shares", static_cast<Index>(runs_.size()) - 1, PHYXEL_LAMBDA(Index r) {
        Index count = 0;
        for (Index e = runs[r]; e < runs[r + 1]; ++e) {
          const Index k = entries[e] / 4;
          if (active[k] && contact[k].part[entries[e] % 4] != 0) ++count;
        }
        share[keys[runs[r]]] = static_cast<Real>(count);
      });
}

void ElementContacts::project(const Exec& exec, const ContactParticles& particles) {
  if (candidates() == 0) return;
  const Index* const active = active_.data();
  Contact* const contact = contacts_.data();
  Real* const share = share_.data();
  Vec3* const push = push_.data();
  for_each(
      exec, "pbd.contact.project", candidates(), PHYXEL_LAMBDA(Index k) {
        if (active[k]) push[k] = push_of(contact[k], particles, share);
      });
  const Index *const runs = runs_.data(), *const entries = entries_.data();
  const std::uint64_t* const keys = keys_.data();
  for_each(
      exec, "pbd.contact.gather", static_cast<Index>(runs_.size()) - 1, PHYXEL_LAMBDA(Index r) {
        const Index i = static_cast<Index>(keys[runs[r]]);
        if (!(share[i] > 0)) return;
        Vec3 sum = Vec3::zero();
        for (Index e = runs[r]; e < runs[r + 1]; ++e) {
          const Index k = entries[e] / 4;
          if (active[k]) sum += push[k] * contact[k].part[entries[e] % 4];
        }
        particles.set_end(i, particles.end(i) + sum * particles.inverse_mass(i));
        if (particles.pull && !(particles.inverse_mass(i) > 0)) particles.pull[i] += sum;
      });
}

/// Marks candidates whose paths meet; returns how many.
Index ElementContacts::find_meeting(const Exec& exec, const ContactParticles& particles) {
  stay_in_balls(exec, particles, 1);
  const CandidateView v = view(particles);
  Index* const meeting = meeting_.data();
  const Real least = floor();
  return static_cast<Index>(reduce_sum(
      exec, "pbd.contact.paths", candidates(), PHYXEL_LAMBDA(Index k) {
        meeting[k] = paths_meet(v, k, least) ? 1 : 0;
        return double(meeting[k]);
      }));
}

void ElementContacts::add_meeting(const Exec& exec, const ContactParticles& particles) {
  const CandidateView v = view(particles);
  const Index* const meeting = meeting_.data();
  const Real least = floor();
  for_each(
      exec, "pbd.contact.paths", candidates(), PHYXEL_LAMBDA(Index k) {
        if (meeting[k] && meet_late(v, k, least, v.contact[k])) v.active[k] = 1;
      });
}

void ElementContacts::resolve(const Exec& exec, const ContactParticles& particles) {
  settled_ = true;
  if (!search_.has_elements() || !continuous) return;
  for (int round = 0; round < rounds_of_impulses; ++round) {
    if (find_meeting(exec, particles) == 0) return;
    add_meeting(exec, particles);
    count_shares(exec);
    for (int sweep = 0; sweep < sweeps_of_round; ++sweep) project(exec, particles);
  }
  settled_ = false;
}

/// Makes met_ hold the candidates that are marked.
void ElementContacts::list_meeting(const Exec& exec) {
  const Index n = candidates();
  places_.resize(n);
  Index* const places = places_.data();
  const Index* const meeting = meeting_.data();
  for_each(
      exec, "pbd.contact.guard", n, PHYXEL_LAMBDA(Index k) { places[k] = meeting[k]; });
  met_.resize(scan(exec, "pbd.contact.guard", places_));
  Candidate* const met = met_.data();
  const Candidate* const candidate = candidates_.data();
  for_each(
      exec, "pbd.contact.guard", n, PHYXEL_LAMBDA(Index k) {
        if (meeting[k]) met[places[k]] = candidate[k];
      });
}

Index ElementContacts::hold(const Exec& exec, const ContactParticles& particles) {
  if (settled_) return 0;
  guard_.begin(particles.n);
  for (int round = 0; round < rounds_of_guard; ++round) {
    if (find_meeting(exec, particles) == 0) return guard_.held();
    list_meeting(exec);
    guard_.slow(exec, met_, particles);
  }
  guard_.stop(exec, particles);
  return particles.n;
}

Index ElementContacts::count_contacts(const Exec& exec) const {
  const Index* const active = active_.data();
  return static_cast<Index>(reduce_sum(
      exec, "pbd.contact.count", candidates(),
      PHYXEL_LAMBDA(Index k) { return double(active[k]); }));
}

}  // namespace PHYXEL_BACKEND

}  // namespace phyxel::pbd
