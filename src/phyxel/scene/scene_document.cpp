#include "phyxel/scene/scene_document.h"

#include <algorithm>
#include <sstream>

#include "phyxel/scene/fail.h"

namespace phyxel {

Override parse_override(const std::string& text) {
  const std::size_t equals = text.find('=');
  if (equals == std::string::npos || equals == 0)
    throw InputError(
        fmt::format("--set {}: must be key=value, e.g. --set world.gravity=[0,-1.62,0]", text));
  return {text.substr(0, equals), text.substr(equals + 1)};
}

namespace {

constexpr int most_key_parts = 32;

[[noreturn]] void refuse_deep_key(const Place& place) {
  fail(place, "a key has more than {} parts; no table is that deep", most_key_parts);
}

Place place_in(std::string_view text, std::size_t at, const std::string& name) {
  const std::string_view before = text.substr(0, at);
  return {name, static_cast<int>(1 + std::count(before.begin(), before.end(), '\n')),
          static_cast<int>(at - (before.rfind('\n') + 1) + 1)};
}

/// The byte behind a string that begins at `at`, or the end of the text.
std::size_t end_of_string(std::string_view text, std::size_t at) {
  const std::string_view quote = text.substr(at, 1);
  const std::string three = fmt::format("{0}{0}{0}", quote);
  const std::string_view end = text.substr(at).starts_with(three) ? std::string_view(three) : quote;
  for (at += end.size(); at < text.size(); ++at) {
    if (text.substr(at).starts_with(end)) return at + end.size();
    if (text[at] == '\\' && quote == "\"") ++at;
  }
  return text.size();
}

/// toml++ goes down a call for each part of a dotted key, and again when it takes the table apart:
/// a long key would overflow the stack. The place of the first one, or npos.
std::size_t find_deep_key(std::string_view text) {
  int parts = 1;
  for (std::size_t at = 0; at < text.size();) {
    const char c = text[at];
    if (c == '#') at = std::min(text.find('\n', at), text.size());
    if (c == '"' || c == '\'') at = end_of_string(text, at);
    if (c == '#' || c == '"' || c == '\'') continue;
    if (c == '.' && ++parts > most_key_parts) return at;
    if (std::string_view("\n,=[]{}").find(c) != std::string_view::npos) parts = 1;
    ++at;
  }
  return text.npos;
}

std::string number_hint(std::string_view description) {
  const auto says = [&](std::string_view part) { return description.find(part) != part.npos; };
  const bool digits = says("too long to identify type") || says("not representable");
  return digits ? "; write it with an exponent: 1e20" : "";
}

std::string formatted(const toml::table& table) {
  std::stringstream text;
  text << toml::toml_formatter(table) << "\n";
  return text.str();
}

/// The value under "v", as TOML or as plain text when it is none.
toml::table parse_override_value(const Override& override) {
  const std::string source = "--set " + override.key;
  if (find_deep_key(override.value) != std::string::npos) refuse_deep_key({source});
  try {
    toml::table table = toml::parse("v = " + override.value, source);
    if (table.size() > 1)  // lines behind the value would be dropped
      fail(Place{source}, "\"{}\" holds more than one value; give each a --set of its own",
           override.value);
    return table;
  } catch (const toml::parse_error&) {
    return toml::parse(formatted(toml::table{{"v", override.value}}), source);
  }
}

std::vector<std::string> split(const std::string& text, char separator) {
  std::vector<std::string> parts;
  std::stringstream stream(text);
  for (std::string part; std::getline(stream, part, separator);) parts.push_back(part);
  return parts;
}

}  // namespace

toml::table parse_document(std::string_view text, const std::string& name) {
  if (const std::size_t at = find_deep_key(text); at != text.npos)
    refuse_deep_key(place_in(text, at, name));
  try {
    return toml::parse(text, name);
  } catch (const toml::parse_error& error) {
    const auto& begin = error.source().begin;
    fail({name, static_cast<int>(begin.line), static_cast<int>(begin.column)},
         "not valid TOML: {}{}", error.description(), number_hint(error.description()));
  }
}

void apply_override(toml::table& document, const Override& override) {
  const std::vector<std::string> keys = split(override.key, '.');
  if (std::ssize(keys) > most_key_parts) refuse_deep_key({"--set " + override.key});
  toml::table* table = &document;
  for (std::size_t k = 0; k + 1 < keys.size(); ++k) {
    toml::node* next = table->get(keys[k]);
    if (!next) next = &table->insert(keys[k], toml::table{}).first->second;
    if (!next->is_table())
      throw InputError(
          fmt::format("--set {}: '{}' is not a table of the scene", override.key, keys[k]));
    table = next->as_table();
  }
  toml::table value = parse_override_value(override);
  table->insert_or_assign(keys.back(), std::move(*value.get("v")));  // a copy would lose its source
}

std::vector<std::string> keys_as_written(const toml::table& table) {
  struct Key {
    toml::source_index line, column;
    std::string name;
  };
  std::vector<Key> keys;
  for (auto&& [key, node] : table) {
    const auto begin = key.source().begin;
    const bool written = begin.line > 0;
    keys.push_back({written ? begin.line : std::numeric_limits<toml::source_index>::max(),
                    begin.column, std::string(key.str())});
  }
  std::stable_sort(keys.begin(), keys.end(), [](const Key& a, const Key& b) {
    return std::pair(a.line, a.column) < std::pair(b.line, b.column);
  });
  std::vector<std::string> names;
  for (const Key& key : keys) names.push_back(key.name);
  return names;
}

}  // namespace phyxel
