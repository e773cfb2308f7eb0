#include "fuzz/input.h"
#include "phyxel/scene/read_scene.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace phyxel;
  Scene scene;
  try {
    scene = parse_scene(fuzz::as_text(data, size), "fuzz.toml", "/nowhere");
  } catch (const Error&) {
    return 0;
  }
  // The resolved scene is kept beside the results, to be read again.
  fuzz::require(parse_scene(scene.resolved, "fuzz.toml", "/nowhere").resolved == scene.resolved);
  return 0;
}
