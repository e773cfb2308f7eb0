#include "phyxel/io/text_reader.h"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <limits>
#include <memory>

#include "phyxel/core/file.h"

namespace phyxel {

namespace {

bool is_blank(char c) {
  return c == ' ' || c == '\t' || c == '\r' || c == '\v' || c == '\f';
}

[[noreturn]] void fail_to_read(const std::filesystem::path& path, const std::string& why) {
  throw InputError(Place{path.string()}, "cannot read: " + why + "; check the path and its rights");
}

std::size_t file_size_hint(const std::filesystem::path& path) {
  std::error_code none;
  const auto size = std::filesystem::file_size(path, none);
  return none ? 0 : static_cast<std::size_t>(size);
}

/// A word as T: integers may be spelt "3.0", but must be whole and in range.
template <class T>
std::optional<T> parse_as(std::string_view word) {
  if (const auto exact = parse_number<T>(word)) return exact;
  if constexpr (std::is_integral_v<T>) {
    const auto real = parse_number<double>(word);
    // max + 1 is a power of two, hence exact as a double also for 64 bits.
    if (real && *real == std::floor(*real) &&
        *real >= static_cast<double>(std::numeric_limits<T>::min()) &&
        *real < static_cast<double>(std::numeric_limits<T>::max() / 2 + 1) * 2)
      return static_cast<T>(*real);
  }
  return std::nullopt;
}

}  // namespace

std::string read_whole_file(const std::filesystem::path& path) {
  if (const std::string why = why_not_readable(path); !why.empty()) fail_to_read(path, why);
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(path.c_str(), "rb"),
                                                             &std::fclose);
  if (!file) fail_to_read(path, std::strerror(errno));
  try {
    std::string bytes(file_size_hint(path), '\0');
    bytes.resize(std::fread(bytes.data(), 1, bytes.size(), file.get()));
    char more[4096];  // files may grow
    while (const std::size_t n = std::fread(more, 1, sizeof more, file.get()))
      bytes.append(more, n);
    if (std::ferror(file.get())) fail_to_read(path, std::strerror(errno));
    return bytes;
  } catch (const std::bad_alloc&) {
    fail_to_read(path, "it does not fit into memory");
  }
}

void refuse_file(const std::string& file, const std::string& message) {
  throw InputError(Place{file}, message);
}

std::string extension_of(const std::filesystem::path& path) {
  return lower(path.extension().string());
}

std::string lower(std::string_view word) {
  std::string small(word);
  for (char& c : small)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return small;
}

std::string in_quotes(std::string_view word) {
  std::string text = "'";
  for (const char c : word.substr(0, 40)) text += c >= ' ' && c <= '~' ? c : '?';
  return text + (word.size() > 40 ? "...'" : "'");
}

template <class T>
std::optional<T> parse_number(std::string_view word) {
  const bool plus = word.size() > 1 && word[0] == '+' && word[1] != '-' && word[1] != '+';
  const char* first = word.data() + (plus ? 1 : 0);
  const char* last = word.data() + word.size();
  T value{};
  const auto [end, error] = std::from_chars(first, last, value);
  if (end != last || first == last) return std::nullopt;
  if (error == std::errc{}) return value;
  const bool tiny = std::is_floating_point_v<T> && error == std::errc::result_out_of_range &&
                    (word.find("e-") != word.npos || word.find("E-") != word.npos);
  return tiny ? std::optional<T>(T{}) : std::nullopt;
}
template std::optional<float> parse_number(std::string_view);
template std::optional<double> parse_number(std::string_view);
template std::optional<std::uint8_t> parse_number(std::string_view);
template std::optional<std::int32_t> parse_number(std::string_view);
template std::optional<std::uint32_t> parse_number(std::string_view);
template std::optional<std::int64_t> parse_number(std::string_view);
template std::optional<std::uint64_t> parse_number(std::string_view);

void TextReader::skip_blanks() {
  while (!at_end() && is_blank(text[at])) ++at;
}

void TextReader::skip_space() {
  while (!at_end() && (is_blank(text[at]) || text[at] == '\n')) ++at;
}

std::string_view TextReader::word() {
  skip_space();
  const std::size_t first = at;
  while (!at_end() && !is_blank(text[at]) && text[at] != '\n') ++at;
  return text.substr(first, at - first);
}

std::string_view TextReader::line() {
  const std::size_t first = at, end = std::min(text.find('\n', at), text.size());
  at = std::min(end + 1, text.size());
  std::string_view all = text.substr(first, end - first);
  if (!all.empty() && all.back() == '\r') all.remove_suffix(1);
  return all;
}

template <class T>
T TextReader::number(std::string_view what) {
  const std::string_view token = word();
  if (const auto value = parse_as<T>(token)) return *value;
  const std::size_t where = at - token.size();
  if (token.empty()) fail("ends where " + std::string(what) + " should be", where);
  fail(std::string(what) + " = " + in_quotes(token) + " is not a number of the right kind or range",
       where);
}
template float TextReader::number(std::string_view);
template double TextReader::number(std::string_view);
template std::uint8_t TextReader::number(std::string_view);
template std::int32_t TextReader::number(std::string_view);
template std::uint32_t TextReader::number(std::string_view);
template std::int64_t TextReader::number(std::string_view);
template std::uint64_t TextReader::number(std::string_view);

void TextReader::fail(const std::string& message, std::size_t where) const {
  const std::string_view before = text.substr(0, std::min(where, text.size()));
  const auto line = 1 + std::count(before.begin(), before.end(), '\n');
  const auto start = before.rfind('\n');
  const auto column = before.size() - (start == before.npos ? 0 : start + 1) + 1;
  throw InputError(Place{file, static_cast<int>(line), static_cast<int>(column)}, message);
}

}  // namespace phyxel
