#pragma once

#include <string>
#include <vector>

#include "phyxel/matter/frame.h"

// Files of rows (PLY, CSV) know numbers only: vectors are written as one number per component and
// put together again by their names.

namespace phyxel {

/// Names of a column's components: position -> x y z, velocity -> vx vy vz, normal -> nx ny nz,
/// colour -> red green blue (alpha), other vectors name_x name_y ..., matrices of nine name_xx
/// name_xy ..., anything else name_0 name_1 ...
std::vector<std::string> component_names(const FrameColumn& column);

/// The inverse: columns of one component joined to vectors where their names say so, in any order.
/// Also knows ParaView's Points:0.
std::vector<FrameColumn> join_components(std::vector<FrameColumn> numbers);

/// Puts `position` first, as 3 floating-point components (2 get z = 0); InputError when it is
/// missing, not finite, or columns differ in length.
void finish_points(Frame& frame, const std::string& file);

/// Error unless every column has frame.count elements and the first is `position` of 3.
void check_frame(const Frame& frame, const std::string& file);

/// The column's numbers as another type.
FrameColumn converted(const FrameColumn& column, NumberType type);

}  // namespace phyxel
