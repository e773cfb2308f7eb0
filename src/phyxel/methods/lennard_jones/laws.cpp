#include <algorithm>

#include "phyxel/core/error.h"
#include "phyxel/methods/lennard_jones/forces.h"

namespace phyxel::lennard_jones {

inline namespace PHYXEL_BACKEND {

namespace {

bool is_ours(const Material& material) {
  return material.method == "lennard_jones";
}

void clear(std::size_t materials, Laws& laws) {
  laws.materials = static_cast<Index>(materials);
  laws.used.clear();
  laws.pair.assign(materials * materials, PairLaw{});
  laws.obstacle.assign(materials, ObstacleLaw{});
  laws.damping.assign(materials, 0);
  laws.softening.assign(materials, Softening{});
  laws.cutoff = 0;
  laws.spacing = laws.reach = laws.stiffness_path = Real(1e30);
  laws.euler = laws.softens = laws.viscous = false;
}

/// On this path of each of two particles at 0.9 r0 the term r^-(n+2) grows by at most 9/4, and a
/// frequency by 3/2: less than the margin of 2 that the step keeps (docs: stable step).
Real path_of_steady_stiffness(const PairLaw& law) {
  return Real(0.45) * law.r0 * (1 - std::pow(Real(2.25), -1 / (law.n + 2)));
}

void add_material(const Environment& environment, std::size_t a, const std::vector<Real>& mass,
                  Laws& laws) {
  const auto& materials = environment.materials;
  const Parameters& p = parameters_of<Parameters>(materials[a]);
  const bool euler = p.integration == Integration::euler;
  if (!laws.used.empty() && euler != laws.euler)
    throw InputError("material." + materials[a].name +
                     ".integration differs from another lennard_jones material; all take the same "
                     "steps");
  laws.used.push_back(static_cast<Index>(a));
  laws.euler = euler;
  laws.obstacle[a] = obstacle_law(p);
  laws.damping[a] = p.damping;
  laws.softening[a] = softening_of(p);
  laws.softens |= is_given(p.softening_start);
  for (std::size_t b = 0; b < materials.size(); ++b) {
    if (!is_ours(materials[b])) continue;
    const PairLaw other = pair_law(parameters_of<Parameters>(materials[b]), mass[b]);
    PairLaw& law = laws.pair[a * materials.size() + b];
    law = mixed(pair_law(p, mass[a]), other);
    laws.viscous |= law.viscosity > 0;
    laws.stiffness_path = std::min(laws.stiffness_path, path_of_steady_stiffness(law));
  }
  laws.cutoff = std::max(laws.cutoff, p.cutoff * p.equilibrium_distance);
  laws.spacing = std::min(laws.spacing, p.equilibrium_distance);
  laws.reach = std::min(laws.reach, laws.obstacle[a].d0);
}

}  // namespace

void update_laws(const Environment& environment, const std::vector<Real>& mass, Laws& laws) {
  const std::size_t materials = environment.materials.size();
  clear(materials, laws);
  for (std::size_t a = 0; a < materials; ++a)
    if (is_ours(environment.materials[a])) add_material(environment, a, mass, laws);
  laws.pair_table.assign(laws.pair);
  laws.obstacle_table.assign(laws.obstacle);
  laws.damping_table.assign(laws.damping);
  laws.softening_table.assign(laws.softening);
#ifndef __CUDACC__
  laws.packs.assign(laws.pair);
#endif
}

}  // namespace PHYXEL_BACKEND

}  // namespace phyxel::lennard_jones
