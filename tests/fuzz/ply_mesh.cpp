#include "fuzz/input.h"
#include "phyxel/io/mesh_read.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace phyxel;
  return fuzz::answers(
      [&] { fuzz::check(parse_textured_ply(fuzz::as_text(data, size), "fuzz.ply").mesh); });
}
