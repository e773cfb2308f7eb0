#pragma once

#include <string>
#include <vector>

#include "phyxel/core/backend.h"
#include "phyxel/core/error.h"

// The little that tests need to run a function on the device, for nvcc only.

namespace phyxel::test {

inline void check(cudaError_t status, const char* what) {
  if (status != cudaSuccess) throw Error(std::string(what) + ": " + cudaGetErrorString(status));
}

template <class T>
struct DeviceArray {
  explicit DeviceArray(std::size_t n) { check(cudaMalloc(&data, n * sizeof(T)), "cudaMalloc"); }
  ~DeviceArray() { cudaFree(data); }
  DeviceArray(const DeviceArray&) = delete;
  DeviceArray& operator=(const DeviceArray&) = delete;

  void copy_from(const T* host, std::size_t n) const {
    check(cudaMemcpy(data, host, n * sizeof(T), cudaMemcpyHostToDevice), "copy to the device");
  }
  std::vector<T> values(std::size_t n) const {
    std::vector<T> host(n);
    check(cudaMemcpy(host.data(), data, n * sizeof(T), cudaMemcpyDeviceToHost),
          "copy from the device");
    return host;
  }

  T* data = nullptr;
};

template <class F>
__global__ void call_for_each(Index n, F f) {
  const Index i = static_cast<Index>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < n) f(i);
}

/// f(i) for i below n.
template <class F>
void run_on_device(Index n, F f) {
  call_for_each<<<(n + 127) / 128, 128>>>(n, f);
  check(cudaGetLastError(), "launch");
}

}  // namespace phyxel::test
