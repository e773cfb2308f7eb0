#pragma once

#include <algorithm>
#include <string>

#include "methods/mpm/textbook.h"
#include "phyxel/methods/mpm/material.h"
#include "phyxel/scene/build.h"
#include "phyxel/scene/read_scene.h"

// The same particles in a world and in the textbook solver, and how far they get from each other.

namespace phyxel::mpm {

inline World world_of(const std::string& text, const Exec& exec = {}) {
  return build(parse_scene(text, "test"), exec);
}

template <class T>
T* column(World& world, const std::string& name) {
  for (const ColumnView& view : world.methods.front()->columns())
    if (view.name == name) return static_cast<T*>(view.data);
  return nullptr;
}

/// Particles for the textbook, by their ids.
inline Textbook textbook_of(World& world, double dx) {
  Textbook book;
  book.dx = dx;
  book.gravity = cast<double>(world.environment.gravity);
  const Real* const volume = column<Real>(world, "volume");
  const HostParticles& p = world.methods.front()->particles();
  book.particles.resize(p.x.size());
  for (Index i = 0; i < p.size(); ++i) {
    TextbookParticle& q = book.particles[p.id[i]];
    q.x = cast<double>(p.x[i]);
    q.v = cast<double>(p.v[i]);
    q.mass = p.mass[i];
    q.volume = volume[i];
    q.law = law_of(parameters_of<Parameters>(world.environment.materials[p.material[i]]));
    q.memory = fresh_memory(q.law);
  }
  return book;
}

struct Difference {
  double x = 0, f = 0, memory = 0;  // cells, 1, 1
};

/// The largest differences.
inline Difference compare(World& world, const Textbook& book) {
  Difference d;
  const HostParticles& p = world.methods.front()->particles();
  const Mat3* const f = column<Mat3>(world, "deformation");
  const Real* const memory = column<Real>(world, "memory");
  for (Index i = 0; i < p.size(); ++i) {
    const TextbookParticle& q = book.particles[p.id[i]];
    d.x = std::max(d.x, length(cast<double>(p.x[i]) - q.x) / book.dx);
    for (int k = 0; k < 9; ++k)
      d.f = std::max(d.f, std::abs(double(f[i][k / 3][k % 3]) - q.f[k / 3][k % 3]));
    d.memory = std::max(d.memory, std::abs(double(memory[i]) - q.memory));
  }
  return d;
}

}  // namespace phyxel::mpm
