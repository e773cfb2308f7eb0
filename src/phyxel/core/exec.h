#pragma once

#include <cstddef>
#include <functional>
#include <utility>
#include <vector>

#include "phyxel/core/backend.h"
#include "phyxel/core/column.h"
#include "phyxel/core/timer.h"

// The only place that knows threads. Every loop has a name: it is timer, trace label and place in
// error messages. Results never depend on the number of threads: work is cut into pieces of a fixed
// size and pieces are combined in a fixed order. Kernel files use these templates only, so that
// nvcc can compile the same files against CUB.

namespace phyxel {

/// How loops run. Cheap to copy.
struct Exec {
  Timers* timers = nullptr;  // null: nothing is timed
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

namespace detail {
/// body(first, last) over pieces of `piece` items, on all threads.
void parallel_pieces(std::size_t n, std::size_t piece,
                     const std::function<void(std::size_t, std::size_t)>& body);
constexpr std::size_t default_piece = 1024;
}  // namespace detail

inline namespace PHYXEL_BACKEND {

/// f(i) for i in [0, n). Iterations must not write what another reads.
template <class F>
void for_each(const Exec& exec, const char* name, Index n, F&& f) {
  const TimerScope scope(exec.timers, name);
  detail::parallel_pieces(n, detail::default_piece, [&](std::size_t first, std::size_t last) {
    for (std::size_t i = first; i < last; ++i) f(static_cast<Index>(i));
  });
}

/// f(i) for i in [0, n) where one call is worth a task of its own (a block, a tile, a file).
template <class F>
void for_each_coarse(const Exec& exec, const char* name, Index n, F&& f) {
  const TimerScope scope(exec.timers, name);
  detail::parallel_pieces(n, 1, [&](std::size_t first, std::size_t last) {
    for (std::size_t i = first; i < last; ++i) f(static_cast<Index>(i));
  });
}

/// combine(... combine(identity, f(0)) ..., f(n-1)), grouped in pieces of a fixed size: same bits
/// on any thread count.
template <class T, class F, class Combine>
T reduce(const Exec& exec, const char* name, Index n, T identity, F&& f, Combine&& combine) {
  const TimerScope scope(exec.timers, name);
  const std::size_t piece = detail::default_piece;
  const std::size_t count = (static_cast<std::size_t>(n) + piece - 1) / piece;
  std::vector<T> partial(count, identity);
  detail::parallel_pieces(n, piece, [&](std::size_t first, std::size_t last) {
    T sum = identity;
    for (std::size_t i = first; i < last; ++i) sum = combine(sum, f(static_cast<Index>(i)));
    partial[first / piece] = sum;
  });
  T sum = identity;
  for (const T& p : partial) sum = combine(sum, p);
  return sum;
}

template <class F>
double reduce_sum(const Exec& exec, const char* name, Index n, F&& f) {
  return reduce(exec, name, n, 0.0, std::forward<F>(f), [](double a, double b) { return a + b; });
}
template <class T, class F>
T reduce_max(const Exec& exec, const char* name, Index n, T least, F&& f) {
  return reduce(exec, name, n, least, std::forward<F>(f), [](T a, T b) { return a < b ? b : a; });
}

/// Exclusive prefix sum in place; returns the total.
Index scan(const Exec& exec, const char* name, Column<Index>& values);

/// Stable sort of `order` by `keys[order[k]]`; keys below 2^`bits`.
void sort_by_key(const Exec& exec, const char* name, const Column<std::uint64_t>& keys,
                 Column<Index>& order);

/// column[k] <- column[order[k]], in parallel.
template <class T>
void permute(const Exec& exec, const char* name, Column<T>& column, const Column<Index>& order,
             Column<T>& scratch) {
  scratch.resize(order.size());
  for_each(exec, name, static_cast<Index>(order.size()),
           [&](Index k) { scratch[k] = column[order[k]]; });
  column.swap(scratch);
}

}  // namespace PHYXEL_BACKEND

}  // namespace phyxel
