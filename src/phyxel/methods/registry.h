#pragma once

#include <memory>
#include <string>
#include <vector>

#include "phyxel/core/exec.h"

namespace phyxel {

class Method;       // method.h
struct MethodInfo;  // method_info.h

/// All methods, in the order in which they are listed to users: those of the library first.
const std::vector<MethodInfo>& method_registry();

/// Adds a method of the program that uses the library, so that scenes can name it. Throws Error
/// where the name is taken, a required part is missing, or the list is in use already: call it
/// before the first scene is read.
void add_method(MethodInfo info);

/// Null when there is no such method.
const MethodInfo* find_method(const std::string& name);

std::vector<std::string> method_names();

/// A solver whose kernels run on `device`. Throws InputError where the method or this build does
/// not run there.
std::unique_ptr<Method> make_method(const MethodInfo& info, Device device);

}  // namespace phyxel
