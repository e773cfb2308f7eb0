#pragma once

#include <algorithm>
#include <array>
#include <optional>
#include <type_traits>
#include <utility>

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

/// A borrowed body(first, last): a std::function that owns nothing and allocates nothing.
class PieceBody {
 public:
  template <class F>
  PieceBody(const F& f)
      : object_(&f), call_([](const void* object, Index first, Index last) {
          (*static_cast<const F*>(object))(first, last);
        }) {}
  void operator()(Index first, Index last) const { call_(object_, first, last); }

 private:
  const void* object_;
  void (*call_)(const void*, Index, Index);
};

/// body(first, last) over pieces of `piece` items, on all threads.
void parallel_pieces(Index n, Index piece, PieceBody body);

constexpr Index default_piece = 1024;
constexpr Index most_pieces = 256;

/// Items per piece where every piece leaves a result behind: at most `most_pieces` of them, so that
/// the results fit on the stack.
inline Index piece_with_result(Index n) {
  return std::max(default_piece, n / most_pieces + 1);
}

/// f(i) over pieces. A closure of pointers and numbers is copied for each piece: the compiler then
/// knows that no store in the loop changes it, and keeps it in registers.
template <class F>
void loop_pieces(Index n, Index piece, F& f) {
  parallel_pieces(n, piece, [&f](Index first, Index last) {
    std::conditional_t<std::is_trivially_copyable_v<F>, F, F&> g = f;
    for (Index i = first; i < last; ++i) g(i);
  });
}

}  // namespace detail

inline namespace PHYXEL_BACKEND {

/// f(i) for i in [0, n), a task for every `piece` of them: fewer where one i is much work (a row of
/// neighbours). Iterations must not write what another reads.
template <class F>
void for_each(const Exec& exec, const char* name, Index n, F&& f,
              Index piece = detail::default_piece) {
  const TimerScope scope(exec.timers, name);
  detail::loop_pieces(n, piece, f);
}

/// f(i) for i in [0, n) where one call is worth a task of its own (a block, a tile, a file).
template <class F>
void for_each_coarse(const Exec& exec, const char* name, Index n, F&& f) {
  const TimerScope scope(exec.timers, name);
  detail::loop_pieces(n, 1, f);
}

/// combine(... combine(identity, f(0)) ..., f(n-1)), grouped in pieces of a fixed size: same bits
/// on any thread count.
template <class T, class F, class Combine>
T reduce(const Exec& exec, const char* name, Index n, T identity, F&& f, Combine&& combine) {
  const TimerScope scope(exec.timers, name);
  const Index piece = detail::piece_with_result(n);
  std::array<std::optional<T>, detail::most_pieces> partial;
  detail::parallel_pieces(n, piece, [&](Index first, Index last) {
    T sum = identity;
    for (Index i = first; i < last; ++i) sum = combine(sum, f(i));
    partial[first / piece] = sum;
  });
  T sum = identity;
  for (const std::optional<T>& p : partial)
    if (p) sum = combine(sum, *p);
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

/// Exclusive prefix sum in place; returns the total. Throws where that is no Index any more.
Index scan(const Exec& exec, const char* name, Column<Index>& values);

/// What sort_by_key works in; kept by the caller, so that nothing is allocated in a step.
struct SortScratch {
  struct Item {
    std::uint64_t key;
    Index index;
  };
  Column<Item> items, sorted;
  Column<Index> counts;
};

/// Stable sort of `order` by keys[order[k]]. Costs a pass for each byte in which the keys differ.
void sort_by_key(const Exec& exec, const char* name, const Column<std::uint64_t>& keys,
                 Column<Index>& order, SortScratch& scratch);
inline void sort_by_key(const Exec& exec, const char* name, const Column<std::uint64_t>& keys,
                        Column<Index>& order) {
  SortScratch scratch;
  sort_by_key(exec, name, keys, order, scratch);
}

/// column[k] <- column[order[k]] for all k, through `scratch` (kept by the caller: nothing is
/// allocated in a step).
template <class T>
void permute(const Exec& exec, const char* name, Column<T>& column, const Column<Index>& order,
             Column<T>& scratch) {
  scratch.resize(order.size());
  for_each(exec, name, static_cast<Index>(order.size()),
           [&](Index k) { scratch[k] = column[order[k]]; });
  column.swap(scratch);
}
template <class T>
void permute(Column<T>& column, const Column<Index>& order, Column<T>& scratch) {
  permute(Exec{}, "permute", column, order, scratch);
}

}  // namespace PHYXEL_BACKEND

}  // namespace phyxel
