#pragma once

#include <string>
#include <vector>

namespace phyxel {

/// The largest magnitude of any parameter in a unit.
struct UnitLimit {
  std::string unit;
  double largest;
  std::string remedy;
};

const std::vector<UnitLimit>& unit_limits();
/// Null where a unit has no limit.
const UnitLimit* limit_of(const std::string& unit);

}  // namespace phyxel
