#include "phyxel/methods/skeleton/neighbour_method.h"

#include <algorithm>
#include <limits>
#include <string>

#include "phyxel/core/error.h"

namespace phyxel {

inline namespace PHYXEL_BACKEND {

void NeighbourMethod::step(const Environment& environment, Real dt) {
  if (size() == 0) return;
  refresh_laws(environment);
  // Half of what fields do comes before the rest of the step and half after it (Strang 1968).
  update_fields(environment, environment.time - double(dt) / 2);
  push_by_fields(environment, dt / 2);
  advance(environment, dt);
  push_by_fields(environment, dt / 2);
  reactions_.finish_step(environment, dt, force_shares_);
  forces_valid_ = true;
}

/// Fields as they are at `time`, for this step.
void NeighbourMethod::update_fields(const Environment& environment, double time) {
  if (environment.force_fields.empty()) return;
  fields_.update(environment, time);
  fields_done_.in_use = true;
}

/// The step that has been announced allows for the speeds of these velocities.
void NeighbourMethod::push_by_fields(const Environment& environment, Real dt) {
  if (environment.force_fields.empty() || fields_.views().count == 0) return;
  reactions_.start_step(environment);  // pins react
  const FieldPass pass =
      push_particles(environment.exec, particle_view(environment), fields_.views(), dt);
  extremes_.speed_squared = max(extremes_.speed_squared, pass.speed_squared);
  fields_done_.work += pass.work;
  fields_done_.impulse += pass.impulse;
}

void NeighbourMethod::tighten_by_fields(const Environment& environment, StableStep& limit) {
  if (environment.force_fields.empty()) return;
  update_fields(environment, environment.time);
  if (fields_.views().count == 0) return;
  Real spacing = std::numeric_limits<Real>::max();
  for (const Material& material : environment.materials)
    if (is_given(material.spacing)) spacing = min(spacing, material.spacing);
  limit.tighten(
      field_limit(environment.exec, particle_view(environment), fields_.views(), spacing));
}

StableStep NeighbourMethod::stable_dt(const Environment& environment) {
  if (size() == 0) return {};
  require_forces(environment);
  if (extremes_.has_bad()) report_non_finite(extremes_.first_bad);
  StableStep limit = limit_of_step(environment);
  if (heat_.active) limit.tighten(heat_limit(heat_));
  tighten_by_fields(environment, limit);
  return limit;
}

void NeighbourMethod::set_thermal(const Environment& environment, Real support) {
  const bool was_in_use = heat_.in_use, was_active = heat_.active;
  update_thermal(environment.materials, thermal_, heat_);
  // Particles that are new since the rows were made may be larger.
  if (heat_.active && (heat_.kernel.support != support || !rows_valid_))
    heat_.kernel = make_heat_kernel(largest_spacing(environment), support, environment.dimensions);
  if (heat_.active && !was_active) rows_valid_ = false;
  if (!heat_.in_use || was_in_use) return;
  resize_own(own_size_);
  if (own_size_ == store_.for_host().x.size()) update_enthalpies();
}

/// Of particles in closest packing, m.
Real NeighbourMethod::largest_spacing(const Environment& environment) {
  const std::vector<Real> mass = heaviest_by_material(environment);
  double volume = 0;
  for (std::size_t m = 0; m < mass.size(); ++m)
    if (mass[m] > 0)
      volume = std::max(volume, double(rest_volume(environment.materials[m], mass[m])));
  const int dimensions = environment.dimensions;
  const double cell = volume / packed_volume(dimensions);
  return static_cast<Real>(dimensions == 2 ? std::sqrt(cell) : std::cbrt(cell));
}

void NeighbourMethod::resize_own(std::size_t n) {
  own_.resize(n);
  own_size_ = n;
}

void NeighbourMethod::update_enthalpies() {
  if (heat_.in_use) follow_temperatures(store_.for_host(), heat_);
}

void NeighbourMethod::exchange_heat(const Environment& environment, Real dt) {
  if (heat_.active)
    phyxel::exchange_heat(environment, store_.for_kernels(), rows_, colliders_.views(), pin_table_,
                          dt, heat_);
}

void NeighbourMethod::keep(const Exec& exec, const HostColumn<Index>& order) {
  before_removal(exec);
  Column<Index> kept;
  assign(kept, order);
  most_particles_ = std::max(most_particles_, store_.for_reading().x.size());
  reorder(exec, store_.for_kernels(), kept, scratch_);
  own_.reorder(exec, "particles.keep", kept);
  own_size_ = order.size();
  rows_valid_ = forces_valid_ = false;
  if (order.size() < most_particles_ / 2) give_back_memory();
}

void NeighbourMethod::give_back_memory() {
  most_particles_ = own_size_;
  store_.shrink();
  own_.shrink();
  scratch_ = {};
  cells_ = {};
  x_at_build_ = {};
  rows_ = {};
}

std::vector<ColumnView> NeighbourMethod::columns() {
  std::vector<ColumnView> views = columns_of(store_.for_host());
  for (ColumnView& own : own_.views()) views.push_back(std::move(own));
  return views;
}

void NeighbourMethod::start_frame() {
  resize_own(store_.for_host().x.size());
  rows_valid_ = forces_valid_ = false;
  double mass = 0;
  for (const Real m : store_.for_host().mass) mass += double(m);
  reactions_.set_mass(mass);
}

void NeighbourMethod::update_boundaries(const Environment& environment, Real dt) {
  view_pins(environment, dt, pins_);
  pin_table_.assign(pins_);
  reactions_.start_step(environment);
  if (colliders_.update(environment.colliders, environment.time, dt)) colliders_moved_ = true;
}

void NeighbourMethod::start_step(const Environment& environment, Real dt) {
  update_boundaries(environment, dt);
  if (!rows_valid_) build_neighbours(environment);
}

void NeighbourMethod::require_forces(const Environment& environment) {
  if (size() == 0) return;
  if (!forces_valid_) {
    advance(environment, 0);
    reactions_.finish_step(environment, 0);
  }
  forces_valid_ = true;
}

std::map<std::string, double> NeighbourMethod::save() {
  std::map<std::string, double> numbers;
  if (skin_.adapts())
    numbers = {{"skin_share", skin_.share},
               {"skin_cost", skin_.cost},
               {"skin_grows", skin_.grows ? 1 : 0}};
  save_heat(heat_, numbers);
  save_fields(fields_done_, numbers);
  return numbers;
}

void NeighbourMethod::load(const std::map<std::string, double>& numbers) {
  if (skin_.adapts()) {
    skin_.share = numbers.at("skin_share");
    skin_.cost = numbers.at("skin_cost");
    skin_.grows = numbers.at("skin_grows") != 0;
  }
  load_fields(numbers, fields_done_);
  if (load_heat(numbers, heat_)) resize_own(store_.for_host().x.size());
}

bool NeighbourMethod::rows_stay_valid(Real moved, Real cutoff) {
  ++steps_with_rows_;
  if (!rows_valid_) return false;
  // The search is paid off long before the skin is used up: shorter rows may do.
  if (skin_.adapts() && steps_with_rows_ > 100 && skin_.share > Skin::least_share) return false;
  return 2 * moved < rows_.radius - more_ - cutoff;
}

/// at(): the positions, in the order of the particles at any time.
template <class Positions>
void NeighbourMethod::sort_and_search(const Environment& environment, const Positions& at,
                                      Real radius) {
  const Exec& exec = environment.exec;
  Particles& p = store_.for_kernels();
  build_cells_for_rows(exec, at(), radius, environment.box, cells_);
  order_cells_by_id(exec, p.id, cells_);
  reorder(exec, p, cells_.order, scratch_);
  own_.reorder(exec, "particles.reorder", cells_.order);
  phyxel::build_rows(exec, at(), cells_, radius, rows_);
  if (heat_.active) measure_volumes(exec, p, heat_);
  x_at_build_ = p.x;
  rows_valid_ = true;
  colliders_moved_ = false;  // methods look for particles near them now
}

void NeighbourMethod::build_rows(const Environment& environment, Real cutoff, Real more) {
  if (rows_valid_ && steps_with_rows_ > 0 && skin_.adapts())
    adapt(static_cast<double>(rows_.neighbour.size()) / rows_.count.size(), steps_with_rows_,
          skin_);
  steps_with_rows_ = 0;
  more_ = more;
  skin_width_ = skin_within(environment.box, cutoff, skin_.share);
  sort_and_search(
      environment, [this]() -> Column<Vec3>& { return store_.for_kernels().x; },
      cutoff + skin_width_ + more);
}

void NeighbourMethod::build_rows_at(const Environment& environment, SharedColumn<Vec3>& at,
                                    Real radius) {
  sort_and_search(
      environment, [&at]() -> Column<Vec3>& { return at.for_kernels(); }, radius);
}

Diagnostics NeighbourMethod::measure_motion(const Environment& environment) {
  Diagnostics d = measure(environment.exec, store_.for_kernels(), environment.origin);
  d.potential_energy = -dot(cast<double>(environment.gravity), d.mass_moment);
  d.field_impulse = fields_done_.impulse;
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
  s.reactions = reactions_.impulses();
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
