#include "phyxel/surfaces/surfels/resample.h"

#include <algorithm>
#include <cmath>

#include "phyxel/core/random.h"
#include "phyxel/surfaces/surfels/bind.h"
#include "phyxel/surfaces/surfels/blend.h"
#include "phyxel/surfaces/surfels/disc.h"
#include "phyxel/surfaces/surfels/disc_search.h"
#include "phyxel/surfaces/surfels/thin_out.h"
#include "phyxel/surfaces/surfels/visit_discs.h"

namespace phyxel {

namespace {

constexpr int rounds = 2;        // of spreading, deleting and splitting in a frame
constexpr Real count_reach = 2;  // spacings, in which neighbours are counted
constexpr Real least_area = Real(0.6), most_area = Real(1.6);  // of a disc, that rouse suspicion
constexpr Real room = Real(0.7);                               // spacings that a new surfel needs
constexpr Real farthest_child = 2;                             // spacings from its parent
constexpr Real longest_move = Real(0.25);     // spacings, of one round of repulsion
constexpr std::uint64_t frames_of_looks = 4;  // between two looks around an oblong one
constexpr Real oblong = Real(1.25);           // axes of a disc that is looked at
/// Neighbours lie on one side of a surfel, as at a hole: the sum of their directions, each weighed
/// by 1 - distance / reach. An even half of a plane has 4/3; in even samples it is below 0.8 for
/// nine of ten and below 1 for 99 of 100.
constexpr Real one_sided = Real(1.1);
constexpr Real least_agreement = Real(-0.3);  // of normals of neighbours, as in thin_out
constexpr std::uint32_t stream_of_deleting = 0x64656c65, stream_of_splitting = 0x73706c74;

/// A set while it is resampled.
struct Work {
  const Exec& exec;
  const ResampleCase& of;
  CarriedSurfels& s;
  ParticleId& next_id;
  Column<std::uint8_t> moved;    // before: their density may have changed
  Column<std::uint8_t> changed;  // in any round
  Column<Vec3> normal;
  DiscSearch search;
  Column<Index> count;          // neighbours of those looked at, -1 of others
  Column<Vec3> lean;            // to the side where they are, see one_sided
  Column<std::uint8_t> seed;    // too few or too many neighbours, or moved
  Column<std::uint8_t> active;  // a seed, or near one
};

/// Its disc has been sheared to an ellipse of more than `oblong`: neighbours have drifted apart,
/// though its area may be the same.
bool is_oblong(const CarriedSurfels& s, Index k) {
  const Real a = length_squared(s.u[k]), b = length_squared(s.v[k]), c = dot(s.u[k], s.v[k]);
  const Real squared = oblong * oblong, limit = (squared + 1) * (squared + 1) / squared;
  return (a + b) * (a + b) > limit * (a * b - c * c);
}

/// One whose disc is no longer round is looked at every few frames.
bool is_due(const CarriedSurfels& s, Index k, std::uint64_t frame) {
  return (s.id[k] + frame) % frames_of_looks == 0 && is_oblong(s, k);
}

/// The area of its disc has changed since it was round.
bool is_suspect(const CarriedSurfels& s, Index k, Real spacing) {
  const Real squared = spacing * spacing;
  const Real area = length(cross(s.u[k], s.v[k])) / squared;
  const Real longest = max(length_squared(s.u[k]), length_squared(s.v[k])) / squared;
  return area < least_area || area > most_area || longest > most_area * most_area;
}

/// visit(seen, lanes) for packs of those around surfel k, itself among them.
template <class Visit>
void visit_neighbours(const Work& w, Index k, Real reach, const Visit& visit) {
  visit_discs(w.search, w.s.x[k], w.normal[k], reach, 1,
              [&](Index, const SeenDiscs& seen, const Pack::batch_bool_type& near) {
                visit(seen, near & (seen.agreement > Pack(least_agreement)));
                return true;
              });
}

void look_around(Work& w) {
  const Index n = w.s.size();
  w.normal.resize(n);
  for_each(w.exec, "surfels.normals", n,
           [&](Index k) { w.normal[k] = disc_normal(w.s.u[k], w.s.v[k]); });
  w.search = make_disc_search(w.exec, w.s.x, w.normal, count_reach * w.of.spacing);
}

bool is_looked_at(const Work& w, Index k, int round) {
  return w.moved[k] || w.changed[k] || is_suspect(w.s, k, w.of.spacing) ||
         (round == 0 && is_due(w.s, k, w.of.frame));
}

void count_neighbours(Work& w, int round) {
  const Index n = w.s.size();
  const Real reach = count_reach * w.of.spacing;
  const Pack zero(Real(0)), over(1 / reach);
  w.count.resize(n), w.lean.resize(n), w.seed.resize(n);
  for_each(w.exec, "surfels.count", n, [&](Index k) {
    w.count[k] = -1;
    w.seed[k] = 0;
    if (!is_looked_at(w, k, round)) return;
    Index count = -1;  // without itself
    Pack sum[3] = {zero, zero, zero};
    visit_neighbours(w, k, reach, [&](const SeenDiscs& seen, const Pack::batch_bool_type& near) {
      count += std::popcount(bits_of(near));
      const Pack d = sqrt(seen.squared), t = Pack(Real(1)) - d * over;
      const Pack share =
          select(near & (seen.squared > zero), t / max(d, Pack(smallest_normal<Pack>)), zero);
      for (int c = 0; c < 3; ++c) sum[c] -= seen.d[c] * share;
    });
    const Vec3 lean = {xsimd::hadd(sum[0]), xsimd::hadd(sum[1]), xsimd::hadd(sum[2])};
    w.count[k] = count;
    w.lean[k] = lean - w.normal[k] * dot(lean, w.normal[k]);
    w.seed[k] = count < w.of.options.least_neighbours || count > w.of.options.most_neighbours;
  });
}

/// Surfels near seeds are spread with them. Seeds are few.
bool find_active(Work& w) {
  w.active.assign(w.s.x.size(), 0);
  bool some = false;
  for (Index seed = 0; seed < w.s.size(); ++seed) {
    if (!w.seed[seed]) continue;
    some = true;
    visit_discs(w.search, w.s.x[seed], Vec3::zero(), count_reach * w.of.spacing, 1,
                [&](Index first, const SeenDiscs&, const Pack::batch_bool_type& near) {
                  for (std::uint32_t bits = bits_of(near); bits != 0; bits &= bits - 1)
                    w.active[w.search.disc[first + std::countr_zero(bits)]] = 1;
                  return true;
                });
  }
  return some;
}

/// Where its neighbours push a surfel, along its tangent plane, and how many there are.
struct Pushed {
  Vec3 x;
  Index neighbours;
};
Pushed pushed(const Work& w, Index k) {
  const Real reach = count_reach * w.of.spacing;
  const Pack zero(Real(0)), over(1 / reach);
  Pack sum[3] = {zero, zero, zero};
  Index count = -1;  // without itself
  visit_neighbours(w, k, reach, [&](const SeenDiscs& seen, const Pack::batch_bool_type& near) {
    count += std::popcount(bits_of(near));
    const Pack d = sqrt(seen.squared), t = Pack(Real(1)) - d * over;
    const Pack share =
        select(near & (seen.squared > zero), t * t / max(d, Pack(smallest_normal<Pack>)), zero);
    for (int c = 0; c < 3; ++c) sum[c] += seen.d[c] * share;
  });
  Vec3 push = {xsimd::hadd(sum[0]), xsimd::hadd(sum[1]), xsimd::hadd(sum[2])};
  push -= w.normal[k] * dot(push, w.normal[k]);
  const Real size = length(push), most = longest_move * w.of.spacing;
  const Real scale = Real(0.4) * w.of.spacing;
  return {w.s.x[k] + push * (size * scale > most ? most / size : scale), count};
}

struct Landing {
  Vec3 x, normal, colour;
  Real blend, play;
  Index object;
  bool has_colour, found;
  Real radius;
};

/// A disc is as large as its neighbours leave room: it covers, and its area keeps telling how
/// many they are.
Real radius_for(Index neighbours, Real spacing) {
  constexpr Real usual = Real(11.6);  // within two spacings: 4 pi - 1
  const Real ratio = std::sqrt(usual / static_cast<Real>(std::max(neighbours, Index{1})));
  return spacing * clamp(ratio, Real(0.75), Real(1.4));
}

/// What is set down near surfel k: itself, or a child. New faces of molten matter have no zombies:
/// beyond those, children of one that is short of neighbours land on L_I and stay there. Those
/// beside a hole fill it and nothing else.
enum class Landed { itself, child, child_in_hole };

/// Where a surfel of normal n at p comes to lie.
Landing land(const Work& w, const Vec3& p, const Vec3& n, Index k, Landed what) {
  Landing at = {p,     n,    Vec3::zero(), w.s.blend[k], w.s.play[k], w.s.object[k],
                false, true, w.of.spacing};
  const ResampleTarget& target = w.of.target;
  if (target.points != nullptr) {
    PointFoot foot = foot_on_surfels(*target.points, p, n);
    if (what != Landed::itself) foot = foot_on_surfels(*target.points, foot.x, n);  // from farther
    foot.beyond = foot.beyond || is_beyond_edge(*target.points, foot.x, foot.normal);
    if (foot.nearest >= 0) at.x = foot.x, at.normal = foot.normal;
    if (foot.nearest >= 0 && target.zombies != nullptr) {
      at.blend = target.zombies->blend[foot.nearest];
      at.play = target.zombies->play[foot.nearest];
      at.object = target.zombies->object[foot.nearest];
      at.colour = foot.colour;
      at.has_colour = !target.zombies->colour.empty();
    }
    at.found = !foot.beyond;
    if (foot.beyond && w.s.flows[k] && (what == Landed::child || w.s.blend[k] >= 1)) at.blend = 1;
    if (at.blend < 1) return at;
  }
  if (target.blobs == nullptr) return at;
  const SurfaceFoot foot =
      foot_on_implicit(*target.blobs, p, n, implicit_reach * target.blobs->options.spacing);
  at.found = foot.found;
  if (foot.found) at.x = foot.x, at.normal = foot.normal;
  return at;
}

/// Surfels that were moved are round again.
void set_down(const Landing& at, Index k, CarriedSurfels& s) {
  const Vec3 along = s.u[k] - at.normal * dot(s.u[k], at.normal);
  const Real size = length(along);
  const Vec3 u = size > Real(1e-3) * at.radius ? along * (1 / size) : tangent_axes(at.normal).u;
  s.x[k] = at.x;
  s.u[k] = u * at.radius;
  s.v[k] = cross(at.normal, u) * at.radius;
  s.blend[k] = at.blend, s.play[k] = at.play, s.object[k] = at.object;
  if (at.has_colour) s.colour[k] = at.colour;
}

/// Where an active surfel comes to lie.
struct Spread {
  Index surfel;
  Landing at;
};
Column<Spread> landings(const Work& w) {
  Column<Index> active;
  for (Index k = 0; k < w.s.size(); ++k)
    if (w.active[k]) active.push_back(k);
  Column<Spread> all(active.size());
  for_each(w.exec, "surfels.spread", static_cast<Index>(all.size()), [&](Index e) {
    const Index k = active[e];
    const Pushed to_here = pushed(w, k);
    Landing at = land(w, to_here.x, w.normal[k], k, Landed::itself);
    if (!at.found) at = land(w, w.s.x[k], w.normal[k], k, Landed::itself);
    at.radius = radius_for(to_here.neighbours, w.of.spacing);
    all[e] = {k, at};
  });
  return all;
}

/// Those without a surface in reach, inside of what has merged, are deleted.
void spread(Work& w) {
  const Index n = w.s.size();
  Column<std::uint8_t> kept(n, 1);
  for (const Spread& to : landings(w)) {
    // At an edge it stays where it is; without an implicit surface in reach it is buried.
    kept[to.surfel] = to.at.found || to.at.blend < 1;
    if (!to.at.found) continue;
    set_down(to.at, to.surfel, w.s);
    w.changed[to.surfel] = 1;
  }
  const Random random{w.of.options.seed, stream_of_deleting};
  const auto most = static_cast<Real>(w.of.options.most_neighbours);
  for (Index k = 0; k < n; ++k)
    if (w.count[k] > w.of.options.most_neighbours &&
        random.uniform(w.s.id[k], w.of.frame) < static_cast<Real>(w.count[k]) / (2 * most))
      kept[k] = 0;
  Index left = 0;
  for (Index k = 0; k < n; ++k)
    if (kept[k]) {
      w.moved[left] = w.moved[k], w.changed[left] = w.changed[k];
      w.lean[left] = w.lean[k], w.count[left++] = w.count[k];
    }
  w.moved.resize(left), w.changed.resize(left), w.lean.resize(left), w.count.resize(left);
  keep_surfels(kept, w.s);
}

/// A place where a new surfel may come to lie.
struct Candidate {
  Index parent, number, count;  // which of so many children it is
  bool aside;                   // away from where the neighbours are; else all around
};
struct Offspring {
  Column<Index> parent;
  Column<Landing> at;
  Column<Vec3> x, normal;
};

bool has_room(const Work& w, const Landing& at) {
  const Real reach = room * w.of.spacing;
  bool is_free = true;
  visit_discs(w.search, at.x, at.normal, reach, 1,
              [&](Index, const SeenDiscs& seen, const Pack::batch_bool_type& near) {
                is_free = xsimd::none(near & (seen.agreement > Pack(least_agreement)));
                return is_free;
              });
  return is_free;
}

/// A child lies around its parent in the tangent plane.
Landing child_of(const Work& w, const Candidate& c, int round) {
  const Index k = c.parent;
  const Random random{w.of.options.seed, stream_of_splitting};
  const Random::Four words =
      random.words(w.s.id[k], (w.of.frame * rounds + round) * 64 + std::uint64_t(c.number));
  const Real part =
      (static_cast<Real>(c.number) + Random::unit(words.word[0])) / static_cast<Real>(c.count);
  const Real angle = c.aside ? Real(M_PI) * (part - Real(0.5)) : Real(2 * M_PI) * part;
  const Real distance = w.of.spacing * (Real(0.85) + Real(0.45) * Random::unit(words.word[1]));
  const TangentAxes axes = tangent_axes(w.normal[k]);
  const Vec3 first = c.aside ? -normalized(w.lean[k]) : axes.u;
  const Vec3 aside = first * std::cos(angle) + cross(w.normal[k], first) * std::sin(angle);
  return land(w, w.s.x[k] + aside * distance, w.normal[k], k,
              c.aside ? Landed::child_in_hole : Landed::child);
}

Column<Candidate> candidates(const Work& w) {
  Column<Candidate> all;
  const Index least = w.of.options.least_neighbours;
  for (Index k = 0; k < w.s.size(); ++k) {
    if (w.count[k] < 0) continue;
    const bool few = w.count[k] < least;
    if (!few && length_squared(w.lean[k]) < one_sided * one_sided) continue;
    const Index children = few ? 2 * (least - w.count[k]) + 2 : 3;
    for (Index c = 0; c < children; ++c) all.push_back({k, c, children, !few});
  }
  return all;
}

Offspring offspring(const Work& w, const Column<Candidate>& all, int round) {
  Column<Landing> at(all.size());
  for_each(w.exec, "surfels.children", static_cast<Index>(all.size()), [&](Index k) {
    const Candidate& c = all[k];
    at[k] = child_of(w, c, round);
    const Vec3 aside = at[k].x - w.s.x[c.parent];
    at[k].found =
        at[k].found && !is_away(w.of.phyxels, w.s.links(c.parent), at[k].x) && has_room(w, at[k]) &&
        length_squared(aside) < farthest_child * farthest_child * w.of.spacing * w.of.spacing;
  });
  Offspring o;
  for (std::size_t k = 0; k < all.size(); ++k) {
    if (!at[k].found) continue;
    o.parent.push_back(all[k].parent), o.at.push_back(at[k]);
    o.x.push_back(at[k].x), o.normal.push_back(at[k].normal);
  }
  return o;
}

void add_child(Work& w, Index parent, const Landing& at) {
  for_columns(w.s, [&](auto& column) { column.push_back(column[parent]); });
  const Index k = w.s.size() - 1;
  set_down(at, k, w.s);
  w.s.id[k] = w.next_id++;
  w.s.touches[k] = 0;
  w.moved.push_back(0), w.changed.push_back(1);
}

void split(Work& w, int round) {
  const Column<Candidate> all = candidates(w);
  if (all.empty()) return;
  look_around(w);
  const Offspring o = offspring(w, all, round);
  if (o.x.empty()) return;
  for (const Index chosen : thin_out(w.exec, o.x, o.normal, room * w.of.spacing))
    add_child(w, o.parent[chosen], o.at[chosen]);
}

}  // namespace

bool needs_resampling(const Exec& exec, const CarriedSurfels& surfels,
                      const Column<std::uint8_t>& moved, Real spacing, std::uint64_t frame) {
  return reduce(
      exec, "surfels.suspects", surfels.size(), false,
      [&](Index k) {
        return moved[k] != 0 || is_suspect(surfels, k, spacing) || is_due(surfels, k, frame);
      },
      [](bool a, bool b) { return a || b; });
}

void resample(const Exec& exec, const ResampleCase& of, const Column<std::uint8_t>& moved,
              ParticleId& next_id, CarriedSurfels& surfels) {
  Work w{exec, of, surfels, next_id, moved, {}, {}, {}, {}, {}, {}, {}};
  // Those that flow look for new phyxels in every frame, all others where they have moved.
  w.changed.resize(moved.size());
  for (std::size_t k = 0; k < moved.size(); ++k) w.changed[k] = moved[k] && !surfels.flows[k];
  for (int round = 0; round < rounds; ++round) {
    look_around(w);
    count_neighbours(w, round);
    if (find_active(w)) spread(w);
    split(w, round);
    // From now on it is those near a change whose density may be another.
    std::ranges::fill(w.moved, std::uint8_t{0});
  }
  bind_marked(exec, of.phyxels, w.changed, surfels);
}

}  // namespace phyxel
