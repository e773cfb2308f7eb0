#pragma once

#include <string>

#include "phyxel/render/image.h"

namespace phyxel::render {

/// The bytes of the file that write_png would write.
std::string png_bytes(const Image& image);

}  // namespace phyxel::render
