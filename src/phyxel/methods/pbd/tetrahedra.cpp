#include "phyxel/methods/pbd/tetrahedra.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <fmt/format.h>

#include "phyxel/core/error.h"

namespace phyxel::pbd {

namespace {

/// Place of a point in the lattice, as one number that orders by z, then y, then x.
using Key = std::uint64_t;
constexpr int bits = 20;
constexpr Key step_of_axis[3] = {1, Key{1} << bits, Key{1} << (2 * bits)};

struct Place {
  Key key;
  Index point;
  bool odd;
};

void refuse_packing(const BodySeed& seed) {
  throw InputError(fmt::format(
      "body.{}: elements of a solid lie between the points of a lattice of cubes, and its points "
      "form none; set packing = \"cubic\", or elements = \"network\" in its material",
      seed.name));
}

/// Places of all points, in order of their keys.
std::vector<Place> places_of(const BodySeed& seed) {
  if (seed.packing != Packing::cubic || seed.points.empty()) refuse_packing(seed);
  const auto axes = transpose(seed.frame.rotation);
  const auto local = [&](const Vec3& x) {
    return cast<double>(axes * (x - seed.points.front())) / double(seed.spacing);
  };
  Vec3d least = Vec3d::zero();
  for (const Vec3& x : seed.points) least = min(least, local(x));
  std::vector<Place> places;
  places.reserve(seed.points.size());
  for (std::size_t i = 0; i < seed.points.size(); ++i) {
    const Vec3d at = local(seed.points[i]) - least;
    Place place{0, static_cast<Index>(i), false};
    for (int c = 0; c < 3; ++c) {
      const double whole = std::round(at[c]);
      // Coordinates far from the origin are rounded; a tenth of a spacing is no rounding.
      if (std::abs(at[c] - whole) > 0.1 || whole >= (1 << bits) - 1) refuse_packing(seed);
      place.key += static_cast<Key>(whole) * step_of_axis[c];
      place.odd = place.odd != (static_cast<Key>(whole) % 2 == 1);
    }
    places.push_back(place);
  }
  std::ranges::sort(places, {}, &Place::key);
  return places;
}

/// Five tetrahedra of a cube whose face diagonals join corners 0, 3, 5 and 6, and of one where they
/// join the others.
constexpr int split[2][5][4] = {
    {{0, 3, 5, 6}, {1, 0, 3, 5}, {2, 0, 6, 3}, {4, 0, 5, 6}, {7, 3, 6, 5}},
    {{1, 2, 4, 7}, {0, 1, 2, 4}, {3, 1, 7, 2}, {5, 1, 4, 7}, {6, 2, 7, 4}}};

/// Of a corner of a unit cube.
constexpr int along(int corner, int axis) {
  return (corner >> axis) & 1;
}

/// Six times the volume of one of them.
constexpr int six_volumes_of(const int (&t)[4]) {
  int e[3][3] = {};
  for (int k = 0; k < 3; ++k)
    for (int axis = 0; axis < 3; ++axis) e[k][axis] = along(t[k + 1], axis) - along(t[0], axis);
  return e[0][0] * (e[1][1] * e[2][2] - e[1][2] * e[2][1]) -
         e[0][1] * (e[1][0] * e[2][2] - e[1][2] * e[2][0]) +
         e[0][2] * (e[1][0] * e[2][1] - e[1][1] * e[2][0]);
}

template <int N>
std::vector<double> share(const std::vector<Vec<Index, N>>& elements,
                          const std::vector<double>& volumes, std::size_t points,
                          double volume_of_point) {
  std::vector<double> at_point(points, 0), shared(elements.size(), 0);
  for (std::size_t e = 0; e < elements.size(); ++e)
    for (int k = 0; k < N; ++k) at_point[elements[e][k]] += volumes[e];
  for (std::size_t e = 0; e < elements.size(); ++e)
    for (int k = 0; k < N; ++k)
      shared[e] += volume_of_point * volumes[e] / at_point[elements[e][k]];
  return shared;
}

}  // namespace

std::vector<Cell> cells_of(const BodySeed& seed) {
  const std::vector<Place> places = places_of(seed);
  std::vector<Cell> cells;
  for (const Place& place : places) {
    Cell cell{{}, place.odd};
    bool whole = true;
    for (int k = 0; k < 8 && whole; ++k) {
      Key key = place.key;
      for (int axis = 0; axis < 3; ++axis) key += along(k, axis) * step_of_axis[axis];
      const auto at = std::ranges::lower_bound(places, key, {}, &Place::key);
      whole = at != places.end() && at->key == key;
      if (whole) cell.corner[k] = at->point;
    }
    if (whole) cells.push_back(cell);
  }
  return cells;
}

std::vector<Vec<Index, 4>> tetrahedra_of(const std::vector<Cell>& cells) {
  std::vector<Vec<Index, 4>> tetrahedra;
  tetrahedra.reserve(5 * cells.size());
  for (const Cell& cell : cells)
    for (const auto& t : split[cell.odd ? 1 : 0]) {
      Vec<Index, 4> corners;
      for (int k = 0; k < 4; ++k) corners[k] = cell.corner[t[k]];
      if (six_volumes_of(t) < 0) std::swap(corners[2], corners[3]);
      tetrahedra.push_back(corners);
    }
  return tetrahedra;
}

std::vector<double> shared_volumes(const std::vector<Vec<Index, 4>>& elements,
                                   const std::vector<double>& volumes, std::size_t points,
                                   double volume_of_point) {
  return share<4>(elements, volumes, points, volume_of_point);
}

std::vector<double> shared_volumes(const std::vector<Cell>& cells, std::size_t points,
                                   double volume_of_point) {
  std::vector<Vec<Index, 8>> elements;
  for (const Cell& cell : cells) elements.push_back(cell.corner);
  return share<8>(elements, std::vector<double>(cells.size(), 1), points, volume_of_point);
}

std::vector<Int3> surface_of(const std::vector<Vec<Index, 4>>& tetrahedra) {
  // The side opposite each corner, with its front away from it.
  constexpr int side[4][3] = {{1, 2, 3}, {0, 3, 2}, {0, 1, 3}, {0, 2, 1}};
  struct Face {
    std::array<Index, 3> sorted;
    Int3 corners;
  };
  std::vector<Face> faces;
  faces.reserve(4 * tetrahedra.size());
  for (const Vec<Index, 4>& t : tetrahedra)
    for (const auto& s : side) {
      Face face{{t[s[0]], t[s[1]], t[s[2]]}, {t[s[0]], t[s[1]], t[s[2]]}};
      std::ranges::sort(face.sorted);
      faces.push_back(face);
    }
  std::ranges::stable_sort(faces, {}, &Face::sorted);
  std::vector<Int3> surface;
  for (std::size_t k = 0; k < faces.size();) {
    const bool twice = k + 1 < faces.size() && faces[k].sorted == faces[k + 1].sorted;
    if (!twice) surface.push_back(faces[k].corners);
    k += twice ? 2 : 1;
  }
  return surface;
}

}  // namespace phyxel::pbd
