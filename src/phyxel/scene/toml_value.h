#pragma once

#include <string>

#include "phyxel/matter/parameters.h"

namespace phyxel {

/// A value as TOML that reads back as the same bits; "" for one that is not given.
std::string toml_text(const Parameter& parameter);
std::string toml_text(const ParameterValue& value);
std::string toml_text(const std::string& text);
std::string toml_text(double number);

}  // namespace phyxel
