#pragma once

#include <cub/device/device_reduce.cuh>
#include <thrust/iterator/counting_iterator.h>
#include <type_traits>
#include <utility>

#include "phyxel/core/exec.h"

// Loops on a GPU. Included by exec.h only. Kernels are started and not waited for; a reduction
// waits, because its result is wanted on the host. With timers every loop is waited for, so that
// times belong to the loop that took them.

namespace phyxel {

namespace detail {

constexpr int block_size = 256;

template <class F>
__global__ void run_kernel(Index n, const F f) {
  const std::int64_t i = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < n) f(static_cast<Index>(i));
}

/// Tells the result type of a device lambda, which the host cannot find out.
template <class T, class F>
struct Call {
  F f;
  __device__ T operator()(Index i) const { return f(i); }
};

inline void finish_loop(const Exec& exec, const char* name) {
  device::check_launch(name);
  if (exec.timers) device::wait(name);
}

}  // namespace detail

inline namespace PHYXEL_BACKEND {

template <class F>
void for_each(const Exec& exec, const char* name, Index n, const F& f) {
  if (n <= 0) return;
  const TimerScope scope(exec.timers, name);
  const int blocks = (n - 1) / detail::block_size + 1;
  detail::run_kernel<<<blocks, detail::block_size>>>(n, f);
  detail::finish_loop(exec, name);
}

/// CUB adds in an order that depends on n and the GPU only: the same bits from run to run.
template <class T, class F, class Combine>
T reduce(const Exec& exec, const char* name, Index n, T identity, const F& f,
         const Combine& combine) {
  if (n <= 0) return identity;
  const TimerScope scope(exec.timers, name);
  const detail::Call<T, F> call{f};
  const thrust::counting_iterator<Index> indices(0);
  std::size_t bytes = 0;
  constexpr std::size_t room = (sizeof(T) + 255) / 256 * 256;
  cub::DeviceReduce::TransformReduce(nullptr, bytes, indices, static_cast<T*>(nullptr), n, combine,
                                     call, identity);
  char* const memory = static_cast<char*>(device::scratch(bytes + room));
  T* const result = reinterpret_cast<T*>(memory);
  cub::DeviceReduce::TransformReduce(memory + room, bytes, indices, result, n, combine, call,
                                     identity);
  device::check_launch(name);
  T value = identity;
  device::copy_to_host(&value, result, sizeof(T));
  return value;
}

}  // namespace PHYXEL_BACKEND

}  // namespace phyxel
