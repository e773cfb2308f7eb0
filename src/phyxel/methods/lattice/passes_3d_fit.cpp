#include "phyxel/methods/lattice/pass_kernels.h"

namespace phyxel::lattice {

inline namespace PHYXEL_BACKEND {

template void Passes<3>::find_near(const Exec&, const StepView<3>&);
template void Passes<3>::clear_assignments(const Exec&, const StepView<3>&);
template bool Passes<3>::fit_lattices(const Exec&, const StepView<3>&, Real);
template void Passes<3>::update_calm(const Exec&, const StepView<3>&, Real);
template void Passes<3>::update_calm_after_search(const Exec&, const StepView<3>&);
template bool Passes<3>::change_phases(const Exec&, const StepView<3>&, Real);

}  // namespace PHYXEL_BACKEND

}  // namespace phyxel::lattice
