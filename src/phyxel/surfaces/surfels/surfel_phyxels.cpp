#include "phyxel/surfaces/surfels/surfel_phyxels.h"

#include <algorithm>
#include <cstring>
#include <fmt/format.h>

#include "phyxel/core/error.h"
#include "phyxel/surfaces/point_runs.h"

namespace phyxel {

namespace {

void check_length(const char* name, std::size_t length, Index phyxels, bool may_be_empty) {
  if (length == static_cast<std::size_t>(phyxels) || (length == 0 && may_be_empty)) return;
  throw Error(
      fmt::format("surfels: column {} has {} entries for {} phyxels", name, length, phyxels));
}

const FrameColumn& column_of(const Frame& frame, const char* name, int components) {
  const FrameColumn* const column = frame.find(name);
  if (column == nullptr || column->components != components)
    throw Error(
        fmt::format("surfels: the frame has no column '{}' with {} components: its method "
                    "has no reference shape",
                    name, components));
  return *column;
}

/// Elements `which` of a column of numbers, vectors or matrices.
template <class T>
Column<T> elements(const Frame& frame, const char* name, const std::vector<std::size_t>& which) {
  constexpr int components = ElementOf<T>::components;
  using Number = typename ElementOf<T>::Number;
  const FrameColumn& from = column_of(frame, name, components);
  Column<T> to(which.size());
  auto* const number = reinterpret_cast<Number*>(to.data());
  for (std::size_t k = 0; k < which.size(); ++k)
    for (int c = 0; c < components; ++c)
      number[k * components + c] = static_cast<Number>(from.number(which[k], c));
  return to;
}

/// Ids have more bits than a double.
Column<ParticleId> ids_of(const Frame& frame, const std::vector<std::size_t>& which) {
  const FrameColumn& from = column_of(frame, "id", 1);
  Column<ParticleId> ids(which.size());
  for (std::size_t k = 0; k < which.size(); ++k)
    if (from.type == NumberType::uint64)
      std::memcpy(&ids[k], from.data.data() + which[k] * sizeof(ParticleId), sizeof(ParticleId));
    else
      ids[k] = static_cast<ParticleId>(from.number(which[k]));
  return ids;
}

/// Neighbours fade out over this share of the squared support: regular packings have whole shells
/// of them at its very end, which would come and go with the least motion.
constexpr Real fade = Real(0.3);

/// Sums over the neighbours of a phyxel, with d from the phyxel to them.
struct Spread {
  Index count = 0;
  Real weight = 0;
  Vec3 d = Vec3::zero();
  Mat3 squares = Mat3::zero();

  void include(const Vec3& to, Real w) {
    ++count;
    weight += w;
    d += to * w;
    squares += outer(to, to) * w;
  }
  /// Around their mean, times the sum of weights.
  Mat3 covariance() const {
    return weight > 0 ? squares - outer(d, d) * (1 / weight) : Mat3::zero();
  }
};

Real probability(const Spread& s, int dimensions) {
  if (s.count <= dimensions) return 1;
  const Mat3 c = s.covariance();
  const Real mean = trace(c) / static_cast<Real>(dimensions);
  if (!(mean > 0)) return 1;
  const Mat3 unit = c * (1 / mean);
  const Real volume =
      dimensions == 2 ? unit[0][0] * unit[1][1] - unit[0][1] * unit[1][0] : determinant(unit);
  return clamp(1 - volume, Real(0), Real(1));
}

bool see_each_other(const SurfelPhyxels& p, Index i, Index j) {
  if (p.object.empty() || p.object[i] == p.object[j]) return true;
  return !p.absorbs.empty() && p.absorbs[i] && p.absorbs[j];
}

}  // namespace

void check(const SurfelPhyxels& p) {
  check_length("id", p.id.size(), p.size(), false);
  check_length("reference", p.reference.size(), p.size(), false);
  check_length("deformation", p.deformation.size(), p.size(), false);
  check_length("support", p.support.size(), p.size(), false);
  check_length("absorbed", p.absorbed.size(), p.size(), true);
  check_length("absorbs", p.absorbs.size(), p.size(), true);
  check_length("object", p.object.size(), p.size(), true);
  check_length("boundary", p.boundary.size(), p.size(), true);
}

SurfelPhyxels surfel_phyxels(const Frame& frame, const std::vector<std::size_t>& which) {
  SurfelPhyxels p;
  p.id = ids_of(frame, which);
  p.x = elements<Vec3>(frame, "position", which);
  p.reference = elements<Vec3>(frame, "reference", which);
  p.deformation = elements<Mat3>(frame, "deformation", which);
  p.absorbed = elements<Mat3>(frame, "absorbed", which);
  p.absorbs = elements<std::uint8_t>(frame, "absorbs", which);
  p.support = elements<Real>(frame, "support", which);
  if (frame.find("object") != nullptr) p.object = elements<Index>(frame, "object", which);
  return p;
}

SurfelPhyxels surfel_phyxels(const Column<ParticleId>& id, const Column<Vec3>& x,
                             const Column<Vec3>& rest_positions, const Column<Mat3>& transforms,
                             Real support) {
  SurfelPhyxels p;
  p.id = id;
  p.x = x;
  p.reference = rest_positions;
  p.deformation = transforms;
  p.support.assign(x.size(), support);
  check(p);
  return p;
}

void measure_boundary(const Exec& exec, int dimensions, SurfelPhyxels& p) {
  p.boundary.assign(p.x.size(), 1);
  if (p.size() == 0) return;
  const Real reach = *std::max_element(p.support.begin(), p.support.end());
  const IndexedCells cells = index_cells(exec, p.reference, reach);
  for_each(exec, "surfels.boundary", p.size(), [&](Index i) {
    Spread spread;
    const Vec3 here = p.reference[i];
    const Real over_limit = 1 / (p.support[i] * p.support[i]);
    visit_runs(cells, here, p.support[i], 1, [&](Index first, Index last) {
      for (Index k = first; k < last; ++k) {
        const Index j = cells.cells.order[k];
        const Vec3 d = p.reference[j] - here;
        const Real w = min((1 - length_squared(d) * over_limit) / fade, Real(1));
        if (w > 0 && see_each_other(p, i, j)) spread.include(d, w);
      }
    });
    p.boundary[i] = probability(spread, dimensions);
  });
}

}  // namespace phyxel
