#include "phyxel/methods/lattice/pass_kernels.h"

namespace phyxel::lattice {

inline namespace PHYXEL_BACKEND {

template void Passes<2>::pack_particles(const Exec&, const StepView<2>&);
template Real Passes<2>::move_particles(const Exec&, const StepView<2>&, Real);

}  // namespace PHYXEL_BACKEND

}  // namespace phyxel::lattice
