#pragma once

#include <algorithm>
#include <limits>
#include <map>
#include <string>

#include "phyxel/matter/heat_stage.h"
#include "phyxel/methods/method.h"
#include "phyxel/methods/skeleton/own_columns.h"

// What methods keep of the heat stage between frames, and how it limits their steps.

namespace phyxel {

inline namespace PHYXEL_BACKEND {

/// Columns that are there once a material takes heat.
inline void declare_heat_columns(HeatStage& heat, OwnColumns& own) {
  constexpr double unknown = std::numeric_limits<double>::quiet_NaN();
  own.add("enthalpy", "J/kg", KeptIn::checkpoints, unknown, heat.enthalpy, nullptr, &heat.in_use);
  own.add("heat_power", "W", KeptIn::checkpoints, Real{0}, heat.power, nullptr, &heat.in_use);
}

inline void save_heat(const HeatStage& heat, std::map<std::string, double>& numbers) {
  if (!heat.in_use) return;
  numbers["heat_age"] = heat.age;
  numbers["heat_relaxation_rate"] = heat.relaxation_rate;
}

/// True where the state has heat: its columns have to be resized.
inline bool load_heat(const std::map<std::string, double>& numbers, HeatStage& heat) {
  if (!numbers.contains("heat_age")) return false;
  heat.in_use = true;
  heat.age = numbers.at("heat_age");
  heat.relaxation_rate = numbers.at("heat_relaxation_rate");
  return true;
}

/// Of a step in which heat flows.
inline StableStep heat_limit(const HeatStage& heat) {
  return {0.5 / (std::max(heat.relaxation_rate, 0.0) + 1e-30),
          "heat may close half of the difference of a particle to the temperatures around it",
          StepLimit::other, 2};
}

}  // namespace PHYXEL_BACKEND

}  // namespace phyxel
