#include "phyxel/core/exec.h"

#include <algorithm>
#include <tbb/global_control.h>
#include <tbb/info.h>
#include <tbb/parallel_for.h>
#include <tbb/parallel_sort.h>
#include <tbb/task_arena.h>

namespace phyxel {

struct ThreadLimit::Impl {
  tbb::global_control control;
};

ThreadLimit::ThreadLimit(int threads)
    : impl_(new Impl{tbb::global_control(
          tbb::global_control::max_allowed_parallelism,
          threads > 0 ? threads : std::max(1, tbb::info::default_concurrency()))}) {}

ThreadLimit::~ThreadLimit() {
  delete impl_;
}

int thread_count() {
  return static_cast<int>(std::min<std::size_t>(
      tbb::global_control::active_value(tbb::global_control::max_allowed_parallelism),
      std::max(1, tbb::this_task_arena::max_concurrency())));
}

namespace detail {

void parallel_pieces(std::size_t n, std::size_t piece,
                     const std::function<void(std::size_t, std::size_t)>& body) {
  const std::size_t count = (n + piece - 1) / piece;
  if (count <= 1) {
    if (n > 0) body(0, n);
    return;
  }
  tbb::parallel_for(std::size_t{0}, count,
                    [&](std::size_t k) { body(k * piece, std::min(n, (k + 1) * piece)); });
}

}  // namespace detail

inline namespace PHYXEL_BACKEND {

Index scan(const Exec& exec, const char* name, Column<Index>& values) {
  const TimerScope scope(exec.timers, name);
  const std::size_t n = values.size(), piece = 16384, count = (n + piece - 1) / piece;
  std::vector<Index> sums(count, 0);
  detail::parallel_pieces(n, piece, [&](std::size_t first, std::size_t last) {
    Index sum = 0;
    for (std::size_t i = first; i < last; ++i) sum += values[i];
    sums[first / piece] = sum;
  });
  Index total = 0;
  for (Index& s : sums) total += std::exchange(s, total);
  detail::parallel_pieces(n, piece, [&](std::size_t first, std::size_t last) {
    Index running = sums[first / piece];
    for (std::size_t i = first; i < last; ++i) running += std::exchange(values[i], running);
  });
  return total;
}

void sort_by_key(const Exec& exec, const char* name, const Column<std::uint64_t>& keys,
                 Column<Index>& order) {
  const TimerScope scope(exec.timers, name);
  // Ties are broken by the index itself, which makes the sort stable for an ascending `order` and
  // the result unique.
  tbb::parallel_sort(order.begin(), order.end(), [&](Index a, Index b) {
    return keys[a] != keys[b] ? keys[a] < keys[b] : a < b;
  });
}

}  // namespace PHYXEL_BACKEND

}  // namespace phyxel
