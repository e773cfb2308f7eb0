#include "phyxel/methods/pbd/tearing.h"

#include <algorithm>
#include <map>
#include <utility>

namespace phyxel::pbd {

namespace {

using Edge = Vec<Index, 2>;
using Fan = std::vector<Index>;  // triangles at a vertex

bool has(const Int3& triangle, Index vertex) {
  return triangle[0] == vertex || triangle[1] == vertex || triangle[2] == vertex;
}

/// Lists parts from `known` on under each of their vertices.
template <class VerticesOf>
void list(std::vector<std::vector<Index>>& at, std::size_t vertices, std::size_t& known,
          std::size_t count, const VerticesOf& vertices_of) {
  at.resize(vertices);
  for (; known < count; ++known)
    for (const Index v : vertices_of(known)) at[v].push_back(static_cast<Index>(known));
}

template <class Kind>
std::vector<Index> vertices_of(const Constraint<Kind>& c) {
  return {std::begin(c.vertex), std::end(c.vertex)};
}

template <int N>
std::vector<Index> corners(const Vec<Index, N>& part) {
  std::vector<Index> result;
  for (int k = 0; k < N; ++k) result.push_back(part[k]);
  return result;
}

/// Sets of triangles of a vertex that are joined by edges at it.
std::vector<Fan> fans_of(const std::vector<Int3>& triangles, Index vertex, Fan rest) {
  std::vector<Fan> fans;
  const auto joined = [&](Index a, Index b) {
    for (int k = 0; k < 3; ++k) {
      const Index w = triangles[a][k];
      if (w != vertex && has(triangles[b], w)) return true;
    }
    return false;
  };
  while (!rest.empty()) {
    Fan fan = {rest.front()};
    rest.erase(rest.begin());
    for (std::size_t k = 0; k < fan.size(); ++k)
      for (std::size_t other = 0; other < rest.size();)
        if (joined(fan[k], rest[other])) {
          fan.push_back(rest[other]);
          rest.erase(rest.begin() + static_cast<std::ptrdiff_t>(other));
        } else {
          ++other;
        }
    std::ranges::sort(fan);
    fans.push_back(std::move(fan));
  }
  return fans;
}

FrameColumn column_of(const char* name, const std::vector<Index>& values) {
  return make_frame_column(name, "", values.data(), values.size());
}

std::vector<Index> numbers_of(const std::vector<FrameColumn>& columns, const char* name) {
  std::vector<Index> numbers;
  for (const FrameColumn& column : columns)
    for (std::size_t k = 0; column.name == name && k < column.data.size() / column.element_size();
         ++k)
      numbers.push_back(static_cast<Index>(column.number(k)));
  return numbers;
}

double rest_length(const Model& model, const Edge& e) {
  return length(cast<double>(model.rest[e[1]]) - cast<double>(model.rest[e[0]]));
}

constexpr const char *torn_vertices = "torn_vertex", *torn_counts = "torn_count",
                     *torn_triangles = "torn_triangle";

}  // namespace

void Tearing::learn(const Model& model) {
  const std::size_t n = model.id.size();
  list(triangles_, n, known_triangles_, model.triangles.size(),
       [&](std::size_t t) { return corners(model.triangles[t]); });
  list(edges_, n, known_edges_, model.edges.size(),
       [&](std::size_t e) { return corners(model.edges[e]); });
  moved_.resize(model.triangles.size(), 0);
  for_each_kind(constraints_, [&]<class Kind>(AtVertices<Kind>& at) {
    const auto& all = std::get<Constraints<Kind>>(model.constraints);
    list(at.numbers, n, at.known, all.size(), [&](std::size_t c) { return vertices_of(all[c]); });
  });
}

std::vector<Fan> Tearing::beyond(const Model& model, const std::vector<Vec3d>& x, Index vertex,
                                 const Vec3d& normal) const {
  Fan side[2];
  for (const Index t : triangles_[vertex]) {
    Vec3d middle = Vec3d::zero();
    for (int k = 0; k < 3; ++k) middle += x[model.triangles[t][k]] / 3.0;
    side[dot(middle - x[vertex], normal) > 0 ? 1 : 0].push_back(t);
  }
  if (side[0].empty() || side[1].empty()) return {};
  std::vector<Fan> fans;
  for (Fan& of_side : side)
    for (Fan& fan : fans_of(model.triangles, vertex, std::move(of_side)))
      fans.push_back(std::move(fan));
  fans.erase(std::ranges::max_element(fans, {}, &Fan::size));
  return fans;
}

/// Of a triangle at rest, m^2.
double Tearing::area_of(const Model& model, Index triangle) const {
  const Int3& t = model.triangles[triangle];
  const Vec3d a = cast<double>(model.rest[t[0]]);
  return length(cross(cast<double>(model.rest[t[1]]) - a, cast<double>(model.rest[t[2]]) - a)) / 2;
}

/// Constraints that span triangles: they go with those, and end where theirs part.
template <class Kind>
void Tearing::part_constraints(Model& model, const Tear& tear, Constraints<Kind>& list,
                               AtVertices<Kind>& at) {
  std::vector<Index> kept;
  for (const Index number : at.numbers[tear.vertex]) {
    Constraint<Kind>& c = list[number];
    int spanned = 0, moved = 0;
    for (const Index t : triangles_[tear.vertex]) {
      const Int3& corner = model.triangles[t];
      bool within = true;
      for (int k = 0; k < 3; ++k)
        within = within && std::ranges::find(c.vertex, corner[k]) != std::end(c.vertex);
      spanned += within;
      moved += within && moved_[t] != 0;
    }
    if (moved == 0) {
      kept.push_back(number);
    } else if (moved < spanned) {
      c.lot = no_lot;
    } else {
      *std::ranges::find(c.vertex, tear.vertex) = tear.copy;
      at.numbers[tear.copy].push_back(number);
    }
  }
  at.numbers[tear.vertex] = std::move(kept);
}

void Tearing::part_springs(Model& model, const Tear& tear) {
  auto& springs = model.of<Distance>();
  auto& at = std::get<AtVertices<Distance>>(constraints_);
  std::vector<Index> kept;
  for (const Index number : at.numbers[tear.vertex]) {
    const auto& ends = springs[number].vertex;
    const Index other = ends[0] == tear.vertex ? ends[1] : ends[0];
    double here = 0, there = 0;
    for (const Index t : triangles_[tear.vertex])
      if (has(model.triangles[t], other)) (moved_[t] ? there : here) += area_of(model, t);
    if (!(there > 0)) {
      kept.push_back(number);
      continue;
    }
    Index taken = number;
    if (here > 0) {
      kept.push_back(number);
      taken = static_cast<Index>(springs.size());
      springs.push_back(springs[number]);
      springs[number].softness *= static_cast<Real>((here + there) / here);
      springs[taken].softness *= static_cast<Real>((here + there) / there);
      model.copied_springs.push_back({taken, number});
      at.numbers[other].push_back(taken);
      ++at.known;
    }
    *std::ranges::find(springs[taken].vertex, tear.vertex) = tear.copy;
    at.numbers[tear.copy].push_back(taken);
  }
  at.numbers[tear.vertex] = std::move(kept);
}

void Tearing::part_edges(Model& model, const Tear& tear) {
  std::vector<Index> kept;
  for (const Index number : edges_[tear.vertex]) {
    const Edge e = model.edges[number];
    const Index other = e[0] == tear.vertex ? e[1] : e[0];
    bool here = false, there = false;
    for (const Index t : triangles_[tear.vertex])
      if (has(model.triangles[t], other)) (moved_[t] ? there : here) = true;
    Index taken = number;
    if (here || !there) kept.push_back(number);
    if (!there) continue;
    if (here) {
      taken = static_cast<Index>(model.edges.size());
      model.edges.push_back(e);
      edges_[other].push_back(taken);
      ++known_edges_;
    }
    for (int k = 0; k < 2; ++k)
      if (model.edges[taken][k] == tear.vertex) model.edges[taken][k] = tear.copy;
    edges_[tear.copy].push_back(taken);
  }
  edges_[tear.vertex] = std::move(kept);
}

const Tear& Tearing::part(Model& model, Index vertex, std::vector<Index> triangles) {
  double all = 0, beyond = 0;
  for (const Index t : triangles_[vertex]) all += area_of(model, t);
  for (const Index t : triangles) beyond += area_of(model, t);
  const Index copy = static_cast<Index>(model.id.size());
  tears_.push_back({vertex, copy, std::move(triangles), beyond / all});
  const Tear& tear = tears_.back();
  model.id.push_back(first_copy_id + tears_.size() - 1);
  model.rest.push_back(model.rest[vertex]);
  model.body.push_back(model.body[vertex]);
  learn(model);
  for (const Index t : tear.triangles) moved_[t] = 1;
  for_each_kind(constraints_, [&]<class Kind>(AtVertices<Kind>& at) {
    if constexpr (Kind::points >= 3)
      part_constraints(model, tear, std::get<Constraints<Kind>>(model.constraints), at);
  });
  part_springs(model, tear);
  part_edges(model, tear);
  std::erase_if(triangles_[vertex], [&](Index t) { return moved_[t] != 0; });
  for (const Index t : tear.triangles) {
    for (int k = 0; k < 3; ++k)
      if (model.triangles[t][k] == vertex) model.triangles[t][k] = copy;
    triangles_[copy].push_back(t);
    moved_[t] = 0;
  }
  for (ClosedBody& balloon : model.balloons)
    if (balloon.body == model.body[vertex]) balloon.burst = true;
  return tear;
}

bool Tearing::on_border(const Model& model, Index vertex) const {
  std::map<Index, int> triangles_of;  // by the other end of an edge
  for (const Index t : triangles_[vertex])
    for (const Index w : corners(model.triangles[t]))
      if (w != vertex) ++triangles_of[w];
  return std::ranges::any_of(triangles_of, [](const auto& edge) { return edge.second == 1; });
}

std::vector<FrameColumn> Tearing::save() const {
  if (tears_.empty()) return {};
  std::vector<Index> vertices, counts, triangles;
  for (const Tear& tear : tears_) {
    vertices.push_back(tear.vertex);
    counts.push_back(static_cast<Index>(tear.triangles.size()));
    triangles.insert(triangles.end(), tear.triangles.begin(), tear.triangles.end());
  }
  return {column_of(torn_vertices, vertices), column_of(torn_counts, counts),
          column_of(torn_triangles, triangles)};
}

void Tearing::load(const std::vector<FrameColumn>& columns) {
  const std::vector<Index> vertices = numbers_of(columns, torn_vertices),
                           counts = numbers_of(columns, torn_counts),
                           triangles = numbers_of(columns, torn_triangles);
  auto next = triangles.begin();
  for (std::size_t k = 0; k < vertices.size(); ++k) {
    loaded_.push_back({vertices[k], -1, {next, next + counts[k]}, 0});
    next += counts[k];
  }
}

void Tearing::make_again(Model& model) {
  learn(model);
  for (Tear& tear : std::exchange(loaded_, {})) part(model, tear.vertex, std::move(tear.triangles));
}

std::size_t Tearing::tear(Model& model, std::vector<Vec3d> x,
                          const std::map<Index, double>& longest) {
  struct Stretched {
    double share;  // of the longest that it may be
    Index end[2];
  };
  std::vector<Stretched> stretched;
  for (const Edge& e : model.edges) {
    const auto limit = longest.find(model.body[e[0]]);
    if (limit == longest.end()) continue;
    const double share = length(x[e[1]] - x[e[0]]) / (rest_length(model, e) * limit->second);
    if (share > 1) stretched.push_back({share, {e[0], e[1]}});
  }
  std::ranges::stable_sort(stretched, std::greater<>(), &Stretched::share);
  const std::size_t before = tears_.size();
  std::vector<std::uint8_t> busy(x.size(), 0);
  for (const Stretched& s : stretched) {
    const bool second = !on_border(model, s.end[0]) && on_border(model, s.end[1]);
    const Index first = s.end[second ? 1 : 0], last = s.end[second ? 0 : 1];
    if (!try_vertex(model, x, first, last, busy)) try_vertex(model, x, last, first, busy);
  }
  return tears_.size() - before;
}

bool Tearing::try_vertex(Model& model, std::vector<Vec3d>& x, Index vertex, Index other,
                         std::vector<std::uint8_t>& busy) {
  if (busy[vertex]) return true;
  std::vector<Index> around;
  for (const Index t : triangles_[vertex])
    for (const Index w : corners(model.triangles[t])) around.push_back(w);
  if (std::ranges::any_of(around, [&](Index w) { return busy[w] != 0; })) return true;
  std::vector<Fan> fans = beyond(model, x, vertex, x[other] - x[vertex]);
  if (fans.empty()) return false;
  for (Fan& fan : fans) {
    part(model, vertex, std::move(fan));
    x.push_back(x[vertex]);
    busy.push_back(1);
  }
  for (const Index w : around) busy[w] = 1;
  return true;
}

void tear_mesh(const Model& model, const std::vector<Tear>& tears, ParticleId last_id,
               BodySeed& seed) {
  const auto start = std::ranges::find(model.starts, seed.body, &BodyStart::body);
  if (start == model.starts.end()) return;
  const Index own = static_cast<Index>(seed.own_points);
  std::map<Index, Index> point_of;  // of the body, by copy in the model
  BodyMesh& mesh = seed.mesh;
  for (const Tear& tear : tears) {
    if (model.id[tear.copy] > last_id) break;
    if (model.body[tear.vertex] != seed.body) continue;
    const auto origin = point_of.find(tear.vertex);
    const Index from = origin == point_of.end() ? tear.vertex - start->vertex : origin->second;
    const Index point = own + static_cast<Index>(seed.added.size());
    point_of[tear.copy] = point;
    seed.added.push_back(model.id[tear.copy]);
    std::map<Index, Index> copy_of;  // by vertex of the mesh: several at seams of the texture
    for (const Index t : tear.triangles)
      for (int k = 0; k < 3; ++k) {
        Index& corner = mesh.surface.triangles[t - start->triangle][k];
        if (mesh.point[corner] != from) continue;
        const auto [at, is_new] = copy_of.emplace(corner, static_cast<Index>(mesh.point.size()));
        if (is_new) {
          mesh.point.push_back(point);
          mesh.surface.vertices.push_back(Vec3(mesh.surface.vertices[corner]));
          if (!mesh.texture.empty()) mesh.texture.push_back(Vec<Real, 2>(mesh.texture[corner]));
        }
        corner = at->second;
      }
  }
  if (!seed.added.empty()) mesh.edges = edges_of(mesh.surface, mesh.point);
}

}  // namespace phyxel::pbd
