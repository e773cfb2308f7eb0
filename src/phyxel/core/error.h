#pragma once

#include <stdexcept>
#include <string>

namespace phyxel {

/// Where a value was written: a scene file, or any other text input. line 0 means "no line known".
struct Place {
  std::string file;
  int line = 0;
  int column = 0;
};

/// "scenes/bunny.toml:14:9" or just the file name, or "" for an unknown place.
std::string to_string(const Place& place);

/// Text of a message that may quote anything a user has written: control characters become \x00
/// and the like, and very long lines lose their middle.
std::string legible(const std::string& text);

/// An error that the user can correct. what() reads: place: value, limit, remedy. The library
/// throws; it never prints or exits.
class Error : public std::runtime_error {
 public:
  explicit Error(const std::string& message) : std::runtime_error(legible(message)) {}
  Error(const Place& place, const std::string& message);
};

/// A wrong scene, file or option: the command line exits with status 2.
class InputError : public Error {
 public:
  using Error::Error;
};

/// "; did you mean 'friction'?" for the nearest of `candidates`, or "" when none is near.
template <class Strings>
std::string suggestion(const std::string& word, const Strings& candidates);

/// Number of insertions, deletions, replacements and swaps of neighbours between two words.
int edit_distance(const std::string& a, const std::string& b);

template <class Strings>
std::string suggestion(const std::string& word, const Strings& candidates) {
  std::string best;
  int best_distance = 1 + static_cast<int>(word.size()) / 3;
  for (const std::string& candidate : candidates) {
    // A word so much longer cannot be near; one of megabytes would take gigabytes to compare.
    if (word.size() > candidate.size() + best_distance) continue;
    const int d = edit_distance(word, candidate);
    if (d <= best_distance && (best.empty() || d < best_distance)) {
      best_distance = d;
      best = candidate;
    }
  }
  return best.empty() ? "" : "; did you mean '" + best + "'?";
}

}  // namespace phyxel
