#include "phyxel/surfaces/surfels/advance_surfels.h"

#include <algorithm>

#include "phyxel/core/error.h"
#include "phyxel/surfaces/surfels/bind.h"
#include "phyxel/surfaces/surfels/blend.h"
#include "phyxel/surfaces/surfels/resample.h"

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
    for_sets(
        s, [&](CarriedSurfels& set) { anchor_flowing(exec, before, flows, search, s.frame, set); });
  }
  find_maps(exec, before, now, scratch.maps);
  const Real longest = longest_axis * s.spacing;
  for_sets(s, [&](CarriedSurfels& set) { carry(exec, scratch.maps, longest, set); });
}

/// L_D and the zombies become L_I where topology changes; L_I stays on the blobs.
void follow_topology(const Exec& exec, SurfelSurface& s, const SurfelPhyxels& before,
                     const SurfelPhyxels& now, const SurfelOptions& options,
                     SurfelScratch& scratch) {
  const auto blend = [&](CarriedSurfels& set) {
    blend_detail(exec, before, now, scratch.maps, scratch.blobs, options, set, scratch.moved);
  };
  if (options.blends && s.zombies.size() > 0) blend(s.zombies);
  scratch.moved.assign(s.detail.x.size(), 0);
  if (options.blends) blend(s.detail);
  if (s.implicit.size() == 0) return;
  project_on_implicit(exec, scratch.blobs, scratch.maps, s.implicit, scratch.kept);
  keep_surfels(scratch.kept, s.implicit);
}

void resample_detail(const Exec& exec, SurfelSurface& s, const SurfelPhyxels& now,
                     const SurfelOptions& options, const SurfelScratch& scratch) {
  if (!needs_resampling(exec, s.detail, scratch.moved, s.spacing, s.frame)) return;
  const bool has_zombies = s.zombies.size() > 0;
  // Without zombies surfels lie on what they were before: errors add up.
  const Surfels before = has_zombies ? Surfels{} : static_cast<const Surfels&>(s.detail);
  const PointSurface points = make_point_surface(
      exec, has_zombies ? static_cast<const Surfels&>(s.zombies) : before, s.spacing);
  const ResampleTarget target = {options.blends ? &scratch.blobs : nullptr, &points,
                                 has_zombies ? &s.zombies : nullptr};
  resample(exec, {now, target, options, s.spacing, s.frame}, scratch.moved, s.next_id, s.detail);
}

void resample_implicit(const Exec& exec, SurfelSurface& s, const SurfelPhyxels& now,
                       const SurfelOptions& options, const SurfelScratch& scratch) {
  const Column<std::uint8_t> moved(s.implicit.x.size(), 0);
  if (!needs_resampling(exec, s.implicit, moved, s.spacing, s.frame)) return;
  const ResampleTarget target = {&scratch.blobs, nullptr, nullptr};
  resample(exec, {now, target, options, s.spacing, s.frame}, moved, s.next_id, s.implicit);
}

/// All but the displacement.
void represent(const Exec& exec, SurfelSurface& s, const SurfelPhyxels& before,
               const SurfelPhyxels& now, const SurfelOptions& options,
               const std::vector<TouchedSurface>& touched, SurfelScratch& scratch) {
  const bool needs_blobs = (options.blends || s.implicit.size() > 0) && now.size() > 0;
  if (needs_blobs) make_field(exec, now.x, implicit_field(s, options), scratch.blobs);
  scratch.moved.assign(s.detail.x.size(), 0);
  if (needs_blobs) follow_topology(exec, s, before, now, options, scratch);
  if (options.resamples && s.detail.size() > 0) resample_detail(exec, s, now, options, scratch);
  if (options.resamples && s.implicit.size() > 0) resample_implicit(exec, s, now, options, scratch);
  static const std::vector<TouchedSurface> nothing;
  const std::vector<TouchedSurface>& seen = options.contact ? touched : nothing;
  find_contacts(exec, seen, options, s);
  adopt_contacts(exec, seen, now, options, s, scratch.adopted);
}

/// Surfels that have become a relief were pressed onto it from their places on what was flat: on
/// steep walls there are too few.
void fill_casts(const Exec& exec, SurfelSurface& s, const SurfelPhyxels& now,
                const SurfelOptions& options, SurfelScratch& scratch) {
  if (!options.resamples || std::ranges::find(scratch.adopted, 1) == scratch.adopted.end()) return;
  scratch.moved = scratch.adopted;
  resample_detail(exec, s, now, options, scratch);
}

void check_boundary(const SurfelPhyxels& before, const SurfelPhyxels& now) {
  if (before.boundary.size() != before.x.size() || now.boundary.size() != now.x.size())
    throw Error("surfels: blending needs measure_boundary of the phyxels in both frames");
}

}  // namespace

void advance_surfels(const Exec& exec, SurfelSurface& s, const SurfelPhyxels& before,
                     const SurfelPhyxels& now, const SurfelOptions& options,
                     const std::vector<TouchedSurface>& touched, SurfelScratch& scratch) {
  check(before), check(now);
  if (options.blends) check_boundary(before, now);
  if (before.id != s.phyxel) throw Error("surfels: they are carried by other phyxels than these");
  if (before.id != now.id) {
    const SurfelPhyxels same = aligned(before, now);
    follow_phyxels(exec, s, same, now);
    return advance_surfels(exec, s, same, now, options, touched, scratch);
  }
  carry_all(exec, s, before, now, scratch);
  represent(exec, s, before, now, options, touched, scratch);
  for_sets(s, [&](CarriedSurfels& set) { anchor_solidified(exec, now, scratch.maps, set); });
  fill_casts(exec, s, now, options, scratch);
  ++s.frame;
}

}  // namespace phyxel
