#pragma once

#include <map>

#include "phyxel/matter/frame.h"
#include "phyxel/methods/pbd/bodies.h"

// Sheets that tear: a vertex is parted into two, and the triangles beyond a plane take the copy
// (O'Brien and Hodgins 1999 for solids).

namespace phyxel::pbd {

/// Ids of copies begin here, far above those of bodies and nozzles.
constexpr ParticleId first_copy_id = ParticleId(1) << 45;

/// A vertex that was parted, the triangles that have its copy since then, and the share of its
/// mass that the copy got.
struct Tear {
  Index vertex, copy;
  std::vector<Index> triangles;
  double share;
};

/// Numbers of the constraints of a kind, by vertex.
template <class Kind>
struct AtVertices {
  std::vector<std::vector<Index>> numbers;
  std::size_t known = 0;  // constraints of the model that are in these lists
};

/// What joins at each vertex of bodies that tear, and the tears so far, from which a resumed run
/// finds the same model again.
class Tearing {
 public:
  /// Takes up triangles, edges and constraints that are new in the model.
  void learn(const Model& model);

  /// Parts vertices where edges are longer than `longest` times what they were at the start (by
  /// body; others never tear), across the edge, the worst first and those of borders before others.
  /// No two of them have a triangle in common. Returns how many copies this has made. `x`: m, by
  /// vertex; where there is no particle the same for all.
  std::size_t tear(Model& model, std::vector<Vec3d> x, const std::map<Index, double>& longest);

  // Its parts.

  /// The triangles of a vertex whose middle is beyond the plane through it, in sets that hang
  /// together by edges; of these and the sets on this side the largest stays with the vertex and is
  /// not among them. Empty where the plane parts nothing. `x`: m, by vertex.
  std::vector<std::vector<Index>> beyond(const Model& model, const std::vector<Vec3d>& x,
                                         Index vertex, const Vec3d& normal) const;

  /// Gives triangles of a vertex a copy of it, and its constraints with them: an edge between both
  /// sides is there twice, each with the stiffness of the area on its side, and a hinge between
  /// them is gone. A balloon has burst.
  const Tear& part(Model& model, Index vertex, std::vector<Index> triangles);

  /// Whether a vertex is on a border of the mesh, as the ends of tears are.
  bool on_border(const Model& model, Index vertex) const;
  const std::vector<Index>& triangles_at(Index vertex) const { return triangles_[vertex]; }

  const std::vector<Tear>& tears() const { return tears_; }

  /// For checkpoints; empty without a tear.
  std::vector<FrameColumn> save() const;
  void load(const std::vector<FrameColumn>& columns);
  /// Tears a model, as it was made of its bodies, as load() has read.
  void make_again(Model& model);

 private:
  bool try_vertex(Model& model, std::vector<Vec3d>& x, Index vertex, Index other,
                  std::vector<std::uint8_t>& busy);
  double area_of(const Model& model, Index triangle) const;
  template <class Kind>
  void part_constraints(Model& model, const Tear& tear, Constraints<Kind>& list,
                        AtVertices<Kind>& at);
  void part_springs(Model& model, const Tear& tear);
  void part_edges(Model& model, const Tear& tear);

  std::vector<std::vector<Index>> triangles_, edges_;  // by vertex
  std::size_t known_triangles_ = 0, known_edges_ = 0;
  AllKinds::Each<AtVertices> constraints_;
  std::vector<std::uint8_t> moved_;  // by triangle, while its vertex is parted
  std::vector<Tear> tears_, loaded_;
};

/// Gives the mesh of a body, as it was made, the tears whose copies have ids up to `last_id`.
void tear_mesh(const Model& model, const std::vector<Tear>& tears, ParticleId last_id,
               BodySeed& seed);

}  // namespace phyxel::pbd
