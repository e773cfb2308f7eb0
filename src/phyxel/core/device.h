#pragma once

#include <cstddef>
#include <string>

// What a GPU is and holds. Builds without CUDA have these functions too.

namespace phyxel::device {

/// "" when kernels can run on a GPU here, otherwise why not and what to do.
std::string problem();

/// Memory of the GPU that is not free, that of other programs included, bytes; 0 without one.
std::size_t bytes_in_use();

}  // namespace phyxel::device
