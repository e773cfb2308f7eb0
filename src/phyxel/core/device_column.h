#pragma once

#include <type_traits>
#include <utility>

#include "phyxel/core/device_memory.h"

namespace phyxel {

/// A column in the memory of a GPU: what std::vector is for the host, as far as kernels need it.
template <class T>
class DeviceColumn {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  DeviceColumn() = default;
  DeviceColumn(const DeviceColumn& other) { *this = other; }
  DeviceColumn(DeviceColumn&& other) noexcept { swap(other); }
  DeviceColumn& operator=(DeviceColumn&& other) noexcept {
    swap(other);
    return *this;
  }
  DeviceColumn& operator=(const DeviceColumn& other) {
    if (this == &other) return *this;
    discard_and_resize(other.size_);
    if (size_ > 0) device::copy(data_, other.data_, size_ * sizeof(T));
    return *this;
  }
  ~DeviceColumn() { device::free(data_); }

  T* data() { return data_; }
  const T* data() const { return data_; }
  std::size_t size() const { return size_; }

  /// Keeps what is there; new elements are zero.
  void resize(std::size_t n) {
    if (n > capacity_) grow(n);
    if (n > size_) device::zero(data_ + size_, (n - size_) * sizeof(T));
    size_ = n;
  }
  /// Elements are undefined.
  void discard_and_resize(std::size_t n) {
    size_ = 0;
    if (n > capacity_) grow(n);
    size_ = n;
  }
  /// Gives back memory that holds no element.
  void shrink_to_fit() {
    if (capacity_ == size_) return;
    DeviceColumn other(*this);
    swap(other);
  }
  void swap(DeviceColumn& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(size_, other.size_);
    std::swap(capacity_, other.capacity_);
  }

 private:
  void grow(std::size_t n) {
    const std::size_t capacity = capacity_ == 0 ? n : n + n / 8;
    T* const larger = static_cast<T*>(device::allocate(capacity * sizeof(T)));
    if (size_ > 0) device::copy(larger, data_, size_ * sizeof(T));
    device::free(data_);
    data_ = larger;
    capacity_ = capacity;
  }

  T* data_ = nullptr;
  std::size_t size_ = 0, capacity_ = 0;
};

inline namespace cuda {

/// Makes a column hold `values`, which lie side by side on the host.
template <class T, class Values>
void assign(DeviceColumn<T>& column, const Values& values) {
  column.discard_and_resize(values.size());
  if (values.size() > 0)
    device::copy_from_host(column.data(), values.data(), values.size() * sizeof(T));
}

template <class T, class Host>
void copy_to_host(const DeviceColumn<T>& column, Host& host) {
  host.resize(column.size());
  if (column.size() > 0)
    device::copy_to_host(host.data(), column.data(), column.size() * sizeof(T));
}

/// One element, read on the host; not for loops.
template <class T>
T element(const DeviceColumn<T>& column, std::size_t i) {
  T value;
  device::copy_to_host(&value, column.data() + i, sizeof(T));
  return value;
}

}  // namespace cuda

}  // namespace phyxel
