#pragma once

namespace phyxel {

/// Bytes that can be had without swapping. Free pages alone would leave out what files only borrow.
double available_memory();

/// The most bytes that this process has held in memory up to now.
double peak_memory();

}  // namespace phyxel
