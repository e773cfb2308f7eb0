#include <string>

#include "cuda/pure_functions.h"
#include "phyxel/core/error.h"

namespace phyxel::test {

namespace {

void check(cudaError_t status, const char* what) {
  if (status != cudaSuccess) throw Error(std::string(what) + ": " + cudaGetErrorString(status));
}

template <class T>
struct DeviceArray {
  explicit DeviceArray(std::size_t n) { check(cudaMalloc(&data, n * sizeof(T)), "cudaMalloc"); }
  ~DeviceArray() { cudaFree(data); }
  DeviceArray(const DeviceArray&) = delete;
  DeviceArray& operator=(const DeviceArray&) = delete;

  T* data = nullptr;
};

template <class F>
__global__ void run(Index n, F f) {
  const Index i = static_cast<Index>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < n) f(i);
}

}  // namespace

int device_count() {
  int count = 0;
  return cudaGetDeviceCount(&count) == cudaSuccess ? count : 0;
}

std::vector<Outcome> evaluate_on_device(const std::vector<Sample>& samples) {
  const Index n = static_cast<Index>(samples.size());
  const DeviceArray<Sample> in(n);
  const DeviceArray<Outcome> out(n);
  check(cudaMemcpy(in.data, samples.data(), n * sizeof(Sample), cudaMemcpyHostToDevice),
        "copy to the device");
  const Sample* const from = in.data;
  Outcome* const to = out.data;
  const auto body = PHYXEL_LAMBDA(Index i) {
    to[i] = evaluate(from[i]);
  };
  run<<<(n + 127) / 128, 128>>>(n, body);
  check(cudaGetLastError(), "launch");
  std::vector<Outcome> outcomes(n);
  check(cudaMemcpy(outcomes.data(), out.data, n * sizeof(Outcome), cudaMemcpyDeviceToHost),
        "copy from the device");
  return outcomes;
}

}  // namespace phyxel::test
