#pragma once

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "phyxel/matter/parameters.h"
#include "phyxel/scene/scene.h"

#define TOML_HEADER_ONLY 0
#include <toml++/toml.h>

namespace phyxel {

/// One TOML table being read. Remembers which keys were understood, so that the others can be
/// refused.
class TomlTable {
 public:
  /// `path` is the table's full name, "body.bunny"; "" for the whole file.
  TomlTable(const toml::table& table, std::string path, Scene& scene);

  /// Reads every described parameter that is present.
  void read(const Fields& fields);
  /// The value of a key that is read by hand, or null; counts as understood.
  const toml::node* take(const std::string& key);
  /// A table under `key`, or nothing; anything else there is an error.
  std::optional<TomlTable> table(const std::string& key);
  /// All tables under `key` ([material.NAME]), in the order of the file.
  std::vector<std::pair<std::string, TomlTable>> named_tables(const std::string& key);
  /// All tables of an array ([[event]]).
  std::vector<TomlTable> table_array(const std::string& key);
  /// Refuses keys that nobody asked for, with a suggestion.
  void finish() const;

  bool has(const std::string& key) const { return table_->contains(key); }
  bool given(const std::string& key) const { return table_->contains(key); }
  std::string path_of(const std::string& key) const {
    return path_.empty() ? key : path_ + "." + key;
  }
  Place place() const;
  Place place(const std::string& key) const;
  [[noreturn]] void fail(const std::string& key, const std::string& message) const;
  const std::string& path() const { return path_; }
  const toml::table& raw() const { return *table_; }

 private:
  const toml::table* table_;
  std::string path_;
  Scene* scene_;
  std::set<std::string> known_;
};

/// A TOML value as a ParameterValue; nothing for tables, dates and mixed arrays.
std::optional<ParameterValue> parameter_value(const toml::node& node);

Place place_of(const toml::node& node, const std::string& file);

}  // namespace phyxel
