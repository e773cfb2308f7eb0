#include "phyxel/matter/heat.h"

namespace phyxel {

void describe(Fields& field, Thermal& t) {
  field("conductivity", t.conductivity, "W/(m K)", not_negative,
        "how well heat passes; 0: particles keep their temperature");
  field("specific_heat", t.specific_heat, "J/(kg K)", positive, "heat that warms 1 kg by 1 degree");
  field("latent_heat", t.latent_heat, "J/kg", not_negative,
        "heat that melts 1 kg at the melting temperature");
  field("melting_temperature", t.melting_temperature, "degrees C", above_absolute_zero,
        "where the latent heat goes in and out");
  field("heating", t.heating, "W/kg", any_number, "heat that comes up within it; below 0 it cools");
  field("convection", t.convection, "W/(m^2 K)", not_negative,
        "how well its free surface passes heat to the air, which has world.air_temperature: 10 in "
        "still air, 100 in wind");
}

std::string idle(const Thermal& t, const std::set<std::string>& given, const std::string& name) {
  if (name != "specific_heat" && name != "latent_heat") return "";
  // A value of 0 that the scene names may be one of a series, or the beginning of a ramp.
  const auto some = [&](Real value, const char* key) { return value != 0 || given.contains(key); };
  if (some(t.conductivity, "conductivity") || some(t.heating, "heating") ||
      some(t.convection, "convection"))
    return "";
  return "no heat comes or goes; give conductivity, heating or convection too, or remove it";
}

}  // namespace phyxel
