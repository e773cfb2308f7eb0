#include "phyxel/core/error.h"
#include "phyxel/io/vdb.h"

// Compiled instead of vdb.cpp where there is no OpenVDB.

namespace phyxel {

bool can_write_vdb() {
  return false;
}

std::string vdb_bytes(const Volumes&, const std::string& shown) {
  throw InputError(Place{shown},
                   "this build has no OpenVDB; install it (Debian: libopenvdb-dev "
                   "libboost-dev), configure and build again");
}

void write_vdb(const std::filesystem::path& path, const Volumes& volumes) {
  vdb_bytes(volumes, path.string());
}

}  // namespace phyxel
