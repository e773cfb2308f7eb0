#pragma once

#include "phyxel/core/column.h"

namespace phyxel {

inline namespace PHYXEL_BACKEND {

/// A column that the host reads and writes as well; see ParticleStore.
template <class T>
class SharedColumn {
 public:
#ifdef __CUDACC__
  Column<T>& for_kernels() {
    if (host_is_newer_) assign(device_, host_);
    host_is_newer_ = false;
    host_is_current_ = false;
    return device_;
  }
  HostColumn<T>& for_host() {
    if (!host_is_current_) copy_to_host(device_, host_);
    host_is_current_ = host_is_newer_ = true;
    return host_;
  }
  void shrink_to_fit() {
    device_.shrink_to_fit();
    host_.shrink_to_fit();
  }

 private:
  Column<T> device_;
  HostColumn<T> host_;
  bool host_is_newer_ = true, host_is_current_ = true;
#else
  Column<T>& for_kernels() {
    return column_;
  }
  HostColumn<T>& for_host() {
    return column_;
  }
  void shrink_to_fit() {
    column_.shrink_to_fit();
  }

 private:
  Column<T> column_;
#endif
};

}  // namespace PHYXEL_BACKEND

}  // namespace phyxel
