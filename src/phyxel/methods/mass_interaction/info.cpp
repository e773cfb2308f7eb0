#include "phyxel/methods/mass_interaction/automaton_text.h"
#include "phyxel/methods/mass_interaction/method.h"

namespace phyxel::mass_interaction {

#ifdef PHYXEL_CUDA
namespace cuda {
std::unique_ptr<Method> make_solver();
}
#endif

MethodInfo info() {
  MethodInfo info;
  info.name = "mass_interaction";
  info.summary =
      "masses whose pairs are automata: pastes, gels, powders, bonds that break (Guilbaud)";
  info.default_parameters = [] { return std::any(Parameters{}); };
  info.describe = [](Fields& fields, std::any& p) {
    describe(fields, std::any_cast<Parameters&>(p));
  };
  info.alternatives = {{"stiffness", "youngs_modulus"}, {"pair_viscosity", "viscosity"}};
  info.of_one_particle = {"stiffness", "pair_viscosity", "state_stiffness", "state_viscosity",
                          "state_yield"};
  info.idle = [](const std::any& parameters, const std::set<std::string>& given,
                 const std::string& name) {
    return idle(std::any_cast<const Parameters&>(parameters), given, name);
  };
  info.rest_spacing = [](const Material&, int) { return double(not_given); };
  info.resolve = resolve;
  info.report = report;
  info.diagram = [](const Material& material) {
    return diagram(automaton_of(material), material.name, material.spacing);
  };
  info.has_contact_kinds = true;
  // Particles and their scratch, quads, cells, about 80 entries of a row, and what each remembers.
  info.bytes_per_particle = 6 * sizeof(Vec3) + 6 * sizeof(Real) + sizeof(Moving) + sizeof(Quad) +
                            16 * sizeof(Index) + 3 * sizeof(std::uint64_t) + 80 * sizeof(Index) +
                            80 * 2 * sizeof(Real);
  info.make = make_solver;
#ifdef PHYXEL_CUDA
  info.make_cuda = cuda::make_solver;
#endif
  return info;
}

}  // namespace phyxel::mass_interaction
