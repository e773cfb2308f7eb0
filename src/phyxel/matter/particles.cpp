#include "phyxel/matter/particles.h"

namespace phyxel {

void resize(Particles& p, std::size_t n) {
  p.x.resize(n);
  p.v.resize(n);
  p.mass.resize(n);
  p.temperature.resize(n);
  p.id.resize(n);
  p.material.resize(n);
  p.body.resize(n);
  p.pin.resize(n, -1);
}

std::vector<ColumnView> columns_of(Particles& p) {
  return {view("position", "m", p.x),
          view("velocity", "m/s", p.v),
          view("id", "", p.id),
          view("mass", "kg", p.mass),
          view("temperature", "degC", p.temperature),
          view("material", "", p.material),
          view("body", "", p.body),
          view("pin", "", p.pin)};
}

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

}  // namespace phyxel
