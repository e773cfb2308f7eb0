#pragma once

#include <vector>

#include "phyxel/core/column.h"
#include "phyxel/core/exec.h"

namespace phyxel {

/// The columns that every particle method shares. A method adds its own and keeps all of them in
/// one order.
struct Particles {
  Column<Vec3> x;            // position, m
  Column<Vec3> v;            // velocity, m/s
  Column<Real> mass;         // kg
  Column<Real> temperature;  // degrees C
  Column<ParticleId> id;     // stable name
  Column<Index> material;    // into World::materials
  Column<Index> body;        // into World::bodies
  Column<Index> pin;         // into Environment::pins; -1: free

  Index size() const { return static_cast<Index>(x.size()); }
};

/// Grows all columns together; new values are zero.
void resize(Particles& p, std::size_t n);

/// The columns with their names and units, for files and checkpoints. `position` comes first.
std::vector<ColumnView> columns_of(Particles& p);

/// Scratch space for reorder(), one per element type, kept between calls.
struct ReorderScratch {
  Column<Vec3> vec;
  Column<Real> real;
  Column<ParticleId> id;
  Column<Index> index;
};

/// All columns k <- order[k].
void reorder(const Exec& exec, Particles& p, const Column<Index>& order, ReorderScratch& scratch);

}  // namespace phyxel
