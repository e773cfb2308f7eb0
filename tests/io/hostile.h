#pragma once

#include <string>

#include "phyxel/core/error.h"
#include "phyxel/core/random.h"

// Files that are cut off, damaged or wrong: readers must answer with InputError or a valid result.

namespace phyxel {

/// The message of the InputError that f throws; other exceptions pass through.
template <class F>
std::string message_of(F&& f) {
  try {
    f();
  } catch (const InputError& error) {
    return error.what();
  }
  return "no error";
}

inline bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != text.npos;
}

/// f(start of bytes) for many lengths: all near the ends, a spread between. Counts InputErrors.
template <class F>
int count_refused_cuts(const std::string& bytes, F&& f) {
  int refused = 0;
  const std::size_t step = bytes.size() / 500 + 1;
  for (std::size_t n = 0; n < bytes.size(); n += n < 100 || n + 100 > bytes.size() ? 1 : step)
    refused += message_of([&] { f(bytes.substr(0, n)); }) != "no error";
  return refused;
}

/// f(bytes with up to four of them changed), `times` times. Counts InputErrors.
template <class F>
int count_refused_damages(const std::string& bytes, int times, F&& f) {
  int refused = 0;
  const Random random{3, 11};
  for (int k = 0; k < times; ++k) {
    std::string damaged = bytes;
    for (int c = 0; c <= k % 4; ++c) {
      const Random::Four four = random.words(k, c);
      damaged[four.word[0] % damaged.size()] = static_cast<char>(four.word[1]);
    }
    refused += message_of([&] { f(damaged); }) != "no error";
  }
  return refused;
}

}  // namespace phyxel
