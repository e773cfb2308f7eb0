#include "phyxel/methods/lattice/pass_kernels.h"

namespace phyxel::lattice {

inline namespace PHYXEL_BACKEND {

template void Passes<2>::find_pressures(const Exec&, const StepView<2>&);
template Extremes Passes<2>::apply_forces(const Exec&, const StepView<2>&, Real);

}  // namespace PHYXEL_BACKEND

}  // namespace phyxel::lattice
