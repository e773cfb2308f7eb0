#pragma once

#include <cstdint>
#include <filesystem>
#include <string_view>

namespace phyxel {

/// 64 bits that change with any single changed byte; the same on all machines. Tells damage and
/// changes, not forgery.
std::uint64_t hash_of(std::string_view bytes);

/// That of the bytes of a file, read piece by piece. InputError when it cannot be read.
std::uint64_t hash_of_file(const std::filesystem::path& path);

}  // namespace phyxel
