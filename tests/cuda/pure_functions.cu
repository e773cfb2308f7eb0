#include "cuda/device_array.h"
#include "cuda/pure_functions.h"

namespace phyxel::test {

int device_count() {
  int count = 0;
  return cudaGetDeviceCount(&count) == cudaSuccess ? count : 0;
}

std::vector<Outcome> evaluate_on_device(const std::vector<Sample>& samples) {
  const Index n = static_cast<Index>(samples.size());
  const DeviceArray<Sample> in(n);
  const DeviceArray<Outcome> out(n);
  in.copy_from(samples.data(), n);
  const Sample* const from = in.data;
  Outcome* const to = out.data;
  run_on_device(
      n, PHYXEL_LAMBDA(Index i) { to[i] = evaluate(from[i]); });
  return out.values(n);
}

}  // namespace phyxel::test
