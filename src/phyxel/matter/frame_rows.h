#pragma once

#include "phyxel/matter/frame.h"

namespace phyxel {

/// The column with these rows of another one, in this order; rows may be taken more than once.
FrameColumn rows_of(const FrameColumn& column, const std::vector<std::size_t>& rows);

}  // namespace phyxel
