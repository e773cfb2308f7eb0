#include <algorithm>

#include "phyxel/methods/mass_interaction/automaton_text.h"
#include "phyxel/methods/mass_interaction/method.h"
#include "phyxel/methods/method_info.h"
#include "phyxel/methods/row_memory.h"

namespace phyxel::mass_interaction {

namespace {

/// Reach of pairs, in spacings.
double reach_of(const Parameters& p) {
  if (p.automaton == AutomatonKind::thresholds)
    return std::max(p.elastic_distance, p.viscous_distance);
  if (p.automaton == AutomatonKind::granular) return p.elastic_distance;
  if (p.automaton == AutomatonKind::custom && is_given(p.reach)) return p.reach;
  return std::max(p.elastic_distance, p.pull_distance);
}

/// Particles and their scratch, quads, cells, a row with its skin, and the memory of its pairs: a
/// state and a rest length, twice, because they move from old rows to new ones, and once more for
/// the checkpoint; with friction, a slip too.
double bytes_per_particle(const Material& material) {
  const Parameters& p = parameters_of<Parameters>(material);
  const double reach =
      1.1 * (takes_heat(p.thermal) ? std::max(reach_of(p), heat_reach_in_spacings) : reach_of(p));
  double bytes = 6 * sizeof(Vec3) + 6 * sizeof(Real) + sizeof(Moving) + sizeof(Quad) +
                 16 * sizeof(Index) + 3 * sizeof(std::uint64_t) +
                 row_bytes(reach, material.dimensions) + saved_bytes(sizeof(Vec3) + sizeof(Real)) +
                 heat_bytes(p.thermal);
  if (p.automaton == AutomatonKind::thresholds) return bytes;
  const double place = 3 * (1 + sizeof(Real)) + 2 * sizeof(Index);
  const double slip = p.friction > 0 || !p.state_friction.empty() ? 3 * sizeof(Vec3) : 0;
  const double saved_pairs = 12 * (2 * sizeof(ParticleId) + 1 + sizeof(Real) + sizeof(Vec3));
  return bytes + row_places(reach, material.dimensions) * (place + slip) + saved_pairs;
}

}  // namespace

MethodInfo info() {
  MethodInfo info = info_of<Parameters>(
      "mass_interaction",
      "masses whose pairs are automata: pastes, gels, powders, bonds that break (Guilbaud)");
  info.alternatives = {{"stiffness", "youngs_modulus"}, {"pair_viscosity", "viscosity"}};
  info.of_one_particle = {"stiffness", "pair_viscosity", "state_stiffness", "state_viscosity",
                          "state_yield"};
  info.resolve = resolve;
  info.report = report;
  info.diagram = [](const Material& material) {
    return diagram(automaton_of(material), material.name, material.spacing);
  };
  info.has_contact_kinds = true;
  info.conducts_heat = true;
  info.bytes_per_particle = bytes_per_particle;
  info.make = make_solver;
  return info;
}

}  // namespace phyxel::mass_interaction
