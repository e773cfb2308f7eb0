#pragma once

#include <fmt/format.h>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "phyxel/core/problems.h"
#include "phyxel/matter/parameters.h"
#include "phyxel/scene/scene.h"

#define TOML_HEADER_ONLY 0
#include <toml++/toml.h>

namespace phyxel {

/// The mistakes of a scene file, and the tables that have them: references to such a table are not
/// checked, as the second message would only follow from the first.
struct Mistakes {
  Problems problems;
  std::set<std::string> tables;  // full names
  bool names_unsure = false;     // the name of a table may be misspelt: any name may exist

  bool empty() const { return problems.empty(); }
  /// Whether a mistake is in the table or in one below it.
  bool in(const std::string& table) const;
  /// Calls `check` and keeps what it refuses as a mistake of that table.
  template <class Check>
  void attempt(const std::string& table, Check&& check) {
    if (!problems.attempt(check)) tables.insert(table);
  }
};

/// One TOML table being read. Records which keys were read, so that finish() can refuse the
/// others.
class TomlTable {
 public:
  /// `path` is the table's full name, "body.bunny"; "" for the whole file. Mistakes are collected,
  /// or thrown where `mistakes` is null.
  TomlTable(const toml::table& table, std::string path, Scene& scene, Mistakes* mistakes = nullptr);

  /// Reads every described parameter that is present.
  void read(const Fields& fields);
  /// The value of a key that is read by hand, or null; counts as read.
  const toml::node* take(const std::string& key);
  /// A table under `key`, or nothing; anything else there is an error.
  std::optional<TomlTable> table(const std::string& key);
  /// All tables under `key` ([material.NAME]), in the order of the file.
  std::vector<std::pair<std::string, TomlTable>> named_tables(const std::string& key);
  /// All tables of an array ([[event]]).
  std::vector<TomlTable> table_array(const std::string& key);
  /// Names of keys that will be read later.
  void expect(std::initializer_list<const char*> keys) { known_.insert(keys.begin(), keys.end()); }
  bool is_known(const std::string& key) const { return known_.contains(key); }
  /// Refuses keys that were not read, with a suggestion.
  void finish();

  bool has(const std::string& key) const { return table_->contains(key); }
  bool given(const std::string& key) const { return table_->contains(key); }
  /// Whether a key is absent and not merely misspelt: known after finish().
  bool lacks(const std::string& key) const { return !given(key) && !has_unknown_keys_; }
  /// Whether a key is there under a similar name, which is then a mistake.
  bool is_misspelt(const std::string& key);
  /// Whether a mistake was found in the value of a key.
  bool is_wrong(const std::string& key) const { return wrong_.contains(key); }
  std::string path_of(const std::string& key) const {
    return path_.empty() ? key : path_ + "." + key;
  }
  Place place() const;
  Place place(const std::string& key) const;
  [[noreturn]] void fail(const std::string& key, const std::string& message) const;
  /// As fail(), but reading continues.
  void complain(const std::string& key, const std::string& message);
  template <class First, class... Rest>
  void complain(const std::string& key, fmt::format_string<First, Rest...> format, First&& first,
                Rest&&... rest) {
    complain(key, fmt::format(format, std::forward<First>(first), std::forward<Rest>(rest)...));
  }
  /// The same about the table as a whole.
  void complain(const std::string& message);
  Mistakes* mistakes() const { return mistakes_; }
  const std::string& path() const { return path_; }
  const toml::table& raw() const { return *table_; }

 private:
  const toml::table* table_;
  std::string path_;
  Scene* scene_;
  Mistakes* mistakes_;
  std::set<std::string> known_;
  std::set<std::string> wrong_;
  bool has_unknown_keys_ = false;
};

/// A TOML value as a ParameterValue; nothing for tables, dates and mixed arrays.
std::optional<ParameterValue> parameter_value(const toml::node& node);

Place place_of(const toml::node& node, const std::string& file);

}  // namespace phyxel
