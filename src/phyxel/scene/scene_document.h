#pragma once

#include "phyxel/scene/read_scene.h"
#include "phyxel/scene/toml_table.h"

namespace phyxel {

// A scene file as TOML, before it is interpreted.

/// Throws InputError with file:line:col when it is not TOML; `name` stands for the file.
toml::table parse_document(std::string_view text, const std::string& name);

/// Sets a value, and adds the tables above it where they are missing. Messages about it will name
/// the override instead of a line.
void apply_override(toml::table& document, const Override& override);

/// Keys in the order in which they were written; those of overrides last.
std::vector<std::string> keys_as_written(const toml::table& table);

}  // namespace phyxel
