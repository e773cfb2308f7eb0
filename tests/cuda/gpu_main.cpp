#define DOCTEST_CONFIG_IMPLEMENT
#include <cstdio>
#include <doctest/doctest.h>

#include "phyxel/core/device_memory.h"

int main(int argc, char** argv) {
  if (const std::string problem = phyxel::device::problem(); !problem.empty()) {
    std::printf("skipped: %s\n", problem.c_str());
    return 77;  // SKIP_RETURN_CODE
  }
  std::printf("on %s\n", phyxel::device::description().c_str());
  return doctest::Context(argc, argv).run();
}
