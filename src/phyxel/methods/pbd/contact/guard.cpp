#include "phyxel/methods/pbd/contact/guard.h"

#include <algorithm>
#include <utility>

namespace phyxel::pbd {

inline namespace PHYXEL_BACKEND {

namespace {

constexpr int halvings = 3;  // of motion within a zone, before there is none

/// The motion that a zone has in common.
struct CommonWay {
  Vec3d sum = Vec3d::zero();  // kg m; m of a pinned zone
  double mass = 0;            // kg
  bool pinned = false;

  void add(const Vec3d& way, double inverse_mass) {
    if (pinned) return;
    if (inverse_mass > 0) {
      sum += way / inverse_mass;
      mass += 1 / inverse_mass;
    } else {
      sum = way;
      mass = 1;
      pinned = true;
    }
  }
};

Vec3d way_of(const Quad& way) {
  return {double(way.c[0]), double(way.c[1]), double(way.c[2])};
}

}  // namespace

void ContactGuard::begin(Index particles) {
  parent_.assign(particles, -1);
  level_.assign(particles, 0);
  chosen_.assign(particles, 0);
  touched_.clear();
}

Index ContactGuard::root_of(Index particle) {
  Index root = particle;
  while (parent_[root] != root) root = parent_[root];
  while (parent_[particle] != root) particle = std::exchange(parent_[particle], root);
  return root;
}

void ContactGuard::join(Index a, Index b) {
  for (const Index i : {a, b})
    if (parent_[i] < 0) {
      parent_[i] = i;
      touched_.push_back(i);
    }
  a = root_of(a);
  b = root_of(b);
  if (a == b) return;
  const Index root = std::min(a, b), other = std::max(a, b);
  parent_[other] = root;
  level_[root] = std::max(level_[root], level_[other]);
}

/// Zones of the pairs that met, and their particles.
void ContactGuard::choose() {
  for (const Candidate& c : met_)
    for (int k = 1; k < 4; ++k) join(c.corner[0], c.corner[k]);
  for (const Candidate& c : met_) chosen_[root_of(c.corner[0])] = 1;
  now_.clear();
  for (const Index i : touched_)
    if (chosen_[root_of(i)]) now_.push_back(i);
}

void ContactGuard::read_ways(const Exec& exec, const ContactParticles& particles) {
  assign(now_column_, now_);
  ways_column_.resize(now_.size());
  const Index* const now = now_column_.data();
  Quad* const way = ways_column_.data();
  for_each(
      exec, "pbd.contact.guard", static_cast<Index>(now_.size()), PHYXEL_LAMBDA(Index k) {
        const Index i = now[k];
        const Vec3 w = particles.end(i) - particles.x[i];
        way[k] = {{w[0], w[1], w[2], particles.inverse_mass(i)}};
      });
  copy_to_host(ways_column_, ways_);
}

void ContactGuard::write_ways(const Exec& exec, const ContactParticles& particles) {
  assign(ways_column_, ways_);
  const Index* const now = now_column_.data();
  const Quad* const way = ways_column_.data();
  for_each(
      exec, "pbd.contact.guard", static_cast<Index>(now_.size()), PHYXEL_LAMBDA(Index k) {
        const Vec3 w = {way[k].c[0], way[k].c[1], way[k].c[2]};
        particles.set_end(now[k], particles.x[now[k]] + w);
      });
}

void ContactGuard::slow_zones() {
  std::vector<CommonWay> common(parent_.size());
  for (std::size_t k = 0; k < now_.size(); ++k)
    common[root_of(now_[k])].add(way_of(ways_[k]), double(ways_[k].c[3]));
  for (std::size_t k = 0; k < now_.size(); ++k) {
    const Index root = root_of(now_[k]);
    if (!(ways_[k].c[3] > 0)) continue;  // pinned
    const Vec3d mean = common[root].sum / common[root].mass;
    const double part = level_[root] < halvings ? 0.5 : 0.0;
    const Vec3d way = mean + (way_of(ways_[k]) - mean) * part;
    for (int axis = 0; axis < 3; ++axis) ways_[k].c[axis] = static_cast<Real>(way[axis]);
  }
  for (const Index i : now_)
    if (std::exchange(chosen_[root_of(i)], 0) && level_[root_of(i)] < halvings)
      ++level_[root_of(i)];
}

void ContactGuard::slow(const Exec& exec, const Column<Candidate>& met,
                        const ContactParticles& particles) {
  copy_to_host(met, met_);
  choose();
  read_ways(exec, particles);
  slow_zones();
  write_ways(exec, particles);
}

void ContactGuard::stop(const Exec& exec, const ContactParticles& particles) {
  for_each(
      exec, "pbd.contact.guard", particles.n,
      PHYXEL_LAMBDA(Index i) { particles.set_end(i, particles.x[i]); });
}

}  // namespace PHYXEL_BACKEND

}  // namespace phyxel::pbd
