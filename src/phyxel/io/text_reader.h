#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "phyxel/core/error.h"

// Reading text by others, with places for messages. It may be cut off, lie about its counts or be
// noise: every step is checked. No locale: std::from_chars.

namespace phyxel {

/// The bytes of a file. InputError with the reason when it cannot be read.
std::string read_whole_file(const std::filesystem::path& path);

/// InputError about a file as a whole.
[[noreturn]] void refuse_file(const std::string& file, const std::string& message);

/// Lower-case extension with its dot: ".ply".
std::string extension_of(const std::filesystem::path& path);

/// ASCII letters made small; the locale does not matter.
std::string lower(std::string_view word);

/// The number that all of `word` spells ("1.5", "+2", "1e-3", "nan"), or nothing. Too small is 0.
template <class T>
std::optional<T> parse_number(std::string_view word);

/// At most 40 characters of `word` in quotes, unprintable ones as '?': safe in a message.
std::string in_quotes(std::string_view word);

/// Walks over text. Line and column are counted only when a message needs them.
struct TextReader {
  std::string_view text;
  std::string file;  // name for messages
  std::size_t at = 0;

  bool at_end() const { return at >= text.size(); }
  char peek() const { return at_end() ? '\0' : text[at]; }
  std::size_t left() const { return text.size() - at; }

  void skip_blanks();       // spaces and tabs
  void skip_space();        // line ends too
  std::string_view word();  // the next run without white space, on any line; "" at the end
  std::string_view line();  // the rest of this line without its end; moves to the next

  /// The next word as a number; `what` names it in messages.
  template <class T>
  T number(std::string_view what);

  /// InputError at byte `where`: file:line:column: message.
  [[noreturn]] void fail(const std::string& message, std::size_t where) const;
  [[noreturn]] void fail(const std::string& message) const { fail(message, at); }
};

}  // namespace phyxel
