#include "phyxel/methods/mass_interaction/material.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <limits>

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

}  // namespace

std::string idle(const Parameters& p, const std::set<std::string>& given, const std::string& name) {
  Parameters copy = p;
  Fields fields = described(copy);
  const Parameter* parameter = fields.find(name);
  const auto& kinds = parameter ? parameter->used_by : std::vector<std::string>{};
  if (kinds.empty()) return idle(p.thermal, given, name);
  const std::string& kind = automaton_names[static_cast<int>(p.automaton)];
  if (std::find(kinds.begin(), kinds.end(), kind) == kinds.end())
    return fmt::format(
        "it is of automaton = \"{}\", and this one is \"{}\"; remove it or choose that",
        fmt::join(kinds, "\" or \""), kind);
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

/// Whether two materials give the same value; "not given" is one.
bool same_value(const Parameter& a, const Parameter& b) {
  const auto same = [&]<class T>(const T& x) {
    const T& y = std::get<T>(b.value);
    if constexpr (std::is_same_v<T, Choice>)
      return x.index() == y.index();
    else if constexpr (std::is_same_v<T, Real*>)
      return *x == *y || (!is_given(*x) && !is_given(*y));
    else
      return *x == *y;
  };
  return std::visit(same, a.value);
}

bool same_law(const Material& a, const Material& b) {
  Parameters p = parameters_of<Parameters>(a), q = parameters_of<Parameters>(b);
  const Fields x = described(p), y = described(q);
  return a.spacing == b.spacing &&
         std::equal(x.list.begin(), x.list.end(), y.list.begin(), same_value);
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
