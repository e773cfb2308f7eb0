#include "phyxel/io/columns.h"

#include <algorithm>
#include <cstring>
#include <limits>
#include <set>
#include <unordered_map>
#include <utility>

#include "phyxel/core/error.h"
#include "phyxel/core/origin.h"
#include "phyxel/io/file_numbers.h"
#include "phyxel/io/text_reader.h"

namespace phyxel {

namespace {

/// Suffixes of the components of name_..., by number of components; empty: numbered.
std::vector<std::string> suffixes(int components) {
  static const std::vector<std::string> axes = {"x", "y", "z", "w"};
  if (components <= 4) return {axes.begin(), axes.begin() + components};
  std::vector<std::string> names;
  for (int k = 0; k < components; ++k)
    names.push_back(components == 9 ? axes[k / 3] + axes[k % 3] : std::to_string(k));
  return names;
}

struct Family {
  std::string vector;
  std::vector<std::string> parts;
  std::size_t least;  // parts that must be present
};

const std::vector<Family>& known_families() {
  static const std::vector<Family> families = {
      {"position", {"x", "y", "z"}, 2},
      {"velocity", {"vx", "vy", "vz"}, 2},
      {"normal", {"nx", "ny", "nz"}, 3},
      {"colour", {"red", "green", "blue", "alpha"}, 3},
      {"colour", {"r", "g", "b", "a"}, 3},
      {"colour", {"diffuse_red", "diffuse_green", "diffuse_blue"}, 3}};
  return families;
}

using Names = std::unordered_map<std::string, std::size_t>;

/// How many of stem + part, from the first on, exist.
std::size_t run_length(const Names& names, const std::string& stem,
                       const std::vector<std::string>& parts) {
  std::size_t n = 0;
  while (n < parts.size() && names.count(stem + parts[n])) ++n;
  return n;
}

bool cut_suffix(std::string& name, std::string_view suffix) {
  if (name.size() <= suffix.size() || !name.ends_with(suffix)) return false;
  name.resize(name.size() - suffix.size());
  return true;
}

/// The vector whose first component is `name`, with the names of all its components; else alone.
Family family_of(const Names& names, const std::string& name) {
  for (const Family& known : known_families())
    if (name == known.parts[0]) {
      const std::size_t n = run_length(names, "", known.parts);
      if (n >= known.least)
        return {known.vector, {known.parts.begin(), known.parts.begin() + n}, 0};
    }
  for (const std::string_view first : {"_xx", "_x", "_0", ":0"}) {
    std::string stem = name;
    if (!cut_suffix(stem, first)) continue;
    const std::string head = stem + first[0];
    std::vector<std::string> parts = suffixes(first == "_xx" ? 9 : 4);
    if (first.back() == '0') {
      parts.clear();
      while (names.count(head + std::to_string(parts.size())))
        parts.push_back(std::to_string(parts.size()));
    }
    const std::size_t n = run_length(names, head, parts);
    if (n < (first == "_xx" ? 9u : 2u)) continue;
    Family family{stem == "Points" ? "position" : stem, {}, 0};
    for (std::size_t k = 0; k < n; ++k) family.parts.push_back(head + parts[k]);
    return family;
  }
  return {name, {name}, 0};
}

FrameColumn interleaved(const std::string& name, std::vector<FrameColumn> parts) {
  NumberType type = parts[0].type;
  for (const FrameColumn& part : parts)
    if (part.type != type) type = NumberType::float64;
  for (FrameColumn& part : parts)
    if (part.type != type) part = converted(part, type);
  const std::size_t size = size_of(type), count = parts[0].data.size() / size;
  FrameColumn column{name, parts[0].unit, type, static_cast<int>(parts.size()), {}};
  column.data.resize(count * size * parts.size());
  std::byte* to = column.data.data();
  for (std::size_t i = 0; i < count; ++i)
    for (const FrameColumn& part : parts) {
      std::memcpy(to, part.data.data() + i * size, size);
      to += size;
    }
  return column;
}

bool is_floating(NumberType type) {
  return type == NumberType::float32 || type == NumberType::float64;
}

void give_depth(FrameColumn& flat, std::size_t count) {
  FrameColumn deep = converted(flat, flat.type);
  deep.components = 3;
  const std::size_t size = size_of(flat.type);
  deep.data.assign(count * 3 * size, std::byte{});
  for (std::size_t i = 0; i < count; ++i)
    std::memcpy(deep.data.data() + i * 3 * size, flat.data.data() + i * 2 * size, 2 * size);
  flat = std::move(deep);
}

std::string names_of(const Frame& frame) {
  std::string names;
  for (std::size_t k = 0; k < frame.columns.size() && k < 20; ++k)
    names += (k ? ", " : "") + in_quotes(frame.columns[k].name);
  return names.empty() ? "none" : names;
}

/// All numbers of a column, one after the other, changed by f.
template <class T, class F>
std::vector<std::byte> mapped(const FrameColumn& column, F f) {
  std::vector<std::byte> data(column.data.size() / size_of(column.type) * sizeof(T));
  for (std::size_t k = 0; k < data.size() / sizeof(T); ++k) {
    const T value = static_cast<T>(f(number_at(column.type, column.data, k)));
    std::memcpy(data.data() + k * sizeof(T), &value, sizeof(T));
  }
  return data;
}

/// The box around all positions; refuses those that are not finite.
BoundsOf<double> checked_bounds(const Frame& frame, const std::string& file) {
  BoundsOf<double> bounds;
  for (std::size_t i = 0; i < frame.count; ++i) {
    const Vec3d x = frame.world_position(i);
    if (!is_finite(cast<Real>(x)))
      throw InputError(Place{file}, "point " + std::to_string(i) +
                                        " has a position that is not finite; remove it or mend it");
    bounds.include(x);
  }
  return bounds;
}

}  // namespace

void settle_colour(FrameColumn& colour, FileNumber in_file) {
  if (in_file != FileNumber::uint16) return;
  colour.data = mapped<float>(colour, [](double code) { return code / 65535; });
  colour.type = NumberType::float32;
}

void settle_text_colour(FrameColumn& colour) {
  const bool whole = !is_floating(colour.type);
  const std::size_t n = colour.data.size() / size_of(colour.type);
  double largest = 0;
  for (std::size_t k = 0; k < n; ++k)
    largest = std::max(largest, number_at(colour.type, colour.data, k));
  if (whole == (largest > most_of_unit_colours)) return;
  if (whole) {
    colour = converted(colour, NumberType::float32);
    return;
  }
  with_number_type(colour.type, [&](auto value) {
    colour.data = mapped<decltype(value)>(colour, [](double code) { return code / 255; });
  });
}

FrameColumn converted(const FrameColumn& column, NumberType type) {
  FrameColumn result{column.name, column.unit, type, column.components, {}};
  with_number_type(type, [&](auto value) {
    result.data = mapped<decltype(value)>(column, [](double number) { return number; });
  });
  return result;
}

std::vector<std::string> component_names(const FrameColumn& column) {
  if (column.components == 1) return {column.name};
  for (const auto& [vector, parts, least] : known_families())
    if (column.name == vector && column.components >= 3 && column.components <= int(parts.size()))
      return {parts.begin(), parts.begin() + column.components};
  std::vector<std::string> names = suffixes(column.components);
  for (std::string& name : names) name = column.name + "_" + name;
  return names;
}

std::vector<FrameColumn> join_components(std::vector<FrameColumn> numbers) {
  Names names;
  for (std::size_t k = 0; k < numbers.size(); ++k) names.try_emplace(numbers[k].name, k);
  std::vector<Family> families(numbers.size());
  std::vector<bool> taken(numbers.size(), false);
  for (std::size_t k = 0; k < numbers.size(); ++k) {
    const bool repeated = names[numbers[k].name] != k;
    families[k] = repeated ? Family{"", {numbers[k].name}, 0} : family_of(names, numbers[k].name);
    for (std::size_t p = 1; p < families[k].parts.size(); ++p)
      taken[names[families[k].parts[p]]] = true;
  }
  std::vector<FrameColumn> columns;
  for (std::size_t k = 0; k < numbers.size(); ++k) {
    if (taken[k]) continue;
    const Family& family = families[k];
    if (family.parts.size() == 1) {
      columns.push_back(std::move(numbers[k]));
      continue;
    }
    std::vector<FrameColumn> parts;
    for (const std::string& part : family.parts) parts.push_back(std::move(numbers[names[part]]));
    columns.push_back(interleaved(family.vector, std::move(parts)));
  }
  return columns;
}

namespace {

/// What other programs call the colours of points.
bool is_word_for_colour(const std::string& name) {
  static const std::set<std::string> words = {"color", "colors", "colours", "rgb", "rgba", "cd"};
  return words.count(lower(name)) > 0;
}

}  // namespace

bool means_colour(const FrameColumn& column) {
  return (column.components == 3 || column.components == 4) &&
         (column.name == "colour" || is_word_for_colour(column.name));
}

namespace {

void name_colours(Frame& frame) {
  if (frame.find("colour")) return;
  for (FrameColumn& column : frame.columns)
    if (means_colour(column)) {
      column.name = "colour";
      return;
    }
}

}  // namespace

void finish_points(Frame& frame, const std::string& file) {
  name_colours(frame);
  std::size_t first = 0;
  while (first < frame.columns.size() && frame.columns[first].name != "position") ++first;
  if (first == frame.columns.size())
    throw InputError(Place{file}, "has no position: expected x, y, z; found " + names_of(frame));
  std::rotate(frame.columns.begin(), frame.columns.begin() + first,
              frame.columns.begin() + first + 1);
  FrameColumn& x = frame.columns[0];
  const bool whole = !is_floating(x.type);
  if (whole) x = converted(x, NumberType::float64);
  if (x.components == 2) give_depth(x, frame.count);
  if (frame.count > static_cast<std::size_t>(std::numeric_limits<Index>::max()))
    throw InputError(Place{file}, std::to_string(frame.count) + " points are too many; at most " +
                                      std::to_string(std::numeric_limits<Index>::max()));
  try {
    check_frame(frame, file);
  } catch (const Error& error) {
    throw InputError(error.what());
  }
  const Vec3d origin = origin_for(checked_bounds(frame, file));
  frame = rebased(std::move(frame), origin);
  if (whole && frame.origin == Vec3d::zero())
    frame.columns[0] = converted(frame.columns[0], number_type<Real>());
}

void check_frame(const Frame& frame, const std::string& file) {
  const bool placed = !frame.columns.empty() && frame.columns[0].name == "position" &&
                      frame.columns[0].components == 3 && is_floating(frame.columns[0].type);
  if (!placed)
    throw Error(Place{file},
                "the first column must be 'position' with 3 components; found " + names_of(frame));
  for (const FrameColumn& column : frame.columns)
    if (column.components < 1 || column.data.size() != frame.count * column.element_size())
      throw Error(Place{file}, "column " + in_quotes(column.name) + " has " +
                                   std::to_string(column.data.size()) + " bytes, " +
                                   std::to_string(frame.count) + " elements of " +
                                   std::to_string(column.element_size()) + " bytes are expected");
}

}  // namespace phyxel
