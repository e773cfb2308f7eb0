#include "phyxel/methods/skeleton/neighbour_method.h"

#include <algorithm>
#include <string>

#include "phyxel/core/error.h"

namespace phyxel {

inline namespace PHYXEL_BACKEND {

void NeighbourMethod::step(const Environment& environment, Real dt) {
  if (size() == 0) return;
  refresh_laws(environment);
  advance(environment, dt);
  forces_valid_ = true;
}

StableStep NeighbourMethod::stable_dt(const Environment& environment) {
  if (size() == 0) return {};
  require_forces(environment);
  if (extremes_.has_bad()) report_non_finite(extremes_.first_bad);
  return limit_of_step(environment);
}

std::vector<ColumnView> NeighbourMethod::columns() {
  std::vector<ColumnView> views = columns_of(store_.for_host());
  for (ColumnView& own : own_.views()) views.push_back(std::move(own));
  return views;
}

void NeighbourMethod::start_frame() {
  own_.resize(store_.for_host().x.size());
  rows_valid_ = forces_valid_ = false;
}

void NeighbourMethod::update_boundaries(const Environment& environment, Real dt) {
  view_pins(environment, dt, pins_);
  pin_table_.assign(pins_);
  if (colliders_.update(environment.colliders, environment.time, dt)) colliders_moved_ = true;
}

void NeighbourMethod::start_step(const Environment& environment, Real dt) {
  update_boundaries(environment, dt);
  if (!rows_valid_) build_neighbours(environment);
}

void NeighbourMethod::require_forces(const Environment& environment) {
  if (!forces_valid_) advance(environment, 0);
  forces_valid_ = true;
}

std::map<std::string, double> NeighbourMethod::save() {
  if (!skin_.adapts()) return {};
  return {
      {"skin_share", skin_.share}, {"skin_cost", skin_.cost}, {"skin_grows", skin_.grows ? 1 : 0}};
}

void NeighbourMethod::load(const std::map<std::string, double>& numbers) {
  if (!skin_.adapts()) return;
  skin_.share = numbers.at("skin_share");
  skin_.cost = numbers.at("skin_cost");
  skin_.grows = numbers.at("skin_grows") != 0;
}

bool NeighbourMethod::rows_stay_valid(Real moved, Real cutoff) {
  ++steps_with_rows_;
  if (!rows_valid_) return false;
  // The search is paid off long before the skin is used up: shorter rows may do.
  if (skin_.adapts() && steps_with_rows_ > 100 && skin_.share > Skin::least_share) return false;
  return 2 * moved < rows_.radius - more_ - cutoff;
}

void NeighbourMethod::build_rows(const Environment& environment, Real cutoff, Real more) {
  const Exec& exec = environment.exec;
  Particles& p = store_.for_kernels();
  if (rows_valid_ && steps_with_rows_ > 0 && skin_.adapts())
    adapt(static_cast<double>(rows_.neighbour.size()) / rows_.count.size(), steps_with_rows_,
          skin_);
  steps_with_rows_ = 0;
  more_ = more;
  skin_width_ = skin_within(environment.box, cutoff, skin_.share);
  const Real radius = cutoff + skin_width_ + more;
  build_cells_for_rows(exec, p.x, radius, environment.box, cells_);
  reorder(exec, p, cells_.order, scratch_);
  own_.reorder(exec, "particles.reorder", cells_.order);
  phyxel::build_rows(exec, p.x, cells_, radius, rows_);
  x_at_build_ = p.x;
  rows_valid_ = true;
  colliders_moved_ = false;  // methods look for particles near them now
}

Diagnostics NeighbourMethod::measure_motion(const Environment& environment) {
  Diagnostics d = measure(environment.exec, store_.for_kernels(), environment.origin);
  d.potential_energy = -dot(cast<double>(environment.gravity), d.mass_moment);
  return d;
}

std::vector<Real> NeighbourMethod::heaviest_by_material(const Environment& environment) {
  const HostParticles& p = store_.for_host();
  std::vector<Real> mass(environment.materials.size(), 0);
  for (Index i = 0; i < p.size(); ++i)
    mass[p.material[i]] = std::max(mass[p.material[i]], p.mass[i]);
  return mass;
}

std::vector<Index> NeighbourMethod::materials_in_use(const Environment& environment) {
  const std::vector<Real> mass = heaviest_by_material(environment);
  std::vector<Index> used;
  for (Index m = 0; m < static_cast<Index>(mass.size()); ++m)
    if (mass[m] > 0) used.push_back(m);
  return used;
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

/// Throws Error with the particle and its first non-finite part.
void NeighbourMethod::report_non_finite(Index i) {
  const Particles& p = store_.for_kernels();
  const char* part = other_bad_part(i);
  if (!std::isfinite(length_squared(element(p.v, i)))) part = "velocity";
  if (!is_finite(element(p.x, i))) part = "position";
  throw Error(std::string(stage_) + ": particle " + std::to_string(element(p.id, i)) +
              " has a non-finite " + part);
}

double sum_of(const Exec& exec, const char* stage, const Column<Real>& column) {
  const Real* const value = column.data();
  return reduce_sum(
      exec, stage, static_cast<Index>(column.size()),
      PHYXEL_LAMBDA(Index i) { return double(value[i]); });
}

}  // namespace PHYXEL_BACKEND

}  // namespace phyxel
