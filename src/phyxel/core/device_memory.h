#pragma once

#include <cstddef>
#include <string>

#include "phyxel/core/device.h"

// Memory of a GPU, as host code sees it. Everything runs in one order (the default stream); copies
// from and to the host wait for what was started before. Failures throw Error with the operation.

namespace phyxel::device {

/// Name of the GPU, its memory and the like, in words.
std::string description();

void* allocate(std::size_t bytes);
void free(void* memory) noexcept;
void zero(void* memory, std::size_t bytes);
void copy(void* to, const void* from, std::size_t bytes);  // within the device
void copy_from_host(void* to, const void* from, std::size_t bytes);
void copy_to_host(void* to, const void* from, std::size_t bytes);

/// Waits for all that was started.
void wait(const char* what);

/// Throws if starting the kernel `what` failed.
void check_launch(const char* what);

/// Memory for the work of one call, kept and grown; the next call may get the same.
void* scratch(std::size_t bytes);

/// A place where a kernel leaves one value for the host, which reads it after wait(), and a counter
/// that is zero between kernels.
struct Reply {
  void* on_device;
  const void* on_host;
  unsigned* counter;
};
constexpr std::size_t reply_bytes = 256;
Reply reply();

}  // namespace phyxel::device
