#include "phyxel/matter/unit_limits.h"

namespace phyxel {

// Sizes beyond these are slips of the pen, and products of them leave what single precision holds.
const std::vector<UnitLimit>& unit_limits() {
  static const std::vector<UnitLimit> list = {
      {"m", 1e9, "units are m"},
      {"s", 1e15, "units are s"},
      {"kg", 1e15, "units are kg"},
      {"kg/m^3", 1e8, "water has 1000 and gold 19 300"},
      {"m/s", 1e6, "units are m and s"},
      {"m/s^2", 1e6, "the Earth has 9.81"},
      {"m^3/s", 1e9, "units are m and s"},
      {"degrees", 1e9, "a full turn is 360"},
      {"degrees/s", 1e8, "a full turn is 360"},
      {"1/s", 1e9, "units are s"},
      {"1/s^2", 1e15, "units are s"},
      {"1/(s K)", 1e9, "units are s"},
      {"Pa", 1e15, "diamond has 1e12"},
      {"Pa s", 1e12, "water has 0.001 and pitch 2e8"},
      {"N", 1e12, "units are N"},
      {"N/m", 1e12, "units are N and m"},
      {"N s/m", 1e12, "units are N, m and s"},
      {"J", 1e12, "units are J"},
      {"degC", 1e6, "the surface of the sun has 5500"},
      {"degrees C", 1e6, "the surface of the sun has 5500"},
      {"W/(m K)", 1e6, "copper has 400"},
      {"J/(kg K)", 1e7, "water has 4200"},
      {"J/kg", 1e10, "ice has 334 000"},
      {"W/kg", 1e9, "units are W and kg"},
      {"W/m^2", 1e12, "the sun gives 1000"},
      {"W/(m^2 K)", 1e9, "still air has 10"},
      {"", 1e9, "it has no unit"},
  };
  return list;
}

const UnitLimit* limit_of(const std::string& unit) {
  for (const UnitLimit& limit : unit_limits())
    if (limit.unit == unit) return &limit;
  return nullptr;
}

}  // namespace phyxel
