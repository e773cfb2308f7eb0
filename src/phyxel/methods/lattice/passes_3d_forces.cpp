#include "phyxel/methods/lattice/pass_kernels.h"

namespace phyxel::lattice {

inline namespace PHYXEL_BACKEND {

template void Passes<3>::find_pressures(const Exec&, const StepView<3>&);
template Extremes Passes<3>::apply_forces(const Exec&, const StepView<3>&, Real);

}  // namespace PHYXEL_BACKEND

}  // namespace phyxel::lattice
