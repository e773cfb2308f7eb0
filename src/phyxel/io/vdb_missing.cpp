#include "phyxel/core/error.h"
#include "phyxel/io/vdb.h"

// Compiled instead of vdb.cpp where there is no OpenVDB.

namespace phyxel {

bool can_write_vdb() {
  return false;
}

void write_vdb(const std::filesystem::path& path, const Volumes&) {
  throw InputError(
      Place{path.string()},
      "this build has no OpenVDB; install it (Debian: libopenvdb-dev libboost-dev), configure and "
      "build again");
}

}  // namespace phyxel
