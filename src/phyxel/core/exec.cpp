#include "phyxel/core/exec.h"

#include <algorithm>
#include <atomic>
#include <fmt/format.h>
#include <limits>
#include <numeric>
#include <tbb/global_control.h>
#include <tbb/info.h>
#include <tbb/parallel_for.h>
#include <tbb/parallel_pipeline.h>
#include <tbb/task_arena.h>

#include "phyxel/core/error.h"
#include "phyxel/core/threads.h"

namespace phyxel {

namespace {

/// The arena of the innermost ThreadLimit. TBB's own arena has one slot per core, which would leave
/// a limit above that without effect.
std::atomic<tbb::task_arena*> limited_arena{nullptr};

std::size_t allowed_parallelism() {
  return tbb::global_control::active_value(tbb::global_control::max_allowed_parallelism);
}

template <class F>
void in_arena(const F& f) {
  if (tbb::task_arena* const arena = limited_arena)
    arena->execute(f);
  else
    f();
}

}  // namespace

struct ThreadLimit::Impl {
  explicit Impl(int threads)
      : control(tbb::global_control::max_allowed_parallelism, threads),
        arena(threads),
        outer(limited_arena.exchange(&arena)) {}
  ~Impl() { limited_arena = outer; }

  tbb::global_control control;
  tbb::task_arena arena;
  tbb::task_arena* outer;
};

int scheduler_threads() {
  // TBB starts threads when it has work for them, also when a limit ends, and ends the program
  // where that fails. So it must never try more than the system allows.
  static const int possible = 1 + startable_threads(tbb::info::default_concurrency() - 1);
  static tbb::global_control* const cap [[maybe_unused]] =
      possible < tbb::info::default_concurrency()
          ? new tbb::global_control(tbb::global_control::max_allowed_parallelism, possible)
          : nullptr;  // never deleted: the cap holds to the end
  return possible;
}

ThreadLimit::ThreadLimit(int threads) {
  const int possible = scheduler_threads();
  const int wanted = threads > 0 ? threads : tbb::info::default_concurrency();
  if (wanted > possible) check_startable(wanted);
  impl_ = new Impl(wanted);
}

ThreadLimit::~ThreadLimit() {
  delete impl_;
}

int thread_count() {
  tbb::task_arena* const arena = limited_arena;
  const int slots = arena ? arena->max_concurrency() : tbb::this_task_arena::max_concurrency();
  return static_cast<int>(std::min<std::size_t>(allowed_parallelism(), std::max(1, slots)));
}

int loop_thread() {
  return std::max(0, tbb::this_task_arena::current_thread_index());
}

/// Short loops run on the thread that starts them, which belongs to an arena of its own.
int loop_threads() {
  tbb::task_arena* const arena = limited_arena;
  return std::max(
      {1, tbb::this_task_arena::max_concurrency(), arena ? arena->max_concurrency() : 0});
}

void for_each_in_order(const Exec& exec, Index n, Index at_once,
                       const std::function<void(Index)>& make,
                       const std::function<void(Index)>& finish) {
  if (at_once <= 1 || exec.timers || thread_count() == 1) {
    for (Index i = 0; i < n; ++i) make(i), finish(i);
    return;
  }
  Index next = 0;
  const auto begin = [&](tbb::flow_control& control) {
    if (next == n) control.stop();
    return next == n ? n : next++;
  };
  // Without isolation a thread that waits inside one item would begin another, and be away for
  // long.
  const auto made = [&](Index i) {
    tbb::this_task_arena::isolate([&] { make(i); });
    return i;
  };
  using tbb::filter_mode;
  in_arena([&] {
    tbb::parallel_pipeline(static_cast<std::size_t>(at_once),
                           tbb::make_filter<void, Index>(filter_mode::serial_in_order, begin) &
                               tbb::make_filter<Index, Index>(filter_mode::parallel, made) &
                               tbb::make_filter<Index, void>(filter_mode::serial_in_order, finish));
  });
}

namespace detail {

void parallel_pieces(Index n, Index piece, PieceBody body) {
  if (n <= piece) {
    if (n > 0) body(0, n);
    return;
  }
  const Index count = (n - 1) / piece + 1;
  in_arena([&] {
    tbb::parallel_for(Index{0}, count, [&](Index k) {
      const Index first = k * piece;
      body(first, first + std::min(piece, n - first));
    });
  });
}

}  // namespace detail

inline namespace PHYXEL_BACKEND {

Index scan(const Exec& exec, const char* name, Column<Index>& values) {
  const TimerScope scope(exec.timers, name);
  const Index n = static_cast<Index>(values.size()), piece = detail::piece_with_result(n);
  std::array<std::int64_t, detail::most_pieces> sums{};
  detail::parallel_pieces(n, piece, [&](Index first, Index last) {
    sums[first / piece] =
        std::accumulate(values.begin() + first, values.begin() + last, std::int64_t{0});
  });
  std::int64_t total = 0;
  for (std::int64_t& s : sums) total += std::exchange(s, total);
  if (total > std::numeric_limits<Index>::max())
    throw Error(fmt::format("{}: {} entries, at most {} can be numbered; use fewer particles", name,
                            total, std::numeric_limits<Index>::max()));
  detail::parallel_pieces(n, piece, [&](Index first, Index last) {
    Index running = static_cast<Index>(sums[first / piece]);
    for (Index i = first; i < last; ++i) running += std::exchange(values[i], running);
  });
  return static_cast<Index>(total);
}

namespace {

constexpr int most_digit_bits = 11;

/// Items of one digit: `bits` bits from `shift` on.
struct Digit {
  int shift, bits;
  Index buckets() const { return Index(1) << bits; }
  Index of(std::uint64_t item) const {
    return static_cast<Index>((item >> shift) & ((std::uint64_t{1} << bits) - 1));
  }
};

/// second <- first in the order of a digit, equal digits in the order they come: each piece counts
/// its digits, then writes its items behind those of smaller digits and earlier pieces.
void sort_by_digit(SortScratch& scratch, const Digit& digit) {
  const Index n = static_cast<Index>(scratch.first.size()),
              piece = std::max<Index>(8192, n / 64 + 1);
  const Index pieces = (n + piece - 1) / piece, buckets = digit.buckets();
  scratch.counts.assign(pieces * buckets, 0);
  const std::uint64_t* const from = scratch.first.data();
  std::uint64_t* const to = scratch.second.data();
  Index* const counts = scratch.counts.data();
  detail::parallel_pieces(n, piece, [=](Index first, Index last) {
    Index* const count = counts + first / piece * buckets;
    for (Index i = first; i < last; ++i) ++count[digit.of(from[i])];
  });
  Index start = 0;
  for (Index b = 0; b < buckets; ++b)
    for (Index p = 0; p < pieces; ++p) start += std::exchange(counts[p * buckets + b], start);
  detail::parallel_pieces(n, piece, [=](Index first, Index last) {
    Index* const next = counts + first / piece * buckets;
    for (Index i = first; i < last; ++i) to[next[digit.of(from[i])]++] = from[i];
  });
}

/// Sorts items by `bits` bits from bit 32 on, in digits of about the same width.
void sort_items(SortScratch& scratch, int bits) {
  const int passes = (bits + most_digit_bits - 1) / most_digit_bits;
  for (int pass = 0, done = 0; pass < passes; ++pass) {
    const int width = (bits - done + passes - pass - 1) / (passes - pass);
    sort_by_digit(scratch, {32 + done, width});
    scratch.first.swap(scratch.second);
    done += width;
  }
}

std::uint64_t item(std::uint64_t key, Index value) {
  return key << 32 | static_cast<std::uint32_t>(value);
}

/// Keys of up to 32 bits: an item holds key and value.
void sort_short(Column<std::uint64_t>& keys, Column<Index>& values, int bits,
                SortScratch& scratch) {
  const Index n = static_cast<Index>(keys.size());
  const Exec quiet;
  for_each(quiet, "gather", n, [&](Index k) { scratch.first[k] = item(keys[k], values[k]); });
  sort_items(scratch, bits);
  for_each(quiet, "scatter", n, [&](Index k) {
    keys[k] = scratch.first[k] >> 32;
    values[k] = static_cast<Index>(scratch.first[k]);
  });
}

/// Longer keys: by their lower half, then by their upper half; items hold half a key and the place.
void sort_long(Column<std::uint64_t>& keys, Column<Index>& values, int bits, SortScratch& scratch) {
  const Index n = static_cast<Index>(keys.size());
  const Exec quiet;
  const auto place = [&](Index k) { return static_cast<Index>(scratch.first[k]); };
  for_each(quiet, "gather", n, [&](Index k) { scratch.first[k] = item(keys[k], k); });
  sort_items(scratch, 32);
  for_each(quiet, "gather", n,
           [&](Index k) { scratch.first[k] = item(keys[place(k)] >> 32, place(k)); });
  sort_items(scratch, bits - 32);
  for_each(quiet, "scatter", n, [&](Index k) { scratch.second[k] = keys[place(k)]; });
  keys.swap(scratch.second);
  Column<Index>& sorted = scratch.counts;
  sorted.resize(n);
  for_each(quiet, "scatter", n, [&](Index k) { sorted[k] = values[place(k)]; });
  values.swap(sorted);
}

}  // namespace

void sort_pairs(const Exec& exec, const char* name, Column<std::uint64_t>& keys,
                Column<Index>& values, int bits, SortScratch& scratch) {
  const TimerScope scope(exec.timers, name);
  scratch.first.resize(keys.size());
  scratch.second.resize(keys.size());
  if (bits <= 32)
    sort_short(keys, values, bits, scratch);
  else
    sort_long(keys, values, bits, scratch);
}

}  // namespace PHYXEL_BACKEND

}  // namespace phyxel
