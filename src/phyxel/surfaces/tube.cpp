#include "phyxel/surfaces/tube.h"

#include <cmath>

#include "phyxel/geometry/body_mesh.h"
#include "phyxel/matter/frame_rows.h"

namespace phyxel {
namespace {

constexpr int sides = 16;
constexpr int parts = 4;      // of the axis between two vertices
constexpr int cap_rings = 4;  // of a half ball, without its pole

/// Vertices one after the other; a closed chain goes on from its last to its first.
struct Chain {
  std::vector<Index> vertices;
  bool closed = false;
};

using Neighbours = std::vector<std::vector<Index>>;

Neighbours neighbours_of(const FrameSet& lines) {
  Neighbours neighbours(lines.count);
  for (const auto& e : lines.edges) {
    neighbours[e[0]].push_back(e[1]);
    neighbours[e[1]].push_back(e[0]);
  }
  return neighbours;
}

/// Walks from `first` over `next` and unseen vertices until the chain ends, branches or closes.
Chain walk(const Neighbours& neighbours, std::vector<bool>& seen, Index first, Index next) {
  Chain chain{{first, next}};
  while (neighbours[next].size() == 2 && next != first) {
    seen[next] = true;
    const Index before = chain.vertices[chain.vertices.size() - 2];
    next = neighbours[next][0] == before ? neighbours[next][1] : neighbours[next][0];
    chain.vertices.push_back(next);
  }
  chain.closed = next == first;
  if (chain.closed) chain.vertices.pop_back();
  return chain;
}

std::vector<Chain> chains_of(const FrameSet& lines) {
  const Neighbours neighbours = neighbours_of(lines);
  std::vector<bool> seen(lines.count, false);
  std::vector<Chain> chains;
  const auto count = static_cast<Index>(lines.count);
  for (Index v = 0; v < count; ++v) {  // from ends and branches, each edge once
    if (neighbours[v].size() == 2) continue;
    if (neighbours[v].empty()) chains.push_back({{v}});
    for (const Index next : neighbours[v]) {
      const bool direct = neighbours[next].size() != 2;
      if (direct ? next < v : seen[next]) continue;
      chains.push_back(walk(neighbours, seen, v, next));
    }
  }
  for (Index v = 0; v < count; ++v)  // what is left are rings
    if (neighbours[v].size() == 2 && !seen[v]) {
      seen[v] = true;
      chains.push_back(walk(neighbours, seen, v, neighbours[v][0]));
    }
  return chains;
}

/// A place on the axis of a tube.
struct Station {
  Vec3 place;
  Vec3 tangent;     // unit
  std::size_t row;  // of the nearest vertex
  Real along = 0;   // 0 to 1
};

/// The cubic through b and c at t from b, with the slopes of Catmull and Rom 1974.
Station between(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d, Real t) {
  const Vec3 first = (c - a) * Real(0.5), last = (d - b) * Real(0.5);
  const Vec3 square = (c - b) * 3 - first * 2 - last, cube = (b - c) * 2 + first + last;
  const Vec3 slope = first + (square * 2 + cube * (3 * t)) * t;
  const Real l = length(slope);
  return {b + (first + (square + cube * t) * t) * t, l > 0 ? slope / l : Vec3{1, 0, 0}, 0};
}

std::vector<Station> axis_of(const Chain& chain, const FrameColumn& position) {
  const auto n = static_cast<std::ptrdiff_t>(chain.vertices.size());
  const auto place = [&](std::ptrdiff_t k) {
    const auto v = static_cast<std::size_t>(chain.vertices[(k + n) % n]);
    return Vec3{Real(position.number(v, 0)), Real(position.number(v, 1)),
                Real(position.number(v, 2))};
  };
  // Beyond its ends an open line goes on straight.
  const auto along = [&](std::ptrdiff_t k) {
    if (chain.closed || (k >= 0 && k < n)) return place(k);
    return k < 0 ? place(0) * 2 - place(1) : place(n - 1) * 2 - place(n - 2);
  };
  if (n == 1) return {{place(0), {1, 0, 0}, static_cast<std::size_t>(chain.vertices[0])}};
  std::vector<Station> axis;
  const std::ptrdiff_t segments = chain.closed ? n : n - 1;
  for (std::ptrdiff_t k = 0; k < segments; ++k)
    for (int part = 0; part < parts + (k + 1 == segments ? 1 : 0); ++part) {
      const Real t = Real(part) / parts;
      axis.push_back(between(along(k - 1), along(k), along(k + 1), along(k + 2), t));
      axis.back().row = static_cast<std::size_t>(chain.vertices[(t < Real(0.5) ? k : k + 1) % n]);
    }
  const std::size_t last = chain.closed ? axis.size() : axis.size() - 1;
  for (std::size_t k = 0; k < axis.size(); ++k) axis[k].along = Real(k) / Real(last);
  return axis;
}

/// What is made of a tube so far: `rows` has the vertex of the line behind each vertex of the tube.
struct Tube {
  SurfaceMesh& surface;
  std::vector<std::size_t>& rows;
  Real radius;

  /// `around`: 0 to 1.
  Index add(const Station& at, const Vec3& normal, Real around) {
    surface.mesh.vertices.push_back(at.place + normal * radius);
    surface.normals.push_back(normal);
    // There and back again: without a seam.
    surface.texture.push_back({at.along, 1 - std::abs(1 - 2 * around)});
    rows.push_back(at.row);
    return static_cast<Index>(rows.size() - 1);
  }
  /// A ring of vertices; their normals lean by `sine` towards the tangent.
  Index add_ring(const Station& at, const Vec3& across, Real sine) {
    const Vec3 other = cross(at.tangent, across);
    const Real cosine = std::sqrt(std::max(Real(0), 1 - sine * sine));
    const auto first = static_cast<Index>(rows.size());
    for (int k = 0; k < sides; ++k) {
      const Real angle = 2 * Real(M_PI) * Real(k) / sides;
      const Vec3 out = across * std::cos(angle) + other * std::sin(angle);
      add(at, out * cosine + at.tangent * sine, Real(k) / sides);
    }
    return first;
  }
  /// Triangles between two rings, the second one ahead along the tangent; its vertex `turn` is
  /// beside the first one of the other.
  void join(Index behind, Index ahead, Index turn = 0) {
    for (Index k = 0; k < sides; ++k) {
      const Index next = (k + 1) % sides;
      const Index beside = ahead + (k + turn) % sides, beyond = ahead + (next + turn) % sides;
      surface.mesh.triangles.push_back({behind + k, behind + next, beyond});
      surface.mesh.triangles.push_back({behind + k, beyond, beside});
    }
  }
  void close(Index ring, Index pole, bool pole_ahead) {
    for (Index k = 0; k < sides; ++k) {
      const Index next = (k + 1) % sides;
      surface.mesh.triangles.push_back(pole_ahead ? Int3{ring + k, ring + next, pole}
                                                  : Int3{ring + next, ring + k, pole});
    }
  }
};

Vec3 any_across(const Vec3& tangent) {
  const Vec3 axis = std::abs(tangent[0]) < Real(0.6) ? Vec3{1, 0, 0} : Vec3{0, 1, 0};
  return normalized(cross(tangent, axis));
}

/// The direction across the axis at the next station that turns least.
Vec3 carried(const Vec3& across, const Vec3& tangent) {
  const Vec3 level = across - tangent * dot(across, tangent);
  const Real l = length(level);
  return l > Real(1e-3) ? level / l : any_across(tangent);
}

Real cap_sine(int ring) {
  return std::sin(Real(M_PI_2) * Real(ring) / cap_rings);
}

void add_tube(Tube& tube, const std::vector<Station>& axis, bool closed) {
  const Vec3 first_across = any_across(axis.front().tangent);
  Vec3 across = first_across;
  Index first = -1, last = -1;
  if (!closed) {
    const Index pole = tube.add(axis.front(), -axis.front().tangent, 0);
    for (int ring = cap_rings - 1; ring > 0; --ring) {
      const Index now = tube.add_ring(axis.front(), across, -cap_sine(ring));
      if (last < 0)
        tube.close(now, pole, false);
      else
        tube.join(last, now);
      last = now;
    }
  }
  for (const Station& station : axis) {
    across = carried(across, station.tangent);
    const Index ring = tube.add_ring(station, across, 0);
    if (last >= 0) tube.join(last, ring);
    if (first < 0) first = ring;
    last = ring;
  }
  if (closed) {
    const Vec3& tangent = axis.front().tangent;
    across = carried(across, tangent);
    const Real angle =
        std::atan2(dot(across, cross(tangent, first_across)), dot(across, first_across));
    const auto turn = static_cast<Index>(std::lround(angle / (2 * Real(M_PI)) * sides) + sides);
    tube.join(last, first, turn % sides);
    return;
  }
  for (int ring = 1; ring < cap_rings; ++ring) {
    const Index now = tube.add_ring(axis.back(), across, cap_sine(ring));
    tube.join(last, now);
    last = now;
  }
  tube.close(last, tube.add(axis.back(), axis.back().tangent, 0), true);
}

}  // namespace

SurfaceMesh tubes_around(const FrameSet& lines, Real radius, const Vec3d& origin) {
  SurfaceMesh surface;
  surface.origin = origin;
  std::vector<std::size_t> rows;
  Tube tube{surface, rows, radius};
  const FrameColumn& position = *lines.find("position");
  for (const Chain& chain : chains_of(lines))
    add_tube(tube, axis_of(chain, position), chain.closed);
  for (const FrameColumn& column : lines.columns)
    if (column.name != "position" && column.name != "texture")
      surface.attributes.push_back(rows_of(column, rows));
  return surface;
}

}  // namespace phyxel
