#include "phyxel/methods/pbd/ties.h"

#include <array>
#include <cmath>
#include <limits>
#include <queue>

namespace phyxel::pbd {

namespace {

constexpr double far = std::numeric_limits<double>::infinity();

/// Lists of a number for each vertex.
struct Lists {
  std::vector<Index> start, entry;

  template <class Parts>
  Lists(std::size_t vertices, const Parts& parts, int corners) : start(vertices + 1, 0) {
    for (const auto& part : parts)
      for (int k = 0; k < corners; ++k) ++start[part[k] + 1];
    for (std::size_t v = 0; v < vertices; ++v) start[v + 1] += start[v];
    entry.resize(start.back());
    std::vector<Index> next(start.begin(), start.end() - 1);
    for (std::size_t p = 0; p < parts.size(); ++p)
      for (int k = 0; k < corners; ++k) entry[next[parts[p][k]]++] = static_cast<Index>(p);
  }
};

/// The way to c through the edge a b, whose ends have ways of their own from one anchor: that
/// anchor is put into the plane of the triangle.
double through_triangle(const Vec3d& a, const Vec3d& b, const Vec3d& c, double way_a,
                        double way_b) {
  const Vec3d ab = b - a, ac = c - a;
  const double l = length(ab), along = dot(ac, ab) / l;
  const double height = std::sqrt(std::max(0.0, length_squared(ac) - along * along));
  const double x = (way_a * way_a - way_b * way_b + l * l) / (2 * l);
  const double depth = std::sqrt(std::max(0.0, way_a * way_a - x * x));
  if (!(depth + height > 0)) return far;
  const double crossing = x + (along - x) * depth / (depth + height);
  if (crossing < 0 || crossing > l) return far;
  return std::hypot(along - x, depth + height);
}

struct March {
  const Model& model;
  Lists triangles{model.id.size(), model.triangles, 3}, edges{model.id.size(), model.edges, 2};
  std::vector<double> way = std::vector<double>(model.id.size(), far);
  std::vector<Index> anchor = std::vector<Index>(model.id.size(), -1);
  std::vector<char> known = std::vector<char>(model.id.size(), 0);
  using Entry = std::pair<double, Index>;
  std::priority_queue<Entry, std::vector<Entry>, std::greater<>> open = {};

  Vec3d at(Index v) const { return cast<double>(model.rest[v]); }

  void reach(Index v, double length, Index from) {
    if (known[v] || !(length < way[v])) return;
    way[v] = length;
    anchor[v] = from;
    open.emplace(length, v);
  }
  void march_over(const Int3& t, Index v) {
    for (int k = 0; k < 3; ++k) {
      const Index b = t[(k + 1) % 3], c = t[(k + 2) % 3];
      for (const auto& [other, last] : {std::pair{b, c}, std::pair{c, b}})
        if (t[k] == v && known[other] && anchor[other] == anchor[v] && !known[last])
          reach(last, through_triangle(at(v), at(other), at(last), way[v], way[other]), anchor[v]);
    }
  }
  void run() {
    while (!open.empty()) {
      const Index v = open.top().second;
      open.pop();
      if (known[v]) continue;
      known[v] = 1;
      for (Index k = edges.start[v]; k < edges.start[v + 1]; ++k) {
        const auto& e = model.edges[edges.entry[k]];
        const Index other = e[0] == v ? e[1] : e[0];
        reach(other, way[v] + length(at(other) - at(v)), anchor[v]);
      }
      for (Index k = triangles.start[v]; k < triangles.start[v + 1]; ++k)
        march_over(model.triangles[triangles.entry[k]], v);
    }
  }
};

}  // namespace

std::vector<Tie> find_ties(const Model& model, const std::vector<std::uint8_t>& held) {
  March march{model};
  for (std::size_t v = 0; v < held.size(); ++v)
    if (held[v]) march.reach(static_cast<Index>(v), 0, static_cast<Index>(v));
  march.run();
  std::vector<Tie> ties;
  for (std::size_t v = 0; v < held.size(); ++v)
    if (!held[v] && march.anchor[v] >= 0)
      ties.push_back({static_cast<Index>(v), march.anchor[v], march.way[v]});
  return ties;
}

}  // namespace phyxel::pbd
