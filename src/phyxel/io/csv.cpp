#include <algorithm>
#include <deque>
#include <fmt/format.h>
#include <limits>
#include <optional>
#include <unordered_map>

#include "phyxel/core/origin.h"
#include "phyxel/io/columns.h"
#include "phyxel/io/points.h"
#include "phyxel/io/text_reader.h"

namespace phyxel {

namespace {

constexpr int float_digits = 9;  // enough for any float

/// One column while its type is not known yet.
struct Numbers {
  std::vector<double> values;
  bool whole = true;               // spelt without point and exponent
  bool wide = false;               // more digits than a float needs
  double least = 0, greatest = 0;  // of zero and the values
  double low = std::numeric_limits<double>::infinity(), high = -low;
};

/// Digits of the mantissa from the first to the last that is not zero.
int significant_digits(std::string_view word) {
  int digits = 0, significant = 0;
  for (const char c : word.substr(0, word.find_first_of("eE"))) {
    if (c < '0' || c > '9' || (digits == 0 && c == '0')) continue;
    ++digits;
    if (c != '0') significant = digits;
  }
  return significant;
}

void add(Numbers& column, double value, std::string_view word) {
  column.values.push_back(value);
  column.whole =
      column.whole && !word.empty() && word.find_first_not_of("+-0123456789") == word.npos;
  column.wide = column.wide || significant_digits(word) > float_digits;
  column.least = std::min(column.least, value);
  column.greatest = std::max(column.greatest, value);
  column.low = std::min(column.low, value);
  column.high = std::max(column.high, value);
}

template <class T>
FrameColumn as(const Numbers& column) {
  std::vector<T> values(column.values.begin(), column.values.end());
  return make_frame_column("", "", values.data(), values.size());
}

FrameColumn typed(const Numbers& column) {
  const bool whole = column.whole && !column.values.empty();
  if (whole && column.least >= std::numeric_limits<std::int32_t>::min() &&
      column.greatest <= std::numeric_limits<std::int32_t>::max())
    return as<std::int32_t>(column);
  if (whole && column.least >= 0 && column.greatest <= std::numeric_limits<std::uint32_t>::max())
    return as<std::uint32_t>(column);
  return column.wide ? as<double>(column) : as<Real>(column);
}

struct Name {
  std::string name, unit;
};

/// "speed [m/s]" or "speed (m/s)".
Name split_unit(std::string_view text) {
  const std::size_t open = text.find_last_of("[(");
  if (open == text.npos || open == 0 || (text.back() != ']' && text.back() != ')'))
    return {std::string(text), ""};
  std::string_view name = text.substr(0, open);
  while (!name.empty() && name.back() == ' ') name.remove_suffix(1);
  return {std::string(name), std::string(text.substr(open + 1, text.size() - open - 2))};
}

std::string default_name(std::size_t column) {
  static const char* axes[] = {"x", "y", "z"};
  return column < 3 ? axes[column] : fmt::format("column_{}", column + 1);
}

struct Field {
  std::string_view text;  // without quotes and the blanks around
  std::size_t at;         // byte in the file
};

/// Cuts one line into fields.
struct RowReader {
  TextReader r;
  char separator = ',';               // ' ' stands for any run of blanks
  std::deque<std::string> kept = {};  // fields whose doubled quotes were undone; views must stay

  bool at_line_end() const { return r.at_end() || r.peek() == '\n'; }

  /// To the next line with content; false at the end of the file.
  bool next_row() {
    for (r.skip_blanks(); !r.at_end(); r.skip_blanks()) {
      if (r.peek() != '\n' && r.peek() != '#') return true;
      r.line();
    }
    return false;
  }

  void choose_separator() {
    const std::size_t end = std::min(r.text.find('\n', r.at), r.text.size());
    std::string line;  // less what is quoted
    bool inside = false;
    for (const char c : r.text.substr(r.at, end - r.at)) {
      if (c == '"') inside = !inside;
      if (!inside) line += c;
    }
    separator = ' ';
    for (const char candidate : {',', '\t', ';'})
      if (line.find(candidate) != line.npos) separator = candidate;
  }

  void skip_padding() {
    while (r.peek() == ' ' || r.peek() == '\r' || (separator != '\t' && r.peek() == '\t')) ++r.at;
  }

  Field quoted_field() {
    const std::size_t first = ++r.at;
    bool doubled = false;
    for (;; ++r.at) {
      if (at_line_end()) r.fail("a quoted field has no closing quote", first - 1);
      if (r.peek() != '"') continue;
      if (r.at + 1 >= r.text.size() || r.text[r.at + 1] != '"') break;
      doubled = true;
      ++r.at;
    }
    std::string_view text = r.text.substr(first, r.at++ - first);
    if (doubled) {
      std::string& plain = kept.emplace_back();
      for (std::size_t k = 0; k < text.size(); ++k) {
        plain += text[k];
        if (text[k] == '"') ++k;
      }
      text = plain;
    }
    return {text, first};
  }

  Field plain_field() {
    const std::size_t first = r.at;
    while (!at_line_end() && r.peek() != separator && !(separator == ' ' && r.peek() == '\t'))
      ++r.at;
    std::string_view text = r.text.substr(first, r.at - first);
    while (!text.empty() && (text.back() == ' ' || text.back() == '\r' || text.back() == '\t'))
      text.remove_suffix(1);
    return {text, first};
  }

  void read(std::vector<Field>& fields) {
    fields.clear();
    kept.clear();
    for (skip_padding();; skip_padding()) {
      fields.push_back(r.peek() == '"' ? quoted_field() : plain_field());
      skip_padding();
      if (at_line_end()) break;
      if (separator != ' ' && r.peek() != separator) r.fail("expected a separator");
      if (separator != ' ') ++r.at;
    }
    r.line();
  }
};

double number_of(const RowReader& rows, const Field& field) {
  if (field.text.empty()) return std::numeric_limits<double>::quiet_NaN();
  if (const auto value = parse_number<double>(field.text)) return *value;
  rows.r.fail(in_quotes(field.text) +
                  " is not a number; write 1.5 with a point, and leave out "
                  "columns of text",
              field.at);
}

bool all_numbers(const std::vector<Field>& fields) {
  return std::all_of(fields.begin(), fields.end(), [](const Field& field) {
    return parse_number<double>(field.text).has_value();
  });
}

bool is_part_of_colour(const std::string& name) {
  return name == "red" || name == "green" || name == "blue" || name == "alpha";
}

/// Names as users write them: X, Y, Z are x, y, z, and Red is red.
std::vector<Name> names_from(const std::vector<Field>& fields) {
  std::vector<Name> names;
  for (const Field& field : fields) {
    Name name = split_unit(field.text);
    if (name.name.size() <= 2 || is_part_of_colour(lower(name.name))) name.name = lower(name.name);
    if (name.name.empty()) name.name = default_name(names.size());
    names.push_back(std::move(name));
  }
  return names;
}

/// Coordinates far from zero need more than a float, however few digits they were written with.
void keep_far_places(const std::vector<Name>& names, std::vector<Numbers>& columns) {
  BoundsOf<double> bounds{Vec3d::zero(), Vec3d::zero()};
  const auto for_axes = [&](auto&& f) {
    for (std::size_t k = 0; k < columns.size(); ++k)
      for (int axis = 0; axis < 3; ++axis)
        if (names[k].name == default_name(axis) && !columns[k].values.empty()) f(columns[k], axis);
  };
  for_axes([&](const Numbers& column, int axis) {
    bounds.min[axis] = column.low;
    bounds.max[axis] = column.high;
  });
  if (origin_for(bounds) == Vec3d::zero()) return;
  for_axes([](Numbers& column, int) { column.wide = true; });
}

Frame make_frame(const std::vector<Name>& names, std::vector<Numbers>& columns, std::size_t count,
                 const std::string& file) {
  Frame frame;
  frame.count = count;
  std::vector<FrameColumn> numbers;
  keep_far_places(names, columns);
  for (std::size_t k = 0; k < columns.size(); ++k) {
    FrameColumn column = typed(columns[k]);
    column.name = names[k].name;
    column.unit = names[k].unit;
    numbers.push_back(std::move(column));
    columns[k] = {};
  }
  frame.columns = join_components(std::move(numbers));
  for (FrameColumn& column : frame.columns)
    if (means_colour(column)) settle_text_colour(column);
  finish_points(frame, file);
  return frame;
}

void add_row(const RowReader& rows, const std::vector<Field>& fields,
             std::vector<Numbers>& columns) {
  if (fields.size() != columns.size())
    rows.r.fail("this row has " + std::to_string(fields.size()) + " fields, the first has " +
                    std::to_string(columns.size()) + "; every row needs the same",
                fields[0].at);
  for (std::size_t k = 0; k < fields.size(); ++k)
    add(columns[k], number_of(rows, fields[k]), fields[k].text);
}

constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";

}  // namespace

Frame parse_csv(std::string_view text, const std::string& file) {
  RowReader rows{TextReader{text, file}};
  if (text.starts_with(byte_order_mark)) rows.r.at = byte_order_mark.size();
  if (!rows.next_row()) throw InputError(Place{file}, "is empty; expected rows of x, y, z");
  rows.choose_separator();
  std::vector<Field> fields;
  rows.read(fields);
  std::vector<Numbers> columns(fields.size());
  std::vector<Name> names;
  std::size_t count = 0;
  if (all_numbers(fields)) {
    for (std::size_t k = 0; k < fields.size(); ++k) names.push_back({default_name(k), ""});
    add_row(rows, fields, columns);
    ++count;
  } else {
    names = names_from(fields);
  }
  for (; rows.next_row(); ++count) {
    rows.read(fields);
    add_row(rows, fields, columns);
  }
  return make_frame(names, columns, count, file);
}

namespace {

/// Numbers for element symbols: their own value, or the order of appearance.
struct Elements {
  std::unordered_map<std::string, std::int32_t> known;

  std::int32_t number(std::string_view symbol) {
    if (const auto value = parse_number<std::int32_t>(symbol)) return *value;
    return known.try_emplace(std::string(symbol), static_cast<std::int32_t>(known.size()))
        .first->second;
  }
};

std::vector<Name> xyz_names(std::size_t columns, bool has_element) {
  std::vector<Name> names;
  if (has_element) names.push_back({"element", ""});
  for (std::size_t k = 0; names.size() < columns; ++k)
    names.push_back({k < 3 ? default_name(k) : default_name(names.size()), ""});
  return names;
}

/// The count of an XYZ file, if its first line is one.
std::optional<std::uint64_t> xyz_count(RowReader& rows) {
  TextReader ahead = rows.r;
  ahead.skip_space();
  TextReader line{ahead.line(), rows.r.file};
  const auto count = parse_number<std::uint64_t>(line.word());
  if (!count || !line.word().empty()) return std::nullopt;
  rows.r.at = ahead.at;
  return count;
}

}  // namespace

Frame parse_xyz(std::string_view text, const std::string& file) {
  RowReader rows{TextReader{text, file}, ' '};
  const auto count = xyz_count(rows);
  if (!count) return parse_csv(text, file);
  rows.r.line();  // a comment
  std::vector<Field> fields;
  std::vector<Numbers> columns;
  Elements elements;
  bool has_element = true;
  for (std::uint64_t row = 0; row < *count; ++row) {
    if (!rows.next_row())
      rows.r.fail("ends after " + std::to_string(row) + " of " + std::to_string(*count) +
                  " rows; the file is cut off, or its count is wrong");
    rows.read(fields);
    if (row == 0) {
      has_element = fields.size() != 3;
      columns.resize(std::max<std::size_t>(fields.size(), has_element ? 4 : 3));
    }
    std::string number;
    if (has_element) {
      number = std::to_string(elements.number(fields[0].text));
      fields[0].text = number;
    }
    add_row(rows, fields, columns);
  }
  if (*count == 0) columns.resize(4);
  return make_frame(xyz_names(columns.size(), has_element), columns, *count, file);
}

}  // namespace phyxel
