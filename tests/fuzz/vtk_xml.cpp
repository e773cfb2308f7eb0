#include "fuzz/input.h"
#include "phyxel/io/vtk.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace phyxel;
  return fuzz::answers([&] { fuzz::check(parse_vtk_xml(fuzz::as_text(data, size), "fuzz.vtp")); });
}
