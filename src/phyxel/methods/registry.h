#pragma once

#include <memory>
#include <string>
#include <vector>

#include "phyxel/core/exec.h"

namespace phyxel {

class Method;       // method.h
struct MethodInfo;  // method_info.h

/// All methods, in the order in which they are listed to users.
const std::vector<MethodInfo>& method_registry();

/// Null when there is no such method.
const MethodInfo* find_method(const std::string& name);

std::vector<std::string> method_names();

/// A solver whose kernels run on `device`. Throws InputError where the method or this build does
/// not run there.
std::unique_ptr<Method> make_method(const MethodInfo& info, Device device);

}  // namespace phyxel
