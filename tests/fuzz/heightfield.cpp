#include "phyxel/geometry/heightfield.h"

#include "fuzz/input.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace phyxel;
  return fuzz::answers([&] {
    const std::string text(fuzz::as_text(data, size));
    const auto field = parse_heightfield(text, "fuzz.txt", Vec2{2, 1}, Real(0.5));
    fuzz::require(field->heights.size() == static_cast<std::size_t>(field->nx) * field->nz);
    signed_distance(*field, Vec3{Real(0.3), 0, Real(0.2)});
  });
}
