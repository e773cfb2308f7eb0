#pragma once

#include <algorithm>
#include <array>
#include <optional>
#include <type_traits>
#include <utility>

#include "phyxel/core/exec.h"

// Loops on the threads of the host. Included by exec.h only.

namespace phyxel {

namespace detail {

/// Non-owning view of body(first, last): a std::function that allocates nothing.
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

/// A closure of pointers and numbers is copied for each piece: the compiler then knows that no
/// store in the loop changes it, and keeps it in registers.
template <class F, class Closure = std::remove_cvref_t<F>>
using PieceCopy =
    std::conditional_t<std::is_trivially_copyable_v<Closure>, const Closure, const Closure&>;

/// f(i) over pieces.
template <class F>
void loop_pieces(Index n, Index piece, F& f) {
  parallel_pieces(n, piece, [&f](Index first, Index last) {
    PieceCopy<F> g = f;
    for (Index i = first; i < last; ++i) g(i);
  });
}

}  // namespace detail

inline namespace PHYXEL_BACKEND {

/// f(i) for i in [0, n). Iterations must not write what another reads.
template <class F>
void for_each(const Exec& exec, const char* name, Index n, F&& f) {
  const TimerScope scope(exec.timers, name);
  detail::loop_pieces(n, detail::default_piece, f);
}

/// f(first, last) over runs of items, which f may process in packs.
template <class F>
void for_runs(const Exec& exec, const char* name, Index n, F&& f) {
  const TimerScope scope(exec.timers, name);
  detail::parallel_pieces(n, detail::default_piece, [&f](Index first, Index last) {
    detail::PieceCopy<F> g = f;
    g(first, last);
  });
}

/// f(i) for i in [0, n) where one call is worth a task of its own (a block, a tile, a file).
template <class F>
void for_each_coarse(const Exec& exec, const char* name, Index n, F&& f) {
  const TimerScope scope(exec.timers, name);
  detail::loop_pieces(n, 1, f);
}

/// combine(... combine(identity, f(0, run)) ..., f(n - rest, n)) over runs of items, which f may
/// process in packs; grouped in pieces of a fixed size: same bits on any thread count.
template <class T, class F, class Combine>
T reduce_runs(const Exec& exec, const char* name, Index n, Index run, T identity, F&& f,
              Combine&& combine) {
  const TimerScope scope(exec.timers, name);
  const Index piece = detail::piece_with_result(n);
  std::array<std::optional<T>, detail::most_pieces> partial;
  detail::parallel_pieces(n, piece, [&](Index first, Index last) {
    detail::PieceCopy<F> g = f;
    T sum = identity;
    for (Index i = first; i < last; i += run) sum = combine(sum, g(i, std::min(i + run, last)));
    partial[first / piece] = sum;
  });
  T sum = identity;
  for (const std::optional<T>& p : partial)
    if (p) sum = combine(sum, *p);
  return sum;
}

/// combine(... combine(identity, f(0)) ..., f(n-1)), grouped as by reduce_runs.
template <class T, class F, class Combine>
T reduce(const Exec& exec, const char* name, Index n, T identity, F&& f, Combine&& combine) {
  return reduce_runs(
      exec, name, n, n, identity,
      [&, f](Index first, Index last) {
        T sum = identity;
        for (Index i = first; i < last; ++i) sum = combine(sum, f(i));
        return sum;
      },
      combine);
}

}  // namespace PHYXEL_BACKEND

}  // namespace phyxel
