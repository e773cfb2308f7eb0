#include "phyxel/matter/particles.h"

namespace phyxel {

inline namespace PHYXEL_BACKEND {

void reorder(const Exec& exec, Particles& p, const Column<Index>& order, ReorderScratch& scratch) {
  const TimerScope scope(exec.timers, "particles.reorder");
  const Exec quiet;
  permute(quiet, "x", p.x, order, scratch.vec);
  permute(quiet, "v", p.v, order, scratch.vec);
  permute(quiet, "mass", p.mass, order, scratch.real);
  permute(quiet, "temperature", p.temperature, order, scratch.real);
  permute(quiet, "id", p.id, order, scratch.id);
  permute(quiet, "material", p.material, order, scratch.index);
  permute(quiet, "body", p.body, order, scratch.index);
  permute(quiet, "pin", p.pin, order, scratch.index);
}

#ifdef __CUDACC__
namespace {

/// copy(column, column) for all columns of two sets of particles.
template <class To, class From, class Copy>
void for_both(To& to, From& from, Copy copy) {
  copy(to.x, from.x);
  copy(to.v, from.v);
  copy(to.mass, from.mass);
  copy(to.temperature, from.temperature);
  copy(to.id, from.id);
  copy(to.material, from.material);
  copy(to.body, from.body);
  copy(to.pin, from.pin);
}

}  // namespace

void ParticleStore::upload() {
  for_both(device_, host_, [](auto& to, const auto& from) { assign(to, from); });
}

void ParticleStore::download() {
  for_both(host_, device_, [](auto& to, const auto& from) { copy_to_host(from, to); });
}
#endif

}  // namespace PHYXEL_BACKEND

#ifndef __CUDACC__
void resize(HostParticles& p, std::size_t n) {
  p.x.resize(n);
  p.v.resize(n);
  p.mass.resize(n);
  p.temperature.resize(n);
  p.id.resize(n);
  p.material.resize(n);
  p.body.resize(n);
  p.pin.resize(n, -1);
}

std::vector<ColumnView> columns_of(HostParticles& p) {
  return {view("position", "m", p.x),
          view("velocity", "m/s", p.v),
          view("id", "", p.id),
          view("mass", "kg", p.mass),
          view("temperature", "degC", p.temperature),
          view("material", "", p.material),
          view("body", "", p.body),
          view("pin", "", p.pin)};
}
#endif

}  // namespace phyxel
