#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>

// What stands in front of the HDF5 content of a checkpoint, so that no damaged byte reaches HDF5.

namespace phyxel {

constexpr int checkpoint_schema = 3;
constexpr std::size_t checkpoint_seal_size = 512;

/// The first checkpoint_seal_size bytes of a file whose other bytes are `body`: length and hash as
/// text.
std::string checkpoint_seal(std::string_view body);

/// InputError unless the file begins with the seal of the rest of it.
void check_checkpoint_seal(const std::filesystem::path& path);

/// InputError with the remedy.
[[noreturn]] void refuse_checkpoint(const std::filesystem::path& path, const std::string& why);

}  // namespace phyxel
