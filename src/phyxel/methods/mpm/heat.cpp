#include "phyxel/methods/mpm/heat.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <limits>

#include "phyxel/core/error.h"
#include "phyxel/matter/phase_change.h"
#include "phyxel/methods/mpm/material.h"

namespace phyxel::mpm {

inline namespace PHYXEL_BACKEND {

namespace {

// Of the spacing in closest packing: 42 neighbours, so that conduction depends little on their
// order, which the grid does not keep.
constexpr Real support_in_spacings = 2;
// Nodes hold matter at colliders, and particles come to rest up to a cell away from them.
constexpr Real contact_in_spacings = Real(1.8);

bool is_ours(const Material& material) {
  return material.method == "mpm";
}

/// Volume over that at rest of the fresh law.
Real volume_ratio(const AnyLaw& law, const Mat3& f, Real memory) {
  if (std::holds_alternative<LiquidLaw>(law)) return memory;
  return determinant(f) * (std::holds_alternative<SnowLaw>(law) ? memory : Real(1));
}

/// Of pressure waves in fresh matter, m^2/s^2.
double wave_speed_squared(const AnyLaw& any, Real density) {
  return std::visit(
      [&](const auto& law) {
        if constexpr (requires { law.elastic; })
          return (double(law.elastic.lambda) + 2 * law.elastic.mu) / density;
        else
          return double(law.bulk_modulus) / density;
      },
      any);
}

/// The material of that name, whose heat must agree: enthalpies are counted from its melting point.
Index find_target(const Environment& environment, Index from, const char* key,
                  const std::string& name) {
  if (name.empty()) return -1;
  const std::vector<Material>& all = environment.materials;
  const std::string path = fmt::format("material.{}.{} = \"{}\"", all[from].name, key, name);
  const auto found = std::find_if(all.begin(), all.end(),
                                  [&](const Material& m) { return m.name == name && is_ours(m); });
  if (found == all.end())
    throw InputError(path + ": there is no such material of mpm; add it, or remove the key");
  const Thermal &a = parameters_of<Parameters>(all[from]).thermal,
                &b = parameters_of<Parameters>(*found).thermal;
  if (a.melting_temperature != b.melting_temperature || a.latent_heat != b.latent_heat)
    throw InputError(fmt::format(
        "{}: its melting_temperature of {} degrees and latent_heat of {} J/kg differ from those of "
        "material.{}, {} degrees and {} J/kg; heat would appear or vanish: give both the same",
        path, a.melting_temperature, a.latent_heat, name, b.melting_temperature, b.latent_heat));
  return static_cast<Index>(found - all.begin());
}

}  // namespace

void Heat::declare(OwnColumns& own) {
  declare_heat_columns(stage_, own);
  own.add("phase", "", KeptIn::files_and_checkpoints, std::uint8_t{0}, phase_, nullptr,
          &has_phases_);
}

void Heat::refresh(const Environment& environment, const std::vector<AnyLaw>& laws,
                   const std::vector<Real>& density) {
  std::vector<Thermal> thermal(environment.materials.size());
  for (std::size_t m = 0; m < thermal.size(); ++m)
    if (is_ours(environment.materials[m]))
      thermal[m] = parameters_of<Parameters>(environment.materials[m]).thermal;
  update_thermal(environment.materials, thermal, stage_);
  stage_.contact_reach = contact_in_spacings;
  laws_ = laws;
  density_ = density;
  read_changes(environment);
  measure_densities();
}

void Heat::read_changes(const Environment& environment) {
  becomes_.assign(density_.size(), {});
  wave_speed_squared_ = 0;
  for (Index m = 0; m < static_cast<Index>(becomes_.size()); ++m) {
    if (!is_ours(environment.materials[m])) continue;
    const Parameters& p = parameters_of<Parameters>(environment.materials[m]);
    becomes_[m] = {find_target(environment, m, "melts_into", p.melts_into),
                   find_target(environment, m, "freezes_into", p.freezes_into)};
    for (const Index to : {becomes_[m].melted, becomes_[m].frozen}) {
      if (to < 0) continue;
      wave_speed_squared_ =
          std::max(wave_speed_squared_, wave_speed_squared(laws_[to], density_[to]));
      has_phases_ = true;
    }
  }
}

void Heat::measure_densities() {
  least_density_ = density_;
  const auto agree = [&](Index a, Index b) {
    if (b < 0 || least_density_[a] == least_density_[b]) return false;
    least_density_[a] = least_density_[b] = std::min(least_density_[a], least_density_[b]);
    return true;
  };
  bool changed = true;
  while (changed) {
    changed = false;
    for (Index m = 0; m < static_cast<Index>(becomes_.size()); ++m)
      for (const Index to : {becomes_[m].melted, becomes_[m].frozen})
        changed = agree(m, to) || changed;
  }
}

void Heat::begin(ParticleStore& store, const Points& points) {
  changes_ = false;
  pending_ = 0;
  HostParticles& p = store.for_host();
  if (has_phases_) set_phases(p);
  if (!stage_.in_use) return;
  stage_.enthalpy.for_host().resize(points.n, std::numeric_limits<double>::quiet_NaN());
  stage_.power.for_host().resize(points.n, 0);
  follow_temperatures(p, stage_);
  for (Index i = 0; i < points.n; ++i) {
    const Index from = p.material[i], to = change(i, p);
    if (to >= 0)
      renew(from, to, p.mass[i], points.deformation[i], points.memory[i], points.volume[i]);
  }
}

void Heat::set_phases(const HostParticles& p) {
  HostColumn<std::uint8_t>& phase = phase_.for_host();
  phase.resize(p.x.size());
  for (Index i = 0; i < p.size(); ++i) phase[i] = phase_of(p.material[i]);
}

std::uint8_t Heat::phase_of(Index material) const {
  return static_cast<std::uint8_t>(
      std::holds_alternative<LiquidLaw>(laws_[material]) ? Phase::liquid : Phase::solid);
}

void Heat::start(const Environment& environment, ParticleStore& store) {
  if (!stage_.active) return;
  HostParticles& p = store.for_host();
  hold(environment, p);
  if (!powers_are_valid(stage_)) find(environment, p);
}

void Heat::advance(const Environment& environment, ParticleStore& store, const StepContext& with,
                   Stages& stages) {
  if (!stage_.active) return;
  HostParticles& p = store.for_host();
  pending_ += with.in.dt;
  stage_.age += with.in.dt;
  const bool frame_ends = !with.in.particles_to_grid, stale = !powers_are_valid(stage_);
  if (!stale && !frame_ends) return;
  take(environment, p);
  if (stale) {
    if (!frame_ends) stages.write_particles(with);
    find(environment, p);
  }
  look_for_changes(p);
}

void Heat::hold(const Environment& environment, HostParticles& p) {
  view_pins(environment, 0, pins_);
  pin_table_.assign(pins_);
  hold_temperatures(environment.exec, p, pin_table_, stage_);
}

/// Adds the heat of the time since the last call.
void Heat::take(const Environment& environment, HostParticles& p) {
  const TimerScope scope(environment.exec.timers, "mpm.heat");
  hold(environment, p);
  add_heat(environment.exec, p, static_cast<Real>(pending_), stage_);
  pending_ = 0;
}

/// The largest particles, as large as they may become, determine how far heat reaches.
void Heat::find(const Environment& environment, HostParticles& p) {
  const Exec& exec = environment.exec;
  const TimerScope scope(exec.timers, "mpm.heat");
  Real volume = 0;
  for (Index i = 0; i < p.size(); ++i)
    volume = std::max(volume, p.mass[i] / least_density_[p.material[i]]);
  const Real spacing = packed_spacing(volume, environment.dimensions),
             support = support_in_spacings * spacing;
  if (stage_.kernel.support != support)
    stage_.kernel = make_heat_kernel(spacing, support, environment.dimensions);
  build_cells_for_rows(exec, p.x, support, environment.box, cells_);
  order_cells_by_id(exec, p.id, cells_);
  const std::size_t n = p.x.size();
  near_.x.resize(n), near_.mass.resize(n), near_.temperature.resize(n), near_.material.resize(n);
  for_each(exec, "mpm.heat_order", p.size(), [&](Index k) {
    const Index i = cells_.order[k];
    near_.x[k] = p.x[i];
    near_.mass[k] = p.mass[i];
    near_.temperature[k] = p.temperature[i];
    near_.material[k] = p.material[i];
  });
  build_rows(exec, near_.x, cells_, support, rows_);
  phyxel::measure_volumes(exec, near_, stage_);
  colliders_.update(environment.colliders, environment.time, 0);
  find_powers(environment, near_, rows_, colliders_.views(), stage_);
  HostColumn<Real>& power = stage_.power.for_host();
  for_each(exec, "mpm.heat_order", p.size(),
           [&](Index k) { power[cells_.order[k]] = stage_.columns.power[k]; });
}

Index Heat::material_after(Index material, double enthalpy) const {
  const Becomes& becomes = becomes_[material];
  const Real melted = melted_fraction(stage_.thermal[material], enthalpy);
  if (becomes.melted >= 0 && melted >= 1) return becomes.melted;
  if (becomes.frozen >= 0 && melted <= 0) return becomes.frozen;
  return -1;
}

void Heat::look_for_changes(const HostParticles& p) {
  const HostColumn<double>& enthalpy = stage_.enthalpy.for_host();
  for (Index i = 0; i < p.size() && !changes_; ++i)
    changes_ = material_after(p.material[i], enthalpy[i]) >= 0;
}

/// The new material of a particle, which it has now, with its enthalpy; -1: it keeps the old one.
Index Heat::change(Index i, HostParticles& p) {
  const double enthalpy = stage_.enthalpy.for_host()[i];
  const Index to = material_after(p.material[i], enthalpy);
  if (to < 0) return -1;
  p.material[i] = to;
  p.temperature[i] = temperature_of(stage_.thermal[to], enthalpy);
  phase_.for_host()[i] = phase_of(to);
  return to;
}

/// Matter of a new law is at rest as it lies, with the volume that its mass has there. A liquid
/// that is denser than what it came from first collapses to its own density (law_liquid.h).
void Heat::renew(Index from, Index to, Real mass, Mat3& f, Real& memory, Real& volume) const {
  const Real occupied = volume * volume_ratio(laws_[from], f, memory);
  volume = mass / density_[to];
  memory = std::holds_alternative<LiquidLaw>(laws_[to])
               ? std::clamp(occupied / volume, Real(1), Real(5))
               : std::visit([](const auto& law) { return law.fresh; }, laws_[to]);
  f = Mat3::identity();
}

bool Heat::change_materials(ParticleStore& store, const StepContext& with, Stages& stages) {
  if (!changes_) return false;
  changes_ = false;
  HostParticles& p = store.for_host();
  stages.change_rows([&](Index i, Row16& row) {
    const Index from = p.material[i], to = change(i, p);
    if (to < 0) return;
    Mat3 f;
    for (int k = 0; k < 9; ++k) f[k / 3][k % 3] = row.c[row_f + k];
    renew(from, to, p.mass[i], f, row.c[row_memory], with.points.volume[i]);
    for (int k = 0; k < 9; ++k) row.c[row_f + k] = f[k / 3][k % 3];
    row.c[row_volume] = with.points.volume[i];
  });
  return true;
}

void Heat::load(const std::map<std::string, double>& numbers, std::size_t particles) {
  if (!load_heat(numbers, stage_)) return;
  stage_.enthalpy.for_host().resize(particles);
  stage_.power.for_host().resize(particles);
}

}  // namespace PHYXEL_BACKEND

}  // namespace phyxel::mpm
