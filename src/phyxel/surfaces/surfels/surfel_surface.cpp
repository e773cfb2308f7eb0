#include "phyxel/surfaces/surfels/surfel_surface.h"

#include <algorithm>
#include <fmt/format.h>

#include "phyxel/core/error.h"
#include "phyxel/surfaces/field.h"
#include "phyxel/surfaces/surfels/bind.h"
#include "phyxel/surfaces/surfels/blend.h"

namespace phyxel {

namespace {

void check_made(const Surfels& s, const SurfelPhyxels& p, Real spacing) {
  if (s.size() == 0) throw InputError("surfels: there are none to carry");
  if (p.size() == 0) throw InputError("surfels: there are no phyxels to carry them");
  if (!(spacing > 0))
    throw InputError(fmt::format("surfels: spacing = {}: must be above 0 m", spacing));
  check(p);
}

CarriedSurfels unbound(Surfels surfels, const Column<Index>& objects) {
  CarriedSurfels s;
  static_cast<Surfels&>(s) = std::move(surfels);
  const std::size_t n = s.x.size();
  s.anchor = s.x, s.anchor_u = s.u, s.anchor_v = s.v;
  s.phyxel.assign(n, LinkPhyxels::zero());
  s.weight.assign(n, LinkWeights::zero());
  s.flows.assign(n, 0), s.touches.assign(n, 0);
  s.play.assign(n, 0), s.blend.assign(n, 0);
  s.object = objects;
  if (objects.empty()) s.object.assign(n, any_object);
  return s;
}

/// All surfels of the model projected onto L_I.
void start_implicit(const Exec& exec, const SurfelPhyxels& phyxels, const SurfelOptions& options,
                    SurfelSurface& surface) {
  PointField blobs;
  make_field(exec, phyxels.x, implicit_field(surface, options), blobs);
  Column<AffineRow> maps;
  find_maps(exec, phyxels, phyxels, maps);
  Column<std::uint8_t> kept;
  surface.implicit = surface.detail;
  project_on_implicit(exec, blobs, maps, surface.implicit, kept);
  keep_surfels(kept, surface.implicit);
}

}  // namespace

SurfelSurface make_surfel_surface(const Exec& exec, Surfels surfels, const SurfelPhyxels& phyxels,
                                  Real spacing, const SurfelOptions& options, int dimensions,
                                  const Column<Index>& objects) {
  check_made(surfels, phyxels, spacing);
  SurfelSurface surface;
  surface.spacing = spacing;
  surface.dimensions = dimensions;
  surface.phyxel = phyxels.id;
  surface.next_id = 1 + *std::max_element(surfels.id.begin(), surfels.id.end());
  surface.detail = unbound(std::move(surfels), objects);
  bind_all(exec, phyxels, surface.detail);
  if (options.zombies) surface.zombies = surface.detail;
  surface.phyxel_spacing = measured_spacing(exec, phyxels.x);
  if (surface.phyxel_spacing == 0) surface.phyxel_spacing = phyxels.support[0] / 3;  // a lone one
  if (options.implicit) start_implicit(exec, phyxels, options, surface);
  return surface;
}

FieldOptions implicit_field(const SurfelSurface& surface, const SurfelOptions& options) {
  FieldOptions field = options.field;
  field.kind = FieldKind::blobs;
  if (field.spacing == 0) field.spacing = surface.phyxel_spacing;
  return field;
}

Surfels shown(const SurfelSurface& surface) {
  Surfels s = surface.detail;
  Index at = 0;
  for (Index k = 0; k < s.size(); ++k) {
    if (!surface.detail.touches[k]) continue;
    s.x[k] = surface.contact.x[at], s.u[k] = surface.contact.u[at], s.v[k] = surface.contact.v[at];
    if (!s.colour.empty()) s.colour[k] = surface.contact.colour[at];
    ++at;
  }
  return s;
}

Surfels shown_by_set(const SurfelSurface& surface) {
  constexpr Vec3 detail = {Real(0.62), Real(0.62), Real(0.60)},
                 implicit = {Real(0.90), Real(0.36), Real(0.05)},
                 contact = {Real(0.06), Real(0.24), Real(0.80)};
  Surfels s = shown(surface);
  s.colour.resize(s.x.size());
  for (Index k = 0; k < s.size(); ++k) {
    const Real blend = surface.detail.blend[k];
    s.colour[k] = surface.detail.touches[k] ? contact : detail + (implicit - detail) * blend;
  }
  return s;
}

}  // namespace phyxel
