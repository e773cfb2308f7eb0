#pragma once

#include <cub/block/block_reduce.cuh>
#include <type_traits>
#include <utility>

#include "phyxel/core/exec.h"

// Loops on a GPU. Included by exec.h only. Loops return when their kernels are started; a reduction
// waits, because the host needs its result. With timers every loop waits, so that times belong to
// the loop that took them.

namespace phyxel {

namespace detail {

/// Short loops wait for memory more than they compute: small blocks spread them over the whole GPU.
inline int block_size(Index n) {
  return n < (1 << 16) ? 64 : 256;
}

// Kernels read a loop's body where the launch has put it (__grid_constant__): the body passes its
// views by reference, for which every thread would otherwise make a copy in its own memory.

template <class F>
__global__ void run_kernel(Index n, const __grid_constant__ F f) {
  const std::int64_t i = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < n) f(static_cast<Index>(i));
}

template <class F>
void start(Index n, const F& f) {
  const int block = block_size(n);
  run_kernel<<<(n - 1) / block + 1, block>>>(n, f);
}

inline void finish_loop(const Exec& exec, const char* name) {
  device::check_launch(name);
  if (exec.timers) device::wait(name);
}

constexpr int reduce_block = 128;

/// A thread for each value, which may take long to compute. Each block reduces its values, and the
/// one that ends last the results of all blocks: one launch. Orders depend on n only.
template <class T, class F, class Combine>
__global__ void reduce_kernel(Index n, T identity, const __grid_constant__ F f,
                              const Combine combine, T* of_blocks, unsigned* ended, T* result) {
  using BlockReduce = cub::BlockReduce<T, reduce_block>;
  __shared__ typename BlockReduce::TempStorage shared;
  __shared__ bool is_last;
  const Index i = static_cast<Index>(blockIdx.x) * reduce_block + static_cast<Index>(threadIdx.x);
  T value = identity;
  if (i < n) value = f(i);
  value = BlockReduce(shared).Reduce(value, combine);
  if (threadIdx.x == 0) {
    of_blocks[blockIdx.x] = value;
    __threadfence();
    is_last = atomicAdd(ended, 1u) == gridDim.x - 1;
  }
  __syncthreads();
  if (!is_last) return;
  __threadfence();
  value = identity;
#pragma unroll 8
  for (unsigned block = threadIdx.x; block < gridDim.x; block += reduce_block)
    value = combine(value, of_blocks[block]);
  value = BlockReduce(shared).Reduce(value, combine);
  if (threadIdx.x != 0) return;
  *result = value;
  *ended = 0;
}

template <class T, class F, class Combine>
T reduce_all(const char* name, Index n, T identity, const F& f, const Combine& combine) {
  static_assert(std::is_trivially_copyable_v<T> && sizeof(T) <= device::reply_bytes);
  const Index blocks = (n - 1) / reduce_block + 1;
  const device::Reply reply = device::reply();
  reduce_kernel<<<blocks, reduce_block>>>(n, identity, f, combine,
                                          static_cast<T*>(device::scratch(blocks * sizeof(T))),
                                          reply.counter, static_cast<T*>(reply.on_device));
  device::check_launch(name);
  device::wait(name);
  return *static_cast<const T*>(reply.on_host);
}

}  // namespace detail

inline namespace PHYXEL_BACKEND {

template <class F>
void for_each(const Exec& exec, const char* name, Index n, const F& f) {
  if (n <= 0) return;
  const TimerScope scope(exec.timers, name);
  detail::start(n, f);
  detail::finish_loop(exec, name);
}

/// The order of additions depends on n only: the same bits from run to run.
template <class T, class F, class Combine>
T reduce(const Exec& exec, const char* name, Index n, T identity, const F& f,
         const Combine& combine) {
  if (n <= 0) return identity;
  const TimerScope scope(exec.timers, name);
  return detail::reduce_all(name, n, identity, f, combine);
}

}  // namespace PHYXEL_BACKEND

}  // namespace phyxel
