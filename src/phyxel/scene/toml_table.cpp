#include "phyxel/scene/toml_table.h"

#include <fmt/format.h>

#include "phyxel/scene/scene_document.h"
#include "phyxel/scene/words.h"

namespace phyxel {

namespace {

/// The override a value comes from, or null when it was written in the file.
const std::string* foreign_source(const toml::node& node, const std::string& file) {
  const auto& path = node.source().path;
  return path && *path != file ? path.get() : nullptr;
}

template <class T, class Convert>
std::optional<std::vector<T>> list_of(const toml::array& array, Convert convert) {
  std::vector<T> result;
  for (const toml::node& node : array) {
    const std::optional<T> value = convert(node);
    if (!value) return std::nullopt;
    result.push_back(*value);
  }
  return result;
}

std::optional<double> number(const toml::node& node) {
  if (!node.is_number()) return std::nullopt;
  return node.value<double>();
}

std::optional<std::vector<double>> numbers(const toml::node& node) {
  return node.is_array() ? list_of<double>(*node.as_array(), number) : std::nullopt;
}

std::optional<ParameterValue> array_value(const toml::array& array) {
  if (auto v = list_of<double>(array, number)) return ParameterValue(*v);
  if (auto v = list_of<bool>(array, [](const toml::node& n) {
        return n.is_boolean() ? n.value<bool>() : std::nullopt;
      }))
    return ParameterValue(*v);
  if (auto v = list_of<std::string>(array, [](const toml::node& n) {
        return n.is_string() ? n.value<std::string>() : std::nullopt;
      }))
    return ParameterValue(*v);
  if (auto v = list_of<std::vector<double>>(array, numbers)) return ParameterValue(*v);
  return std::nullopt;
}

}  // namespace

Place place_of(const toml::node& node, const std::string& file) {
  if (const std::string* source = foreign_source(node, file)) return {*source};
  const auto& begin = node.source().begin;
  return {file, static_cast<int>(begin.line), static_cast<int>(begin.column)};
}

std::optional<ParameterValue> parameter_value(const toml::node& node) {
  if (auto v = number(node)) return ParameterValue(*v);
  if (node.is_boolean()) return ParameterValue(*node.value<bool>());
  if (node.is_string()) return ParameterValue(*node.value<std::string>());
  if (node.is_array()) return array_value(*node.as_array());
  return std::nullopt;
}

bool Mistakes::in(const std::string& table) const {
  const auto found = tables.lower_bound(table);
  for (auto it = found; it != tables.end() && it->starts_with(table); ++it)
    if (it->size() == table.size() || (*it)[table.size()] == '.' || (*it)[table.size()] == '[')
      return true;
  return false;
}

TomlTable::TomlTable(const toml::table& table, std::string path, Scene& scene, Mistakes* mistakes)
    : table_(&table), path_(std::move(path)), scene_(&scene), mistakes_(mistakes) {
  scene_->places[path_] = place();
}

Place TomlTable::place() const {
  return place_of(*table_, scene_->file);
}

Place TomlTable::place(const std::string& key) const {
  const auto found = table_->find(key);
  if (found == table_->end()) return place();
  const toml::node& node = found->second;
  if (foreign_source(node, scene_->file)) return place_of(node, scene_->file);
  const auto& begin = found->first.source().begin;
  if (begin.line > 0)
    return {scene_->file, static_cast<int>(begin.line), static_cast<int>(begin.column)};
  return place_of(node, scene_->file);
}

void TomlTable::fail(const std::string& key, const std::string& message) const {
  throw InputError(place(key), path_of(key) + " " + message);
}

void TomlTable::complain(const std::string& key, const std::string& message) {
  wrong_.insert(key);
  if (!mistakes_) fail(key, message);
  mistakes_->tables.insert(path_);
  mistakes_->problems.add(place(key), path_of(key) + " " + message);
}

void TomlTable::complain(const std::string& message) {
  if (!mistakes_) throw InputError(place(), message);
  mistakes_->tables.insert(path_);
  mistakes_->problems.add(place(), message);
}

const toml::node* TomlTable::take(const std::string& key) {
  known_.insert(key);
  const toml::node* node = table_->get(key);
  if (node) scene_->places[path_of(key)] = place(key);
  return node;
}

void TomlTable::read(const Fields& fields) {
  for (const Parameter& parameter : fields.list) {
    const toml::node* node = take(parameter.name);
    if (!node) continue;
    const auto value = parameter_value(*node);
    if (!value) {
      complain(parameter.name, "must be " + kind_of(parameter));
      continue;
    }
    const std::string wrong = assign(parameter, *value);
    if (!wrong.empty()) complain(parameter.name, "= " + to_string(*value) + " " + wrong);
  }
}

std::optional<TomlTable> TomlTable::table(const std::string& key) {
  const toml::node* node = take(key);
  if (!node) return std::nullopt;
  if (!node->is_table()) {
    complain(key, "must be a table: [{}] or {} = {{ ... }}", path_of(key), key);
    return std::nullopt;
  }
  return TomlTable(*node->as_table(), path_of(key), *scene_, mistakes_);
}

std::vector<std::pair<std::string, TomlTable>> TomlTable::named_tables(const std::string& key) {
  std::vector<std::pair<std::string, TomlTable>> result;
  auto parent = table(key);
  if (!parent) return result;
  for (const std::string& name : keys_as_written(*parent->table_)) {
    const toml::node& node = *parent->table_->get(name);
    if (node.is_table())
      result.emplace_back(name,
                          TomlTable(*node.as_table(), parent->path_of(name), *scene_, mistakes_));
    else
      parent->complain(name, "is not a table; tables have names: [{}.{}]", path_of(key), "NAME");
  }
  return result;
}

std::vector<TomlTable> TomlTable::table_array(const std::string& key) {
  std::vector<TomlTable> result;
  const toml::node* node = take(key);
  if (!node) return result;
  const toml::array* array = node->as_array();
  if (!array || (!array->empty() && !array->is_homogeneous(toml::node_type::table))) {
    complain(key, "must be a list of tables: [[{}]]", path_of(key));
    return result;
  }
  for (std::size_t i = 0; i < array->size(); ++i)
    result.emplace_back(*array->get(i)->as_table(), fmt::format("{}[{}]", path_of(key), i), *scene_,
                        mistakes_);
  return result;
}

bool TomlTable::is_misspelt(const std::string& key) {
  if (given(key)) return false;
  for (auto&& [k, node] : *table_) {
    const std::string word(k.str());
    if (known_.count(word) || suggestion(word, std::vector{key}).empty()) continue;
    has_unknown_keys_ = true;
    complain(word, "is not a known key; did you mean '{}'?", key);
    return true;
  }
  return false;
}

void TomlTable::finish() {
  for (auto&& [k, node] : *table_) {
    const std::string key(k.str());
    if (known_.count(key)) continue;
    has_unknown_keys_ = true;
    std::string hint = hint_for(key, path_, known_);
    if (hint.empty()) hint = fmt::format("; known here: {}", fmt::join(known_, ", "));
    complain(key, "is not a known key" + hint);
  }
}

}  // namespace phyxel
