#include "phyxel/matter/contact_shell.h"

#include "phyxel/methods/method_info.h"
#include "phyxel/methods/registry.h"

namespace phyxel {

namespace {

/// A number of a material's parameters, or 0 where it is absent.
double number_of(const Fields& fields, const std::string& name) {
  for (const Parameter& p : fields.list)
    if (Real* const* const value = std::get_if<Real*>(&p.value); value && p.name == name)
      return is_given(**value) ? double(**value) : 0;
  return 0;
}

/// How much a material resists being pressed, Pa, from the parameters that methods share by name.
Real modulus_of(Material material) {
  const MethodInfo* const method = find_method(material.method);
  if (!method) return 0;
  Fields fields;
  method->describe(fields, material.parameters);
  const double sound = number_of(fields, "sound_speed");
  for (const double modulus :
       {number_of(fields, "youngs_modulus"), number_of(fields, "bulk_modulus"),
        double(material.density) * sound * sound})
    if (modulus > 0) return static_cast<Real>(modulus);
  return 0;
}

}  // namespace

ContactShell Method::contact_shell(const Environment& environment) {
  std::vector<Real> modulus;
  for (const Material& material : environment.materials) modulus.push_back(modulus_of(material));
  ContactShell shell = balls_of(particles(), environment, modulus);
  find_surface(environment, shell);
  return shell;
}

}  // namespace phyxel
