#include "phyxel/methods/pbd/solids.h"

#include <algorithm>
#include <fmt/format.h>

#include "phyxel/core/error.h"
#include "phyxel/methods/pbd/network.h"
#include "phyxel/methods/pbd/tetrahedra.h"

namespace phyxel::pbd {

namespace {

/// Lots of the moduli of a solid.
struct SolidLots {
  Index shape, volume, bend;
  bool
      has_volume;  // without a Lame modulus, at a Poisson's ratio of 0, there is no such constraint
};

SolidLots solid_lots(Model& model, const BodySeed& seed, const Parameters& p) {
  return {lot_of(model, {seed.material, Modulus::shear}),
          lot_of(model, {seed.material, Modulus::lame}),
          lot_of(model, {seed.material, Modulus::youngs}), p.poissons_ratio > 0};
}

template <class Kind, int Points>
void add(Model& model, const Vec<Index, Points>& corners, Index first,
         const Vec<Real, Kind::numbers>& rest, double softness, Index lot) {
  Constraint<Kind> constraint{{}, rest, static_cast<Real>(softness), lot};
  for (int k = 0; k < Points; ++k) constraint.vertex[k] = first + corners[k];
  model.of<Kind>().push_back(constraint);
}

template <class Law>
void add_cells(Model& model, const BodySeed& seed, const std::vector<Cell>& cells,
               const SolidLots& lots, Index first) {
  const auto volumes = shared_volumes(cells, seed.points.size(), double(seed.volume));
  const Vec<Real, 1> rest = {1 / seed.spacing};
  for (std::size_t k = 0; k < cells.size(); ++k) {
    const auto& corners = cells[k].corner;
    add<CellShape<Law>>(model, corners, first, rest, 1 / volumes[k], lots.shape);
    if (lots.has_volume) add<CellVolume>(model, corners, first, rest, 1 / volumes[k], lots.volume);
    add<CellBend>(model, corners, first, rest, cell_bend_softness / volumes[k], lots.bend);
  }
}

template <class Law>
void add_tetrahedra(Model& model, const BodySeed& seed,
                    const std::vector<Vec<Index, 4>>& tetrahedra, const SolidLots& lots,
                    Index first) {
  std::vector<Vec<Real, 9>> rest;
  std::vector<double> volumes;
  for (const Vec<Index, 4>& t : tetrahedra) {
    Vec3d x[4];
    for (int k = 0; k < 4; ++k) x[k] = cast<double>(seed.points[t[k]]);
    rest.push_back(cast<Real>(tetrahedron_rest(x)));
    volumes.push_back(six_volumes(x) / 6);
  }
  const auto shared = shared_volumes(tetrahedra, volumes, seed.points.size(), double(seed.volume));
  for (std::size_t k = 0; k < tetrahedra.size(); ++k) {
    add<TetrahedronShape<Law>>(model, tetrahedra[k], first, rest[k], 1 / shared[k], lots.shape);
    if (lots.has_volume)
      add<TetrahedronVolume>(model, tetrahedra[k], first, rest[k], 1 / shared[k], lots.volume);
  }
}

/// Springs to the points that no cell has.
void hold_loose_points(Model& model, const BodySeed& seed, const Material& material,
                       const std::vector<Cell>& cells, Index first) {
  std::vector<char> held(seed.points.size(), 0);
  for (const Cell& cell : cells)
    for (int k = 0; k < 8; ++k) held[cell.corner[k]] = 1;
  if (std::ranges::find(held, 0) == held.end()) return;
  auto pairs = close_pairs(seed.points, Real(1.6) * seed.spacing);
  std::erase_if(pairs, [&](const Vec<Index, 2>& e) { return held[e[0]] && held[e[1]]; });
  add_springs(model, seed, material, first, pairs);
}

Elements elements_of(const BodySeed& seed, const Material& material) {
  const Elements elements = parameters_of<Parameters>(material).elements;
  const bool of_lattice = elements == Elements::tetrahedra || elements == Elements::cells;
  if (elements == Elements::triangles)
    throw InputError(fmt::format(
        "material.{}.elements = \"triangles\" is for sheets, and body.{} is filled; set "
        "elements = \"cells\" or \"network\"",
        material.name, seed.name));
  if (of_lattice && material.dimensions == 2)
    throw InputError(
        fmt::format("material.{}.elements: elements of a solid need three dimensions; set elements "
                    "= \"network\"",
                    material.name));
  if (elements != Elements::automatic) return elements;
  if (is_given(parameters_of<Parameters>(material).yield_strain)) return Elements::network;
  return seed.packing == Packing::cubic && material.dimensions == 3 ? Elements::cells
                                                                    : Elements::network;
}

}  // namespace

void add_solid(Model& model, const BodySeed& seed, const Material& material, Index first) {
  const Parameters& p = parameters_of<Parameters>(material);
  const Elements elements = elements_of(seed, material);
  if (elements == Elements::network) return add_network(model, seed, material, first);
  const std::vector<Cell> cells = cells_of(seed);
  if (cells.empty() && p.elements == Elements::automatic)
    return add_network(model, seed, material, first);
  if (cells.empty())
    throw InputError(fmt::format(
        "body.{}.spacing = {:.3g} m leaves no cube of eight neighbouring particles, which elements "
        "of solids need: the body is thinner than two of them; choose a smaller one, or elements = "
        "\"network\" in its material",
        seed.name, double(seed.spacing)));
  const SolidLots lots = solid_lots(model, seed, p);
  const std::vector<Vec<Index, 4>> tetrahedra = tetrahedra_of(cells);
  const bool corotated = p.law == SolidLaw::corotated;
  if (elements == Elements::tetrahedra)
    (corotated ? add_tetrahedra<Corotated> : add_tetrahedra<NeoHookean>)(model, seed, tetrahedra,
                                                                         lots, first);
  else
    (corotated ? add_cells<Corotated> : add_cells<NeoHookean>)(model, seed, cells, lots, first);
  hold_loose_points(model, seed, material, cells, first);
  for (const Int3& t : surface_of(tetrahedra)) model.triangles.push_back(t + Int3::filled(first));
}

}  // namespace phyxel::pbd
