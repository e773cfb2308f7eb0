#include "phyxel/methods/pbd/contact/contacts.h"

#include <bit>

#include "phyxel/methods/pbd/contact/guard.h"

namespace phyxel::pbd {

inline namespace PHYXEL_BACKEND {

namespace {

/// Balls allow for this many substeps like the one to come, and for what constraints do.
constexpr Real steps_of_ball = 2;
constexpr Real thicknesses_of_ball = 1;

/// What kernels read of candidates.
struct CandidateView {
  const Candidate* candidate;
  const Real* moved;
  ContactParticles particles;
  ContactSettings settings;
  bool continuous;

  PHYXEL_FN void gather(const Candidate& c, Vec3 (&x)[4], Vec3 (&p)[4]) const {
    for (int k = 0; k < 4; ++k) {
      x[k] = particles.x[c.corner[k]];
      p[k] = particles.end(c.corner[k]);
    }
  }
  /// The distance that two elements keep: elements of one body not more than at rest.
  PHYXEL_FN Real gap_of(const Candidate& c) const {
    const Real thickness = settings.thickness;
    if (!particles.rest || particles.body[c.corner[0]] != particles.body[c.corner[3]])
      return thickness;
    Vec3 rest[4];
    for (int k = 0; k < 4; ++k) rest[k] = particles.rest[c.corner[k]];
    const Real squared = nearest(c.kind, rest).squared;
    return squared < thickness * thickness ? Real(0.9) * sqrt(squared) : thickness;
  }
};

/// Whether two elements touch in this substep, and how.
PHYXEL_FN bool touches(const CandidateView& view, const Candidate& candidate, Contact& c) {
  if (candidate.distance - moved_by(view.moved, candidate) >= view.settings.thickness) return false;
  Vec3 x[4], p[4];
  view.gather(candidate, x, p);
  // Without continuous tests all that is known is the end of the substep.
  if (!(view.continuous ? meet(candidate.kind, x, p, view.settings.thickness, c)
                        : meet(candidate.kind, p, p, view.settings.thickness, c)))
    return false;
  c.gap = view.gap_of(candidate);
  c.friction = view.settings.friction;
  Vec3 between = Vec3::zero();
  for (int k = 0; k < 4; ++k) {
    c.corner[k] = candidate.corner[k];
    between += (p[k] - p[0]) * c.part[k];
  }
  return dot(c.normal, between) < c.gap * Real(1.25);
}

/// The corners of a contact, times their parts: at the end of the substep, and their motion.
PHYXEL_FN void sum_parts(const Contact& c, const ContactParticles& particles, Vec3& end,
                         Vec3& motion) {
  end = motion = Vec3::zero();
  for (int k = 0; k < 4; ++k)
    if (c.part[k] != 0) {
      const Vec3 p = particles.end(c.corner[k]);
      end += p * c.part[k];
      motion += (p - particles.x[c.corner[k]]) * c.part[k];
    }
}

}  // namespace

void ElementContacts::find_candidates(const Exec& exec, const ContactParticles& particles) {
  balls_.resize(particles.n);
  ContactBall* const ball = balls_.data();
  const Real half = settings_.thickness / 2, more = settings_.thickness * thicknesses_of_ball;
  for_each(
      exec, "pbd.contact.balls", particles.n, PHYXEL_LAMBDA(Index i) {
        const Vec3 x = particles.x[i];
        ball[i] = {x, half + more + steps_of_ball * length(particles.end(i) - x)};
      });
  search_.find(exec, balls_, half, candidates_);
  valid_ = true;
  ++searches_;
}

/// How far particles are from the centres of their balls; returns whether one may leave its ball.
bool ElementContacts::measure_motion(const Exec& exec, const ContactParticles& particles) {
  moved_.resize(particles.n);
  Real* const moved = moved_.data();
  const ContactBall* const ball = balls_.data();
  const Real half = settings_.thickness / 2;
  const Real most = reduce_max(
      exec, "pbd.contact.motion", particles.n, Real(0), PHYXEL_LAMBDA(Index i) {
        const Vec3 c = ball[i].centre;
        moved[i] =
            sqrt(max(length_squared(particles.x[i] - c), length_squared(particles.end(i) - c)));
        return moved[i] / (ball[i].radius - half);
      });
  return most > Real(0.9);
}

void ElementContacts::start(const Exec& exec, const ContactSettings& settings,
                            const ContactParticles& particles) {
  valid_ = valid_ && settings.thickness == settings_.thickness &&
           static_cast<Index>(balls_.size()) == particles.n;
  settings_ = settings;
  contacts_.resize(0);
  entries_.resize(0);
  if (!search_.has_elements()) return;
  if (!valid_ || measure_motion(exec, particles)) {
    find_candidates(exec, particles);
    measure_motion(exec, particles);
  }
  find_contacts(exec, particles);
  sort_by_particle(exec, particles);
}

void ElementContacts::find_contacts(const Exec& exec, const ContactParticles& particles) {
  const Index n = candidates();
  const CandidateView view{candidates_.data(), moved_.data(), particles, settings_, continuous};
  places_.resize(n);
  Index* const places = places_.data();
  for_each(
      exec, "pbd.contact.find", n, PHYXEL_LAMBDA(Index k) {
        Contact contact;
        places[k] = touches(view, view.candidate[k], contact) ? 1 : 0;
      });
  const Index total = scan(exec, "pbd.contact.find", places_);
  contacts_.resize(total);
  Contact* const contacts = contacts_.data();
  for_each(
      exec, "pbd.contact.find", n, PHYXEL_LAMBDA(Index k) {
        const Index next = k + 1 < n ? places[k + 1] : total;
        if (next > places[k]) touches(view, view.candidate[k], contacts[places[k]]);
      });
}

/// Entries are corners of contacts in the order of their particles, for sums without races.
void ElementContacts::sort_by_particle(const Exec& exec, const ContactParticles& particles) {
  const Index count = contacts(), n = particles.n;
  keys_.resize(4 * std::size_t(count));
  entries_.resize(4 * std::size_t(count));
  share_.resize(4 * std::size_t(count));
  weight_.resize(count);
  push_.resize(count);
  const Contact* const contact = contacts_.data();
  std::uint64_t* keys = keys_.data();
  Index* entries = entries_.data();
  for_each(
      exec, "pbd.contact.sort", 4 * count, PHYXEL_LAMBDA(Index e) {
        const Contact& c = contact[e / 4];
        keys[e] = c.part[e % 4] != 0 ? std::uint64_t(c.corner[e % 4]) : std::uint64_t(n);
        entries[e] = e;
      });
  sort_pairs(exec, "pbd.contact.sort", keys_, entries_, std::bit_width(std::uint64_t(n)), scratch_);
  keys = keys_.data();
  entries = entries_.data();
  Real* const share = share_.data();
  for_each(
      exec, "pbd.contact.shares", 4 * count, PHYXEL_LAMBDA(Index e) {
        if (e > 0 && keys[e - 1] == keys[e]) return;
        Index end = e;
        if (keys[e] < std::uint64_t(n))
          while (end < 4 * count && keys[end] == keys[e]) ++end;
        for (Index k = e; k < end; ++k) share[entries[k]] = static_cast<Real>(end - e);
      });
  Real* const weight = weight_.data();
  for_each(
      exec, "pbd.contact.shares", count, PHYXEL_LAMBDA(Index k) {
        const Contact& c = contact[k];
        Real sum = 0;
        for (int i = 0; i < 4; ++i)
          if (c.part[i] != 0)
            sum += share[4 * k + i] * particles.inverse_mass(c.corner[i]) * c.part[i] * c.part[i];
        weight[k] = sum;
      });
}

void ElementContacts::project(const Exec& exec, const ContactParticles& particles) {
  const Index count = contacts();
  if (count == 0) return;
  Contact* const contact = contacts_.data();
  const Real* const weight = weight_.data();
  Vec3* const push = push_.data();
  for_each(
      exec, "pbd.contact.project", count, PHYXEL_LAMBDA(Index k) {
        Contact& c = contact[k];
        Vec3 between, slide;
        sum_parts(c, particles, between, slide);
        const ContactPush change =
            contact_push(c, dot(c.normal, between) - c.gap, slide - c.carried, weight[k]);
        c.press += change.press;
        c.rub += change.rub;
        push[k] = c.normal * change.press + change.rub;
      });
  const std::uint64_t* const keys = keys_.data();
  const Index* const entries = entries_.data();
  const std::uint64_t n = static_cast<std::uint64_t>(particles.n);
  for_each(
      exec, "pbd.contact.gather", 4 * count, PHYXEL_LAMBDA(Index e) {
        if (keys[e] >= n || (e > 0 && keys[e - 1] == keys[e])) return;
        Vec3 sum = Vec3::zero();
        for (Index k = e; k < 4 * count && keys[k] == keys[e]; ++k)
          sum += push[entries[k] / 4] * contact[entries[k] / 4].part[entries[k] % 4];
        const Index i = static_cast<Index>(keys[e]);
        particles.set_end(i, particles.end(i) + sum * particles.inverse_mass(i));
        if (particles.pull && !(particles.inverse_mass(i) > 0)) particles.pull[i] += sum;
      });
}

void ElementContacts::keep_in_balls(const Exec& exec, const ContactParticles& particles) {
  const ContactBall* const ball = balls_.data();
  const Real half = settings_.thickness / 2;
  for_each(
      exec, "pbd.contact.balls", particles.n, PHYXEL_LAMBDA(Index i) {
        const Vec3 way = particles.end(i) - ball[i].centre;
        const Real most = ball[i].radius - half, far = length(way);
        if (far > most) particles.set_end(i, ball[i].centre + way * (Real(0.999) * most / far));
      });
}

Index ElementContacts::finish(const Exec& exec, const ContactParticles& particles) {
  if (!search_.has_elements() || !continuous) return 0;
  keep_in_balls(exec, particles);
  measure_motion(exec, particles);
  return guard_.hold(exec, candidates_, moved_, settings_.floor * settings_.thickness, particles);
}

}  // namespace PHYXEL_BACKEND

}  // namespace phyxel::pbd
