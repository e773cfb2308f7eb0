#include "phyxel/matter/force_fields/packed_force_fields.h"

#include <algorithm>
#include <cmath>

#include "phyxel/matter/force_fields/field_types.h"

namespace phyxel {

namespace {

void add(const Environment& environment, const ForceField& field, PackedForceFields& packed) {
  ForceFieldView view{};
  const FieldMoment moment{packed.time, environment.seed, environment.dimensions == 2};
  field.type->show(field.parameters, moment, view);
  view.first_node = static_cast<Index>(packed.nodes.size());
  view.nodes = static_cast<Index>(field.region.nodes.size());
  view.edge = field.edge;
  packed.nodes.insert(packed.nodes.end(), field.region.nodes.begin(), field.region.nodes.end());
  for (Index m = 0; m < packed.materials; ++m)
    packed.acts.push_back(field.acts.empty() ? 1 : field.acts[m]);
  packed.fields.push_back(view);
}

/// visit(x) for places spread over a box, its corners and middle among them.
template <class Visit>
void for_places_in(const Bounds& box, const Visit& visit) {
  constexpr int parts = 4;
  for (int i = 0; i <= parts; ++i)
    for (int j = 0; j <= parts; ++j)
      for (int k = 0; k <= parts; ++k)
        visit(box.min + Vec3{box.size()[0] * Real(i) / parts, box.size()[1] * Real(j) / parts,
                             box.size()[2] * Real(k) / parts});
}

/// The place in the box that is nearest to where the field is strongest.
Vec3 strongest_place(const ForceFieldView& field, const Bounds& box) {
  Vec3 x = box.centre();
  if (field.kind == ForceFieldKind::attractor)
    x = cast<Real>(field.as<AttractorParameters>().point);
  if (field.kind == ForceFieldKind::vortex) x = cast<Real>(field.as<VortexParameters>().point);
  for (int k = 0; k < 3; ++k) x[k] = std::clamp(x[k], box.min[k], box.max[k]);
  return x;
}

bool has_potential(const ForceField& field) {
  return field.active && field.type->potential && field.region.nodes.empty();
}

}  // namespace

void pack(const Environment& environment, double time, PackedForceFields& packed) {
  packed.fields.clear();
  packed.nodes.clear();
  packed.acts.clear();
  packed.materials = static_cast<Index>(environment.materials.size());
  packed.time = time;
  for (const ForceField& field : environment.force_fields)
    if (field.active) add(environment, field, packed);
}

ForceFieldViews views_of(const PackedForceFields& packed) {
  return {packed.fields.data(), static_cast<Index>(packed.fields.size()),
          packed.nodes.data(),  packed.acts.data(),
          packed.materials,     static_cast<Real>(packed.time)};
}

ForeseenFields foresee_fields(const PackedForceFields& packed, const Bounds& box, double speed) {
  ForeseenFields foreseen;
  const ForceFieldViews fields = views_of(packed);
  const auto look = [&](const Vec3& x) {
    double acceleration = 0, squared = 0;
    for (const ForceFieldView& field : packed.fields) {
      const double share = share_at(fields, field, x);
      if (!(share > 0)) continue;
      const FieldEffect e = effect_of(field, {x, fields.time});
      const double wind = length(e.velocity), fastest = speed + wind;
      // Drag alone never makes matter faster than the air.
      acceleration += share * (length(e.acceleration) + (e.rate + e.quadratic * fastest) * wind);
      squared += share * double(e.squared_frequency);
    }
    foreseen.acceleration = std::max(foreseen.acceleration, acceleration);
    foreseen.frequency = std::max(foreseen.frequency, std::sqrt(squared));
  };
  for_places_in(box, look);
  for (const ForceFieldView& field : packed.fields) look(strongest_place(field, box));
  return foreseen;
}

double field_energy(const Environment& environment, const HostParticles& particles) {
  double energy = 0;
  for (const ForceField& field : environment.force_fields) {
    if (!has_potential(field)) continue;
    energy += reduce(
        {}, "field_energy", particles.size(), 0.0,
        [&](Index i) {
          if (!field.acts.empty() && !field.acts[particles.material[i]]) return 0.0;
          return double(particles.mass[i]) *
                 field.type->potential(field.parameters, particles.x[i]);
        },
        [](double a, double b) { return a + b; });
  }
  return energy;
}

}  // namespace phyxel
