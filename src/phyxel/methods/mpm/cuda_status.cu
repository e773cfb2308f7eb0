#include <bit>
#include <string>

#include "phyxel/core/error.h"
#include "phyxel/methods/mpm/cuda_status.h"

namespace phyxel::mpm {

inline namespace PHYXEL_BACKEND {

namespace {

void check(cudaError_t status, const char* what) {
  if (status != cudaSuccess)
    throw Error(std::string("cuda: ") + what + ": " + cudaGetErrorString(status));
}

}  // namespace

/// Copies of device numbers in pinned host memory, and events that mark their arrival.
struct StatusBoard::Pinned {
  StepStatus* copy = nullptr;  // decisions and limits in turn
  cudaEvent_t event[2 * places] = {};
};

StatusBoard::StatusBoard() : pinned_(new Pinned) {
  const auto made = cudaMallocHost(&pinned_->copy, 2 * places * sizeof(StepStatus));
  check(made, "cannot allocate memory of the host");
  for (cudaEvent_t& event : pinned_->event)
    check(cudaEventCreateWithFlags(&event, cudaEventDisableTiming), "cannot make an event");
}

StatusBoard::~StatusBoard() {
  for (cudaEvent_t event : pinned_->event) cudaEventDestroy(event);
  cudaFreeHost(pinned_->copy);
  delete pinned_;
}

void StatusBoard::clear() {
  const unsigned far = std::bit_cast<unsigned>(16.0f);
  assign(device_, std::vector<StepStatus>(places, StepStatus{0, 0, 0, far, 0}));
}

void StatusBoard::reset(long k) {
  const StepStatus fresh{0, 0, 0, std::bit_cast<unsigned>(16.0f), 0};
  check(cudaMemcpy(on_device(k), &fresh, sizeof fresh, cudaMemcpyHostToDevice), "mpm.status");
}

void StatusBoard::copy(long from, long to) {
  check(
      cudaMemcpyAsync(on_device(to), on_device(from), sizeof(StepStatus), cudaMemcpyDeviceToDevice),
      "mpm.status");
}

void StatusBoard::fetch(long k, int part) {
  const int at = 2 * (k % places) + part;
  check(
      cudaMemcpyAsync(pinned_->copy + at, on_device(k), sizeof(StepStatus), cudaMemcpyDeviceToHost),
      "mpm.status");
  check(cudaEventRecord(pinned_->event[at]), "mpm.status");
}

const StepStatus& StatusBoard::waited(long k, int part) const {
  const int at = 2 * (k % places) + part;
  check(cudaEventSynchronize(pinned_->event[at]), "mpm.status");
  return pinned_->copy[at];
}

void StatusBoard::fetch_decision(long k) {
  fetch(k, 0);
}
void StatusBoard::fetch_limits(long k) {
  fetch(k, 1);
}
const StepStatus& StatusBoard::decision(long k) const {
  return waited(k, 0);
}
const StepStatus& StatusBoard::limits(long k) const {
  return waited(k, 1);
}

}  // namespace PHYXEL_BACKEND

}  // namespace phyxel::mpm
