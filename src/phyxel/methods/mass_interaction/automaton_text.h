#pragma once

#include <string>
#include <vector>

#include "phyxel/methods/mass_interaction/material.h"

namespace phyxel::mass_interaction {

/// "bound -> apart: distance > 1.3 and force > 2" for states of these names. Distances are in units
/// of the spacing. Throws InputError with what is wrong and how it should look.
Transition read_transition(const std::string& text, const std::vector<std::string>& states,
                           Real spacing);

/// The same back as text.
std::string to_string(const Transition& transition, const std::vector<std::string>& states,
                      Real spacing);

/// A picture of the automaton: a circle for each state, an arrow for each transition. SVG.
std::string diagram(const NamedAutomaton& named, const std::string& title, Real spacing);

}  // namespace phyxel::mass_interaction
