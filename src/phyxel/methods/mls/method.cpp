#include "phyxel/methods/mls/method.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "phyxel/core/error.h"
#include "phyxel/methods/mls/samples.h"

namespace phyxel::mls {

inline namespace PHYXEL_BACKEND {

namespace {

// Of the limit by the bound of frequencies.
constexpr double safety = 0.9;
// Of the spacing: how far phyxels may come between searches for contact, and where matter flows.
constexpr Real contact_skin = Real(0.5), flow_skin = Real(0.25);
// Of the coarse space of implicit steps: solving for three times as many numbers then costs less
// than a product of 10,000 phyxels.
constexpr Index most_coarse_nodes = 125;

/// Spacing in closest packing of phyxels of a volume.
Real spacing_of(Real volume, int dimensions) {
  const double cell = double(volume) * (dimensions == 2 ? 2 / std::sqrt(3.0) : std::sqrt(2.0));
  return static_cast<Real>(dimensions == 2 ? std::sqrt(cell) : std::cbrt(cell));
}

}  // namespace

Solver::Solver() : NeighbourMethod("mls.forces") {
  constexpr KeptIn files = KeptIn::files_and_checkpoints, checkpoints = KeptIn::checkpoints;
  using S = StepView;
  // As of the last frame, which surfels go on from.
  own_.add("deformation", "", files, Mat3::identity(), shown_deformation_);
  own_.add("absorbs", "", files, std::uint8_t{0}, shown_absorbs_);
  own_.add("reference", "m", files, Vec3::zero(), reference_, &S::reference);
  own_.add("support", "m", files, Real{0}, support_, &S::support);
  own_.add("object", "", files, Index{0}, object_, &S::object);
  own_.add("absorbed", "", files, Mat3::identity(), absorbed_, &S::absorbed);
  own_.add("acceleration", "m/s^2", checkpoints, Vec3::zero(), acceleration_, &S::acceleration);
  own_.add("volume", "m^3", checkpoints, Real{0}, volume_, &S::volume);
  own_.add("plastic_strain", "", files, Symmetric<Real>::zero(), plastic_, &S::plastic, &yields_);
  own_.add("strain", "", checkpoints, Symmetric<Real>::zero(), strain_, &S::strain, &damps_);
  own_.add("fibre", "", checkpoints, Vec3::zero(), fibre_, &S::fibre, &has_fibres_);
  own_.add("rest_density", "kg/m^3", checkpoints, Real{0}, rest_density_, &S::rest_density,
           &ever_flowed_);
  own_.add("swollen", "", checkpoints, Real{0}, swollen_, &S::swollen, &ever_flowed_);
  own_.add("molten_shape", "", checkpoints, Real{0}, molten_shape_, &S::molten_shape, &melts_);
  declare_heat();
  own_.scratch(&S::place, 1);
  own_.scratch(&S::rest);
  own_.scratch(&S::directions);
  own_.scratch(&S::pull, 1);
  own_.scratch(&S::other, 1, &other_);
  own_.scratch(&S::own_force);
  own_.scratch(&S::density, 0, &ever_flowed_);
  own_.scratch(&S::contact);
  own_.scratch(&S::couple);
  own_.scratch(&S::melted, 0, &melts_);
  own_.scratch(&S::molten, 1, &melts_);
  own_.scratch(&S::is_near);
  own_.scratch(&S::tension, 0, &is_implicit_);
  own_.scratch(&S::rate, 0, &is_implicit_);
}

void Solver::add_body(const BodySeed& seed) {
  const std::size_t n = store_.for_host().x.size(), first = n - seed.points.size();
  reference_.for_host().resize(n);
  volume_.for_host().resize(n);
  support_.for_host().resize(n);
  object_.for_host().resize(n);
  seeds_.push_back({seed, first});
  seeds_.back().seed.mesh = {};
}

/// What bodies' points say waits for the parameters of their materials.
void Solver::add_seed(const Environment& environment, const BodySeed& seed, std::size_t first) {
  const Material& material = environment.materials[seed.material];
  const Parameters& p = parameters_of<Parameters>(material);
  const Samples samples = sample_body(seed, p.support, environment.dimensions);
  HostParticles& particles = store_.for_host();
  for (std::size_t k = 0; k < seed.points.size(); ++k) {
    const std::size_t i = first + k;
    reference_.for_host()[i] = seed.points[k];
    support_.for_host()[i] = samples.support[k];
    volume_.for_host()[i] = samples.volume[k];
    object_.for_host()[i] = seed.body;
    particles.mass[i] *= samples.volume[k] / seed.volume;
  }
}

void Solver::begin(const Environment& environment) {
  // Of a run that goes on, other columns follow.
  for (const Waiting& waiting : seeds_)
    if (waiting.first + waiting.seed.points.size() <= store_.for_host().x.size())
      add_seed(environment, waiting.seed, waiting.first);
  if (!seeds_.empty()) reference_valid_ = false;
  seeds_.clear();
  add_new_phyxels(environment);
  start_frame();
  used_ = materials_in_use(environment);
  refresh_laws(environment);
  lay_fibres(environment);
  measure_samples(environment);
  update_enthalpies();
}

/// Of a nozzle: matter that flows has no shape to remember.
void Solver::add_new_phyxels(const Environment& environment) {
  const HostParticles& p = store_.for_host();
  const std::size_t old = volume_.for_host().size(), n = p.x.size();
  if (old == n) return;
  reference_valid_ = stepped_ = false;
  reference_.for_host().resize(n);
  volume_.for_host().resize(n);
  support_.for_host().resize(n);
  object_.for_host().resize(n);
  for (std::size_t i = old; i < n; ++i) {
    const Material& material = environment.materials[p.material[i]];
    const Real v = rest_volume(material, p.mass[i]);
    reference_.for_host()[i] = p.x[i];
    volume_.for_host()[i] = v;
    support_.for_host()[i] =
        parameters_of<Parameters>(material).support * spacing_of(v, environment.dimensions);
    object_.for_host()[i] = flowing_object;
  }
}

/// What is the same or the largest of all phyxels.
void Solver::measure_samples(const Environment& environment) {
  largest_support_ = largest_radius_ = 0;
  for (const Real h : support_.for_host()) largest_support_ = std::max(largest_support_, h);
  for (const Index m : used_) largest_radius_ = std::max(largest_radius_, touches_[m].radius);
  const HostColumn<Real>& volume = volume_.for_host();
  const bool same = std::ranges::all_of(volume, [&](Real v) { return v == volume.front(); });
  size_ = environment.dimensions == 2 || volume.empty() ? Real(1) : std::cbrt(volume.front());
  lightest_ = 0;
  for (const Real m : store_.for_host().mass)
    lightest_ = lightest_ > 0 ? std::min(lightest_, m) : m;
  several_objects_ = std::ranges::any_of(object_.for_host(),
                                         [&](Index o) { return o != object_.for_host().front(); });
  flowing_ = ever_flowed_ &&
             std::ranges::any_of(object_.for_host(), [](Index o) { return o == flowing_object; });
  irregular_ = !same;
  refresh_columns();
}

/// Columns that have come into use.
void Solver::refresh_columns() {
  other_ = mixed_ || irregular_ || melts_ || flowing_;
  own_.resize(volume_.for_host().size());
}

/// Of phyxels that have none yet.
void Solver::lay_fibres(const Environment& environment) {
  if (!has_fibres_) return;
  HostColumn<Vec3>& fibre = fibre_.for_host();
  const HostParticles& p = store_.for_reading();
  for (std::size_t i = 0; i < fibre.size(); ++i) {
    const Parameters& own = parameters_of<Parameters>(environment.materials[p.material[i]]);
    if (is_given(own.fibre_modulus) && length_squared(fibre[i]) == 0)
      fibre[i] = normalized(own.fibre);
  }
}

void Solver::refresh_laws(const Environment& environment) {
  mixed_ = used_.size() > 1;
  solids_.assign(environment.materials.size(), {});
  touches_.assign(environment.materials.size(), {});
  melting_.assign(environment.materials.size(), {});
  const int columns = yields_ + damps_ + melts_ + has_fibres_ + ever_flowed_;
  flows_.resize(environment.materials.size(), 0);
  Real support = largest_support_;
  for (const Index m : used_) {
    const Material& material = environment.materials[m];
    const Parameters& p = parameters_of<Parameters>(material);
    solids_[m] = solid_of(material, environment.plane);
    check_agreement(environment.materials[used_.front()], material);
    is_implicit_ = p.integration == Integration::implicit_steps;
    touches_[m] = touch_of(material);
    melting_[m] = p.thermal;
    yields_ = yields_ || yields(p);
    damps_ = damps_ || p.damping > 0;
    melts_ = melts_ || melts(p);
    has_fibres_ = has_fibres_ || is_given(p.fibre_modulus);
    ever_flowed_ = ever_flowed_ || p.flows || melts(p);
    support = support > 0 ? support : p.support * material.spacing;
  }
  solid_table_.assign(solids_);
  touch_table_.assign(touches_);
  melting_table_.assign(melting_);
  if (yields_ + damps_ + melts_ + has_fibres_ + ever_flowed_ != columns) {
    refresh_columns();
    lay_fibres(environment);
  }
  refresh_heat<Parameters>(environment, used_, support);
}

StepView Solver::view(const Environment& environment) {
  auto s = start_view<StepView>(environment);
  s.solids = solid_table_.data();
  s.touches = touch_table_.data();
  s.first_material = used_.front();
  s.mixed = mixed_;
  s.flowing = flowing_;
  s.all_bodies = all_bodies_ && !flowing_;
  s.hold = solids_[used_.front()].stabilisation * size_;
  s.skin = near_skin_;
  s.begins = !stepped_;
  if (!contact_.some) s.contact = nullptr;
  return s;
}

/// Sorts phyxels by cells of the reference shape and finds neighbours there.
void Solver::build_reference(const Environment& environment) {
  const Exec& exec = environment.exec;
  const TimerScope scope(exec.timers, "mls.neighbours");
  const Real skin = flowing_ ? flow_skin * 2 * largest_radius_ : Real(0);
  build_rows_at(environment, reference_, largest_support_ + skin);
  if (several_objects_)
    drop_strangers(exec, view(environment), rows_.count.data(), rows_.neighbour.data());
  prepare_rest(exec, view(environment));
  pack_places(exec, view(environment));
  all_bodies_ = find_moments(exec, view(environment));
  if (flowing_) keep_densities(exec, view(environment));
  reference_valid_ = true;
  coarse_laid_ = false;
}

/// Colliders and phyxels that may be met before the next search.
void Solver::refresh_near(const Environment& environment) {
  const Exec& exec = environment.exec;
  const TimerScope scope(exec.timers, "mls.contact.search");
  x_at_build_ = store_.for_kernels().x;
  near_skin_ = (flowing_ ? flow_skin : contact_skin) * 2 * largest_radius_;
  moved_ = 0;
  colliders_moved_ = false;
  find_near(exec, view(environment));
  find_contact_rows(exec, view(environment), store_.for_kernels().x,
                    2 * largest_radius_ + near_skin_, environment.box, contact_);
}

/// Where matter flows, its deformation so far becomes part of the reference shape first.
void Solver::build_neighbours(const Environment& environment) {
  if (flowing_) absorb_all(environment);
  if (!reference_valid_) build_reference(environment);
  refresh_near(environment);
  rows_valid_ = true;
}

/// Velocity Verlet: half of a step's change of velocity by the forces where phyxels were, half by
/// those where they come to, so that velocities are those of the same time as positions, however
/// long the steps are. A body that is let go would otherwise start with velocities of half a step
/// later: at the longest steps with 0.81 times its energy more. Flowing matter gets a new reference
/// shape whenever it has moved by a part of the spacing, before it moves on.
void Solver::move(const Environment& environment, Real dt) {
  const Real next = moved_ + dt * (std::sqrt(extremes_.speed_squared) +
                                   dt / 2 * std::sqrt(extremes_.squared_acceleration));
  if (flowing_ && 2 * next >= near_skin_) build_neighbours(environment);
  accelerate(environment.exec, view(environment), dt);
  moved_ = std::sqrt(move_phyxels(environment.exec, view(environment), dt).path_squared);
  if (2 * moved_ < near_skin_) return;
  if (flowing_)
    rows_valid_ = false;  // pins have moved it, or colliders: at the next step
  else
    refresh_near(environment);
}

void Solver::find_forces(const Environment& environment, Real dt) {
  const Exec& exec = environment.exec;
  rate_ = find_stresses(exec, view(environment), {dt, yields_, damps_ && dt > 0, dt > 0});
  if (contact_.some) {
    find_contact_forces(exec, view(environment), contact_);
    turn_neighbourhoods(exec, view(environment));
  }
  extremes_ = apply_forces(exec, view(environment), dt);
  stepped_ = stepped_ || dt > 0;
}

/// Between neighbours of the reference shape, and where bodies touch.
void Solver::exchange_heat_where_it_touches(const Environment& environment, Real dt) {
  heat_.touching = contact_.some ? &contact_.rows : nullptr;
  heat_.touching_order = contact_.cells.order.data();
  exchange_heat(environment, dt);
}

void Solver::advance(const Environment& environment, Real dt) {
  update_flow(environment);
  start_step(environment, dt);
  if (dt > 0 && is_implicit_) {
    exchange_heat_where_it_touches(environment, dt);
    return step_implicitly(environment, dt);
  }
  if (dt > 0)
    move(environment, dt);
  else
    pack_places(environment.exec, view(environment));
  exchange_heat_where_it_touches(environment, dt);
  find_forces(environment, dt);
}

/// Its matrix costs three products for each node, as many as iterations: it is made once solves
/// have taken as many.
bool Solver::uses_coarse_space() {
  if (!coarse_laid_)
    assign_nodes(make_coarse_nodes(reference_.for_host(), object_.for_host(), 2 * largest_radius_,
                                   most_coarse_nodes),
                 implicit_.coarse);
  coarse_laid_ = true;
  return iterations_ >= 3.0 * implicit_.coarse.nodes;
}

/// See ImplicitOptions.
std::vector<Real> Solver::coarse_for() const {
  std::vector<Real> numbers;
  for (const Index m : used_) {
    const Real* const first = &solids_[m].lambda;
    numbers.insert(numbers.end(), first, first + solid_numbers);
  }
  for (const PinView& pin : pins_) numbers.push_back(pin.active);
  return numbers;
}

/// Searches come before the step: what is held has to be known when it is solved.
void Solver::step_implicitly(const Environment& environment, Real dt) {
  const Exec& exec = environment.exec;
  const double fall = double(length(environment.gravity)) * double(dt);
  const Real next =
      moved_ + static_cast<Real>(double(dt) * (std::sqrt(extremes_.speed_squared) + fall));
  if (2 * next >= near_skin_) refresh_near(environment);
  const Material& material = environment.materials[used_.front()];
  const Parameters& p = parameters_of<Parameters>(material);
  const ImplicitOptions options{double(p.tolerance), double(2 * largest_radius_), p.iterations,
                                uses_coarse_space(), coarse_for()};
  const ImplicitReport report = take_implicit_step(exec, view(environment), contact_,
                                                   {dt, yields_, damps_, true}, options, implicit_);
  iterations_ += report.iterations;
  solves_.solves += report.solves;
  solves_.iterations += report.iterations;
  solves_.unfinished += report.unfinished;
  extremes_ = measure_extremes(exec, view(environment));
  stepped_ = false;
  moved_ = std::sqrt(extremes_.moved_squared);
}

StableStep Solver::limit_of_step(const Environment&) {
  const double speed = std::sqrt(double(extremes_.speed_squared));
  if (is_implicit_)
    return {0.5 * 2 * double(largest_radius_) / (speed + 1e-30),
            "the fastest phyxel may cross half of the spacing", StepLimit::speed};
  double touch = 0, sound = 0;
  for (const Index m : used_) {
    touch = std::max(touch, double(touches_[m].stiffness));
    sound = std::max(sound, std::sqrt(double(solids_[m].flow_stiffness)));
  }
  const double contact = contact_.some ? 8 * touch / lightest_ : 0;
  StableStep limit{safety * 2 / std::sqrt(double(rate_) + contact + 1e-30),
                   "the stiffest vibration of neighbourhoods", StepLimit::stiffness};
  limit.tighten({0.25 * 2 * largest_radius_ / (speed + 1e-30),
                 "the fastest phyxel may cross a quarter of the spacing", StepLimit::speed});
  if (flowing_)
    limit.tighten({0.2 * double(largest_support_) / (sound + speed),
                   "sound of flowing matter may cross a fifth of the support", StepLimit::other});
  return limit;
}

std::map<std::string, double> Solver::save() {
  std::map<std::string, double> numbers = NeighbourMethod::save();
  numbers["yields"] = yields_;
  numbers["damps"] = damps_;
  numbers["melts"] = melts_;
  numbers["has_fibres"] = has_fibres_;
  numbers["ever_flowed"] = ever_flowed_;
  numbers["freezes"] = freezes_;
  numbers["stepped"] = stepped_;
  numbers["solve_iterations"] = iterations_;
  for (const Index m : used_) numbers["flows_" + std::to_string(m)] = flows_[m];
  return numbers;
}

void Solver::load(const std::map<std::string, double>& numbers) {
  NeighbourMethod::load(numbers);
  const auto was = [&](const char* name) { return numbers.at(name) != 0; };
  yields_ = yields_ || was("yields");
  damps_ = damps_ || was("damps");
  melts_ = melts_ || was("melts");
  has_fibres_ = has_fibres_ || was("has_fibres");
  ever_flowed_ = ever_flowed_ || was("ever_flowed");
  freezes_ = static_cast<Index>(numbers.at("freezes"));
  stepped_ = was("stepped");
  if (const auto known = numbers.find("solve_iterations"); known != numbers.end())
    iterations_ = known->second;
  for (std::size_t m = 0; m < flows_.size(); ++m)
    if (const auto flow = numbers.find("flows_" + std::to_string(m)); flow != numbers.end())
      flows_[m] = flow->second != 0;
  reference_valid_ = rows_valid_ = forces_valid_ = false;
  refresh_columns();
}

Diagnostics Solver::diagnostics(const Environment& environment) {
  Diagnostics d = measure_motion(environment);
  if (size() == 0) return d;
  require_forces(environment);
  measure_energies(environment.exec, view(environment));
  const double elastic = sum_of(environment.exec, "mls.energy", energy_);
  d.extra = {{"elastic_energy", elastic}, {"gravity_energy", d.potential_energy}};
  if (is_implicit_) {
    const ImplicitReport solves = std::exchange(solves_, {});
    d.extra.insert(d.extra.end(), {{"solves", solves.solves},
                                   {"solve_iterations", solves.iterations},
                                   {"unfinished_solves", solves.unfinished}});
  }
  d.potential_energy += elastic;
  copy_to_host(deformation_, shown_deformation_.for_host());
  const HostColumn<Index>& object = object_.for_host();
  HostColumn<std::uint8_t>& absorbs = shown_absorbs_.for_host();
  for (std::size_t i = 0; i < object.size(); ++i) absorbs[i] = object[i] == flowing_object;
  return d;
}

std::unique_ptr<Method> make_solver() {
  return std::make_unique<Solver>();
}

}  // namespace PHYXEL_BACKEND

}  // namespace phyxel::mls
