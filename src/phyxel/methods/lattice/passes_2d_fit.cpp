#include "phyxel/methods/lattice/pass_kernels.h"

namespace phyxel::lattice {

inline namespace PHYXEL_BACKEND {

template void Passes<2>::find_near(const Exec&, const StepView<2>&);
template void Passes<2>::clear_assignments(const Exec&, const StepView<2>&);
template bool Passes<2>::fit_lattices(const Exec&, const StepView<2>&, Real);
template void Passes<2>::update_calm(const Exec&, const StepView<2>&, Real);
template void Passes<2>::update_calm_after_search(const Exec&, const StepView<2>&);
template bool Passes<2>::change_phases(const Exec&, const StepView<2>&, Real);

}  // namespace PHYXEL_BACKEND

}  // namespace phyxel::lattice
