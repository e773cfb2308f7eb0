#pragma once

#include <filesystem>
#include <vector>

#include "phyxel/render/image.h"

namespace phyxel::render {

/// The picture in other numbers of pixels, each the mean of what it covers, with alpha where it has
/// it.
Image resized(const Image& image, int width, int height);

/// `count` of the pictures, spread evenly from the first to the last, in rows on one sheet.
/// Pictures of other sizes than the first are fitted to its frame. The sheet has alpha where one of
/// the pictures has.
Image contact_sheet(const std::vector<std::filesystem::path>& pictures, int count);

}  // namespace phyxel::render
