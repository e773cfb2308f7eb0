#include "phyxel/surfaces/surfels/bind.h"

#include <algorithm>

namespace phyxel {

namespace {

constexpr std::uint64_t frames_of_links = 4;  // that links of a surfel that flows serve

bool absorbs(const SurfelPhyxels& p, Index i) {
  return !p.absorbs.empty() && p.absorbs[i] != 0;
}

template <class Flows>
bool any_flows(const Links& links, const Flows& flows) {
  for (int k = 0; k < most_links && links.weight[k] > 0; ++k)
    if (flows(links.phyxel[k])) return true;
  return false;
}

Links links_at(const SurfelPhyxels& p, const LinkSearch& search, const CarriedSurfels& s, Index k) {
  const Index own = s.object[k];
  if (p.object.empty() || own == any_object)
    return find_links(search, s.x[k], [](Index) { return true; });
  const bool flows = s.flows[k] != 0;
  return find_links(search, s.x[k],
                    [&](Index i) { return p.object[i] == own || (flows && absorbs(p, i)); });
}

void set_links(const Links& links, CarriedSurfels& s, Index k) {
  s.phyxel[k] = links.phyxel, s.weight[k] = links.weight;
}

void anchor_here(CarriedSurfels& s, Index k) {
  s.anchor[k] = s.x[k], s.anchor_u[k] = s.u[k], s.anchor_v[k] = s.v[k];
}

/// Of a surfel whose anchor is not in the reference shape yet.
void anchor_in_reference(const SurfelPhyxels& p, const AffineMap& map, CarriedSurfels& s, Index k) {
  move_anchor(map, p.reference[s.phyxel[k][0]], k, s);
}

/// Anchors surfel k by its links, where it and the phyxels are.
void anchor(const SurfelPhyxels& p, CarriedSurfels& s, Index k) {
  anchor_here(s, k);
  s.flows[k] = any_flows(s.links(k), [&](Index i) { return absorbs(p, i); });
  if (!s.flows[k]) anchor_in_reference(p, mean_map(p, s.links(k)), s, k);
}

}  // namespace

void bind_all(const Exec& exec, const SurfelPhyxels& p, CarriedSurfels& s) {
  bind_marked(exec, p, Column<std::uint8_t>(s.x.size(), 1), s);
}

void bind_marked(const Exec& exec, const SurfelPhyxels& p, const Column<std::uint8_t>& marked,
                 CarriedSurfels& s) {
  const LinkSearch search = make_link_search(exec, p.x, p.support);
  for_each(exec, "surfels.bind", s.size(), [&](Index k) {
    if (!marked[k]) return;
    set_links(links_at(p, search, s, k), s, k);
    if (s.object[k] == any_object && !p.object.empty()) {
      s.object[k] = p.object[s.phyxel[k][0]];
      set_links(links_at(p, search, s, k), s, k);
    }
    anchor(p, s, k);
  });
}

Column<std::uint8_t> phyxels_that_flow(const Exec& exec, const SurfelPhyxels& before,
                                       const SurfelPhyxels& now) {
  Column<std::uint8_t> flows(now.x.size());
  for_each(exec, "surfels.flows", now.size(), [&](Index i) {
    flows[i] = absorbs(before, i) || absorbs(now, i) || !(before.reference[i] == now.reference[i]);
  });
  return flows;
}

void anchor_flowing(const Exec& exec, const SurfelPhyxels& before,
                    const Column<std::uint8_t>& flows, const LinkSearch& search,
                    std::uint64_t frame, CarriedSurfels& s) {
  for_each(exec, "surfels.anchor", s.size(), [&](Index k) {
    if (!any_flows(s.links(k), [&](Index i) { return flows[i] != 0; })) return;
    Links links = s.links(k);
    // Phyxels change places slowly: each surfel looks for new ones every few frames.
    const bool looks = s.flows[k] == 0 || (s.id[k] + frame) % frames_of_links == 0;
    s.flows[k] = 1;
    if (looks || !weigh_again(search, s.x[k], links)) links = links_at(before, search, s, k);
    set_links(links, s, k);
    anchor_here(s, k);
  });
}

bool solidifies(const SurfelPhyxels& now, const CarriedSurfels& s, Index k) {
  return s.flows[k] != 0 && !any_flows(s.links(k), [&](Index i) { return absorbs(now, i); });
}

void anchor_solidified(const Exec& exec, const SurfelPhyxels& now, const Column<AffineRow>& maps,
                       CarriedSurfels& s) {
  for_each(exec, "surfels.solidify", s.size(), [&](Index k) {
    if (!solidifies(now, s, k)) return;
    s.flows[k] = 0;
    anchor_here(s, k);
    anchor_in_reference(now, mean_map(maps, s.links(k), 0), s, k);
  });
}

namespace {

/// Of each entry of `to` its index in `from`, or -1; both rise.
Column<Index> places_in(const Column<ParticleId>& from, const Column<ParticleId>& to) {
  Column<Index> place(to.size(), -1);
  std::size_t f = 0;
  for (std::size_t k = 0; k < to.size(); ++k) {
    while (f < from.size() && from[f] < to[k]) ++f;
    if (f < from.size() && from[f] == to[k]) place[k] = static_cast<Index>(f);
  }
  return place;
}

template <class T>
Column<T> picked(const Column<T>& before, const Column<T>& now, const Column<Index>& place) {
  if (before.empty() || now.empty()) return {};
  Column<T> all(place.size());
  for (std::size_t k = 0; k < place.size(); ++k) all[k] = place[k] < 0 ? now[k] : before[place[k]];
  return all;
}

}  // namespace

SurfelPhyxels aligned(const SurfelPhyxels& b, const SurfelPhyxels& now) {
  const Column<Index> place = places_in(b.id, now.id);
  SurfelPhyxels p;
  p.id = now.id;
  p.x = picked(b.x, now.x, place), p.reference = picked(b.reference, now.reference, place);
  p.deformation = picked(b.deformation, now.deformation, place);
  p.absorbed = picked(b.absorbed, now.absorbed, place);
  p.absorbs = picked(b.absorbs, now.absorbs, place);
  p.support = picked(b.support, now.support, place);
  p.object = picked(b.object, now.object, place);
  p.boundary = picked(b.boundary, now.boundary, place);
  return p;
}

void relink(const Exec& exec, const Column<ParticleId>& from, const Column<ParticleId>& to,
            const SurfelPhyxels& before, CarriedSurfels& s) {
  const Column<Index> place = places_in(to, from);  // in `to`, of each of `from`
  Column<std::uint8_t> kept(s.x.size());
  for_each(exec, "surfels.relink", s.size(), [&](Index k) {
    Links links = s.links(k);
    bool has_lost = false;
    for (int j = 0; j < most_links && links.weight[j] > 0; ++j) {
      const Index now = place[links.phyxel[j]];
      has_lost |= now < 0;
      if (now < 0) links.weight[j] = -1;
      links.phyxel[j] = std::max(now, Index{0});
    }
    if (has_lost)
      kept[k] = make_whole(links);
    else
      kept[k] = 1;
    set_links(links, s, k);
    if (!has_lost || !kept[k]) return;
    // What is left carries it on from where it is.
    anchor_here(s, k);
    if (s.flows[k] == 0) anchor_in_reference(before, mean_map(before, links), s, k);
  });
  keep_surfels(kept, s);
}

void keep_surfels(const Column<std::uint8_t>& kept, CarriedSurfels& s) {
  if (std::find(kept.begin(), kept.end(), 0) == kept.end()) return;
  for_columns(s, [&](auto& column) {
    std::size_t to = 0;
    for (std::size_t k = 0; k < kept.size(); ++k)
      if (kept[k]) column[to++] = column[k];
    column.resize(to);
  });
}

}  // namespace phyxel
