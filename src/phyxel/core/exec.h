#pragma once

#include <cstdint>
#include <functional>

#include "phyxel/core/backend.h"
#include "phyxel/core/column.h"
#include "phyxel/core/timer.h"

// The only place that uses threads and GPUs. Every loop has a name: it is timer, trace label and
// place in error messages. Results never depend on the number of threads: work is cut into pieces
// of a fixed size and pieces are combined in a fixed order. A kernel file is compiled once against
// exec_cpu.h and, where there is nvcc, once against exec_cuda.h; both offer the same functions:
//
//   for_each(exec, name, n, f)                    f(i) for all i
//   reduce(exec, name, n, identity, f, combine)   one value of all f(i); combine is a plain functor
//   reduce_sum, reduce_max
//   scan, sort_pairs, permute, fill               below

namespace phyxel {

/// Where the kernels of a world run.
enum class Device { cpu, cuda };

/// How loops run. Cheap to copy.
struct Exec {
  Timers* timers = nullptr;  // null: nothing is timed
  Device device = Device::cpu;
};

/// Limits the number of threads while it lives; 0 means all cores.
class ThreadLimit {
 public:
  explicit ThreadLimit(int threads);
  ~ThreadLimit();
  ThreadLimit(const ThreadLimit&) = delete;
  ThreadLimit& operator=(const ThreadLimit&) = delete;

 private:
  struct Impl;
  Impl* impl_;
};

/// Threads that loops use now.
int thread_count();

/// make(i) for i in [0, n), several at a time, and finish(i) for each made one in the order of i,
/// one at a time. At most `at_once` are begun and not finished: i % at_once is the place of what
/// make leaves for finish. Loops within make use the threads that are free. An exception of finish
/// ends all. With one thread, or with timers (which follow one thread), one at a time is made.
void for_each_in_order(const Exec& exec, Index n, Index at_once,
                       const std::function<void(Index)>& make,
                       const std::function<void(Index)>& finish);

}  // namespace phyxel

#ifdef __CUDACC__
#include "phyxel/core/exec_cuda.h"
#else
#include "phyxel/core/exec_cpu.h"
#endif

namespace phyxel {

inline namespace PHYXEL_BACKEND {

struct Sum {
  PHYXEL_FN double operator()(double a, double b) const { return a + b; }
};
struct Larger {
  template <class T>
  PHYXEL_FN T operator()(T a, T b) const {
    return a < b ? b : a;
  }
};

template <class F>
double reduce_sum(const Exec& exec, const char* name, Index n, F&& f) {
  return reduce(exec, name, n, 0.0, std::forward<F>(f), Sum{});
}
template <class T, class F>
T reduce_max(const Exec& exec, const char* name, Index n, T least, F&& f) {
  return reduce(exec, name, n, least, std::forward<F>(f), Larger{});
}

/// Exclusive prefix sum in place; returns the total. Throws where that does not fit an Index.
Index scan(const Exec& exec, const char* name, Column<Index>& values);

/// Scratch space of sort_pairs; kept by the caller, so that nothing is allocated in a step.
struct SortScratch {
  Column<std::uint64_t> first, second;
  Column<Index> counts;
};

/// Stable sort of (key, value) pairs by the lowest `bits` bits of their keys; all higher bits must
/// be equal. Time grows with `bits`.
void sort_pairs(const Exec& exec, const char* name, Column<std::uint64_t>& keys,
                Column<Index>& values, int bits, SortScratch& scratch);

/// column[k] <- column[order[k]] for all k, through `scratch` (kept by the caller: nothing is
/// allocated in a step).
template <class T>
void permute(const Exec& exec, const char* name, Column<T>& column, const Column<Index>& order,
             Column<T>& scratch) {
  scratch.resize(order.size());
  const Index* const from = order.data();
  const T* const source = column.data();
  T* const target = scratch.data();
  for_each(
      exec, name, static_cast<Index>(order.size()),
      PHYXEL_LAMBDA(Index k) { target[k] = source[from[k]]; });
  column.swap(scratch);
}

/// Every element of `column` becomes `value`.
template <class T>
void fill(const Exec& exec, const char* name, Column<T>& column, T value) {
  T* const target = column.data();
  for_each(
      exec, name, static_cast<Index>(column.size()), PHYXEL_LAMBDA(Index k) { target[k] = value; });
}

}  // namespace PHYXEL_BACKEND

}  // namespace phyxel
