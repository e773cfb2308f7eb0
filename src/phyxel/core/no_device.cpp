#include "phyxel/core/device.h"

namespace phyxel::device {

std::string problem() {
  return "this build has no CUDA back end; where the CUDA toolkit is installed, scripts/build cuda "
         "makes one";
}

std::size_t bytes_in_use() {
  return 0;
}

}  // namespace phyxel::device
