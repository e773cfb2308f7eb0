#pragma once

#include <string>

#include "commands.h"
#include "phyxel/surfaces/flow.h"

namespace phyxel::cli {

/// A number from 1e-12 to 1e12, or 0 for auto.
Real number_from(const std::string& option, const std::string& text);

/// "2GB", "500 MB" or a number of GB, as bytes; 0 for "".
double bytes_from(const std::string& option, const std::string& text);

/// What the command line says of flow structuring.
FlowOptions flow_from(const Arguments& arguments);

}  // namespace phyxel::cli
