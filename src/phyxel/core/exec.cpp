#include "phyxel/core/exec.h"

#include <algorithm>
#include <atomic>
#include <fmt/format.h>
#include <limits>
#include <numeric>
#include <tbb/global_control.h>
#include <tbb/info.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include "phyxel/core/error.h"

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

ThreadLimit::ThreadLimit(int threads)
    : impl_(new Impl(threads > 0 ? threads : tbb::info::default_concurrency())) {}

ThreadLimit::~ThreadLimit() {
  delete impl_;
}

int thread_count() {
  tbb::task_arena* const arena = limited_arena;
  const int slots = arena ? arena->max_concurrency() : tbb::this_task_arena::max_concurrency();
  return static_cast<int>(std::min<std::size_t>(allowed_parallelism(), std::max(1, slots)));
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

constexpr Index buckets = 256;

/// sorted <- items in the order of the byte at `shift`, equal bytes in the order they come: each
/// piece counts its bytes, then writes its items behind those of smaller bytes and earlier pieces.
void sort_by_byte(SortScratch& scratch, int shift) {
  const Index n = static_cast<Index>(scratch.items.size()),
              piece = std::max<Index>(4096, n / 64 + 1);
  const Index pieces = (n + piece - 1) / piece;
  const auto bucket = [&](Index i) { return (scratch.items[i].key >> shift) % buckets; };
  scratch.counts.assign(pieces * buckets, 0);
  detail::parallel_pieces(n, piece, [&](Index first, Index last) {
    Index* const count = &scratch.counts[first / piece * buckets];
    for (Index i = first; i < last; ++i) ++count[bucket(i)];
  });
  Index start = 0;
  for (Index b = 0; b < buckets; ++b)
    for (Index p = 0; p < pieces; ++p)
      start += std::exchange(scratch.counts[p * buckets + b], start);
  detail::parallel_pieces(n, piece, [&](Index first, Index last) {
    Index* const next = &scratch.counts[first / piece * buckets];
    for (Index i = first; i < last; ++i) scratch.sorted[next[bucket(i)]++] = scratch.items[i];
  });
}

}  // namespace

void sort_by_key(const Exec& exec, const char* name, const Column<std::uint64_t>& keys,
                 Column<Index>& order, SortScratch& scratch) {
  const TimerScope scope(exec.timers, name);
  const Exec quiet;
  const Index n = static_cast<Index>(order.size());
  scratch.items.resize(n);
  scratch.sorted.resize(n);
  const std::uint64_t differ = reduce(
      quiet, "gather", n, std::uint64_t{0},
      [&](Index k) {
        scratch.items[k] = {keys[order[k]], order[k]};
        return keys[order[k]] ^ keys[order[0]];
      },
      [](std::uint64_t a, std::uint64_t b) { return a | b; });
  for (int shift = 0; shift < 64; shift += 8)
    if ((differ >> shift) % buckets != 0) {
      sort_by_byte(scratch, shift);
      scratch.items.swap(scratch.sorted);
    }
  for_each(quiet, "order", n, [&](Index k) { order[k] = scratch.items[k].index; });
}

}  // namespace PHYXEL_BACKEND

}  // namespace phyxel
