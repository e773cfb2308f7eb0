#include "phyxel/scene/words.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <iterator>
#include <sstream>

#include "phyxel/scene/body_material.h"

namespace phyxel {

const std::vector<Word>& accepted_keys() {
  static const std::vector<Word> list = {
      {"color", {"colour"}, ""},         {"center", {"centre"}, ""},
      {"color_by", {"colour_by"}, ""},   {"color_map", {"colour_map"}, ""},
      {"color_min", {"colour_min"}, ""}, {"color_max", {"colour_max"}, ""},
  };
  return list;
}

const std::vector<Word>& accepted_shapes() {
  static const std::vector<Word> list = {
      {"cube", {"box"}, "its size may be one number"},
      {"cuboid", {"box"}, ""},
      {"ball", {"sphere"}, ""},
  };
  return list;
}

const char* explained_words_text();  // explained_words.txt

namespace {

std::vector<std::string> words_of(const std::string& text) {
  std::istringstream stream(text);
  return {std::istream_iterator<std::string>(stream), {}};
}

/// Lines such as "disk disc = cylinder; in a flat scene a disk is a sphere".
std::vector<Word> read_words(const char* text) {
  std::vector<Word> words;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    const std::size_t equals = line.find(" = "), semicolon = line.find("; ");
    if (line.starts_with('#') || equals == line.npos) continue;
    const std::vector<std::string> meant =
        words_of(line.substr(equals + 3, semicolon - equals - 3));
    for (const std::string& typed : words_of(line.substr(0, equals)))
      words.push_back({typed, meant, semicolon == line.npos ? "" : line.substr(semicolon + 2)});
  }
  return words;
}

std::string small(std::string text) {
  for (char& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return text;
}

const Word* find(const std::vector<Word>& list, const std::string& typed) {
  const auto found =
      std::find_if(list.begin(), list.end(), [&](const Word& w) { return w.typed == typed; });
  return found == list.end() ? nullptr : &*found;
}

const std::array<const char*, 8> named_groups = {"material", "body", "emitter", "collider",
                                                 "pin",      "sink", "surface", "light"};
const std::array<const char*, 4> single_tables = {"world", "time", "render", "output"};

void translate_table(toml::table& table) {
  for (const Word& word : accepted_keys()) {
    const auto written = table.find(word.typed);
    if (written == table.end() || table.contains(word.meant.front())) continue;
    const toml::key key(word.meant.front(), toml::source_region(written->first.source()));
    table.insert(key, std::move(written->second));
    table.erase(word.typed);
  }
}

/// Every table below `node`, and itself.
template <class Change>
void for_each_table(toml::node& node, Change change) {
  if (toml::array* array = node.as_array())
    for (toml::node& element : *array) for_each_table(element, change);
  toml::table* const table = node.as_table();
  if (!table) return;
  change(*table);
  for (auto&& [key, value] : *table) for_each_table(value, change);
}

/// Every table whose keys are ours, not names that the user has chosen.
template <class Change>
void for_each_described(toml::table& document, Change change) {
  for (const char* name : single_tables)
    if (toml::node* node = document.get(name)) for_each_table(*node, change);
  for (const char* group : named_groups)
    if (toml::table* tables = document[group].as_table())
      for (auto&& [name, node] : *tables) for_each_table(node, change);
}

/// { type = "cube", size = 0.2 } has three equal edges.
void translate_size(toml::table& shape) {
  const auto size = shape.find("size");
  if (size == shape.end() || !size->second.is_number()) return;
  const double edge = *size->second.value<double>();
  const toml::key key("size", toml::source_region(size->first.source()));
  shape.erase("size");
  shape.insert(key, toml::array{edge, edge, edge});
}

void translate_shape(toml::table& shape) {
  toml::value<std::string>* const type = shape["type"].as_string();
  const Word* const word = type ? find(accepted_shapes(), type->get()) : nullptr;
  if (!word) return;
  if (word->typed == "cube") translate_size(shape);
  *type = word->meant.front();
}

struct TableKeys {
  std::string title;  // "[world]"
  std::string path;   // begins the paths of such tables
  std::vector<std::string> keys;
};

template <class T>
std::vector<std::string> keys_of() {
  T thing;
  return described(thing).names();
}

std::vector<std::string> keys_of_materials() {
  std::vector<std::string> keys = keys_of<Material>();
  for (const MethodInfo& method : method_registry()) {
    std::any parameters = method.default_parameters();
    for (const std::string& name : described(method, parameters).names()) keys.push_back(name);
  }
  return keys;
}

std::vector<std::string> keys_of_shapes() {
  std::vector<std::string> keys;
  for (const std::string& type : shape_types()) {
    ShapeSpec shape;
    shape.type = type;
    for (const std::string& name : described(shape).names()) keys.push_back(name);
  }
  return keys;
}

std::vector<std::string> keys_of_emitters() {
  BodySpec emitter;
  emitter.nozzle.emplace();
  return described(emitter).names();
}

std::vector<std::string> keys_of_fields() {
  std::vector<std::string> keys = {"type", "material", "region"};
  for (const FieldType& type : field_types()) {
    FieldSpec field;
    field.type = &type;
    field.parameters = type.default_parameters();
    for (const std::string& name : described(field).names()) keys.push_back(name);
  }
  return keys;
}

std::vector<TableKeys> all_tables() {
  std::vector<std::string> world = keys_of<WorldSpec>();
  world.push_back("domain");
  return {{"[world]", "world", world},
          {"[time]", "time", keys_of<TimeSpec>()},
          {"shape = { ... }", "shape", keys_of_shapes()},
          {"[material.NAME]", "material.", keys_of_materials()},
          {"the top of the file", "", keys_of<Scene>()},
          {"[render]", "render", keys_of<RenderSpec>()},
          {"[output]", "output", keys_of<OutputSpec>()},
          {"[body.NAME]", "body.", keys_of<BodySpec>()},
          {"[emitter.NAME]", "emitter.", keys_of_emitters()},
          {"[collider.NAME]", "collider.", keys_of<ColliderSpec>()},
          {"[pin.NAME]", "pin.", keys_of<PinSpec>()},
          {"[sink.NAME]", "sink.", keys_of<SinkSpec>()},
          {"[surface.NAME]", "surface.", keys_of<SurfaceSpec>()},
          {"[light.NAME]", "light.", keys_of<LightSpec>()},
          {"[field.NAME]", "field.", keys_of_fields()}};
}

/// "[world]" for a key that a table of another kind has; at most two of them.
std::string other_tables(const std::string& key, const std::string& path) {
  std::vector<std::string> titles;
  for (const TableKeys& table : all_tables()) {
    const bool same = table.path.empty() ? path.empty() : path.starts_with(table.path);
    if (!same && titles.size() < 2 && contains(table.keys, key)) titles.push_back(table.title);
  }
  return fmt::format("{}", fmt::join(titles, " or "));
}

std::string with_note(const std::string& hint, const Word& word) {
  return word.note.empty() ? hint : fmt::format("{} ({})", hint, word.note);
}

std::string known_hint(const Word& word, const std::set<std::string>& known) {
  for (const std::string& meant : word.meant)
    if (known.contains(meant)) return with_note(fmt::format("; did you mean '{}'?", meant), word);
  return "";
}

std::string elsewhere_hint(const Word& word, const std::string& path) {
  for (const std::string& meant : word.meant)
    if (const std::string titles = other_tables(meant, path); !titles.empty())
      return with_note(fmt::format("; did you mean '{}' in {}?", meant, titles), word);
  return "";
}

/// "; it belongs into [world]" for a key that other tables have, or "".
std::string place_hint(const std::string& key, const std::string& path) {
  if (path.find(".shape") != path.npos || path.ends_with(".motion") || path.starts_with("event") ||
      path.starts_with("keyframe"))
    return "";
  const std::string titles = other_tables(key, path);
  return titles.empty() ? "" : "; it belongs into " + titles;
}

}  // namespace

const std::vector<Word>& explained_words() {
  static const std::vector<Word> list = read_words(explained_words_text());
  return list;
}

void translate_keys(toml::table& document) {
  for_each_described(document, translate_table);
}

Override translated(Override override) {
  const std::string& key = override.key;
  const std::size_t last = key.rfind('.');
  if (last == std::string::npos) return override;
  const bool single = contains(single_tables, key.substr(0, key.find('.')));
  if (!single && key.find('.') == last) return override;  // the name of a table
  if (const Word* word = find(accepted_keys(), key.substr(last + 1)))
    override.key = key.substr(0, last + 1) + word->meant.front();
  return override;
}

void translate_shapes(toml::table& document) {
  for_each_described(document, translate_shape);
}

std::string hint_for(const std::string& key, const std::string& path,
                     const std::set<std::string>& known) {
  const std::string word = small(key);
  if (const Word* accepted = find(accepted_keys(), word);
      accepted && known.contains(accepted->meant[0]))
    return fmt::format("; it means {}, which is here too: remove one of them", accepted->meant[0]);
  const Word* const explained = find(explained_words(), word);
  std::vector<std::string> hints;
  if (explained) hints.push_back(known_hint(*explained, known));
  hints.push_back(suggestion(word, known));
  if (path.empty()) hints.push_back(place_hint(key, path));
  if (explained) hints.push_back(elsewhere_hint(*explained, path));
  hints.push_back(place_hint(key, path));
  for (const std::string& hint : hints)
    if (!hint.empty()) return hint;
  return "";
}

std::string shape_hint(const std::string& type) {
  const std::vector<std::string> types = shape_types();
  if (const Word* word = find(explained_words(), small(type)))
    if (contains(types, word->meant.front()))
      return with_note(fmt::format("; did you mean '{}'?", word->meant.front()), *word);
  return suggestion(small(type), types);
}

}  // namespace phyxel
