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
void ParticleStore::upload() {
  assign(device_.x, host_.x);
  assign(device_.v, host_.v);
  assign(device_.mass, host_.mass);
  assign(device_.temperature, host_.temperature);
  assign(device_.id, host_.id);
  assign(device_.material, host_.material);
  assign(device_.body, host_.body);
  assign(device_.pin, host_.pin);
}

void ParticleStore::download() {
  copy_to_host(device_.x, host_.x);
  copy_to_host(device_.v, host_.v);
  copy_to_host(device_.mass, host_.mass);
  copy_to_host(device_.temperature, host_.temperature);
  copy_to_host(device_.id, host_.id);
  copy_to_host(device_.material, host_.material);
  copy_to_host(device_.body, host_.body);
  copy_to_host(device_.pin, host_.pin);
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
