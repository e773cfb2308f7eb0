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

/// Text that reads back as the same document. Bodies and the like keep their order, on which
/// particle ids and colours depend.
std::string to_text(const toml::table& document);

/// Names of files relative to `folder` become absolute, so that the document can be moved.
void make_files_absolute(toml::node& node, const std::filesystem::path& folder);

}  // namespace phyxel
