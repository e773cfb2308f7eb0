#pragma once

#include <cstring>
#include <vector>

#include "phyxel/core/column.h"

namespace phyxel {

inline namespace PHYXEL_BACKEND {

/// A few values that the host makes anew in every step and kernels read. They are copied only when
/// they have changed: to a GPU that costs as much as a small loop.
template <class T>
class KernelTable {
 public:
  void assign(const std::vector<T>& values) {
    if (same_as_known(values)) return;
    known_ = values;
    phyxel::assign(column_, known_);
  }
  const T* data() const { return column_.data(); }
  std::size_t size() const { return known_.size(); }

 private:
  bool same_as_known(const std::vector<T>& values) const {
    if (values.size() != known_.size()) return false;
    // An empty vector may have a null address, which memcmp does not allow.
    return values.empty() ||
           std::memcmp(values.data(), known_.data(), values.size() * sizeof(T)) == 0;
  }

  std::vector<T> known_;
  Column<T> column_;
};

}  // namespace PHYXEL_BACKEND

}  // namespace phyxel
