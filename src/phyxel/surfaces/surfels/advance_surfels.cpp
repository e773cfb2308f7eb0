#include "phyxel/surfaces/surfels/advance_surfels.h"

#include <algorithm>

#include "phyxel/core/error.h"
#include "phyxel/surfaces/surfels/bind.h"

namespace phyxel {

namespace {

/// f(set) for the sets that phyxels carry.
template <class F>
void for_sets(SurfelSurface& s, F&& f) {
  f(s.detail);
  if (s.zombies.size() > 0) f(s.zombies);
  if (s.implicit.size() > 0) f(s.implicit);
}

/// Makes links refer to the phyxels that there are now.
void follow_phyxels(const Exec& exec, SurfelSurface& s, const SurfelPhyxels& before,
                    const SurfelPhyxels& now) {
  for_sets(s, [&](CarriedSurfels& set) { relink(exec, s.phyxel, now.id, before, set); });
  s.phyxel = now.id;
}

void carry_all(const Exec& exec, SurfelSurface& s, const SurfelPhyxels& before,
               const SurfelPhyxels& now, SurfelScratch& scratch) {
  const Column<std::uint8_t> flows = phyxels_that_flow(exec, before, now);
  if (std::find(flows.begin(), flows.end(), 1) != flows.end()) {
    const LinkSearch search = make_link_search(exec, before.x, before.support);
    for_sets(s, [&](CarriedSurfels& set) { anchor_flowing(exec, before, flows, search, set); });
  }
  find_maps(exec, before, now, scratch.maps);
  for_sets(s, [&](CarriedSurfels& set) { carry(exec, scratch.maps, set); });
}

}  // namespace

void advance_surfels(const Exec& exec, SurfelSurface& s, const SurfelPhyxels& before,
                     const SurfelPhyxels& now, const SurfelOptions& options,
                     SurfelScratch& scratch) {
  check(before), check(now);
  if (before.id != s.phyxel) throw Error("surfels: they are carried by other phyxels than these");
  if (before.id != now.id) {
    const SurfelPhyxels same = aligned(before, now);
    follow_phyxels(exec, s, same, now);
    return advance_surfels(exec, s, same, now, options, scratch);
  }
  carry_all(exec, s, before, now, scratch);
  for_sets(s, [&](CarriedSurfels& set) { anchor_solidified(exec, now, scratch.maps, set); });
  ++s.frame;
}

}  // namespace phyxel
