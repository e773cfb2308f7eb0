#include <algorithm>

#include "phyxel/methods/mls/method.h"

// Matter that melts, flows and becomes solid again.

namespace phyxel::mls {

inline namespace PHYXEL_BACKEND {

namespace {

/// Without latent heat matter melts within a degree.
PHYXEL_FN Real above_melting(const Thermal& t, Real temperature) {
  return clamp(temperature - t.melting_temperature, Real(0), Real(1));
}

}  // namespace

void find_molten(const Exec& exec, const StepView& view, const Thermal* thermal,
                 const double* enthalpy) {
  for_each(
      exec, "mls.melt", view.n, PHYXEL_LAMBDA(Index i) {
        const Thermal& t = thermal[view.material[i]];
        const bool melts = view.solid_of(i).melted_creep > 0;
        view.melted[i] = !melts                          ? Real(0)
                         : enthalpy && t.latent_heat > 0 ? melted_fraction(t, enthalpy[i])
                                                         : above_melting(t, view.temperature[i]);
      });
}

bool some_molten(const Exec& exec, const StepView& view, Index material) {
  return reduce_max(
             exec, "mls.melt", view.n, Index(0), PHYXEL_LAMBDA(Index i) {
               return Index(view.material[i] == material && view.melted[i] > 0);
             }) > 0;
}

void Solver::find_deformations(const Environment& environment) {
  if (!reference_valid_) build_reference(environment);
  pack_places(environment.exec, view(environment));
  find_stresses(environment.exec, view(environment), {});
}
void Solver::absorb_all(const Environment& environment) {
  find_deformations(environment);
  absorb(environment.exec, view(environment));
  reference_valid_ = false;
}

/// Whether the reference shape of a material follows: where it says so, or once some of it has
/// molten, so that solid and liquid parts stay together.
bool Solver::flows_now(const Environment& environment, Index material) {
  const Parameters& p = parameters_of<Parameters>(environment.materials[material]);
  return p.flows || (melts(p) && some_molten(environment.exec, view(environment), material));
}

void Solver::update_flow(const Environment& environment) {
  if (!ever_flowed_) return;
  std::vector<std::uint8_t> now(flows_.size(), 0);
  if (melts_)
    find_molten(environment.exec, view(environment), melting_table_.data(),
                heat_.in_use ? heat_.enthalpy.for_kernels().data() : nullptr);
  for (const Index m : used_) now[m] = flows_now(environment, m);
  if (now == flows_) return;
  std::vector<std::uint8_t> starts(now.size(), 0), stops(now.size(), 0);
  for (std::size_t m = 0; m < now.size(); ++m) {
    starts[m] = now[m] && !flows_[m];
    stops[m] = flows_[m] && !now[m];
  }
  if (std::ranges::find(starts, 1) != starts.end()) start_flowing(environment, starts);
  if (std::ranges::find(stops, 1) != stops.end()) stop_flowing(environment, stops);
  flows_ = now;
  measure_samples(environment);
  rows_valid_ = reference_valid_ = false;
}

/// Objects with matter of these materials absorb the deformation that they have.
void Solver::start_flowing(const Environment& environment,
                           const std::vector<std::uint8_t>& starts) {
  find_deformations(environment);
  measure_energies(environment.exec, view(environment));
  const HostParticles& p = store_.for_reading();
  HostColumn<Index>& object = object_.for_host();
  for (std::size_t i = 0; i < object.size(); ++i)
    if (starts[p.material[i]]) object[i] = flowing_object;
  flowing_ = true;
  refresh_columns();
  absorb(environment.exec, view(environment));
}

/// Flowing matter of these materials keeps its reference shape from now on. Where it was molten the
/// shape is made once more, so that neighbours count that did not while some were solid.
void Solver::stop_flowing(const Environment& environment, const std::vector<std::uint8_t>& stops) {
  if (melts_) absorb_all(environment);
  const HostParticles& p = store_.for_reading();
  ++freezes_;
  HostColumn<Index>& object = object_.for_host();
  HostColumn<Real>& density = rest_density_.for_host();
  for (std::size_t i = 0; i < object.size(); ++i)
    if (object[i] == flowing_object && stops[p.material[i]]) {
      object[i] = flowing_object - freezes_;
      density[i] = 0;
    }
}

}  // namespace PHYXEL_BACKEND

}  // namespace phyxel::mls
