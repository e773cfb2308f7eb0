#pragma once

#include <cub/device/device_reduce.cuh>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_iterator.h>
#include <type_traits>
#include <utility>

#include "phyxel/core/exec.h"

// Loops on a GPU. Included by exec.h only. Kernels are started and not waited for; a reduction
// waits, because its result is wanted on the host. With timers every loop is waited for, so that
// times belong to the loop that took them.

namespace phyxel {

namespace detail {

/// Short loops wait for memory more than they compute: small blocks spread them over the whole GPU.
inline int block_size(Index n) {
  return n < (1 << 16) ? 64 : 256;
}

template <class F>
__global__ void run_kernel(Index n, const F f) {
  const std::int64_t i = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < n) f(static_cast<Index>(i));
}

template <class F>
void start(Index n, const F& f) {
  const int block = block_size(n);
  run_kernel<<<(n - 1) / block + 1, block>>>(n, f);
}

/// Tells the result type of a device lambda, which the host cannot find out.
template <class T, class F>
struct Call {
  F f;
  __device__ T operator()(Index i) const { return f(i); }
};

/// Keeps the results of a device lambda.
template <class T, class F>
struct Store {
  T* values;
  F f;
  __device__ void operator()(Index i) const { values[i] = f(i); }
};

inline void finish_loop(const Exec& exec, const char* name) {
  device::check_launch(name);
  if (exec.timers) device::wait(name);
}

/// Below this CUB gives many values to each of a few threads, which is slow where a value takes
/// long to find: then a loop with a thread for each of them finds all values first.
constexpr Index least_for_one_pass = 1 << 18;

inline constexpr std::size_t rounded(std::size_t bytes) {
  return (bytes + 255) / 256 * 256;
}

/// Reduces values that `begin` starts to find in the first `room` bytes of scratch memory, or
/// elsewhere: begin(memory) is an iterator.
template <class T, class Begin, class Combine>
T reduce_values(const char* name, Index n, T identity, const Begin& begin, std::size_t room,
                const Combine& combine) {
  const auto reduced = [&](void* memory, std::size_t& bytes, const auto& values, T* result) {
    cub::DeviceReduce::Reduce(memory, bytes, values, result, n, combine, identity);
  };
  std::size_t bytes = 0;
  reduced(nullptr, bytes, begin.nothing(), static_cast<T*>(nullptr));
  char* const memory = static_cast<char*>(device::scratch(room + rounded(sizeof(T)) + bytes));
  T* const result = reinterpret_cast<T*>(memory + room);
  reduced(memory + room + rounded(sizeof(T)), bytes, begin(memory), result);
  device::check_launch(name);
  T value = identity;
  device::copy_to_host(&value, result, sizeof(T));
  return value;
}

/// Values are found while they are reduced.
template <class T, class F>
struct FoundOnTheWay {
  F f;
  auto nothing() const {
    return thrust::make_transform_iterator(thrust::counting_iterator<Index>(0), Call<T, F>{f});
  }
  auto operator()(char*) const { return nothing(); }
};

/// Values are found first, by a thread each.
template <class T, class F>
struct FoundBefore {
  Index n;
  F f;
  const T* nothing() const { return nullptr; }
  const T* operator()(char* memory) const {
    T* const values = reinterpret_cast<T*>(memory);
    start(n, Store<T, F>{values, f});
    return values;
  }
};

}  // namespace detail

inline namespace PHYXEL_BACKEND {

template <class F>
void for_each(const Exec& exec, const char* name, Index n, const F& f) {
  if (n <= 0) return;
  const TimerScope scope(exec.timers, name);
  detail::start(n, f);
  detail::finish_loop(exec, name);
}

/// CUB adds in an order that depends on n and the GPU only: the same bits from run to run.
template <class T, class F, class Combine>
T reduce(const Exec& exec, const char* name, Index n, T identity, const F& f,
         const Combine& combine) {
  if (n <= 0) return identity;
  const TimerScope scope(exec.timers, name);
  if (n >= detail::least_for_one_pass)
    return detail::reduce_values(name, n, identity, detail::FoundOnTheWay<T, F>{f}, 0, combine);
  return detail::reduce_values(name, n, identity, detail::FoundBefore<T, F>{n, f},
                               detail::rounded(n * sizeof(T)), combine);
}

}  // namespace PHYXEL_BACKEND

}  // namespace phyxel
