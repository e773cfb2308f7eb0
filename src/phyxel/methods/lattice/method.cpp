#include "phyxel/methods/lattice/method.h"

#include <algorithm>
#include <string>
#include <utility>

#include "phyxel/core/error.h"
#include "phyxel/methods/lattice/orientation.h"

namespace phyxel::lattice {

inline namespace PHYXEL_BACKEND {

namespace {

// Of the reach. A wider skin would make neighbours of second neighbours, which a particle at rest
// does not need.
constexpr double skin_share = 0.15;
// Packs read beyond the last particle.
constexpr std::size_t spare = 2 * slot_block;
// Of the limit of the laws, which holds for full neighbourhoods; those at surfaces are stiffer.
constexpr double safety = 0.8;

/// Whether assignments and calm bits stay valid when a material changes.
bool keeps_slots(const Solid& before, const Solid& now) {
  return before.weights.shells == now.weights.shells &&
         before.docking.largest == now.docking.largest &&
         before.docking.change == now.docking.change;
}

/// Slots tell particles apart by names that are shorter than ids.
void check_span(const HostColumn<ParticleId>& ids) {
  if (ids.empty()) return;
  const auto [first, last] = std::ranges::minmax(ids);
  if (last - first < slot_id_count) return;
  throw Error("lattice.slots: the ids of its particles go from " + std::to_string(first) + " to " +
              std::to_string(last) + ", and those at one time have to lie within " +
              std::to_string(slot_id_count) +
              " to be told apart; remove old particles sooner, with a sink or an event, or let "
              "emitters emit fewer");
}

}  // namespace

Solver::Solver() : NeighbourMethod("lattice.forces", {.share = skin_share}) {
  constexpr KeptIn files = KeptIn::files_and_checkpoints, checkpoints = KeptIn::checkpoints;
  using S = StepPointers;
  own_.add_result("deformation", "", deformation_, [this] { measure_deformation(); });
  own_.add("phase", "", files, std::uint8_t{0}, phase_, &S::phase);
  own_.add("object", "", files, Index{0}, object_, &S::object);
  own_.add("lattice", "", checkpoints, Mat3::identity(), a_, &S::a);
  own_.add("plastic", "", checkpoints, Mat3::identity(), plastic_, &S::plastic, &yields_);
  own_.add("contact_torque", "N m", checkpoints, Vec3::zero(), torque_, &S::torque);
  own_.add("docking_rate", "1/s", checkpoints, SlotRates::zero(), rates_, &S::rates);
  own_.add("slot_id", "", checkpoints, SlotIds::filled(any_particle), slot_ids_, &S::slot_ids);
  declare_heat();
  own_.add("slot_rest", "m", checkpoints, SlotRests::zero(), rests_, &S::rests, &freezes_);
  own_.add("contact_offset", "m", checkpoints, Real{0}, contact_offset_, &S::contact_offset,
           &freezes_);
  own_.add("frozen_in_step", "", checkpoints, Index{-1}, frozen_in_step_, &S::frozen_in_step,
           &freezes_);
  for (const auto quads : {&S::x_quad, &S::v_quad, &S::flow, &S::spin, &S::drift})
    own_.scratch(quads, spare);
  own_.scratch(&S::force, spare);
  own_.scratch(&S::own_force);
  own_.scratch(&S::takes_torque);
  own_.scratch(&S::changed);
  own_.scratch(&S::is_near);
#ifdef __CUDACC__
  own_.scratch(&S::beside_changed);
#endif
}

void Solver::begin(const Environment& environment) {
  check_span(store_.for_host().id);
  assignments_valid_ = false;
  mass_ = heaviest_by_material(environment);
  used_ = materials_in_use(environment);
  refresh_laws(environment);
  add_new_particles(environment);
  update_enthalpies();
}

void Solver::refresh_laws(const Environment& environment) {
  const std::vector<Solid> before = std::exchange(solids_, {});
  solids_.resize(environment.materials.size());
  for (std::size_t m = 0; m < mass_.size(); ++m) {
    const Material& material = environment.materials[m];
    if (mass_[m] > 0)
      solids_[m] = solid_of(material, lattice_spacing(material, mass_[m]), environment.plane);
  }
  for (std::size_t m = 0; m < before.size(); ++m)
    if (!keeps_slots(before[m], solids_[m])) rows_valid_ = assignments_valid_ = false;
  solid_table_.assign(solids_);
  refresh_liquids(environment);
  refresh_heat<Parameters>(environment, used_, reach());
}

/// The largest particle determines the smoothing length of liquids.
void Solver::refresh_liquids(const Environment& environment) {
  const bool flat = environment.dimensions == 2;
  Real spacing = 0;
  has_liquid_ = false;
  for (std::size_t m = 0; m < mass_.size(); ++m) {
    if (mass_[m] <= 0) continue;
    spacing = std::max(spacing, solids_[m].spacing);
    has_liquid_ = has_liquid_ || solids_[m].may_flow;
    const bool new_memory = (solids_[m].yields && !yields_) || (freezes(solids_[m]) && !freezes_);
    yields_ = yields_ || solids_[m].yields;
    freezes_ = freezes_ || freezes(solids_[m]);
    if (new_memory) own_.resize(a_.for_host().size());
  }
  const double volume = flat ? rest_cell<2>(double(spacing)) : rest_cell<3>(double(spacing));
  const Real edge = static_cast<Real>(flat ? std::sqrt(volume) : std::cbrt(volume));
  const Real h = flat ? Real(1.2) * edge : edge;
  if (!has_liquid_ || kernel_.h == h) return;
  const sph::SumKernel sums = sph::make_sum_kernel(h, edge, environment.dimensions);
  kernel_ = sums.kernel;
  wall_table_.assign({sph::make_wall_table(kernel_, edge, environment.dimensions)});
  self_ = static_cast<Real>(double(sums.self) / volume);
}

/// Particles that are new to the method are at rest; those beside them are taken for neighbours.
void Solver::add_new_particles(const Environment& environment) {
  const HostParticles& p = store_.for_host();
  const std::size_t n = p.x.size(), old = a_.for_host().size();
  start_frame();
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

/// The particle in the middle of each new body and its neighbours determine the orientation.
template <int Dim>
void Solver::orient_new_particles(std::size_t old) {
  const HostParticles& p = store_.for_host();
  std::map<Index, std::vector<Index>> bodies;
  for (std::size_t i = old; i < p.x.size(); ++i) bodies[p.body[i]].push_back(static_cast<Index>(i));
  const auto by_id = [&](Index i, Index j) { return p.id[i] < p.id[j]; };
  for (auto& [body, members] : bodies) {
    std::ranges::sort(members, by_id);
    Vec3d sum = Vec3d::zero();
    for (const Index i : members) sum += cast<double>(p.x[i]);
    const Vec3 centre = cast<Real>(sum / double(members.size()));
    const Index middle = *std::min_element(members.begin(), members.end(), [&](Index i, Index j) {
      return length_squared(p.x[i] - centre) < length_squared(p.x[j] - centre);
    });
    const Real spacing = solids_[p.material[middle]].spacing;
    std::vector<Index> around;
    for (Index i = 0; i < p.size(); ++i)  // those that came before too: a layer is not enough
      if (i != middle && p.body[i] == body && length(p.x[i] - p.x[middle]) < Real(1.2) * spacing)
        around.push_back(i);
    std::ranges::sort(around, by_id);
    std::vector<Vec<Real, Dim>> offsets;
    for (const Index i : around) offsets.push_back(narrow<Dim>(p.x[i] - p.x[middle]));
    const Mat3 a = widen<Dim>(orientation_of<Dim>(offsets, spacing));
    for (const Index i : members) a_.for_host()[i] = a;
    initial_lattice_.try_emplace(body, a);
  }
}

Real Solver::reach() const {
  Real largest = has_liquid_ ? kernel_.reach() : 0;
  for (const Solid& solid : solids_) largest = std::max(largest, reach_of(solid));
  return largest;
}

template <int Dim>
StepView<Dim> Solver::view(const Environment& environment) {
  auto s = start_view<StepView<Dim>>(environment);
  s.kernel = kernel_;
  s.walls = wall_table_.data();
  s.self = self_;
  s.has_liquid = has_liquid_;
  s.phases_changed = phases_changed_;
  s.assignment = assignments_.assigned.data();
  s.slots = assignments_.slots;
  s.solids = solid_table_.data();
  s.seed = environment.seed;
  s.step = environment.step;
  s.skin = skin();
  for (const Solid& solid : solids_) {
    s.largest_spacing = std::max(s.largest_spacing, solid.spacing);
    s.largest_reach = std::max(s.largest_reach, reach_of(solid));
  }
  return s;
}

void Solver::build_neighbours(const Environment& environment) {
  const Exec& exec = environment.exec;
  const TimerScope scope(exec.timers, "lattice.neighbours");
  build_rows(environment, reach());
  if (assignments_valid_) reorder_assignments(exec, cells_.order, calm_, assignments_);
  moved_ = 0;
  if (environment.dimensions == 2)
    refresh_rows<2>(environment);
  else
    refresh_rows<3>(environment);
}

/// Finds again what depends on the order of particles or on the rows.
template <int Dim>
void Solver::refresh_rows(const Environment& environment) {
  const Exec& exec = environment.exec;
  if (!assignments_valid_) {
    int slots = 0;
    for (std::size_t m = 0; m < solids_.size(); ++m)
      if (mass_[m] > 0) slots = std::max(slots, slot_count<Dim>(solids_[m].weights.shells));
    const std::size_t blocks = size() / slot_block + 1;
    assignments_.assigned.resize((blocks * slots + 1) * slot_block);
    assignments_.slots = slots;
    Passes<Dim>::clear_assignments(exec, view<Dim>(environment));
  }
  Passes<Dim>::find_near(exec, view<Dim>(environment));
  Passes<Dim>::pack_particles(exec, view<Dim>(environment));
  if (assignments_valid_) Passes<Dim>::update_calm_after_search(exec, view<Dim>(environment));
  assignments_valid_ = true;
}

/// Symplectic Euler: positions first, then velocities by the forces that act there, so that both
/// momenta are kept to rounding. With dt = 0 forces are found and nothing moves.
template <int Dim>
void Solver::take_step(const Environment& environment, Real dt) {
  const Exec& exec = environment.exec;
  start_step(environment, dt);
  if (dt <= 0) {
    Passes<Dim>::pack_particles(exec, view<Dim>(environment));
  } else {
    moved_ = std::sqrt(Passes<Dim>::move_particles(exec, view<Dim>(environment), dt));
    if (!rows_stay_valid(moved_, reach())) build_neighbours(environment);
  }
  exchange_heat(environment, dt);
  if (Passes<Dim>::fit_lattices(exec, view<Dim>(environment), dt))
    Passes<Dim>::update_calm(exec, view<Dim>(environment), moved_);
  if (has_liquid_) Passes<Dim>::find_pressures(exec, view<Dim>(environment));
  extremes_ = Passes<Dim>::apply_forces(exec, view<Dim>(environment), dt);
  if (has_liquid_ && dt > 0)
    phases_changed_ = Passes<Dim>::change_phases(exec, view<Dim>(environment), dt);
}

void Solver::advance(const Environment& environment, Real dt) {
  if (environment.dimensions == 2)
    take_step<2>(environment, dt);
  else
    take_step<3>(environment, dt);
}

StableStep Solver::limit_of_step(const Environment& environment) {
  const double speed = std::sqrt(double(extremes_.speed_squared));
  StableStep limit;
  for (std::size_t m = 0; m < solids_.size(); ++m) {
    if (mass_[m] <= 0) continue;
    const Index material = static_cast<Index>(m);
    if (solids_[m].may_be_solid)
      limit.tighten({safety * lattice::stable_dt(solids_[m], mass_[m], environment.dimensions),
                     "the stiffest vibration of the lattice", StepLimit::stiffness, 1, material});
    if (has_liquid_)
      limit.tighten({stable_liquid_dt(solids_[m], kernel_.h, speed),
                     "sound and viscosity of the liquid", StepLimit::viscosity, 1, material});
    limit.tighten({0.25 * double(solids_[m].spacing) / (speed + 1e-30),
                   "the fastest particle may cross a quarter of the spacing", StepLimit::speed, 1,
                   material});
  }
  return limit;
}

/// Deformation of the lattice of each particle since the start: A times the inverse of the first A.
void Solver::measure_deformation() {
  const HostParticles& p = store_.for_host();
  const HostColumn<Mat3>& a = a_.for_host();
  deformation_.resize(a.size());
  for (std::size_t i = 0; i < a.size(); ++i)
    deformation_[i] = a[i] * transpose(initial_lattice_.at(p.body[i]));
}

std::map<std::string, double> Solver::save() {
  std::map<std::string, double> numbers = NeighbourMethod::save();
  numbers["yields"] = yields_ ? 1 : 0;
  numbers["freezes"] = freezes_ ? 1 : 0;
  return numbers;
}

void Solver::load(const std::map<std::string, double>& numbers) {
  NeighbourMethod::load(numbers);
  yields_ = numbers.at("yields") != 0;
  freezes_ = numbers.at("freezes") != 0;
  own_.resize(a_.for_host().size());
}

Diagnostics Solver::diagnostics(const Environment& environment) {
  Diagnostics d = measure_motion(environment);
  if (size() == 0) return d;
  require_forces(environment);
  const double elastic = sum_of(environment.exec, "lattice.energy", energy_);
  d.extra = {{"elastic_energy", elastic}, {"gravity_energy", d.potential_energy}};
  d.potential_energy += elastic;
  return d;
}

std::unique_ptr<Method> make_solver() {
  return std::make_unique<Solver>();
}

}  // namespace PHYXEL_BACKEND

}  // namespace phyxel::lattice
