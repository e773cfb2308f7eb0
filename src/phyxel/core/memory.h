#pragma once

#include <string>

namespace phyxel {

/// Bytes that can be allocated without swapping, within the limits of this process and of its
/// container. Pages of the file cache count as free.
double available_memory();

/// The message for a std::bad_alloc: "no memory is left DOING (1.2 GB held, 0.1 GB free); REMEDY,
/// or ...".
std::string out_of_memory(const std::string& doing, const std::string& remedy);

/// The most bytes that this process has held in memory up to now.
double peak_memory();

}  // namespace phyxel
