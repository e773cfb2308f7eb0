#pragma once

#include "phyxel/methods/method_info.h"

namespace phyxel::springs {

inline namespace PHYXEL_BACKEND {

std::unique_ptr<Method> make_solver();

}  // namespace PHYXEL_BACKEND

/// The method for add_method().
MethodInfo info();

}  // namespace phyxel::springs
