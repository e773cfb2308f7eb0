#pragma once

#include <cstddef>
#include <cstdint>
#include <new>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "phyxel/core/mat.h"
#ifdef __CUDACC__
#include "phyxel/core/device_column.h"
#endif

namespace phyxel {

constexpr std::size_t huge_page = std::size_t{2} << 20;

/// Asks the system for huge pages: reading neighbour rows then crosses fewer page boundaries.
void prefer_huge_pages(void* memory, std::size_t bytes);

/// Allocates at cache-line boundaries, for aligned SIMD loads and fast copies, and large columns in
/// huge pages.
template <class T>
struct AlignedAllocator {
  using value_type = T;
  AlignedAllocator() = default;
  template <class U>
  AlignedAllocator(const AlignedAllocator<U>&) {}
  T* allocate(std::size_t n) {
    void* const memory = ::operator new(n * sizeof(T), alignment(n));
    if (is_large(n)) prefer_huge_pages(memory, n * sizeof(T));
    return static_cast<T*>(memory);
  }
  void deallocate(T* p, std::size_t n) { ::operator delete(p, alignment(n)); }
  bool operator==(const AlignedAllocator&) const { return true; }

 private:
  static bool is_large(std::size_t n) { return n * sizeof(T) >= 2 * huge_page; }
  static std::align_val_t alignment(std::size_t n) {
    return std::align_val_t{is_large(n) ? huge_page : 64};
  }
};

/// One attribute of all particles in the memory of the host, contiguous and aligned.
template <class T>
using HostColumn = std::vector<T, AlignedAllocator<T>>;

inline namespace PHYXEL_BACKEND {

/// One attribute of all particles where the kernels of this back end run. Kernels take data().
#ifdef __CUDACC__
template <class T>
using Column = DeviceColumn<T>;  // device_column.h also has assign, copy_to_host and element
#else
template <class T>
using Column = HostColumn<T>;

/// Makes a column hold `values`; nothing is allocated while it is large enough.
template <class T, class Values>
void assign(Column<T>& column, const Values& values) {
  column.assign(values.begin(), values.end());
}

/// Makes `host` hold what `column` holds.
template <class T>
void copy_to_host(const Column<T>& column, HostColumn<T>& host) {
  host = column;
}

/// One element, read on the host; not for loops.
template <class T>
const T& element(const Column<T>& column, std::size_t i) {
  return column[i];
}
#endif

}  // namespace PHYXEL_BACKEND

/// Type of a column's numbers, so that files can be written and read without its C++ type.
enum class NumberType { float32, float64, int32, uint32, uint8, uint64 };

template <class T>
constexpr NumberType number_type() {
  if constexpr (std::is_same_v<T, float>) {
    return NumberType::float32;
  } else if constexpr (std::is_same_v<T, double>) {
    return NumberType::float64;
  } else if constexpr (std::is_same_v<T, std::int32_t>) {
    return NumberType::int32;
  } else if constexpr (std::is_same_v<T, std::uint32_t>) {
    return NumberType::uint32;
  } else if constexpr (std::is_same_v<T, std::uint64_t>) {
    return NumberType::uint64;
  } else {
    static_assert(std::is_same_v<T, std::uint8_t>, "files know no such number type");
    return NumberType::uint8;
  }
}
inline std::size_t size_of(NumberType type) {
  switch (type) {
    case NumberType::float64:
    case NumberType::uint64:
      return 8;
    case NumberType::uint8:
      return 1;
    default:
      return 4;
  }
}

/// A named, typed, non-owning view of a column.
struct ColumnView {
  std::string name;
  std::string unit;  // "" where dimensionless
  NumberType type = NumberType::float32;
  int components = 1;  // 3 for a vector, 9 for a matrix
  void* data = nullptr;
  std::size_t count = 0;  // elements, each of `components` numbers
  bool in_files = true;   // false: only checkpoints keep it

  std::size_t element_size() const { return components * size_of(type); }
};

/// How an element of a column is made of numbers.
template <class T>
struct ElementOf {
  using Number = T;
  static constexpr int components = 1;
};
template <class T, int N>
struct ElementOf<Vec<T, N>> {
  using Number = T;
  static constexpr int components = N;
};
template <class T, int R, int C>
struct ElementOf<Mat<T, R, C>> {
  using Number = T;
  static constexpr int components = R * C;
};

template <class T>
ColumnView view(std::string name, std::string unit, HostColumn<T>& column) {
  return {std::move(name),
          std::move(unit),
          number_type<typename ElementOf<T>::Number>(),
          ElementOf<T>::components,
          column.data(),
          column.size(),
          true};
}

}  // namespace phyxel
