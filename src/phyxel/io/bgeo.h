#pragma once

#include <filesystem>
#include <string_view>

#include "phyxel/matter/frame.h"

namespace phyxel {

/// Points of Houdini's classic .bgeo (version 5, also .bhclassic), as Partio and SPlisHSPlasH write
/// it, plain or packed by gzip: position and all point attributes, with v, Cd and N as velocity,
/// colour and normal, and words as the numbers of their list. Primitives are not read. InputError
/// with a remedy for the JSON kind that Houdini writes by itself since version 12.
Frame read_bgeo(const std::filesystem::path& path);
Frame parse_bgeo(std::string_view bytes, const std::string& file);

}  // namespace phyxel
