#include "phyxel/methods/lattice/pass_kernels.h"

namespace phyxel::lattice {

inline namespace PHYXEL_BACKEND {

template void Passes<3>::pack_particles(const Exec&, const StepView<3>&);
template Real Passes<3>::move_particles(const Exec&, const StepView<3>&, Real);

}  // namespace PHYXEL_BACKEND

}  // namespace phyxel::lattice
