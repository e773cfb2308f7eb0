#pragma once

#include "phyxel/methods/method.h"

namespace phyxel::lennard_jones {

/// What the registry knows of this method.
MethodInfo info();

std::vector<Preset> presets();
std::vector<BenchmarkWorld> benchmark_worlds();

}  // namespace phyxel::lennard_jones
