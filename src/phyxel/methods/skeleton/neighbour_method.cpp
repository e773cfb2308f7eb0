#include "phyxel/methods/skeleton/neighbour_method.h"

#include <string>

#include "phyxel/core/error.h"

namespace phyxel {

inline namespace PHYXEL_BACKEND {

void NeighbourMethod::update_boundaries(const Environment& environment, Real dt) {
  view_pins(environment, dt, pins_);
  pin_table_.assign(pins_);
  if (colliders_.update(environment.colliders, environment.time, dt)) colliders_moved_ = true;
}

ParticleView NeighbourMethod::particle_view(const Environment& environment) {
  Particles& p = store_.for_kernels();
  ParticleView s;
  s.n = p.size();
  s.x = p.x.data();
  s.v = p.v.data();
  s.mass = p.mass.data();
  s.id = p.id.data();
  s.material = p.material.data();
  s.temperature = p.temperature.data();
  s.pin = environment.pins.empty() ? nullptr : p.pin.data();
  s.pins = pin_table_.data();
  s.colliders = colliders_.views();
  s.colliders_moved = colliders_moved_;
  s.x_at_build = x_at_build_.data();
  s.row_start = rows_.start.data();
  s.row_count = rows_.count.data();
  s.neighbour = rows_.neighbour.data();
  s.box = environment.box;
  s.period = period_of(environment.box);
  s.periodic = any_periodic(environment.box);
  s.flat = environment.dimensions == 2;
  s.gravity = environment.gravity;
  return s;
}

void NeighbourMethod::report_non_finite(const char* stage, Index i, const char* other_part) {
  const Particles& p = store_.for_kernels();
  const char* part = other_part;
  if (!std::isfinite(length_squared(element(p.v, i)))) part = "velocity";
  if (!is_finite(element(p.x, i))) part = "position";
  throw Error(std::string(stage) + ": particle " + std::to_string(element(p.id, i)) +
              " has a non-finite " + part);
}

}  // namespace PHYXEL_BACKEND

}  // namespace phyxel
