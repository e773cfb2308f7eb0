#pragma once

#include <string>
#include <vector>

#include "phyxel/core/error.h"

namespace phyxel {

/// One mistake of an input and its place.
struct Problem {
  Place place;
  std::string message;
};

/// Several mistakes at once: what() has a line for each, in the order of the file, and their
/// number.
class InputErrors : public InputError {
 public:
  explicit InputErrors(std::vector<Problem> problems);

  const std::vector<Problem>& problems() const { return problems_; }

 private:
  std::vector<Problem> problems_;
};

/// What an error is about: the mistakes of InputErrors, or the place that stands in front of the
/// message, and the rest of it.
std::vector<Problem> problems_of(const InputError& error);

/// Collects mistakes, so that a reader can go on after one and report all of them together.
class Problems {
 public:
  static constexpr std::size_t most = 1000;

  bool empty() const { return list_.empty(); }
  /// Throws where there are `most`: what is wrong so often needs no longer list.
  void add(const Place& place, const std::string& message);
  void add(const InputError& error);
  /// Calls `check` and keeps what it refuses; false where it refused.
  template <class Check>
  bool attempt(Check&& check) {
    try {
      check();
      return true;
    } catch (const InputError& error) {
      add(error);
      return false;
    }
  }
  /// Throws them, if there is one: an InputError for one, InputErrors for several.
  void raise() const;

 private:
  std::vector<Problem> list_;
};

}  // namespace phyxel
