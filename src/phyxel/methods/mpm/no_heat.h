#pragma once

#include <map>
#include <string>
#include <vector>

#include "phyxel/methods/method.h"
#include "phyxel/methods/mpm/cuda_stages.h"
#include "phyxel/methods/skeleton/own_columns.h"

namespace phyxel::mpm {

inline namespace PHYXEL_BACKEND {

/// Heat on a back end that has none; Stages::check_support refuses materials that take heat.
/// heat.h has the same functions.
class Heat {
 public:
  void declare(OwnColumns&) {}
  bool is_active() const { return false; }
  void refresh(const Environment&, const std::vector<AnyLaw>&, const std::vector<Real>& density) {
    density_ = density;
  }
  const std::vector<Real>& least_densities() const { return density_; }
  void begin(ParticleStore&, const Points&) {}
  void start(const Environment&, ParticleStore&) {}
  bool change_materials(ParticleStore&, const StepContext&, Stages&) { return false; }
  void advance(const Environment&, ParticleStore&, const StepContext&, Stages&) {}
  StableStep limit() const { return {}; }
  double largest_wave_speed_squared() const { return 0; }
  void save(std::map<std::string, double>&) const {}
  void load(const std::map<std::string, double>&, std::size_t) {}

 private:
  std::vector<Real> density_;
};

}  // namespace PHYXEL_BACKEND

}  // namespace phyxel::mpm
