#include "phyxel/methods/mass_interaction/method.h"

#include <algorithm>
#include <limits>
#include <map>
#include <string>
#include <utility>

#include "phyxel/core/error.h"

namespace phyxel::mass_interaction {

inline namespace PHYXEL_BACKEND {

Solver::Solver() : NeighbourMethod("mass_interaction.forces") {
  own_.scratch(&StepView::at, 1);
  own_.scratch(&StepView::spin_quad, 1);
  own_.scratch(&StepView::is_near);
  own_.add_result("pair_energy", "J", shown_energy_);
  declare_heat();
  own_.add("spin", "1/s", KeptIn::files_and_checkpoints, Vec3::zero(), spin_, &StepView::spin);
}

void Solver::begin(const Environment& environment) {
  const HostColumn<Real>& mass = store_.for_host().mass;
  used_ = materials_in_use(environment);
  least_mass_ = mass.empty() ? Real(1) : *std::min_element(mass.begin(), mass.end());
  start_frame();
  refresh_laws(environment);
  update_enthalpies();
}

void Solver::refresh_laws(const Environment& environment) {
  const std::vector<Material>& materials = environment.materials;
  const std::size_t n = materials.size();
  const auto is_known = [&](Index m) { return same_law(known_[m], materials[m]); };
  if (rows_valid_ && std::all_of(used_.begin(), used_.end(), is_known))
    return refresh_heat_of_masses(environment);
  known_ = materials;
  const Real before = used_.empty() || thresholds_.empty() ? Real(0) : cutoff();
  thresholds_.assign(n * n, {});
  automata_.assign(n * n, {});
  radius_.assign(n, 0);
  remembers_ = rests_ = rubs_ = all_pairs_ = false;
  for (const Index a : used_) {
    radius_[a] = thresholds_of(materials[a]).elastic_distance / 2;
    all_pairs_ = all_pairs_ || parameters_of<Parameters>(materials[a]).all_pairs;
    remembers_ = remembers_ || !is_memoryless(materials[a]);
    for (const Index b : used_) {
      thresholds_[a * n + b] =
          a == b ? thresholds_of(materials[a]) : mixed(materials[a], materials[b]);
      Automaton& automaton = automata_[a * n + b];
      automaton = a == b ? automaton_of(materials[a]).automaton
                         : mixed_automaton(materials[a], materials[b]);
      rests_ = rests_ || automaton.moves_rest;
      rubs_ = rubs_ || automaton.rubs;
    }
  }
  if (used_.size() == 1) {  // packs read the first one
    thresholds_[0] = thresholds_[used_[0] * n + used_[0]];
    automata_[0] = automata_[used_[0] * n + used_[0]];
  }
  threshold_table_.assign(thresholds_);
  automaton_table_.assign(automata_);
  radius_table_.assign(radius_);
  if (!used_.empty() && cutoff() != before) rows_valid_ = false;
  refresh_heat_of_masses(environment);
}

void Solver::refresh_heat_of_masses(const Environment& environment) {
  Real spacing = 0;
  for (const Index m : used_) spacing = std::max(spacing, environment.materials[m].spacing);
  refresh_heat<Parameters>(environment, used_,
                           std::max(cutoff(), Real(heat_reach_in_spacings) * spacing));
}

Real Solver::cutoff() const {
  Real largest = 0;
  for (const Automaton& a : automata_) largest = std::max(largest, a.reach);
  if (!remembers_)
    for (const Thresholds& t : thresholds_)
      largest = std::max({largest, t.elastic_distance, t.viscous_distance});
  return largest;
}

/// Of pairs, and of heat.
Real Solver::reach() const {
  return std::max(cutoff(), heat_reach());
}

/// Upper bound of the force of a pair: springs at their reach, dampers between the fastest masses,
/// and friction beside them.
double Solver::largest_force() const {
  const double speed = 2 * std::sqrt(double(speed_squared_));
  double bound = 0;
  for (const Thresholds& t : thresholds_)
    bound = std::max(bound, double(t.stiffness) * t.elastic_distance + t.viscosity * speed);
  for (const Automaton& a : automata_)
    for (int s = 0; s < a.states; ++s)
      bound =
          std::max(bound, (double(a.state[s].stiffness) * a.reach + a.state[s].viscosity * speed) *
                              (1 + a.state[s].friction));
  return bound;
}

StepView Solver::view(const Environment& environment) {
  auto s = start_view<StepView>(environment);
  if (!rubs_) s.spin = nullptr;
  s.radius = radius_table_.data();
  for (const Real radius : radius_) s.near = std::max(s.near, radius);
  // Rows stay valid until a particle has moved half the skin, and a step is a tenth of the spacing.
  s.near = 2 * s.near + skin();
  PairView& pairs = s.pairs;
  pairs.at = s.at;
  pairs.spin = rubs_ ? s.spin_quad : nullptr;
  pairs.material = used_.size() > 1 ? s.material : nullptr;
  pairs.start = s.row_start;
  pairs.count = s.row_count;
  pairs.neighbour = s.neighbour;
  pairs.thresholds = threshold_table_.data();
  pairs.automata = remembers_ ? automaton_table_.data() : nullptr;
  pairs.materials = static_cast<Index>(environment.materials.size());
  pairs.period = s.period;
  pairs.periodic = s.periodic;
  const double bound = largest_force();
  pairs.force_unit = sum_unit(bound, terms_in_whole);
  pairs.torque_unit = sum_unit(bound * cutoff(), terms_in_whole);
  pairs.state = memory_.state.value.data();
  pairs.rest = rests_ || rubs_ ? memory_.rest.value.data() : nullptr;
  for (int k = 0; k < 3; ++k) pairs.slip[k] = memory_.slip[k].value.data();
  return s;
}

/// The next rows take over what pairs remember in the old ones.
void Solver::give_back_memory() {
  NeighbourRows rows = std::move(rows_);
  NeighbourMethod::give_back_memory();
  old_rows_ = {};
  if (remembers_) rows_ = std::move(rows);
  spares_memory_ = true;
}

void Solver::carry_memory(const Exec& exec) {
  if (!remembers_) {
    memory_ = {};  // those that remember later begin anew
    return;
  }
  match_particles(exec, old_ids_, ids_, cells_.order, memory_.match);
  const auto carry = [&]<class T>(PairState<T>& state) {
    carry_over(exec, old_rows_, rows_, memory_.match, T(0), state);
  };
  // What is not in use belongs to rows that are gone: those that use it later begin anew.
  const auto carry_if = [&](bool in_use, PairState<Real>& state) {
    if (in_use)
      carry(state);
    else
      state = {};
  };
  carry(memory_.state);
  carry_if(rests_ || rubs_, memory_.rest);
  for (PairState<Real>& slip : memory_.slip) carry_if(rubs_, slip);
}

void Solver::build_neighbours(const Environment& environment) {
  const Exec& exec = environment.exec;
  const TimerScope scope(exec.timers, "mass_interaction.neighbours");
  const Real more = all_pairs_ ? extent_of(exec, store_.for_kernels().x) : Real(0);
  if (remembers_) {
    std::swap(rows_, old_rows_);
    ids_.swap(old_ids_);
  }
  build_rows(environment, reach(), more);
  ids_ = store_.for_kernels().id;
  carry_memory(exec);
  if (std::exchange(spares_memory_, false)) {
    old_rows_ = {};
    memory_.give_back();
  }
  find_near(exec, view(environment));
  pack_particles(exec, view(environment));
}

/// Symplectic Euler: positions first, then velocities by the forces that act there.
void Solver::advance(const Environment& environment, Real dt) {
  const Exec& exec = environment.exec;
  start_step(environment, dt);
  if (dt > 0) {
    const Moved moved = move_particles(exec, view(environment), dt);
    speed_squared_ = moved.speed_squared;
    // Rows of all pairs are built as often as others, though they stay valid for longer.
    if (!rows_stay_valid(std::sqrt(moved.path_squared), reach())) build_neighbours(environment);
  } else {
    pack_particles(exec, view(environment));
    speed_squared_ = largest_speed_squared(exec, store_.for_kernels().v);
  }
  exchange_heat(environment, dt);
  extremes_ = apply_forces(exec, view(environment), dt);
}

StableStep Solver::limit_of_step(const Environment&) {
  const Extremes& e = extremes_;
  // A mass that turns is lighter at its rim, by 3.5. Four neighbours may meet a mass within a step.
  const double turning = rubs_ ? 3.5 : 1, mass = least_mass_;
  Real stiffest = 0, most_viscous = 0;
  for (const Automaton& a : automata_)
    for (int s = 0; s < a.states; ++s) {
      stiffest = std::max(stiffest, a.state[s].stiffness);
      most_viscous = std::max(most_viscous, a.state[s].viscosity);
    }
  // Gershgorin's circles: a mass and all its neighbours move against each other.
  const double omega =
      std::sqrt(2 * turning * std::max(double(e.squared_frequency), 4 * stiffest / mass));
  const double rate = 2 * turning * std::max(double(e.viscous_rate), 4 * most_viscous / mass);
  StableStep limit{0.5 / (omega + 1e-30), "a quarter of the vibration limit 2/omega",
                   StepLimit::stiffness};
  limit.tighten({0.9 / (rate + 1e-30), "viscosity may take nine tenths of the speed between masses",
                 StepLimit::viscosity, 2});
  const double speed = std::sqrt(double(e.speed_squared));
  Real radius = 0;
  for (const Real r : radius_) radius = std::max(radius, r);
  limit.tighten({0.1 * radius / (speed + 1e-30), "the fastest mass may cross a tenth of its radius",
                 StepLimit::speed});
  return limit;
}

Diagnostics Solver::diagnostics(const Environment& environment) {
  Diagnostics d = measure_motion(environment);
  if (size() == 0) return d;
  forces_valid_ = false;  // steps do not sum energies
  require_forces(environment);
  copy_to_host(energy_, shown_energy_);
  const double pairs = sum_of(environment.exec, "mass_interaction.energy", energy_);
  d.extra = {{"pair_energy", pairs}, {"gravity_energy", d.potential_energy}};
  d.potential_energy += pairs;
  add_spins(d);
  return d;
}

/// Masses that turn have energy and angular momentum of their own.
void Solver::add_spins(Diagnostics& d) {
  if (!rubs_) return;
  const HostParticles& p = store_.for_host();
  const HostColumn<Vec3>& spin = spin_.for_host();
  for (Index i = 0; i < p.size(); ++i) {
    const double radius = radius_[p.material[i]], inertia = 0.4 * p.mass[i] * radius * radius;
    const Vec3d w = cast<double>(spin[i]);
    d.kinetic_energy += 0.5 * inertia * length_squared(w);
    d.angular_momentum += w * inertia;
  }
}

template <class Visit>
void Solver::for_pair_columns(HostPairs& pairs, const Visit& visit) {
  visit(rows_.start, pairs.start);
  visit(rows_.count, pairs.count);
  visit(rows_.neighbour, pairs.neighbour);
  visit(ids_, pairs.ids);
  visit(memory_.state.value, pairs.state);
  visit(memory_.rest.value, pairs.rest);
  for (int k = 0; k < 3; ++k) visit(memory_.slip[k].value, pairs.slip[k]);
}

/// Each pair once, from the side of the smaller id.
std::vector<FrameColumn> Solver::save_pairs() {
  if (!remembers_ || size() == 0) return {};
  HostPairs pairs;
  for_pair_columns(pairs, [](const auto& column, auto& copy) { copy_to_host(column, copy); });
  const auto& [start, count, neighbour, ids, state, rest, slip] = pairs;
  std::vector<ParticleId> first, second;
  std::vector<std::uint8_t> states;
  std::vector<Real> rests;
  std::vector<Vec3> slips;
  for (std::size_t i = 0; i < ids.size(); ++i)
    for (Index e = start[i]; e < start[i] + count[i]; ++e) {
      const ParticleId other = ids[neighbour[e]];
      if (state[e] == 0 || other < ids[i]) continue;
      first.push_back(ids[i]);
      second.push_back(other);
      states.push_back(state[e]);
      rests.push_back(rest.empty() ? Real(0) : rest[e]);
      slips.push_back(slip[0].empty() ? Vec3::zero() : Vec3{slip[0][e], slip[1][e], slip[2][e]});
    }
  const std::size_t n = first.size();
  return {make_frame_column("first", "", first.data(), n),
          make_frame_column("second", "", second.data(), n),
          make_frame_column("state", "", states.data(), n),
          make_frame_column("rest", "m", rests.data(), n),
          make_frame_column("slip", "m", slips.data(), n)};
}

namespace {

template <class T>
std::vector<T> values_of(const std::vector<FrameColumn>& columns, const char* name) {
  for (const FrameColumn& column : columns)
    if (column.name == name) {
      std::vector<T> values(column.data.size() / sizeof(T));
      std::copy_n(column.data.data(), column.data.size(),
                  reinterpret_cast<std::byte*>(values.data()));
      return values;
    }
  throw Error(std::string("mass_interaction: the checkpoint has no pairs column ") + name);
}

}  // namespace

/// Makes rows of the saved pairs, from which the next search carries the memory over.
void Solver::load_pairs(const std::vector<FrameColumn>& columns) {
  const std::vector<ParticleId> first = values_of<ParticleId>(columns, "first"),
                                second = values_of<ParticleId>(columns, "second");
  const std::vector<std::uint8_t> state = values_of<std::uint8_t>(columns, "state");
  const std::vector<Real> rest = values_of<Real>(columns, "rest");
  const std::vector<Vec3> slip = values_of<Vec3>(columns, "slip");
  const HostColumn<ParticleId>& ids = store_.for_host().id;
  std::map<ParticleId, Index> place;
  for (std::size_t i = 0; i < ids.size(); ++i) place[ids[i]] = static_cast<Index>(i);
  std::vector<std::vector<Index>> entries(ids.size());  // pairs of each particle
  for (std::size_t k = 0; k < first.size(); ++k) {
    entries[place.at(first[k])].push_back(static_cast<Index>(k));
    entries[place.at(second[k])].push_back(static_cast<Index>(k));
  }
  HostPairs pairs;
  pairs.ids = ids;
  for (std::size_t i = 0; i < ids.size(); ++i) {
    pairs.start.push_back(static_cast<Index>(pairs.neighbour.size()));
    pairs.count.push_back(static_cast<Index>(entries[i].size()));
    for (const Index k : entries[i]) {
      const bool is_first = first[k] == ids[i];
      pairs.neighbour.push_back(place.at(is_first ? second[k] : first[k]));
      pairs.state.push_back(state[k]);
      pairs.rest.push_back(rest[k]);
      for (int c = 0; c < 3; ++c) pairs.slip[c].push_back(is_first ? slip[k][c] : -slip[k][c]);
    }
  }
  pairs.start.push_back(static_cast<Index>(pairs.neighbour.size()));
  for_pair_columns(pairs, [](auto& column, const auto& copy) { assign(column, copy); });
  rows_valid_ = forces_valid_ = false;
}

std::unique_ptr<Method> make_solver() {
  return std::make_unique<Solver>();
}

}  // namespace PHYXEL_BACKEND

}  // namespace phyxel::mass_interaction
