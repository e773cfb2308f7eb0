#pragma once

#include <cstdint>

#include "phyxel/core/vec.h"

namespace phyxel {

/// Counter-based random numbers: the same (seed, stream, counter) gives the same number, on any
/// thread and device. Philox 4x32 with 10 rounds, Salmon et al. 2011.
struct Random {
  std::uint32_t seed = 1;
  std::uint32_t stream = 0;  // what the numbers are for: one constant per purpose

  struct Four {
    std::uint32_t word[4];
  };

  /// Four random words for the counter (a, b), e.g. (particle id, step).
  PHYXEL_FN Four words(std::uint64_t a, std::uint64_t b = 0) const {
    std::uint32_t c[4] = {static_cast<std::uint32_t>(a), static_cast<std::uint32_t>(a >> 32),
                          static_cast<std::uint32_t>(b), static_cast<std::uint32_t>(b >> 32)};
    std::uint32_t k0 = seed, k1 = stream;
    for (int round = 0; round < 10; ++round) {
      const std::uint64_t p0 = std::uint64_t{0xD2511F53u} * c[0];
      const std::uint64_t p1 = std::uint64_t{0xCD9E8D57u} * c[2];
      const std::uint32_t n0 = static_cast<std::uint32_t>(p1 >> 32) ^ c[1] ^ k0;
      const std::uint32_t n2 = static_cast<std::uint32_t>(p0 >> 32) ^ c[3] ^ k1;
      c[1] = static_cast<std::uint32_t>(p1);
      c[3] = static_cast<std::uint32_t>(p0);
      c[0] = n0;
      c[2] = n2;
      k0 += 0x9E3779B9u;
      k1 += 0xBB67AE85u;
    }
    return {{c[0], c[1], c[2], c[3]}};
  }

  /// Uniform in [0, 1), 24 bits, exact in float.
  PHYXEL_FN static Real unit(std::uint32_t word) {
    return Real(word >> 8) * Real(1.0 / 16777216.0);
  }
  PHYXEL_FN Real uniform(std::uint64_t a, std::uint64_t b = 0) const {
    return unit(words(a, b).word[0]);
  }
  PHYXEL_FN Vec3 uniform3(std::uint64_t a, std::uint64_t b = 0) const {
    const Four w = words(a, b);
    return {unit(w.word[0]), unit(w.word[1]), unit(w.word[2])};
  }
};

}  // namespace phyxel
