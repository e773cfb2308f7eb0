#include <sstream>

#include "fuzz/input.h"
#include "phyxel/scene/read_scene.h"
#include "scene/base_scene.h"

// Lines of what may stand behind --set, put into a small scene.

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace phyxel;
  return fuzz::answers([&] {
    std::istringstream lines{std::string(fuzz::as_text(data, size))};
    std::vector<Override> overrides;
    for (std::string line; std::getline(lines, line);) overrides.push_back(parse_override(line));
    parse_scene(base_scene, "fuzz.toml", "/nowhere", overrides);
  });
}
