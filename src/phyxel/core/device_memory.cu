#include <cuda_runtime.h>

#include "phyxel/core/device_memory.h"
#include "phyxel/core/error.h"

namespace phyxel::device {

namespace {

void check(cudaError_t status, const std::string& what) {
  if (status != cudaSuccess) throw Error("cuda: " + what + ": " + cudaGetErrorString(status));
}

std::string megabytes(std::size_t bytes) {
  return std::to_string((bytes + 500000) / 1000000) + " MB";
}

[[noreturn]] void refuse(std::size_t bytes) {
  std::size_t free_bytes = 0, total = 0;
  cudaMemGetInfo(&free_bytes, &total);
  throw Error("cuda: the GPU's memory is full: " + megabytes(bytes) + " wanted, " +
              megabytes(free_bytes) + " of " + megabytes(total) +
              " free; enlarge the spacing, or run with --device cpu");
}

struct Scratch {
  void* memory = nullptr;
  std::size_t bytes = 0;
};
Scratch kept;

/// A page that the GPU writes and the host reads in place: quicker than a copy of a few bytes.
Reply make_reply() {
  void* host = nullptr;
  check(cudaHostAlloc(&host, reply_bytes, cudaHostAllocMapped), "cannot allocate a page to share");
  void* on_device = nullptr;
  check(cudaHostGetDevicePointer(&on_device, host, 0), "cannot share a page");
  auto* const counter = static_cast<unsigned*>(allocate(sizeof(unsigned)));
  zero(counter, sizeof(unsigned));
  return {on_device, host, counter};
}

std::string why_not() {
  int count = 0;
  const cudaError_t status = cudaGetDeviceCount(&count);
  cudaGetLastError();  // clear it: it is reported here
  if (status == cudaErrorInsufficientDriver)
    return "the NVIDIA driver is missing or older than the CUDA version of this build";
  if (status != cudaSuccess) return cudaGetErrorString(status);
  if (count == 0) return "there is no CUDA GPU in this machine";
  const cudaError_t started = cudaFree(nullptr);
  cudaGetLastError();
  return started == cudaSuccess ? "" : cudaGetErrorString(started);
}

}  // namespace

std::string problem() {
  const std::string why = why_not();
  return why.empty() ? "" : why + "; run with --device cpu";
}

std::string description() {
  cudaDeviceProp p{};
  check(cudaGetDeviceProperties(&p, 0), "cannot ask the GPU for its name");
  return std::string(p.name) + ", " + megabytes(p.totalGlobalMem);
}

std::size_t bytes_in_use() {
  std::size_t free_bytes = 0, total = 0;
  check(cudaMemGetInfo(&free_bytes, &total), "cannot ask the GPU for its memory");
  return total - free_bytes;
}

void* allocate(std::size_t bytes) {
  void* memory = nullptr;
  const cudaError_t status = cudaMalloc(&memory, bytes > 0 ? bytes : 1);
  if (status == cudaErrorMemoryAllocation) {
    cudaGetLastError();
    refuse(bytes);
  }
  check(status, "cannot allocate " + megabytes(bytes));
  return memory;
}

void free(void* memory) noexcept {
  cudaFree(memory);
}

void zero(void* memory, std::size_t bytes) {
  check(cudaMemsetAsync(memory, 0, bytes), "cannot clear memory");
}

void copy(void* to, const void* from, std::size_t bytes) {
  check(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToDevice), "cannot copy");
}

void copy_from_host(void* to, const void* from, std::size_t bytes) {
  check(cudaMemcpyAsync(to, from, bytes, cudaMemcpyHostToDevice), "cannot copy to the GPU");
}

void copy_to_host(void* to, const void* from, std::size_t bytes) {
  check(cudaMemcpy(to, from, bytes, cudaMemcpyDeviceToHost), "cannot copy from the GPU");
}

void wait(const char* what) {
  check(cudaDeviceSynchronize(), what);
}

void check_launch(const char* what) {
  check(cudaGetLastError(), what);
}

void* scratch(std::size_t bytes) {
  if (bytes > kept.bytes) {
    device::free(kept.memory);
    kept = {};
    kept.memory = allocate(bytes + bytes / 4);
    kept.bytes = bytes + bytes / 4;
  }
  return kept.memory;
}

Reply reply() {
  static const Reply kept_reply = make_reply();
  return kept_reply;
}

}  // namespace phyxel::device
