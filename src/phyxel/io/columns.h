#pragma once

#include <string>
#include <vector>

#include "phyxel/io/file_numbers.h"
#include "phyxel/matter/frame.h"

// Files of rows (PLY, CSV) know numbers only: vectors are written as one number per component and
// put together again by their names.

namespace phyxel {

/// Names of a column's components: position -> x y z, velocity -> vx vy vz, normal -> nx ny nz,
/// colour -> red green blue (alpha; also read: r g b, diffuse_red), other vectors name_x name_y
/// ..., matrices of nine name_xx name_xy ..., anything else name_0 name_1 ...
std::vector<std::string> component_names(const FrameColumn& column);

/// The inverse: columns of one component joined to vectors where their names say so, in any order.
/// Also knows ParaView's Points:0.
std::vector<FrameColumn> join_components(std::vector<FrameColumn> numbers);

/// Names colours `colour` (RGB, Color, Cd ... of other programs) and puts `position` first, as 3
/// floating-point components (2 get z = 0), relative to an origin near them where they are far from
/// zero; InputError when it is missing, not finite, or columns differ in length.
void finish_points(Frame& frame, const std::string& file);

/// Error unless every column has frame.count elements and the first is `position` of 3.
void check_frame(const Frame& frame, const std::string& file);

/// Whether a column holds colours by a name of ours or of other programs: RGB, Color, Cd ...
bool means_colour(const FrameColumn& column);

/// Numbers of a colour by their type in the file: those of 16 bits reach 65535 and become code
/// values of 0..1; others mean by their type what colour_code says.
void settle_colour(FrameColumn& colour, FileNumber in_file);

/// Text has no types. Colours above this are meant to reach 255, others 1; a little above 1 is
/// rounding.
constexpr double most_of_unit_colours = 1.5;

/// The colours of a text file as numbers whose type says which of the two it is.
void settle_text_colour(FrameColumn& colour);

/// The column's numbers as another type.
FrameColumn converted(const FrameColumn& column, NumberType type);

}  // namespace phyxel
