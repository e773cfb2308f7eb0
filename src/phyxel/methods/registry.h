#pragma once

#include <string>
#include <vector>

#include "phyxel/methods/method.h"

namespace phyxel {

/// All methods, in the order in which they are listed to users.
const std::vector<MethodInfo>& method_registry();

/// Null when there is no such method.
const MethodInfo* find_method(const std::string& name);

std::vector<std::string> method_names();

/// A solver whose kernels run on `device`. Throws InputError where the method or this build does
/// not run there.
std::unique_ptr<Method> make_method(const MethodInfo& info, Device device);

/// "" when kernels can run on a GPU here, otherwise why not and what to do.
std::string cuda_problem();

/// Memory of the GPU in use, bytes; 0 without one.
std::size_t cuda_bytes_in_use();

}  // namespace phyxel
