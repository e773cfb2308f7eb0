#include "phyxel/core/error.h"
#include "phyxel/surfaces/decimate.h"

// Compiled instead of decimate.cpp where there is no OpenMesh.

namespace phyxel {

bool can_decimate() {
  return false;
}

void decimate(SurfaceMesh&, double) {
  throw InputError(
      "decimate: this build has no OpenMesh; install it (Debian: libopenmesh-dev), "
      "configure and build again");
}

}  // namespace phyxel
