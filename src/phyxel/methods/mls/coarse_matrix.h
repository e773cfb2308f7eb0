#pragma once

#include "phyxel/methods/mls/implicit.h"

namespace phyxel::mls {

inline namespace PHYXEL_BACKEND {

/// A_c^-1 of the coarse space, where the one that there is was made for something else. Phyxels
/// that pins hold are held. True where it was made: stresses and gradients of the view are then
/// those of matter at rest.
bool make_coarse_matrix(const Exec& exec, const StepView& view, const StepUse& use,
                        const ImplicitOptions& options, ImplicitSpace& space);

}  // namespace PHYXEL_BACKEND

}  // namespace phyxel::mls
