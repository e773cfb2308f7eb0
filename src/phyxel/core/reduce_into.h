#pragma once

#include "phyxel/core/exec.h"

// A reduction whose result stays where kernels run: the host does not wait for it.

namespace phyxel {

inline namespace PHYXEL_BACKEND {

/// *result = combine(... combine(identity, f(0)) ..., f(n-1)), grouped as by reduce.
template <class T, class F, class Combine>
void reduce_into(const Exec& exec, const char* name, Index n, T identity, const F& f,
                 const Combine& combine, T* result) {
#ifdef __CUDACC__
  static_assert(std::is_trivially_copyable_v<T>);
  if (n <= 0) return;
  const TimerScope scope(exec.timers, name);
  const Index blocks = (n - 1) / phyxel::detail::reduce_block + 1;
  phyxel::detail::reduce_kernel<<<blocks, phyxel::detail::reduce_block>>>(
      n, identity, f, combine, static_cast<T*>(device::scratch(blocks * sizeof(T))),
      device::reply().counter, result);
  phyxel::detail::finish_loop(exec, name);
#else
  *result = reduce(exec, name, n, identity, f, combine);
#endif
}

}  // namespace PHYXEL_BACKEND

}  // namespace phyxel
