#pragma once

#include <cstdint>

// A kernel file is compiled once per back end: by the host compiler (cpu) and by nvcc (cuda). The
// annotations are empty on the CPU, so that loops inline and vectorise there. Each back end lives
// in its own inline namespace, which keeps the two compilations of one file apart at link time.
// PHYXEL_INLINE is for parts of a hot loop that the compiler would otherwise call.
// PHYXEL_FN_APART is for large functions: compiled once, so that small ones around them inline and
// all callers see the same bits.
#ifdef __CUDACC__
#define PHYXEL_FN __host__ __device__ inline
#define PHYXEL_INLINE __host__ __device__ __forceinline__
#define PHYXEL_FN_APART __host__ __device__ __noinline__ inline
#define PHYXEL_LAMBDA [=] __device__
#define PHYXEL_BACKEND cuda
#else
#define PHYXEL_FN inline
#define PHYXEL_INLINE [[gnu::always_inline]] inline
#define PHYXEL_FN_APART [[gnu::noinline]] inline
#define PHYXEL_LAMBDA [=]
#define PHYXEL_BACKEND cpu
#endif

namespace phyxel {

/// The number type of all state and kernels; double with -DPHYXEL_DOUBLE=ON.
#ifdef PHYXEL_DOUBLE
using Real = double;
#else
using Real = float;
#endif

/// Index of a particle, cell or neighbour entry.
using Index = std::int32_t;

/// Stable name of a particle: unchanged by sorting, and never given to another one, even after it
/// was removed.
using ParticleId = std::uint64_t;

}  // namespace phyxel
