#include "phyxel/methods/pbd/balloons.h"

#include <cmath>
#include <fmt/format.h>

#include "phyxel/core/error.h"
#include "phyxel/methods/pbd/closed_surface.h"

namespace phyxel::pbd {

namespace {

/// Triangles of the mesh of a body between its points.
std::vector<Int3> triangles_between_points(const BodyMesh& mesh) {
  std::vector<Int3> triangles = mesh.surface.triangles;
  for (Int3& t : triangles)
    for (int k = 0; k < 3; ++k) t[k] = mesh.point[t[k]];
  return triangles;
}

[[noreturn]] void refuse(const BodySeed& seed, const std::string& why) {
  throw InputError(fmt::format(
      "body.{} encloses no gas, which `pressure` of its material needs: {}, or remove pressure",
      seed.name, why));
}

}  // namespace

void add_balloon(Model& model, const BodySeed& seed, Index first) {
  std::vector<Int3> triangles;
  if (seed.kind == BodyKind::sheet) triangles = triangles_between_points(seed.mesh);
  if (triangles.empty())
    refuse(seed, "it is no shell; give the shape of a closed mesh and fill = \"surface\"");
  if (const std::string why = why_not_closed(triangles, seed.points); !why.empty())
    refuse(seed, why);
  double volume = enclosed_volume(triangles, seed.points);
  if (volume < 0)
    for (Int3& t : triangles) std::swap(t[1], t[2]);
  volume = std::abs(volume);
  const double least = std::pow(double(seed.spacing), 3) / 100;
  if (!(volume > least))
    refuse(seed, fmt::format("its volume of {:.3g} m^3 is below {:.3g}, a hundredth of a cube of "
                             "the spacing; give a mesh with an inside",
                             volume, least));
  for (Int3& t : triangles) t += Int3::filled(first);
  double area = 0;
  for (const Int3& t : triangles)
    area += double(length(
                cross(model.rest[t[1]] - model.rest[t[0]], model.rest[t[2]] - model.rest[t[0]]))) /
            2;
  model.balloons.push_back({seed.material, std::move(triangles), volume, seed.name,
                            std::sqrt(area / (4 * M_PI)), thickness_of(seed), seed.body});
}

void check_pressure(const ClosedBody& balloon, const Material& material) {
  const Parameters& p = parameters_of<Parameters>(material);
  if (!is_given(p.pressure) || p.gas != GasSupply::fixed_pressure) return;
  if (p.elements == Elements::triangles || p.projection == Projection::stiffness) return;
  const bool own = is_given(p.stretch_modulus);
  const double modulus =
      own ? double(p.stretch_modulus) : double(p.youngs_modulus) * balloon.thickness;
  const double limit = 0.75 * modulus / balloon.radius;
  const double above = double(p.pressure) - double(p.ambient_pressure);
  if (above < limit) return;
  throw InputError(fmt::format(
      "material.{}.pressure = {:g} Pa is {:.4g} Pa above ambient_pressure: from {:.4g} Pa on, 3 Y "
      "/ "
      "4 r, the skin of body.{} (Y = {:.4g} N/m, r = {:.3g} m) grows without end; lower it, raise "
      "{}, or set gas = \"fixed_amount\"",
      material.name, double(p.pressure), above, limit, balloon.name, modulus, balloon.radius,
      own ? "stretch_modulus" : "youngs_modulus"));
}

Gas gas_of(const ClosedBody& balloon, const Parameters& p) {
  const double pressure = is_given(p.pressure) ? double(p.pressure) : double(p.ambient_pressure);
  const bool of_amount = p.gas == GasSupply::fixed_amount;
  return {of_amount ? pressure * balloon.volume : pressure, double(p.ambient_pressure), of_amount};
}

}  // namespace phyxel::pbd
