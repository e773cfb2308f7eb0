#pragma once

#include <fmt/format.h>

#include "phyxel/scene/scene.h"

namespace phyxel {

/// Throws the message with the place of `path` in front: "file:line:col: message".
[[noreturn]] inline void fail(const Scene& scene, const std::string& path,
                              const std::string& message) {
  throw InputError(scene.place_of(path), message);
}
template <class First, class... Rest>
[[noreturn]] void fail(const Scene& scene, const std::string& path,
                       fmt::format_string<First, Rest...> format, First&& first, Rest&&... rest) {
  fail(scene, path, fmt::format(format, std::forward<First>(first), std::forward<Rest>(rest)...));
}
/// The same for a place that is known.
template <class First, class... Rest>
[[noreturn]] void fail(const Place& place, fmt::format_string<First, Rest...> format, First&& first,
                       Rest&&... rest) {
  throw InputError(place,
                   fmt::format(format, std::forward<First>(first), std::forward<Rest>(rest)...));
}

}  // namespace phyxel
