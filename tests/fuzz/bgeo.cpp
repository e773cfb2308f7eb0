#include "fuzz/input.h"
#include "phyxel/io/points.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace phyxel;
  return fuzz::answers([&] { fuzz::check(parse_bgeo(fuzz::as_text(data, size), "fuzz.bgeo")); });
}
