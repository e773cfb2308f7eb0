#include "fuzz/input.h"
#include "phyxel/scene/read_scene.h"
#include "phyxel/scene/to_toml.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace phyxel;
  Scene scene;
  try {
    scene = parse_scene(fuzz::as_text(data, size), "fuzz.toml", "/nowhere");
  } catch (const Error&) {
    return 0;
  }
  // The resolved scene is kept beside the results, to be read again.
  fuzz::require(to_toml(parse_scene(to_toml(scene), "fuzz.toml", "/nowhere")) == to_toml(scene));
  return 0;
}
