#pragma once

#include <vector>

#include "phyxel/core/column.h"
#include "phyxel/core/exec.h"

namespace phyxel {

/// The columns that every particle method shares. A method adds its own and keeps all of them in
/// one order.
template <template <class> class ColumnOf>
struct ParticleColumns {
  ColumnOf<Vec3> x;            // position, m
  ColumnOf<Vec3> v;            // velocity, m/s
  ColumnOf<Real> mass;         // kg
  ColumnOf<Real> temperature;  // degrees C
  ColumnOf<ParticleId> id;     // stable name
  ColumnOf<Index> material;    // into World::materials
  ColumnOf<Index> body;        // into World::bodies
  ColumnOf<Index> pin;         // into Environment::pins; -1: free

  Index size() const { return static_cast<Index>(x.size()); }
};

/// Particles in the memory of the host: for scenes, files and pictures.
using HostParticles = ParticleColumns<HostColumn>;

/// Gives back memory that holds no particle.
template <class Columns>
void shrink(Columns& p) {
  p.x.shrink_to_fit();
  p.v.shrink_to_fit();
  p.mass.shrink_to_fit();
  p.temperature.shrink_to_fit();
  p.id.shrink_to_fit();
  p.material.shrink_to_fit();
  p.body.shrink_to_fit();
  p.pin.shrink_to_fit();
}

/// Grows all columns together; new values are zero.
void resize(HostParticles& p, std::size_t n);

/// The columns with their names and units, for files and checkpoints. `position` comes first.
std::vector<ColumnView> columns_of(HostParticles& p);

inline namespace PHYXEL_BACKEND {

/// Particles where the kernels of this back end run.
#ifdef __CUDACC__
using Particles = ParticleColumns<Column>;
#else
using Particles = HostParticles;  // two aliases of one template are two templates to clang
#endif

/// Scratch space for reorder(), one per element type, kept between calls.
struct ReorderScratch {
  Column<Vec3> vec;
  Column<Real> real;
  Column<ParticleId> id;
  Column<Index> index;
};

/// All columns k <- order[k]; fewer than there are: the others are gone.
void reorder(const Exec& exec, Particles& p, const Column<Index>& order, ReorderScratch& scratch);

/// The particles of a method, for its kernels and for the rest of the program. On the CPU both use
/// the same memory; on a GPU the host has a copy, fetched by for_host(), which is copied back
/// before the next kernel, as it may have been changed; not that of for_reading().
class ParticleStore {
 public:
#ifdef __CUDACC__
  Particles& for_kernels() {
    if (host_is_newer_) upload();
    host_is_newer_ = false;
    host_is_current_ = false;
    return device_;
  }
  HostParticles& for_host() {
    if (!host_is_current_) download();
    host_is_current_ = host_is_newer_ = true;
    return host_;
  }
  const HostParticles& for_reading() {
    if (!host_is_current_) download();
    host_is_current_ = true;
    return host_;
  }
  void shrink() {
    phyxel::shrink(device_);
    phyxel::shrink(host_);
  }

 private:
  void upload();
  void download();
  Particles device_;
  HostParticles host_;
  bool host_is_newer_ = true, host_is_current_ = true;
#else
  Particles& for_kernels() {
    return particles_;
  }
  HostParticles& for_host() {
    return particles_;
  }
  const HostParticles& for_reading() {
    return particles_;
  }
  void shrink() {
    phyxel::shrink(particles_);
  }

 private:
  Particles particles_;
#endif
};

}  // namespace PHYXEL_BACKEND

}  // namespace phyxel
