#include "phyxel/methods/lattice/method.h"

#include <algorithm>
#include <cstring>
#include <string>
#include <utility>

#include "phyxel/core/error.h"
#include "phyxel/methods/lattice/orientation.h"

namespace phyxel::lattice {

inline namespace PHYXEL_BACKEND {

namespace {

// Of the reach. A wider skin would make neighbours of second neighbours, of which a particle at
// rest wants to know nothing.
constexpr Real skin_share = Real(0.15);
// Packs read beyond the last particle.
constexpr std::size_t spare = 2 * holder_block;
// Of the bound of the laws, which holds for whole neighbourhoods; those at surfaces are stiffer.
constexpr double safety = 0.8;

/// Whether what is known of calm particles stays true.
bool keeps_slots(const Solid& before, const Solid& now) {
  return before.weights.shells == now.weights.shells &&
         before.docking.largest == now.docking.largest &&
         before.docking.change == now.docking.change;
}

}  // namespace

void Solver::begin(const Environment& environment) {
  rows_valid_ = forces_valid_ = holders_valid_ = false;
  measure_masses(environment);
  refresh_solids(environment);
  add_new_particles(environment);
  follow_temperatures(store_.for_host(), warmth_);
}

void Solver::measure_masses(const Environment& environment) {
  const HostParticles& p = store_.for_host();
  mass_.assign(environment.materials.size(), 0);
  for (Index i = 0; i < p.size(); ++i)
    mass_[p.material[i]] = std::max(mass_[p.material[i]], p.mass[i]);
}

/// Every step, because keyframes may change any parameter at any time.
void Solver::refresh_solids(const Environment& environment) {
  const std::vector<Solid> before = std::exchange(solids_, {});
  solids_.resize(environment.materials.size());
  for (std::size_t m = 0; m < mass_.size(); ++m) {
    const Material& material = environment.materials[m];
    if (mass_[m] > 0) solids_[m] = solid_of(material, lattice_spacing(material, mass_[m]));
  }
  for (std::size_t m = 0; m < before.size(); ++m)
    if (!keeps_slots(before[m], solids_[m])) rows_valid_ = holders_valid_ = false;
  solid_table_.assign(solids_);
  refresh_liquids(environment);
  refresh_warmth(environment);
}

/// The largest particle decides how far liquids see.
void Solver::refresh_liquids(const Environment& environment) {
  const bool flat = environment.dimensions == 2;
  Real spacing = 0;
  flows_ = yields_ = false;
  for (std::size_t m = 0; m < mass_.size(); ++m) {
    if (mass_[m] <= 0) continue;
    spacing = std::max(spacing, solids_[m].spacing);
    flows_ = flows_ || solids_[m].may_flow;
    yields_ = yields_ || solids_[m].yields;
    if (freezes(solids_[m]) && !freezes_) {
      freezes_ = true;
      resize_frozen(a_.for_host().size());
    }
  }
  const double volume = flat ? rest_cell<2>(double(spacing)) : rest_cell<3>(double(spacing));
  const Real edge = static_cast<Real>(flat ? std::sqrt(volume) : std::cbrt(volume));
  const Real h = flat ? Real(1.2) * edge : edge;
  if (!flows_ || kernel_.h == h) return;
  const sph::SumKernel sums = sph::make_sum_kernel(h, edge, environment.dimensions);
  kernel_ = sums.kernel;
  assign(walls_,
         std::vector<sph::WallTable>{sph::make_wall_table(kernel_, edge, environment.dimensions)});
  self_ = static_cast<Real>(double(sums.self) / volume);
}

void Solver::refresh_warmth(const Environment& environment) {
  const std::vector<Thermal> before = std::exchange(warmth_.thermal, {});
  warmth_.thermal.resize(solids_.size());
  warmth_.flows = warmth_.airs = false;
  Real spacing = 0;
  for (std::size_t m = 0; m < mass_.size(); ++m) {
    if (mass_[m] <= 0) continue;
    warmth_.thermal[m] = parameters_of<Parameters>(environment.materials[m]).thermal;
    warmth_.flows = warmth_.flows || takes_heat(warmth_.thermal[m]);
    warmth_.airs = warmth_.airs || warmth_.thermal[m].convection > 0;
    spacing = std::max(spacing, solids_[m].spacing);
  }
  if (!before.empty() && before != warmth_.thermal) warmth_.levelling = -1;
  warmth_.thermal_table.assign(warmth_.thermal);
  std::vector<Real> density;
  for (const Material& material : environment.materials) density.push_back(material.density);
  warmth_.density.assign(density);
  if (warmth_.flows && warmth_.kernel.support != reach())
    warmth_.kernel = make_heat_kernel(spacing, reach(), environment.dimensions);
}

/// Particles that are new to the method are at rest; those beside them are taken for neighbours.
void Solver::add_new_particles(const Environment& environment) {
  const HostParticles& p = store_.for_host();
  const std::size_t n = p.x.size(), old = a_.for_host().size();
  a_.for_host().resize(n, Mat3::identity());
  plastic_.for_host().resize(n, Mat3::identity());
  torque_.for_host().resize(n, Vec3::zero());
  phase_.for_host().resize(n);
  object_.for_host().resize(n);
  rates_.for_host().resize(n);
  holders_.for_host().resize(n, SlotHolders::filled(any_holder));
  if (freezes_ && n != old) resize_frozen(n);
  resize_columns(n);
  for (std::size_t i = old; i < n; ++i)
    phase_.for_host()[i] = static_cast<std::uint8_t>(
        parameters_of<Parameters>(environment.materials[p.material[i]]).phase);
  for (std::size_t i = old; i < n; ++i) object_.for_host()[i] = p.body[i];
  for (std::size_t i = old; i < n; ++i)
    rates_.for_host()[i] = SlotRates::filled(solids_[p.material[i]].docking.largest);
  if (environment.dimensions == 2)
    orient_new_particles<2>(old);
  else
    orient_new_particles<3>(old);
}

void Solver::resize_frozen(std::size_t n) {
  rests_.for_host().resize(n, SlotRests::zero());
  closer_.for_host().resize(n, 0);
  sets_in_.for_host().resize(n, -1);
}

void Solver::resize_columns(std::size_t n) {
  StepColumns& c = columns_;
  for (auto* column : {&c.x, &c.v, &c.flow, &c.spin, &c.drift}) column->resize(n + spare);
  c.force.resize(n + spare);
  c.own_force.resize(n);
  for (auto* column : {&c.takes_torque, &c.calm, &c.changed, &c.beside_changed}) column->resize(n);
  c.energy.resize(n);
  c.is_near.resize(n);
}

/// One look at the middle of each new body tells how it lies.
template <int Dim>
void Solver::orient_new_particles(std::size_t old) {
  const HostParticles& p = store_.for_host();
  std::map<Index, std::vector<Index>> bodies;
  for (std::size_t i = old; i < p.x.size(); ++i) bodies[p.body[i]].push_back(static_cast<Index>(i));
  for (const auto& [body, members] : bodies) {
    Vec3d sum = Vec3d::zero();
    for (const Index i : members) sum += cast<double>(p.x[i]);
    const Vec3 centre = cast<Real>(sum / double(members.size()));
    const Index middle = *std::min_element(members.begin(), members.end(), [&](Index i, Index j) {
      return length_squared(p.x[i] - centre) < length_squared(p.x[j] - centre);
    });
    const Real spacing = solids_[p.material[middle]].spacing;
    std::vector<Vec<Real, Dim>> offsets;
    for (Index i = 0; i < p.size(); ++i)  // those that came before too: a layer is not enough
      if (i != middle && p.body[i] == body && length(p.x[i] - p.x[middle]) < Real(1.2) * spacing)
        offsets.push_back(narrow<Dim>(p.x[i] - p.x[middle]));
    const Mat3 a = widen<Dim>(orientation_of<Dim>(offsets, spacing));
    for (const Index i : members) a_.for_host()[i] = a;
    lay_.try_emplace(body, a);
  }
}

Real Solver::reach() const {
  Real largest = flows_ ? kernel_.reach() : 0;
  for (const Solid& solid : solids_) largest = std::max(largest, reach_of(solid));
  return largest;
}

Real Solver::skin(const PeriodicBox& box) const {
  Real skin = skin_share * reach();
  for (int k = 0; k < 3; ++k)  // a small periodic box leaves less room: rows may reach half of it
    if (box.periodic[k]) skin = std::max(Real(0), std::min(skin, box.size[k] / 2 - reach()));
  return skin;
}

/// Pins and colliders as they stand, where kernels see them.
void Solver::update_surroundings(const Environment& environment, Real dt) {
  view_pins(environment, dt, pins_);
  pin_table_.assign(pins_);
  if (colliders_.update(environment.colliders)) colliders_moved_ = true;
}

template <int Dim>
StepView<Dim> Solver::view(const Environment& environment) {
  Particles& p = store_.for_kernels();
  StepColumns& c = columns_;
  StepView<Dim> s;
  s.n = p.size();
  s.x = p.x.data();
  s.v = p.v.data();
  s.mass = p.mass.data();
  s.id = p.id.data();
  s.material = p.material.data();
  s.object = object_.for_kernels().data();
  s.pin = environment.pins.empty() ? nullptr : p.pin.data();
  s.x_at_build = c.x_at_build.data();
  s.a = a_.for_kernels().data();
  s.plastic = plastic_.for_kernels().data();
  if (freezes_) {
    s.rests = rests_.for_kernels().data();
    s.closer = closer_.for_kernels().data();
    s.sets_in = sets_in_.for_kernels().data();
  }
  s.torque = torque_.for_kernels().data();
  s.phase = phase_.for_kernels().data();
  s.temperature = p.temperature.data();
  s.kernel = kernel_;
  s.walls = walls_.data();
  s.self = self_;
  s.flows = flows_;
  s.phases_changed = phases_changed_;
  s.rates = rates_.for_kernels().data();
  s.holders = holders_.for_kernels().data();
  s.x_quad = c.x.data();
  s.v_quad = c.v.data();
  s.flow = c.flow.data();
  s.force = c.force.data();
  s.spin = c.spin.data();
  s.drift = c.drift.data();
  s.own_force = c.own_force.data();
  s.takes_torque = c.takes_torque.data();
  s.holder = c.holder.data();
  s.slots = c.slots;
  s.calm = c.calm.data();
  s.changed = c.changed.data();
#ifdef __CUDACC__
  s.beside_changed = c.beside_changed.data();
#endif
  s.energy = c.energy.data();
  s.is_near = c.is_near.data();
  s.row_start = rows_.start.data();
  s.row_count = rows_.count.data();
  s.neighbour = rows_.neighbour.data();
  s.solids = solid_table_.data();
  s.pins = pin_table_.data();
  s.colliders = colliders_.views();
  s.box = environment.box;
  s.period = period_of(environment.box);
  s.periodic = any_periodic(environment.box);
  s.gravity = environment.gravity;
  s.seed = environment.seed;
  s.step = environment.step;
  s.skin = rows_.radius - reach();
  for (const Solid& solid : solids_) {
    s.largest_spacing = std::max(s.largest_spacing, solid.spacing);
    s.largest_reach = std::max(s.largest_reach, reach_of(solid));
  }
  s.all_near = colliders_moved_;
  return s;
}

void Solver::build_neighbours(const Environment& environment) {
  const Exec& exec = environment.exec;
  const TimerScope scope(exec.timers, "lattice.neighbours");
  Particles& p = store_.for_kernels();
  const Real radius = reach() + skin(environment.box);
  build_cells_for_rows(exec, p.x, radius, environment.box, cells_);
  reorder(exec, p, cells_.order, scratch_);
  permute(exec, "lattice.reorder", a_.for_kernels(), cells_.order, matrix_scratch_);
  if (yields_)
    permute(exec, "lattice.reorder", plastic_.for_kernels(), cells_.order, matrix_scratch_);
  permute(exec, "lattice.reorder", torque_.for_kernels(), cells_.order, scratch_.vec);
  permute(exec, "lattice.reorder", phase_.for_kernels(), cells_.order, phase_scratch_);
  permute(exec, "lattice.reorder", object_.for_kernels(), cells_.order, scratch_.index);
  permute(exec, "lattice.reorder", rates_.for_kernels(), cells_.order, rate_scratch_);
  permute(exec, "lattice.reorder", holders_.for_kernels(), cells_.order, holder_scratch_);
  if (freezes_) {
    permute(exec, "lattice.reorder", rests_.for_kernels(), cells_.order, rest_scratch_);
    permute(exec, "lattice.reorder", closer_.for_kernels(), cells_.order, scratch_.real);
    permute(exec, "lattice.reorder", sets_in_.for_kernels(), cells_.order, scratch_.index);
  }
  reorder(exec, p, cells_.order, warmth_);
  if (holders_valid_) reorder_holders(exec, cells_.order, columns_, holding_scratch_);
  build_rows(exec, p.x, cells_, radius, rows_);
  columns_.x_at_build = p.x;
  moved_ = 0;
  rows_valid_ = true;
  if (environment.dimensions == 2)
    refresh_rows<2>(environment);
  else
    refresh_rows<3>(environment);
  colliders_moved_ = false;
}

/// What depends on the order of particles or on what is in rows.
template <int Dim>
void Solver::refresh_rows(const Environment& environment) {
  const Exec& exec = environment.exec;
  if (!holders_valid_) {
    columns_.slots = 0;
    for (std::size_t m = 0; m < solids_.size(); ++m)
      if (mass_[m] > 0)
        columns_.slots = std::max(columns_.slots, slot_count<Dim>(solids_[m].weights.shells));
    const std::size_t blocks = store_.for_kernels().x.size() / holder_block + 1;
    columns_.holder.resize((blocks * columns_.slots + 1) * holder_block);
    forget_holders(exec, view<Dim>(environment));
  }
  find_near(exec, view<Dim>(environment));
  pack_particles(exec, view<Dim>(environment));
  if (holders_valid_) look_again_at_rows(exec, view<Dim>(environment));
  holders_valid_ = true;
}

/// Symplectic Euler: positions first, then velocities by the forces that act there, so that both
/// momenta are kept to rounding. Without dt forces are looked at and nothing moves.
template <int Dim>
void Solver::advance(const Environment& environment, Real dt) {
  const Exec& exec = environment.exec;
  update_surroundings(environment, dt);
  if (!rows_valid_)
    build_neighbours(environment);
  else if (dt <= 0)
    pack_particles(exec, view<Dim>(environment));
  if (dt > 0) {
    moved_ = std::sqrt(move_particles(exec, view<Dim>(environment), dt));
    if (!(2 * moved_ < rows_.radius - reach())) build_neighbours(environment);
  }
  if (warmth_.flows)
    let_heat_flow(environment, store_.for_kernels(), rows_, colliders_.views(), pin_table_, dt,
                  warmth_);
  if (fit_lattices(exec, view<Dim>(environment), dt))
    look_again(exec, view<Dim>(environment), moved_);
  if (flows_) find_pressures(exec, view<Dim>(environment));
  extremes_ = apply_forces(exec, view<Dim>(environment), dt);
  if (flows_ && dt > 0) phases_changed_ = change_phases(exec, view<Dim>(environment), dt);
  forces_valid_ = true;
}

void Solver::update_forces(const Environment& environment) {
  if (environment.dimensions == 2)
    advance<2>(environment, 0);
  else
    advance<3>(environment, 0);
}

void Solver::step(const Environment& environment, Real dt) {
  if (store_.for_kernels().size() == 0) return;
  refresh_solids(environment);
  if (environment.dimensions == 2)
    advance<2>(environment, dt);
  else
    advance<3>(environment, dt);
}

void Solver::report_non_finite() {
  const HostParticles& p = store_.for_host();
  const Index i = extremes_.first_bad;
  const char* part = "force";
  if (!std::isfinite(length_squared(p.v[i]))) part = "velocity";
  if (!is_finite(p.x[i])) part = "position";
  throw Error("lattice.forces: particle " + std::to_string(p.id[i]) + " has a non-finite " + part);
}

StableStep Solver::stable_dt(const Environment& environment) {
  if (store_.for_kernels().size() == 0) return {};
  if (!forces_valid_) update_forces(environment);
  if (extremes_.first_bad < std::numeric_limits<Index>::max()) report_non_finite();
  const double speed = std::sqrt(double(extremes_.speed_squared));
  StableStep limit;
  const auto tighten = [&](double dt, const char* reason) {
    if (dt < limit.dt) limit = {dt, reason};
  };
  for (std::size_t m = 0; m < solids_.size(); ++m) {
    if (mass_[m] <= 0) continue;
    if (solids_[m].may_be_solid)
      tighten(safety * lattice::stable_dt(solids_[m], mass_[m], environment.dimensions),
              "the stiffest vibration of the lattice");
    if (flows_)
      tighten(stable_liquid_dt(solids_[m], kernel_.h, speed), "sound and viscosity of the liquid");
    tighten(0.25 * double(solids_[m].spacing) / (speed + 1e-30),
            "the fastest particle may cross a quarter of the spacing");
  }
  if (warmth_.flows)
    tighten(0.5 / (warmth_.levelling + 1e-30),
            "heat may level half of what a particle differs from those around it");
  return limit;
}

/// What has become of the lattice of each particle since the start: A over what it was.
void Solver::measure_deformation() {
  const HostParticles& p = store_.for_host();
  const HostColumn<Mat3>& a = a_.for_host();
  deformation_.resize(a.size());
  for (std::size_t i = 0; i < a.size(); ++i) deformation_[i] = a[i] * transpose(lay_.at(p.body[i]));
}

std::map<std::string, double> Solver::save() {
  return {{"heat_age", warmth_.age}, {"heat_levelling", warmth_.levelling}};
}

void Solver::load(const std::map<std::string, double>& numbers) {
  warmth_.age = numbers.at("heat_age");
  warmth_.levelling = numbers.at("heat_levelling");
}

/// How matter froze, of every particle: not a column, because most scenes have none of it.
std::vector<FrameColumn> Solver::save_pairs() {
  if (!freezes_) return {};
  const auto column = [](const char* name, const char* unit, const auto& values) {
    return make_frame_column(name, unit, values.data(), values.size());
  };
  return {column("slot_rest", "m", rests_.for_host()), column("closer", "m", closer_.for_host()),
          column("sets_in", "", sets_in_.for_host())};
}

void Solver::load_pairs(const std::vector<FrameColumn>& columns) {
  freezes_ = true;
  resize_frozen(a_.for_host().size());
  const auto take = [&](const char* name, auto& values) {
    for (const FrameColumn& column : columns)
      if (column.name == name && column.data.size() == values.size() * sizeof(values[0]))
        std::memcpy(values.data(), column.data.data(), column.data.size());
  };
  take("slot_rest", rests_.for_host());
  take("closer", closer_.for_host());
  take("sets_in", sets_in_.for_host());
}

std::vector<ColumnView> Solver::columns() {
  std::vector<ColumnView> views = columns_of(store_.for_host());
  measure_deformation();
  views.push_back(phyxel::view("deformation", "", deformation_));
  views.push_back(phyxel::view("phase", "", phase_.for_host()));
  views.push_back(phyxel::view("object", "", object_.for_host()));
  for (const ColumnView& own : {phyxel::view("lattice", "", a_.for_host()),
                                phyxel::view("plastic", "", plastic_.for_host()),
                                phyxel::view("contact_torque", "N m", torque_.for_host()),
                                phyxel::view("docking_rate", "1/s", rates_.for_host()),
                                phyxel::view("slot_holder", "", holders_.for_host()),
                                phyxel::view("enthalpy", "J/kg", warmth_.enthalpy.for_host()),
                                phyxel::view("heat_power", "W", warmth_.power.for_host())}) {
    views.push_back(own);
    views.back().in_files = false;
  }
  return views;
}

Diagnostics Solver::diagnostics(const Environment& environment) {
  Diagnostics d = measure(environment.exec, store_.for_kernels());
  if (store_.for_kernels().size() == 0) return d;
  if (!forces_valid_) update_forces(environment);
  const double elastic = measure_energy(environment.exec, columns_);
  const double gravity = -dot(cast<double>(environment.gravity), d.mass_moment);
  d.potential_energy = elastic + gravity;
  d.extra = {{"elastic_energy", elastic}, {"gravity_energy", gravity}};
  return d;
}

std::unique_ptr<Method> make_solver() {
  return std::make_unique<Solver>();
}

}  // namespace PHYXEL_BACKEND

}  // namespace phyxel::lattice
