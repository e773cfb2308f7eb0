#include "phyxel/methods/lattice/pass_kernels.h"

namespace phyxel::lattice {

inline namespace PHYXEL_BACKEND {

template struct Passes<2>;

}  // namespace PHYXEL_BACKEND

}  // namespace phyxel::lattice
