#include <fmt/format.h>

#include "phyxel/core/error.h"
#include "phyxel/scene/body_material.h"
#include "phyxel/scene/presets.h"
#include "phyxel/scene/read_scene.h"
#include "phyxel/scene/reference.h"

namespace phyxel {

namespace {

/// The parameters with their defaults, as comments: a user uncomments what is to change.
std::string parameter_lines(const MethodInfo& method) {
  std::any parameters = method.default_parameters();
  std::string text;
  for (const Parameter& p : described(method, parameters).list) {
    const std::string value = value_text(p);
    const std::string left = fmt::format("# {} = {}", p.name, value.empty() ? "..." : value);
    text += fmt::format("{:<36}# {}{}\n", left, p.unit.empty() ? "" : "[" + p.unit + "] ", p.help);
  }
  return text;
}

}  // namespace

std::string scene_template(const std::string& name, const std::string& method_name) {
  const MethodInfo* method = find_method(method_name);
  if (!method)
    throw InputError(fmt::format("{}: not a method{}; there are: {}", method_name,
                                 suggestion(method_name, method_names()),
                                 fmt::join(method_names(), ", ")));
  if (!is_name(name))
    throw InputError(fmt::format("\"{}\": a name has letters, digits, _ and - only", name));
  std::string preset;
  for (const KnownMaterial& p : known_materials())
    if (preset.empty() && p.method == method_name) preset = p.name;
  return fmt::format(R"(# A ball falls on the ground. Run it:    phyxel run {0}.toml
# Look at what it will do:               phyxel check {0}.toml
schema = 1
name = "{0}"
duration = 1.5                      # s
fps = 24

[world]
gravity = [0.0, -9.81, 0.0]         # m/s^2; y is up

[material.stuff]
preset = "{1}"                      # phyxel list materials
method = "{2}"
{3}
[body.ball]
material = "stuff"
shape = {{ type = "sphere", centre = [0.0, 0.6, 0.0], radius = 0.2 }}
spacing = 0.025                     # m between particles: half of it is eight times the work

[collider.ground]
shape = {{ type = "plane", point = [0, 0, 0], normal = [0, 1, 0] }}
friction = 0.4
restitution = 0.5

# [[event]]                         # things may change while it runs
# time = 0.8
# set = {{ "world.gravity" = [0.0, -1.62, 0.0] }}

[render]
colour_by = "speed"
colour_min = 0.0
colour_max = 3.5
)",
                     name, preset, method_name, parameter_lines(*method));
}

}  // namespace phyxel
