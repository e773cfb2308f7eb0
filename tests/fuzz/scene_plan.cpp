#include "fuzz/input.h"
#include "phyxel/scene/build.h"
#include "phyxel/scene/read_scene.h"

// All that `phyxel check` does: shapes are made and compared, particles counted, but not placed.

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace phyxel;
  return fuzz::answers(
      [&] { plan(parse_scene(fuzz::as_text(data, size), "fuzz.toml", PHYXEL_FUZZ_CORPUS)); });
}
