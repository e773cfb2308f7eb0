#include "phyxel/methods/mls/coarse_nodes.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <map>

namespace phyxel::mls {

namespace {

constexpr Index least_phyxels = 12;  // for each node
constexpr Real growth = Real(1.2);   // of cubes, until nodes are few enough

/// Cubes over the bounding box of an object.
struct Box {
  Vec3 low, high;
  Index number = 0;  // of the object
  Index cubes[3] = {};
};
using Boxes = std::map<Index, Box>;

Boxes boxes_of(const HostColumn<Vec3>& x, const HostColumn<Index>& object) {
  Boxes boxes;
  for (std::size_t i = 0; i < x.size(); ++i) {
    Box& box = boxes.try_emplace(object[i], Box{x[i], x[i]}).first->second;
    for (int k = 0; k < 3; ++k) {
      box.low[k] = std::min(box.low[k], x[i][k]);
      box.high[k] = std::max(box.high[k], x[i][k]);
    }
  }
  Index number = 0;
  for (auto& [name, box] : boxes) box.number = number++;
  return boxes;
}

void divide(Real edge, Real spacing, Boxes& boxes) {
  for (auto& [name, box] : boxes)
    for (int k = 0; k < 3; ++k) {
      const Real extent = box.high[k] - box.low[k];
      const Index most = (Index{1} << 15) - 2;
      box.cubes[k] = extent < spacing / 2
                         ? 0
                         : static_cast<Index>(std::clamp(std::round(extent / edge), Real(1),
                                                         static_cast<Real>(most)));
    }
}

bool are_undivided(const Boxes& boxes) {
  return std::ranges::all_of(boxes, [](const auto& entry) {
    const Box& box = entry.second;
    return std::max({box.cubes[0], box.cubes[1], box.cubes[2]}) <= 1;
  });
}

/// A cube or a node: object and coordinates.
using Key = std::uint64_t;
Key key_of(Index object, const std::array<Index, 3>& at) {
  Key key = static_cast<Key>(object);
  for (const Index c : at) key = key << 15 | static_cast<Key>(c);
  return key;
}

/// Where a phyxel is: its cube, and how far it is across it.
struct Place {
  const Box* box;
  std::array<Index, 3> cube;
  Vec3 along;
};

Place place_of(const Box& box, const Vec3& x) {
  Place place{&box, {}, Vec3::zero()};
  for (int k = 0; k < 3; ++k) {
    if (box.cubes[k] == 0) continue;
    const Real t = (x[k] - box.low[k]) / (box.high[k] - box.low[k]) * Real(box.cubes[k]);
    place.cube[k] = std::clamp(static_cast<Index>(t), Index{0}, box.cubes[k] - 1);
    place.along[k] = t - Real(place.cube[k]);
  }
  return place;
}

/// Corner 0 to 7 of a cube; in flat objects some are the same.
Key corner_of(const Place& place, int corner) {
  std::array<Index, 3> at = place.cube;
  for (int k = 0; k < 3; ++k) at[k] += (corner >> k & 1) != 0 && place.box->cubes[k] > 0;
  return key_of(place.box->number, at);
}
Real share_of(const Place& place, int corner) {
  Real share = 1;
  for (int k = 0; k < 3; ++k) share *= (corner >> k & 1) ? place.along[k] : 1 - place.along[k];
  return share;
}

std::vector<Place> places_of(const Boxes& boxes, const HostColumn<Vec3>& x,
                             const HostColumn<Index>& object) {
  std::vector<Place> places(x.size());
  for (std::size_t i = 0; i < x.size(); ++i) places[i] = place_of(boxes.at(object[i]), x[i]);
  return places;
}

/// Nodes in the order of their keys.
std::vector<Key> nodes_of(const std::vector<Place>& places) {
  std::map<Key, const Place*> occupied;
  Key last = ~Key{0};
  for (const Place& place : places) {
    const Key cube = key_of(place.box->number, place.cube);
    if (cube != last) occupied.try_emplace(cube, &place);
    last = cube;
  }
  std::vector<Key> nodes;
  for (const auto& [cube, place] : occupied)
    for (int c = 0; c < 8; ++c) nodes.push_back(corner_of(*place, c));
  std::sort(nodes.begin(), nodes.end());
  nodes.erase(std::unique(nodes.begin(), nodes.end()), nodes.end());
  return nodes;
}

std::vector<Corners> corners_of(const std::vector<Place>& places, const std::vector<Key>& nodes) {
  std::vector<Corners> corners(places.size());
  Key last = ~Key{0};
  for (std::size_t i = 0; i < places.size(); ++i) {
    const Key cube = key_of(places[i].box->number, places[i].cube);
    for (int c = 0; c < 8; ++c) {
      corners[i].node[c] = cube == last
                               ? corners[i - 1].node[c]
                               : static_cast<Index>(std::lower_bound(nodes.begin(), nodes.end(),
                                                                     corner_of(places[i], c)) -
                                                    nodes.begin());
      corners[i].share[c] = share_of(places[i], c);
    }
    last = cube;
  }
  return corners;
}

/// The entries of each node, in the order of phyxels.
void list_entries(CoarseNodes& nodes) {
  std::vector<std::vector<Index>> of_node(static_cast<std::size_t>(nodes.count));
  for (std::size_t i = 0; i < nodes.corners.size(); ++i)
    for (int c = 0; c < 8; ++c)
      if (nodes.corners[i].share[c] > 0)
        of_node[nodes.corners[i].node[c]].push_back(static_cast<Index>(8 * i) + c);
  nodes.node_start = {0};
  for (const std::vector<Index>& entries : of_node) {
    for (std::size_t e = 0; e < entries.size(); ++e) {
      if (e % entries_of_piece == 0)
        nodes.piece_start.push_back(static_cast<Index>(nodes.entry.size()));
      nodes.entry.push_back(entries[e]);
    }
    nodes.node_start.push_back(static_cast<Index>(nodes.piece_start.size()));
  }
  nodes.piece_start.push_back(static_cast<Index>(nodes.entry.size()));
}

}  // namespace

CoarseNodes make_coarse_nodes(const HostColumn<Vec3>& reference, const HostColumn<Index>& object,
                              Real spacing, Index most) {
  CoarseNodes nodes;
  const Index n = static_cast<Index>(reference.size());
  most = std::min(most, n / least_phyxels);
  if (most < 4) return nodes;
  Boxes boxes = boxes_of(reference, object);
  if (static_cast<Index>(boxes.size()) > most) return nodes;
  // A solid body has as many cubes as phyxels over the phyxels of a cube; others have fewer.
  Real edge = spacing * std::max(Real(2.5), std::cbrt(Real(n) / Real(most)));
  std::vector<Place> places;
  std::vector<Key> keys;
  for (;; edge *= growth) {
    divide(edge, spacing, boxes);
    places = places_of(boxes, reference, object);
    keys = nodes_of(places);
    if (static_cast<Index>(keys.size()) <= most) break;
    if (are_undivided(boxes)) return nodes;
  }
  nodes.count = static_cast<Index>(keys.size());
  nodes.corners = corners_of(places, keys);
  list_entries(nodes);
  return nodes;
}

}  // namespace phyxel::mls
