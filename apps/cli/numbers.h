#pragma once

#include <string>

#include "commands.h"
#include "phyxel/surfaces/flow.h"

namespace phyxel::cli {

/// A number above 0, or 0 for auto.
Real number_from(const std::string& option, const std::string& text);

/// What the command line says of flow structuring.
FlowOptions flow_from(const Arguments& arguments);

}  // namespace phyxel::cli
