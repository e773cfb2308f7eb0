#include "phyxel/methods/method_info.h"
#include "phyxel/methods/mpm/method.h"
#include "phyxel/methods/row_memory.h"

namespace phyxel::mpm {

MethodInfo info() {
  MethodInfo info = info_of<Parameters>("mpm",
                                        "material points on a sparse grid: snow, jelly, water, "
                                        "sand and clay (Umenhoffer, Stomakhin)");
  info.resolve = resolve;
  info.report = report;
  info.refuses_sheet = refuses_sheet;
  info.lengths = {"cell"};
  info.has_contact_kinds = true;
  info.conducts_heat = true;
  info.turns_into = [](const Material& material) {
    const Parameters& p = parameters_of<Parameters>(material);
    std::map<std::string, std::string> names;
    if (!p.melts_into.empty()) names["melts_into"] = p.melts_into;
    if (!p.freezes_into.empty()) names["freezes_into"] = p.freezes_into;
    return names;
  };
  // Particles in columns and in rows of 64 bytes, nodes of filled cells, and all columns in a
  // checkpoint; an implicit step has vectors on nodes.
  info.bytes_per_particle = [](const Material& material) -> double {
    const bool implicit = parameters_of<Parameters>(material).integration == Integration::implicit;
    const Thermal& thermal = parameters_of<Parameters>(material).thermal;
    // Neighbour rows of heat reach two spacings.
    const double heat = takes_heat(thermal) ? heat_bytes(thermal) + 6 * sizeof(Real) +
                                                  row_bytes(2, material.dimensions)
                                            : 0;
    return 84 * sizeof(Real) + (implicit ? 32 * sizeof(Real) : 0) + saved_bytes(30 * sizeof(Real)) +
           heat;
  };
  info.grid_cell = [](const Material& material, double volume, int dimensions) {
    const Real given = parameters_of<Parameters>(material).cell;
    return double(is_given(given) ? given : natural_cell(volume, dimensions));
  };
  info.make = make_solver;
  return info;
}

}  // namespace phyxel::mpm
