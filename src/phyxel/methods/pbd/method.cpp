#include "phyxel/methods/pbd/method.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "phyxel/core/error.h"
#include "phyxel/methods/pbd/balloons.h"
#include "phyxel/methods/pbd/pieces.h"
#include "phyxel/methods/pbd/ties.h"

namespace phyxel::pbd {

inline namespace PHYXEL_BACKEND {

Solver::Solver() : NeighbourMethod("pbd.finish") {}

void Solver::begin(const Environment& environment) {
  if (any_periodic(environment.box))
    throw InputError(
        "domain.periodic: bodies of pbd are not joined through the sides of a periodic domain; "
        "choose closed or open sides");
  for (const BodySeed& seed : seeds_) add_to(model_, seed, environment.materials[seed.material]);
  tearing_.make_again(model_);
  if (!seeds_.empty()) bodies_valid_ = false;
  seeds_.clear();
  start_frame();
  used_ = materials_in_use(environment);
  const HostColumn<ParticleId>& ids = store_.for_reading().id;
  if (!bodies_valid_ || !std::ranges::equal(ids, ids_) || tied_to_ != held_particles(environment))
    find_vertices(environment);
  contacts_.forget();
  refresh_laws(environment);
}

/// Rows join the particles that there are.
void Solver::find_vertices(const Environment& environment) {
  const HostColumn<ParticleId>& ids = store_.for_reading().id;
  ids_.assign(ids.begin(), ids.end());
  std::vector<Index> by_id(ids_.size());
  for (std::size_t i = 0; i < by_id.size(); ++i) by_id[i] = static_cast<Index>(i);
  std::ranges::sort(by_id, {}, [&](Index i) { return ids_[i]; });
  std::vector<Index>& particle = particle_of_vertex_;
  particle.assign(model_.id.size(), -1);
  for (std::size_t v = 0; v < particle.size(); ++v) {
    const auto at =
        std::ranges::lower_bound(by_id, model_.id[v], {}, [&](Index i) { return ids_[i]; });
    if (at != by_id.end() && ids_[*at] == model_.id[v]) particle[v] = *at;
  }
  tie_to_pins(environment, particle);
  plastic_.keep(model_, rows_of_kinds_);
  make_rows(model_, particle, static_cast<Index>(ids_.size()), rows_of_kinds_);
  plastic_.restore(rows_of_kinds_);
  gases_.build(model_, particle);
  make_shapes(environment, particle);
  make_spins(particle);
  make_contacts(environment, particle);
  make_air(particle);
  set_tear_limits(environment);
  lots_.clear();
  bodies_valid_ = true;
}

/// Where pins hold particles of materials with ties; empty where there are none.
std::vector<std::uint8_t> Solver::held_particles(const Environment& environment) {
  const HostParticles& p = store_.for_reading();
  std::vector<std::uint8_t> held;
  for (Index i = 0; i < p.size() && !environment.pins.empty(); ++i) {
    const Parameters& own = parameters_of<Parameters>(environment.materials[p.material[i]]);
    if (!is_given(own.long_range_strain) || p.pin[i] < 0) continue;
    if (!environment.pins[p.pin[i]].active) continue;
    held.resize(p.size(), 0);
    held[i] = 1;
  }
  return held;
}

void Solver::tie_to_pins(const Environment& environment, const std::vector<Index>& particle) {
  tied_to_ = held_particles(environment);
  Constraints<LongRange>& list = model_.of<LongRange>();
  list.clear();
  anchors_.assign({});
  if (tied_to_.empty()) return;
  std::vector<std::uint8_t> held(particle.size(), 0);
  for (std::size_t v = 0; v < held.size(); ++v) held[v] = particle[v] >= 0 && tied_to_[particle[v]];
  std::vector<Index> anchors(tied_to_.size(), -1);
  for (const Tie& tie : find_ties(model_, held)) {
    if (particle[tie.vertex] < 0) continue;
    const Index material = store_.for_reading().material[particle[tie.vertex]];
    const Parameters& p = parameters_of<Parameters>(environment.materials[material]);
    if (!is_given(p.long_range_strain)) continue;
    const double longest = tie.length * (1 + double(p.long_range_strain));
    list.push_back({{tie.vertex, tie.anchor},
                    {static_cast<Real>(longest)},
                    0,
                    lot_of(model_, {material, Modulus::none})});
    anchors[particle[tie.vertex]] = particle[tie.anchor];
  }
  anchors_.assign(anchors);
}

/// Bodies of materials with a shape_frequency.
void Solver::make_shapes(const Environment& environment, const std::vector<Index>& particle) {
  std::vector<char> has_shape(environment.materials.size(), 0);
  for (const Index m : used_)
    has_shape[m] = shape_of(parameters_of<Parameters>(environment.materials[m])).stiffness > 0;
  shapes_.build(model_, particle, store_.for_reading(), has_shape);
}

/// Pieces of matter that may fly freely.
void Solver::make_spins(const std::vector<Index>& particle) {
  std::vector<char> is_thin(ids_.size(), 0);
  const auto mark = [&](Index vertex) {
    if (particle[vertex] >= 0) is_thin[particle[vertex]] = 1;
  };
  for (const Vec<Index, 2>& e : model_.edges) mark(e[0]), mark(e[1]);
  spins_.build(joined_particles(model_, particle), is_thin, static_cast<Index>(ids_.size()));
}

/// What can touch: triangles, and edges of ropes.
void Solver::make_contacts(const Environment& environment, const std::vector<Index>& particle) {
  ContactMesh mesh;
  const auto touches = [&](Index vertex) {
    const Index i = particle[vertex];
    if (i < 0) return false;
    const Index material = store_.for_reading().material[i];
    return parameters_of<Parameters>(environment.materials[material]).self_contact;
  };
  for (const Int3& t : model_.triangles)
    if (touches(t[0]) && touches(t[1]) && touches(t[2]))
      mesh.triangles.push_back({particle[t[0]], particle[t[1]], particle[t[2]]});
  for (const Vec<Index, 2>& e : model_.edges)
    if (touches(e[0]) && touches(e[1])) mesh.edges.push_back({particle[e[0]], particle[e[1]]});
  HostColumn<Vec3> rest(ids_.size(), Vec3::zero());
  for (std::size_t v = 0; v < particle.size(); ++v)
    if (particle[v] >= 0) rest[particle[v]] = model_.rest[v];
  assign(rest_, rest);
  has_contacts_ = !mesh.triangles.empty() || !mesh.edges.empty();
  if (has_contacts_) contacts_.set_elements(make_elements(mesh, rest, store_.for_reading().body));
}

/// Triangles of the particles that there are, and those of each particle.
void Solver::make_air(const std::vector<Index>& particle) {
  std::vector<Int3> triangles;
  for (const Int3& t : model_.triangles)
    if (particle[t[0]] >= 0 && particle[t[1]] >= 0 && particle[t[2]] >= 0)
      triangles.push_back({particle[t[0]], particle[t[1]], particle[t[2]]});
  std::vector<Index> start(ids_.size() + 1, 0), entry(3 * triangles.size());
  for (const Int3& t : triangles)
    for (int k = 0; k < 3; ++k) ++start[t[k] + 1];
  for (std::size_t i = 0; i < ids_.size(); ++i) start[i + 1] += start[i];
  std::vector<Index> next(start.begin(), start.end() - 1);
  for (std::size_t t = 0; t < triangles.size(); ++t)
    for (int k = 0; k < 3; ++k) entry[next[triangles[t][k]]++] = static_cast<Index>(t);
  assign(triangle_, triangles);
  assign(triangle_start_, start);
  assign(triangle_entry_, entry);
  triangle_push_.resize(triangles.size());
}

void Solver::push_by_air(const Environment& environment, Real dt) {
  const ForceFieldViews fields = fields_now(environment);
  if (!has_air_ || fields.count == 0 || triangle_.size() == 0) return;
  add_field_pass(push_triangles(
      environment.exec, view(environment), fields,
      {triangle_.data(), static_cast<Index>(triangle_.size()), triangle_start_.data(),
       triangle_entry_.data(), air_table_.data(), triangle_push_.data()},
      dt));
}

ContactParticles Solver::ends() {
  const Particles& p = store_.for_kernels();
  return {size(),
          p.x.data(),
          p_.data(),
          rest_.data(),
          p.body.data(),
          pull_.size() > 0 ? pull_.data() : nullptr,
          !tearing_.tears().empty()};
}

void Solver::refresh_laws(const Environment& environment) {
  if (used_.empty()) return;
  const Material& first = environment.materials[used_.front()];
  const Parameters& common = parameters_of<Parameters>(first);
  substeps_ = common.substeps;
  iterations_ = common.iterations;
  by_share_ = common.projection == Projection::stiffness;
  gaps_.assign(environment.materials.size(), 0);
  air_.assign(environment.materials.size(), {});
  has_air_ = false;
  spacing_ = 0;
  contact_ = {};
  contacts_.continuous = common.continuous;
  for (const Index m : used_) {
    const Material& material = environment.materials[m];
    check_agreement(first, material);
    const Parameters& p = parameters_of<Parameters>(material);
    gaps_[m] = p.contact_thickness / 2;
    contact_.thickness = std::max(contact_.thickness, p.contact_thickness);
    contact_.friction += p.friction / Real(used_.size());
    air_[m] = {p.drag_coefficient, p.lift_coefficient, p.air_density};
    has_air_ = has_air_ || p.drag_coefficient > 0 || p.lift_coefficient > 0;
    spacing_ = std::max(spacing_, material.spacing);
  }
  gap_table_.assign(gaps_);
  air_table_.assign(air_);
  std::vector<Gas> gases;
  for (const ClosedBody& balloon : model_.balloons) {
    check_pressure(balloon, environment.materials[balloon.material]);
    gases.push_back(
        gas_of(balloon, parameters_of<Parameters>(environment.materials[balloon.material])));
  }
  gases_.set_gases(gases);
  std::vector<ShapeGive> shapes;
  for (const Index m : shapes_.materials())
    shapes.push_back(shape_of(parameters_of<Parameters>(environment.materials[m])));
  shapes_.set_give(shapes);
  std::vector<PlasticLot> plastic;
  for (const Lot& lot : model_.lots)
    plastic.push_back(plastic_of(parameters_of<Parameters>(environment.materials[lot.material])));
  plastic_.set_lots(plastic);
  std::vector<LotNumbers> lots;
  for (const Lot& lot : model_.lots) {
    const Parameters& p = parameters_of<Parameters>(environment.materials[lot.material]);
    const Real share = by_share_ ? share_of_sweep(p.stiffness, iterations_) : Real(-1);
    lots.push_back({value_of(p, lot.modulus), p.damping, share});
  }
  if (lots == lots_) return;
  lots_ = lots;
  set_numbers(lots_, rows_of_kinds_);
}

StepView Solver::view(const Environment& environment) {
  auto s = start_view<StepView>(environment);
  s.gap = gap_table_.data();
  s.near = near_.data();
  s.near_count = static_cast<Index>(near_.size());
  s.touch = touches_.data();
  s.spins = spins_.view();
  s.dither = dither_;
  s.pull = pull_.size() > 0 ? pull_.data() : nullptr;
  s.anchor = anchors_.size() > 0 ? anchors_.data() : nullptr;
  return s;
}

void Solver::build_neighbours(const Environment&) {
  near_valid_ = false;
  rows_valid_ = true;
}

/// Particles that may meet colliders on ways as long as `way`.
void Solver::refresh_near(const Environment& environment, Real way) {
  const Exec& exec = environment.exec;
  if (environment.colliders.empty()) {
    near_.resize(0);
    return;
  }
  const Real moved = std::sqrt(extremes_.moved_squared);
  if (near_valid_ && !colliders_moved_ && moved + way < near_skin_) return;
  near_skin_ = std::max(spacing_ / 2, 4 * way);
  x_at_build_ = store_.for_kernels().x;
  find_near(exec, view(environment), 2 * *std::ranges::max_element(gaps_) + near_skin_);
  list_near(exec, view(environment), places_, near_);
  touches_.resize(near_.size() * touches_of_particle);
  near_valid_ = true;
  colliders_moved_ = false;
}

void Solver::project(const Environment& environment, Real dt) {
  const Exec& exec = environment.exec;
  const Sweep sweep{dt, by_share_, iterations_ > 1};
  if (sweep.several) clear_multipliers(exec, rows_of_kinds_);
  gases_.clear(exec);
  shapes_.clear(exec);
  for (int k = 0; k < iterations_; ++k) {
    dither_ = dither_of(dt, environment.step, k);
    project_rows(exec, view(environment), sweep, rows_of_kinds_);
    gases_.project(exec, view(environment), double(dt));
    shapes_.project(exec, view(environment), double(dt));
    project_touches(exec, view(environment));
    if (has_contacts_) contacts_.project(exec, ends());
  }
}

/// Contacts have the last word; the momentum that their guard takes is counted as damping.
void Solver::hold_apart(const Environment& environment, Real dt) {
  const Exec& exec = environment.exec;
  contacts_.resolve(exec, ends());
  const bool counts = reactions_.counts() && !contacts_.settled();
  const Impulse before = counts ? momentum_of_ends(exec, view(environment), dt) : Impulse{};
  const Index held = contacts_.hold(exec, ends());
  held_ += held;
  if (held == 0 || !counts) return;
  const Impulse after = momentum_of_ends(exec, view(environment), dt);
  store_difference(exec, after, before, reactions_.damping());
}

/// Macklin et al. 2016, algorithm 1, with contact as in 2019: a short step with few sweeps.
void Solver::advance(const Environment& environment, Real dt) {
  const Exec& exec = environment.exec;
  start_step(environment, dt);
  if (!(dt > 0)) {
    extremes_ = measure_extremes(exec, view(environment));
    return;
  }
  pull_.resize(reactions_.counts() && !environment.pins.empty() ? std::size_t(size()) + 1 : 0);
  push_by_air(environment, dt);
  const Real way = predict(exec, view(environment), dt);
  refresh_near(environment, way);
  find_touches(exec, view(environment), dt);
  if (has_contacts_) contacts_.start(exec, contact_, ends());
  project(environment, dt);
  if (has_contacts_) hold_apart(environment, dt);
  if (anchors_.size() > 0 && pull_.size() > 0)
    for (Index pin = 0; pin < static_cast<Index>(environment.pins.size()); ++pin)
      count_ties(exec, view(environment), pin, dt);
  const bool thin_touch =
      has_contacts_ && contacts_.candidates() > 0 && contacts_.count_contacts(exec) > 0;
  spins_.find_turns(exec, view(environment), thin_touch, dt);
  extremes_ = finish(exec, view(environment), dt);
  plastic_.advance(exec, view(environment), dt, model_, rows_of_kinds_);
  tear(environment);
}

StableStep Solver::limit_of_step(const Environment&) {
  return {1.0 / (60.0 * substeps_), "substeps of a sixtieth of a second", StepLimit::setting, 0};
}

std::vector<FrameColumn> Solver::save_pairs() {
  std::vector<FrameColumn> columns = plastic_.save(model_, rows_of_kinds_);
  for (FrameColumn& column : tearing_.save()) columns.push_back(std::move(column));
  return columns;
}

void Solver::load_pairs(const std::vector<FrameColumn>& columns) {
  plastic_.load(columns);
  tearing_.load(columns);
  bodies_valid_ = false;
}

Diagnostics Solver::diagnostics(const Environment& environment) {
  Diagnostics d = measure_motion(environment);
  if (size() == 0) return d;
  require_forces(environment);
  d.extra = {{"gravity_energy", d.potential_energy}};
  if (has_contacts_)
    d.extra.insert(d.extra.end(), {{"contacts", contacts_.count_contacts(environment.exec)},
                                   {"held_apart", std::exchange(held_, 0)}});
  if (!longest_.empty())
    d.extra.emplace_back("tears", static_cast<double>(tearing_.tears().size()));
  const Strains strains = measure_strains(environment.exec, view(environment), rows_of_kinds_);
  if (strains.count > 0)
    d.extra.insert(d.extra.end(), {{"strain_rms", std::sqrt(strains.squares / strains.count)},
                                   {"strain_max", strains.largest}});
  if (by_share_) return d;
  if (!shapes_.empty()) {
    d.extra.emplace_back("shape_energy", shapes_.energy(environment.exec, view(environment)));
    d.potential_energy += d.extra.back().second;
  }
  for (auto& [name, energy] :
       strain_energies(environment.exec, view(environment), rows_of_kinds_)) {
    d.potential_energy += energy;
    d.extra.emplace_back(name, energy);
  }
  if (gases_.empty()) return d;
  const Gases::Totals gas = gases_.measure(environment.exec, view(environment));
  d.extra.insert(d.extra.end(), {{"gas_energy", gas.energy},
                                 {"gas_volume", gas.volume},
                                 {"gas_pressure", gas.volume > 0 ? gas.amount / gas.volume : 0}});
  d.potential_energy += gas.energy;
  return d;
}

std::unique_ptr<Method> make_solver() {
  return std::make_unique<Solver>();
}

}  // namespace PHYXEL_BACKEND

}  // namespace phyxel::pbd
