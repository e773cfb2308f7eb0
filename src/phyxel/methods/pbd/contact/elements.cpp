#include "phyxel/methods/pbd/contact/elements.h"

#include <algorithm>
#include <numeric>
#include <tuple>
#include <unordered_map>

namespace phyxel::pbd {
namespace {

std::uint64_t edge_key(Index a, Index b) {
  return std::uint64_t(std::min(a, b)) << 32 | std::uint32_t(std::max(a, b));
}

/// Every third bit of the result is one of the lowest 10 bits of x.
std::uint64_t spread(std::uint64_t x) {
  x = (x | x << 16) & 0x30000ff;
  x = (x | x << 8) & 0x300f00f;
  x = (x | x << 4) & 0x30c30c3;
  return (x | x << 2) & 0x9249249;
}

/// All triangles, and the edges that no triangle has.
std::vector<Element> all_elements(const ContactMesh& mesh) {
  std::vector<Element> elements;
  std::vector<std::uint64_t> edges;
  for (const Int3& t : mesh.triangles) {
    elements.push_back({{t[0], t[1], t[2]}, face_flag});
    for (int k = 0; k < 3; ++k) edges.push_back(edge_key(t[k], t[(k + 1) % 3]));
  }
  std::sort(edges.begin(), edges.end());
  for (const Vec<Index, 2>& e : mesh.edges)
    if (!std::binary_search(edges.begin(), edges.end(), edge_key(e[0], e[1])))
      elements.push_back({{e[0], e[1], e[1]}, 0});
  return elements;
}

/// The first element that has a vertex or an edge owns it.
void assign_owners(HostColumn<Element>& elements, std::size_t particles) {
  std::vector<char> vertex_taken(particles, 0);
  std::unordered_map<std::uint64_t, char> edge_taken;
  edge_taken.reserve(elements.size() * 2);
  for (Element& e : elements) {
    const int edges = e.has_face() ? 3 : 1;
    for (int k = 0; k < 3; ++k) {
      if (!vertex_taken[e.corner[k]]) e.flags |= 1 << k;
      vertex_taken[e.corner[k]] = 1;
      if (k < edges && edge_taken.emplace(edge_key(e.corner[k], e.corner[(k + 1) % 3]), 1).second)
        e.flags |= 1 << (3 + k);
    }
  }
}

/// Body, then the place of the centre along a curve that fills space (Morton).
std::vector<std::uint64_t> order_keys(const std::vector<Element>& elements,
                                      const HostColumn<Vec3>& rest, const HostColumn<Index>& body) {
  Bounds bounds;
  for (const Element& e : elements)
    for (const Index c : e.corner) bounds.include(rest[c]);
  const Vec3 size = bounds.size();
  const double scale = 1023 / std::max({double(size[0]), double(size[1]), double(size[2]), 1e-30});
  std::vector<std::uint64_t> keys;
  for (const Element& e : elements) {
    const Vec3 centre = (rest[e.corner[0]] + rest[e.corner[1]] + rest[e.corner[2]]) / Real(3);
    std::uint64_t key = 0;
    for (int k = 0; k < 3; ++k)
      key |= spread(std::uint64_t(double(centre[k] - bounds.min[k]) * scale)) << k;
    keys.push_back(std::uint64_t(body[e.corner[0]]) << 30 | key);
  }
  return keys;
}

using Pairs = std::vector<std::pair<Index, Index>>;

/// Pairs of triangles with a common edge, by their places.
Pairs joined_triangles(const HostColumn<Element>& elements) {
  std::vector<std::pair<std::uint64_t, Index>> sides;
  for (Index i = 0; i < static_cast<Index>(elements.size()); ++i)
    if (elements[i].has_face())
      for (int k = 0; k < 3; ++k)
        sides.emplace_back(edge_key(elements[i].corner[k], elements[i].corner[(k + 1) % 3]), i);
  std::sort(sides.begin(), sides.end());
  Pairs pairs;
  for (std::size_t k = 1; k < sides.size(); ++k)
    if (sides[k].first == sides[k - 1].first)
      pairs.emplace_back(sides[k - 1].second, sides[k].second);
  return pairs;
}

/// By particle: whether another one of its body has the same place at rest, as both sides of a slit
/// or tear have.
std::vector<char> particles_of_slits(const HostColumn<Vec3>& rest, const HostColumn<Index>& body) {
  std::vector<Index> order(rest.size());
  std::iota(order.begin(), order.end(), 0);
  const auto key = [&](Index i) { return std::tuple(body[i], rest[i][0], rest[i][1], rest[i][2]); };
  std::sort(order.begin(), order.end(), [&](Index a, Index b) { return key(a) < key(b); });
  std::vector<char> twin(rest.size(), 0);
  for (std::size_t k = 1; k < order.size(); ++k)
    if (key(order[k]) == key(order[k - 1])) twin[order[k]] = twin[order[k - 1]] = 1;
  return twin;
}

/// Whether all elements of a leaf are triangles that edges within the leaf connect, and none is at
/// a slit: its lips can slide over each other while all is flat.
std::vector<char> connected_leaves(const ContactElements& e, const Pairs& joined,
                                   const std::vector<char>& slit) {
  std::vector<unsigned> reach(e.element.size());
  for (std::size_t i = 0; i < reach.size(); ++i) reach[i] = 1u << (i % leaf_width);
  for (Index round = 0; round < leaf_width; ++round)
    for (const auto& [a, b] : joined)
      if (a / leaf_width == b / leaf_width) reach[a] = reach[b] = reach[a] | reach[b];
  std::vector<char> connected(e.leaves, 1);
  for (Index l = 0; l < e.leaves; ++l) {
    unsigned present = 0;
    for (Index k = 0; k < leaf_width; ++k)
      if (e.element[l * leaf_width + k].flags != 0 || k == 0) present |= 1u << k;
    for (Index k = 0; k < leaf_width; ++k)
      if (present >> k & 1) {
        const Element& element = e.element[l * leaf_width + k];
        bool whole = element.has_face() && reach[l * leaf_width + k] == present;
        for (const Index corner : element.corner) whole = whole && !slit[corner];
        connected[l] &= char(whole);
      }
  }
  return connected;
}

void find_neighbours(ContactElements& e, const std::vector<char>& slit) {
  const Pairs joined = joined_triangles(e.element);
  const std::vector<char> connected = connected_leaves(e, joined, slit);
  Pairs pairs;
  for (Index l = 0; l < e.leaves; ++l)
    if (connected[l]) pairs.emplace_back(l, l);
  for (const auto& [a, b] : joined) {
    const Index l = a / leaf_width, m = b / leaf_width;
    if (l == m || !connected[l] || !connected[m]) continue;
    pairs.emplace_back(l, m);
    pairs.emplace_back(m, l);
  }
  std::sort(pairs.begin(), pairs.end());
  pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());
  e.start.assign(e.leaves + 1, 0);
  for (const auto& pair : pairs) {
    ++e.start[pair.first + 1];
    e.neighbour.push_back(pair.second);
  }
  std::partial_sum(e.start.begin(), e.start.end(), e.start.begin());
}

/// Elements of each leaf: triangles that edges connect, grown from the first one that is left over
/// by those that most of the leaf are beside; and then the single edges.
std::vector<std::vector<Index>> leaves_of(const HostColumn<Element>& elements) {
  std::vector<std::vector<Index>> beside(elements.size()), leaves;
  for (const auto& [a, b] : joined_triangles(elements)) {
    beside[a].push_back(b);
    beside[b].push_back(a);
  }
  std::vector<Index> in_leaf(elements.size(), 0);  // neighbours in the leaf; -1: it has a leaf
  for (Index seed = 0; seed < static_cast<Index>(elements.size()); ++seed) {
    if (in_leaf[seed] < 0 || !elements[seed].has_face()) continue;
    std::vector<Index> leaf, border = {seed};
    while (!border.empty() && static_cast<Index>(leaf.size()) < leaf_width) {
      const auto next = std::max_element(border.begin(), border.end(), [&](Index a, Index b) {
        return std::tuple(in_leaf[a], -a) < std::tuple(in_leaf[b], -b);
      });
      const Index taken = *next;
      border.erase(next);
      in_leaf[taken] = -1;
      leaf.push_back(taken);
      for (const Index other : beside[taken])
        if (in_leaf[other] >= 0 && in_leaf[other]++ == 0) border.push_back(other);
    }
    for (const Index other : border) in_leaf[other] = 0;
    leaves.push_back(leaf);
  }
  std::size_t of_leaf = leaf_width;
  for (Index k = 0; k < static_cast<Index>(elements.size()); ++k) {
    if (elements[k].has_face()) continue;
    if (of_leaf == leaf_width) leaves.emplace_back();
    leaves.back().push_back(k);
    of_leaf = leaves.back().size();
  }
  return leaves;
}

}  // namespace

ContactElements make_elements(const ContactMesh& mesh, const HostColumn<Vec3>& rest,
                              const HostColumn<Index>& body) {
  std::vector<Element> all = all_elements(mesh);
  ContactElements result;
  if (all.empty()) return result;
  const std::vector<std::uint64_t> keys = order_keys(all, rest, body);
  std::vector<Index> order(all.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](Index a, Index b) { return keys[a] < keys[b]; });
  HostColumn<Element> sorted;
  for (const Index k : order) sorted.push_back(all[k]);
  assign_owners(sorted, rest.size());
  const std::vector<std::vector<Index>> leaves = leaves_of(sorted);
  result.leaves = static_cast<Index>(leaves.size());
  const Element none{{sorted[0].corner[0], sorted[0].corner[0], sorted[0].corner[0]}, 0};
  result.element.assign(leaves.size() * leaf_width, none);
  for (std::size_t l = 0; l < leaves.size(); ++l)
    for (std::size_t k = 0; k < leaves[l].size(); ++k)
      result.element[l * leaf_width + k] = sorted[leaves[l][k]];
  find_neighbours(result, particles_of_slits(rest, body));
  return result;
}

}  // namespace phyxel::pbd
