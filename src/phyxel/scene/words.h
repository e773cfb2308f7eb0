#pragma once

#include <set>
#include <string>
#include <vector>

#include "phyxel/scene/read_scene.h"
#include "phyxel/scene/toml_table.h"

namespace phyxel {

// Words of other programs and other spellings: some are read as ours, others are refused with the
// right one in the message.

/// What people type, and the key or word that is meant. Several where it depends on the table.
struct Word {
  std::string typed;  // in small letters
  std::vector<std::string> meant;
  std::string note;  // follows the suggestion in the message
};

/// Keys that are read as others: color is colour.
const std::vector<Word>& accepted_keys();
/// Types of shapes that are read as others: a cube is a box.
const std::vector<Word>& accepted_shapes();
/// Keys, names of tables and types of shapes that are refused with a suggestion.
const std::vector<Word>& explained_words();

/// Accepted keys of the document become ours. Names of bodies and the like stay as they are.
void translate_keys(toml::table& document);
/// The same for the key of an override.
Override translated(Override override);
/// Accepted types of shapes become ours; the edge of a cube may be one number.
void translate_shapes(toml::table& document);

/// "; did you mean 'density'?" for a key of the table `path` that is not one of `known`; "" where
/// the word is not known at all.
std::string hint_for(const std::string& key, const std::string& path,
                     const std::set<std::string>& known);
/// The same for the type of a shape.
std::string shape_hint(const std::string& type);

}  // namespace phyxel
