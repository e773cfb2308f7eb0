#include "phyxel/methods/mass_interaction/material.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <limits>
#include <map>

#include "phyxel/core/error.h"
#include "phyxel/methods/mass_interaction/automaton_text.h"

namespace phyxel::mass_interaction {

namespace {

/// K over Young's modulus, m.
double stiffness_per_modulus(const Material& material) {
  return material.dimensions == 2 ? std::sqrt(3.0) / 2 : material.spacing / 0.943;
}
/// Z over shear viscosity, m.
double damping_per_viscosity(const Material& material) {
  return material.dimensions == 2 ? 4 / std::sqrt(3.0) : std::sqrt(2.0) * material.spacing;
}
/// Area of a pair, m^2: forces are stresses times this.
Real face_of(const Material& material) {
  return material.dimensions == 2 ? material.spacing : material.spacing * material.spacing;
}

const std::vector<std::string> automaton_names = {"thresholds", "cohesive", "granular",
                                                  "brittle",    "plastic",  "custom"};

constexpr Range in_spacings{0.01, 4, true, true, "rows of neighbours grow with its cube"};

}  // namespace

void describe(Fields& field, Parameters& p) {
  field.choice("automaton", p.automaton, automaton_names,
               "what pairs do: push and resist below two distances (pastes, gels), stick until "
               "pulled apart, rub, break for good, give way, or what `states` say");
  field("stiffness", p.stiffness, "N/m", positive, "K_e of a pair; this or youngs_modulus");
  field("youngs_modulus", p.youngs_modulus, "Pa", positive,
        "of the packed masses: K_e = E spacing / 0.943; in the plane 0.866 E");
  field("pair_viscosity", p.pair_viscosity, "N s/m", not_negative,
        "Z_v of a pair; this or viscosity");
  field("viscosity", p.viscosity, "Pa s", not_negative,
        "of the packed masses: Z_v = 1.414 viscosity spacing; in the plane 2.31 viscosity");
  field("elastic_distance", p.elastic_distance, "spacing", in_spacings,
        "D_e: masses nearer than that push each other away");
  field("viscous_distance", p.viscous_distance, "spacing", in_spacings,
        "D_v: of thresholds; masses nearer than that resist coming and going");
  field("pull_distance", p.pull_distance, "spacing", in_spacings,
        "bonds of cohesive and plastic pairs end there; brittle ones begin below it");
  field("bond_distance", p.bond_distance, "spacing", in_spacings,
        "plastic bonds begin below it, without pulling; elastic_distance when absent");
  field("strength", p.strength, "Pa", positive,
        "a brittle bond breaks at this pull over the square of the spacing");
  field("yield_stress", p.yield_stress, "Pa", not_negative,
        "of plastic bonds: forces beyond it, over the square of the spacing, move the rest length");
  field("creep", p.creep, "1/s", positive, "of plastic bonds: how fast the rest length moves");
  field("friction", p.friction, "", {0, 10, true, true, ""},
        "Coulomb's coefficient between masses; not of thresholds");
  field("rolling_friction", p.rolling_friction, "", {0, 1, true, true, ""},
        "resistance to rolling: share of the radius times friction");
  field("all_pairs", p.all_pairs,
        "compare every mass with every other, n (n - 1) / 2 pairs, as the paper does; the result "
        "is the same to the bit");
  field("states", p.states,
        "of a custom automaton: names; pairs begin in the first, which has no "
        "force");
  field("state_stiffness", p.state_stiffness, "N/m", not_negative, "K of each state");
  field("state_viscosity", p.state_viscosity, "N s/m", not_negative, "Z of each state");
  field("state_rest", p.state_rest, "spacing", {0, 4, true, true, ""},
        "rest length of each state; 0: the distance at which it was entered; elastic_distance when "
        "absent");
  field("state_yield", p.state_yield, "N", not_negative,
        "force beyond which the rest length creeps, of each state; 0 when absent");
  field("state_creep", p.state_creep, "1/s", not_negative,
        "how fast the rest length creeps, of each state; 0 when absent");
  field("state_friction", p.state_friction, "", not_negative,
        "Coulomb's coefficient, of each state; 0 when absent");
  field("transitions", p.transitions,
        "of a custom automaton, e.g. [\"apart -> bound: distance < 1\", \"bound -> apart: distance "
        "> 1.3 and force > 2\"]: distance in spacings, speed in m/s (parting), force in N "
        "(pulling); the first that holds is taken");
  field("reach", p.reach, "spacing", in_spacings,
        "of a custom automaton: pairs farther apart are forgotten; the largest distance of its "
        "transitions when absent");
  describe(field, p.thermal);
}

namespace {

/// Automata that a parameter belongs to; all where it is not listed.
const std::map<std::string, std::vector<AutomatonKind>>& owners() {
  using enum AutomatonKind;
  static const std::map<std::string, std::vector<AutomatonKind>> list = {
      {"viscous_distance", {thresholds}},
      {"pull_distance", {cohesive, plastic, brittle}},
      {"bond_distance", {plastic}},
      {"strength", {brittle}},
      {"yield_stress", {plastic}},
      {"creep", {plastic}},
      {"rolling_friction", {granular, cohesive, brittle, plastic, custom}},
      {"states", {custom}},
      {"state_stiffness", {custom}},
      {"state_viscosity", {custom}},
      {"state_rest", {custom}},
      {"state_yield", {custom}},
      {"state_creep", {custom}},
      {"state_friction", {custom}},
      {"transitions", {custom}},
      {"reach", {custom}},
  };
  return list;
}

std::string quoted(AutomatonKind kind) {
  return fmt::format("\"{}\"", automaton_names[static_cast<int>(kind)]);
}

}  // namespace

std::string idle(const Parameters& p, const std::set<std::string>& given, const std::string& name) {
  const auto found = owners().find(name);
  if (found == owners().end()) return idle(p.thermal, given, name);
  const std::vector<AutomatonKind>& kinds = found->second;
  if (std::find(kinds.begin(), kinds.end(), p.automaton) == kinds.end()) {
    std::vector<std::string> names;
    for (const AutomatonKind kind : kinds) names.push_back(quoted(kind));
    return fmt::format("it is of automaton = {}, and this one is {}; remove it or choose that",
                       fmt::join(names, " or "), quoted(p.automaton));
  }
  // A friction of 0 that the scene names may be one of a series, or the beginning of a ramp.
  const char* friction = p.automaton == AutomatonKind::custom ? "state_friction" : "friction";
  if (name == "rolling_friction" && !(p.friction > 0) && !given.contains(friction))
    return fmt::format("nothing rubs; give {} too, or remove it", friction);
  return "";
}

namespace {

/// Collects states and transitions, lengths in units of the spacing.
struct Draft {
  NamedAutomaton named;
  Real spacing;   // m
  Real face = 0;  // m^2, of a pair

  State& state(const std::string& name) {
    named.states.push_back(name);
    named.automaton.states = static_cast<int>(named.states.size());
    return named.automaton.state[named.automaton.states - 1];
  }
  void transition(const std::string& text) {
    named.automaton.transition[named.automaton.transitions++] =
        read_transition(text, named.states, spacing);
  }
};

Real largest_distance(const Automaton& a) {
  Real largest = 0;
  for (int k = 0; k < a.transitions; ++k)
    for (int c = 0; c < a.transition[k].conditions; ++c)
      if (a.transition[k].condition[c].what == Observed::distance)
        largest = std::max(largest, a.transition[k].condition[c].limit);
  for (int s = 0; s < a.states; ++s) largest = std::max(largest, a.state[s].rest);
  return largest;
}

NamedAutomaton finished(Draft draft, Real elastic_distance, Real rolling, Real reach) {
  Automaton& a = draft.named.automaton;
  a.reach = reach > 0 ? reach : largest_distance(a);
  a.radius = elastic_distance / 2;
  for (int s = 1; s < a.states; ++s) {
    a.state[s].rolling = rolling;
    a.moves_rest = a.moves_rest || a.state[s].rest == 0 || a.state[s].creep > 0;
    a.rubs = a.rubs || a.state[s].friction > 0;
    a.lets_go = a.lets_go || !a.state[s].pulls;
  }
  for (int k = 0; k < a.transitions; ++k)
    for (int c = 0; c < a.transition[k].conditions; ++c)
      a.feels = a.feels || a.transition[k].condition[c].what == Observed::force;
  return draft.named;
}

State spring(const Parameters& p, Real spacing) {
  State s;
  s.stiffness = p.stiffness;
  s.viscosity = p.pair_viscosity;
  s.rest = p.elastic_distance * spacing;
  s.friction = p.friction;
  return s;
}

/// Masses that repel and do not attract each other.
State touch(const Parameters& p, Real spacing) {
  State s = spring(p, spacing);
  s.pulls = false;
  return s;
}

void draft_thresholds(const Parameters& p, Draft& draft) {
  const Real low = std::min(p.elastic_distance, p.viscous_distance),
             high = std::max(p.elastic_distance, p.viscous_distance);
  draft.state("apart");
  draft.state("near") = spring(p, draft.spacing);
  State& middle = draft.state("middle");
  middle = spring(p, draft.spacing);
  (p.elastic_distance > p.viscous_distance ? middle.viscosity : middle.stiffness) = 0;
  draft.transition(fmt::format("apart -> near: distance < {}", low));
  draft.transition(fmt::format("apart -> middle: distance < {}", high));
  draft.transition(fmt::format("near -> apart: distance > {}", high));
  draft.transition(fmt::format("near -> middle: distance > {}", low));
  draft.transition(fmt::format("middle -> near: distance < {}", low));
  draft.transition(fmt::format("middle -> apart: distance > {}", high));
}

void draft_cohesive(const Parameters& p, Draft& draft) {
  draft.state("apart");
  draft.state("bound") = spring(p, draft.spacing);
  draft.transition(fmt::format("apart -> bound: distance < {}", p.elastic_distance));
  draft.transition(fmt::format("bound -> apart: distance > {}", p.pull_distance));
}

void draft_granular(const Parameters& p, Draft& draft) {
  draft.state("apart");
  draft.state("touching") = touch(p, draft.spacing);
  draft.transition(fmt::format("apart -> touching: distance < {}", p.elastic_distance));
  draft.transition(fmt::format("touching -> apart: distance > {}", p.elastic_distance));
}

/// A pair that is near when it first enters a row is bound; one that approaches later is not.
void draft_brittle(const Parameters& p, Draft& draft) {
  draft.state("new");
  State& bound = draft.state("bound");
  bound = spring(p, draft.spacing);
  bound.rest = 0;
  draft.state("apart");
  draft.state("touching") = touch(p, draft.spacing);
  draft.transition(fmt::format("new -> bound: distance < {}", p.pull_distance));
  draft.transition(fmt::format("new -> apart: distance > {}", p.pull_distance));
  draft.transition(fmt::format("bound -> apart: force > {}", p.strength * draft.face));
  draft.transition(fmt::format("bound -> apart: distance > {}", Real(1.25) * p.pull_distance));
  draft.transition(fmt::format("apart -> touching: distance < {}", p.elastic_distance));
  draft.transition(fmt::format("touching -> apart: distance > {}", p.elastic_distance));
}

Real bond_distance(const Parameters& p) {
  return is_given(p.bond_distance) ? p.bond_distance : p.elastic_distance;
}

void draft_plastic(const Parameters& p, Draft& draft) {
  draft.state("apart");
  State& bound = draft.state("bound");
  bound = spring(p, draft.spacing);
  draft.transition(fmt::format("apart -> bound: distance < {}", bond_distance(p)));
  draft.transition(fmt::format("bound -> apart: distance > {}", p.pull_distance));
  bound.yield = p.yield_stress * draft.face;
  bound.creep = p.creep;
}

void draft_custom(const Parameters& p, Draft& draft) {
  const auto number = [](const std::vector<double>& list, std::size_t k, Real otherwise) {
    return list.empty() ? otherwise : static_cast<Real>(list[k]);
  };
  for (std::size_t k = 0; k < p.states.size(); ++k) {
    State& s = draft.state(p.states[k]);
    s.stiffness = number(p.state_stiffness, k, 0);
    s.viscosity = number(p.state_viscosity, k, 0);
    s.rest = number(p.state_rest, k, p.elastic_distance) * draft.spacing;
    s.yield = number(p.state_yield, k, 0);
    s.creep = number(p.state_creep, k, 0);
    s.friction = number(p.state_friction, k, 0);
  }
  for (const std::string& text : p.transitions) draft.transition(text);
}

}  // namespace

NamedAutomaton automaton_of(const Material& material) {
  const Parameters& p = parameters_of<Parameters>(material);
  Draft draft{{}, material.spacing, face_of(material)};
  switch (p.automaton) {
    case AutomatonKind::thresholds:
      draft_thresholds(p, draft);
      break;
    case AutomatonKind::cohesive:
      draft_cohesive(p, draft);
      break;
    case AutomatonKind::granular:
      draft_granular(p, draft);
      break;
    case AutomatonKind::brittle:
      draft_brittle(p, draft);
      break;
    case AutomatonKind::plastic:
      draft_plastic(p, draft);
      break;
    case AutomatonKind::custom:
      draft_custom(p, draft);
      break;
  }
  return finished(std::move(draft), p.elastic_distance * material.spacing, p.rolling_friction,
                  is_given(p.reach) ? p.reach * material.spacing : Real(0));
}

bool same_law(const Material& a, const Material& b) {
  const Parameters &p = parameters_of<Parameters>(a), &q = parameters_of<Parameters>(b);
  const auto same = [](Real x, Real y) { return x == y || (!is_given(x) && !is_given(y)); };
  for (const auto number :
       {&Parameters::stiffness, &Parameters::pair_viscosity, &Parameters::elastic_distance,
        &Parameters::viscous_distance, &Parameters::pull_distance, &Parameters::bond_distance,
        &Parameters::strength, &Parameters::yield_stress, &Parameters::creep, &Parameters::friction,
        &Parameters::rolling_friction, &Parameters::reach})
    if (!same(p.*number, q.*number)) return false;
  for (const auto list :
       {&Parameters::state_stiffness, &Parameters::state_viscosity, &Parameters::state_rest,
        &Parameters::state_yield, &Parameters::state_creep, &Parameters::state_friction})
    if (p.*list != q.*list) return false;
  return a.spacing == b.spacing && p.automaton == q.automaton && p.all_pairs == q.all_pairs &&
         p.states == q.states && p.transitions == q.transitions;
}

bool is_memoryless(const Material& material) {
  return parameters_of<Parameters>(material).automaton == AutomatonKind::thresholds;
}

Thresholds thresholds_of(const Material& material) {
  const Parameters& p = parameters_of<Parameters>(material);
  return {p.stiffness, p.pair_viscosity, p.elastic_distance * material.spacing,
          p.viscous_distance * material.spacing};
}

Thresholds mixed(const Material& a, const Material& b) {
  const Thresholds s = thresholds_of(a), t = thresholds_of(b);
  return {2 * s.stiffness * t.stiffness / (s.stiffness + t.stiffness),
          (s.viscosity + t.viscosity) / 2, (s.elastic_distance + t.elastic_distance) / 2,
          (s.viscous_distance + t.viscous_distance) / 2};
}

Automaton mixed_automaton(const Material& a, const Material& b) {
  const Thresholds law = mixed(a, b);
  const Real spacing = (a.spacing + b.spacing) / 2;
  Parameters p;
  p.stiffness = law.stiffness;
  p.pair_viscosity = law.viscosity;
  p.elastic_distance = law.elastic_distance / spacing;
  p.friction = (parameters_of<Parameters>(a).friction + parameters_of<Parameters>(b).friction) / 2;
  Draft draft{{}, spacing};
  draft_granular(p, draft);
  return finished(std::move(draft), law.elastic_distance, p.rolling_friction, 0).automaton;
}

namespace {

template <class Value>
[[noreturn]] void refuse(const Material& material, const char* key, const Value& value,
                         const std::string& what) {
  throw InputError(fmt::format("material.{}.{} = {}: {}", material.name, key, value, what));
}

void check_list(const Material& material, const char* key, const std::vector<double>& list,
                std::size_t states, bool needed) {
  if (list.empty() && !needed) return;
  if (list.size() != states)
    refuse(material, key, fmt::format("[{}]", fmt::join(list, ", ")),
           fmt::format("{} numbers for {} states; give one for each", list.size(), states));
  for (const double value : list)
    if (!(value >= 0))
      refuse(material, key, fmt::format("[{}]", fmt::join(list, ", ")),
             fmt::format("{} must be at least 0", value));
}

void check_custom(const Material& material, const Parameters& p) {
  const std::size_t n = p.states.size();
  if (n < 2 || n > most_states)
    refuse(material, "states", fmt::format("[{}]", fmt::join(p.states, ", ")),
           fmt::format("a custom automaton must have from 2 to {} states", most_states));
  check_list(material, "state_stiffness", p.state_stiffness, n, true);
  check_list(material, "state_viscosity", p.state_viscosity, n, true);
  check_list(material, "state_rest", p.state_rest, n, false);
  check_list(material, "state_yield", p.state_yield, n, false);
  check_list(material, "state_creep", p.state_creep, n, false);
  check_list(material, "state_friction", p.state_friction, n, false);
  if (p.state_stiffness[0] > 0 || p.state_viscosity[0] > 0)
    refuse(material, "state_stiffness", p.state_stiffness[0],
           "the first state is that of pairs that have just met and must have no force; put a "
           "state without force first");
  if (p.transitions.empty() || p.transitions.size() > most_transitions)
    refuse(material, "transitions", fmt::format("[{}]", fmt::join(p.transitions, ", ")),
           fmt::format("a custom automaton must have from 1 to {} transitions", most_transitions));
}

void check_states_are_custom(const Material& material, const Parameters& p) {
  if (p.automaton != AutomatonKind::custom && (!p.states.empty() || !p.transitions.empty()))
    refuse(material, p.states.empty() ? "transitions" : "states",
           fmt::format("[{}]", fmt::join(p.states.empty() ? p.transitions : p.states, ", ")),
           "only automaton = \"custom\" has states of its own; add that line");
}

void check_distances(const Material& material, const Parameters& p) {
  const bool sticks = p.automaton == AutomatonKind::cohesive ||
                      p.automaton == AutomatonKind::brittle ||
                      p.automaton == AutomatonKind::plastic;
  if (sticks && p.pull_distance <= p.elastic_distance)
    refuse(material, "pull_distance", p.pull_distance,
           fmt::format("must be above elastic_distance = {}", p.elastic_distance));
  if (p.automaton == AutomatonKind::plastic &&
      (bond_distance(p) < p.elastic_distance || bond_distance(p) > p.pull_distance))
    refuse(material, "bond_distance", p.bond_distance,
           fmt::format("must lie between elastic_distance = {} and pull_distance = {}",
                       p.elastic_distance, p.pull_distance));
  if (p.automaton == AutomatonKind::thresholds && p.friction > 0)
    refuse(material, "friction", p.friction,
           "pairs of thresholds remember nothing, so that they cannot rub; automaton = "
           "\"granular\" or \"cohesive\" can");
  if (p.automaton == AutomatonKind::brittle && !is_given(p.strength))
    throw InputError(fmt::format(
        "material.{}: a brittle automaton needs the pull at which bonds break; give strength, e.g. "
        "strength = 1e4",
        material.name));
}

}  // namespace

void resolve(Material& material) {
  Parameters& p = std::any_cast<Parameters&>(material.parameters);
  if (is_given(p.youngs_modulus))
    p.stiffness = static_cast<Real>(p.youngs_modulus * stiffness_per_modulus(material));
  if (is_given(p.viscosity))
    p.pair_viscosity = static_cast<Real>(p.viscosity * damping_per_viscosity(material));
  check_states_are_custom(material, p);
  if (p.automaton == AutomatonKind::custom) {
    check_custom(material, p);
    // What other materials meet, and what `phyxel check` prints: the most of all states.
    const auto most = [](const std::vector<double>& list) {
      return static_cast<Real>(*std::max_element(list.begin(), list.end()));
    };
    if (!is_given(p.stiffness)) p.stiffness = most(p.state_stiffness);
    if (!is_given(p.pair_viscosity)) p.pair_viscosity = most(p.state_viscosity);
  }
  if (!is_given(p.pair_viscosity)) p.pair_viscosity = 0;
  if (!is_given(p.stiffness))
    throw InputError(
        fmt::format("material.{} says neither stiffness nor youngs_modulus; give one, e.g. "
                    "youngs_modulus = 1e4",
                    material.name));
  check_distances(material, p);
  try {
    automaton_of(material);
  } catch (const InputError& error) {
    throw InputError(fmt::format("material.{}.transitions: {}", material.name, error.what()));
  }
}

std::vector<std::string> report(const Material& material) {
  const Parameters& p = parameters_of<Parameters>(material);
  const NamedAutomaton named = automaton_of(material);
  std::vector<std::string> lines = {
      fmt::format("pair stiffness K            {:.6g} N/m: Young's modulus of a packing {:.6g} Pa",
                  p.stiffness, p.stiffness / stiffness_per_modulus(material)),
      fmt::format("pair viscosity Z            {:.6g} N s/m: shear viscosity {:.6g} Pa s",
                  p.pair_viscosity, p.pair_viscosity / damping_per_viscosity(material)),
      fmt::format("pairs are forgotten beyond  {:.6g} m", named.automaton.reach),
      fmt::format("states                      {}", fmt::join(named.states, ", "))};
  for (int k = 0; k < named.automaton.transitions; ++k)
    lines.push_back("transition                  " +
                    to_string(named.automaton.transition[k], named.states, material.spacing));
  return lines;
}

}  // namespace phyxel::mass_interaction
