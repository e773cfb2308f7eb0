#include "phyxel/io/checkpoint.h"

#include "fuzz/input.h"
#include "fuzz/memory_file.h"

// Damaged files: they end at the seal, before HDF5 sees them. checkpoint_content.cpp goes on behind
// it.

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace phyxel;
  static const fuzz::MemoryFile file;
  file.hold(fuzz::as_text(data, size));
  return fuzz::answers([&] { read_checkpoint(file.path); });
}
