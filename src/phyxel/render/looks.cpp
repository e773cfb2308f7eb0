#include "phyxel/render/looks.h"

#include <fmt/format.h>
#include <ranges>

#include "phyxel/core/error.h"

namespace phyxel::render {
namespace {

/// Lengths as shares of the body's size.
struct NamedLook {
  std::string name;
  Look look;
};

const std::vector<NamedLook>& looks() {
  using enum Interior;
  static const std::vector<NamedLook> all = {
      {"matte", {{0.8f, 0.1f}, {}}},
      {"glossy", {{0.35f, 1}, {}}},
      // Sheets let light through: sheen and through are the last two numbers.
      {"cloth", {{0.9f, 0, opaque, 0, 0, 1.33f, 0.5f, 0.15f}, {}}},
      {"velvet", {{0.9f, 0, opaque, 0, 0, 1.33f, 1, 0}, {}}},
      {"silk", {{0.42f, 1, opaque, 0, 0, 1.33f, 0.25f, 0.25f}, {}}},
      {"paper", {{0.75f, 0.3f, opaque, 0, 0, 1.33f, 0, 0.3f}, Colour{0.86f, 0.84f, 0.80f}}},
      {"rubber", {{0.3f, 0.8f, opaque, 0, 0, 1.33f, 0, 0.2f}, {}}},
      {"metal", {{0.25f, 1, metal}, Colour{0.62f, 0.63f, 0.65f}}},
      // Snow scatters at once and absorbs almost nothing; wax lets light farther in.
      {"snow", {{0.7f, 0.2f, translucent, Real(0.004)}, Colour{0.76f, 0.80f, 0.86f}}},
      {"wax", {{0.4f, 0.9f, translucent, Real(0.02)}, Colour{0.78f, 0.50f, 0.22f}}},
      {"water", {{0.02f, 1, clear, Real(0.6), 0, 1.33f}, Colour{0.55f, 0.82f, 0.90f}}},
      {"gel", {{0.12f, 1, clear, Real(0.35), Real(0.7), 1.36f}, Colour{0.42f, 0.74f, 0.60f}}},
      {"glass", {{0.02f, 1, clear, Real(1), 0, 1.5f}, Colour{0.70f, 0.88f, 0.82f}}},
  };
  return all;
}

}  // namespace

const std::vector<std::string>& look_names() {
  static const auto names = looks() | std::views::transform(&NamedLook::name);
  static const std::vector<std::string> list(names.begin(), names.end());
  return list;
}

Look find_look(const std::string& name, Real size) {
  for (const NamedLook& l : looks()) {
    if (l.name != name) continue;
    Look look = l.look;
    look.finish.depth *= size;
    look.finish.haze *= size;
    return look;
  }
  throw InputError(fmt::format("\"{}\" is not a look{}; there are: {}", name,
                               suggestion(name, look_names()), fmt::join(look_names(), ", ")));
}

Finish for_particles(Finish finish) {
  if (finish.interior == Interior::clear) finish.roughness = std::max(finish.roughness, 0.1f);
  if (finish.interior != Interior::metal) finish.interior = Interior::opaque;
  finish.through = 0;
  return finish;
}

}  // namespace phyxel::render
