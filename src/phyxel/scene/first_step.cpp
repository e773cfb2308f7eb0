#include <algorithm>

#include "phyxel/scene/body_material.h"
#include "phyxel/scene/fail.h"
#include "phyxel/scene/start_checks.h"

namespace phyxel {

namespace {

/// A value of the scene that a short step can be blamed on.
struct Cause {
  std::string path;   // "material.wax.viscosity", or a table
  std::string value;  // " = 1e10", or nothing for a table
};

/// Keys that the words of a reason stand for, the more particular ones first.
const std::vector<std::pair<std::string, std::vector<std::string>>>& keys_of_reasons() {
  static const std::vector<std::pair<std::string, std::vector<std::string>>> list = {
      {"surface tension", {"surface_tension"}},
      {"viscous damping", {"viscous_damping"}},
      {"viscosity", {"viscosity", "pair_viscosity", "state_viscosity"}},
      {"heat", {"conductivity", "convection"}},
      {"vibration",
       {"youngs_modulus", "stiffness", "dissociation_energy", "state_stiffness", "obstacle_alpha",
        "obstacle_beta"}},
      {"collider", {"obstacle_alpha", "obstacle_beta", "obstacle_range"}},
      {"pressure waves", {"youngs_modulus", "bulk_modulus"}},
      {"sound", {"sound_speed", "bulk_modulus"}},
      {"Euler", {"youngs_modulus", "dissociation_energy"}},
  };
  return list;
}

std::string text_of(Material material, const std::string& key) {
  Fields fields = described_whole(material);
  const Parameter* const parameter = fields.find(key);
  return parameter ? " = " + value_text(*parameter) : "";
}

/// The first of the keys that the scene gives for a material, or nothing.
std::string given_key(const Scene& scene, const Material& material,
                      const std::vector<std::string>& keys) {
  for (const std::string& key : keys)
    if (scene.places.contains("material." + material.name + "." + key)) return key;
  return "";
}

Cause cause_in(const Scene& scene, const Material& material, const std::string& reason) {
  const std::string table = "material." + material.name;
  for (const auto& [word, keys] : keys_of_reasons())
    if (reason.find(word) != reason.npos)
      if (const std::string key = given_key(scene, material, keys); !key.empty())
        return {table + "." + key, text_of(material, key)};
  return {table, ""};
}

/// The fastest body, where the reason is its speed.
Cause fastest_body(const Scene& scene) {
  const auto speed = [](const BodySpec& b) { return length_squared(b.velocity); };
  const BodySpec& body = *std::max_element(scene.bodies.begin(), scene.bodies.end(),
                                           [&](auto& a, auto& b) { return speed(a) < speed(b); });
  const Vec3& v = body.velocity;
  if (speed(body) == 0) return {body.path(), ""};
  return {body.path() + ".velocity", fmt::format(" = [{:.7g}, {:.7g}, {:.7g}]", v[0], v[1], v[2])};
}

Cause cause_of(World& world, const StableStep& limit) {
  const std::string reason = limit.reason;
  const Scene& scene = world.live;
  if (reason.starts_with("time.")) return {reason, fmt::format(" = {:.7g} s", limit.dt)};
  std::string slowest;
  double least = infinity;
  for (std::size_t m = 0; m < world.methods.size(); ++m)
    if (const double dt = world.methods[m]->stable_dt(world.environment).dt; dt < least)
      least = dt, slowest = world.method_names[m];
  if (reason.starts_with("the fastest")) return fastest_body(scene);
  Cause cause;
  for (const MaterialSpec& spec : scene.materials)
    if (spec.material.method == slowest) {
      cause = cause_in(scene, spec.material, reason);
      if (!cause.value.empty()) break;
    }
  return cause;
}

}  // namespace

void check_first_step(World& world) {
  const StableStep limit = stable_step(world);
  const Scene& scene = world.live;
  const double frame = 1 / scene.fps, steps = frame / limit.dt;
  if (steps <= most_steps) return;
  const bool own = std::string(limit.reason).starts_with("time.");
  const double safe = limit.dt / scene.time.safety;
  if (!own && frame / safe <= most_steps)
    fail(scene, "time.safety",
         "time.safety = {:.7g} leaves steps of {:.3g} s, {:.1e} for a frame of {:.4g} s; at most "
         "{:.0e} are possible: raise it",
         scene.time.safety, limit.dt, steps, frame, most_steps);
  const Cause cause = cause_of(world, limit);
  fail(scene, cause.path,
       "{}{}: steps must not be longer than {:.3g} s ({}), so that a frame of {:.4g} s takes "
       "{:.1e} of them; at most {:.0e} are possible: {}",
       cause.path, cause.value, limit.dt, limit.reason, frame, steps, most_steps,
       own ? "raise it, or leave it out"
           : "lower that value, or raise the spacing of the particles or fps");
}

void refuse_start(const World& world, const std::string& message) {
  Place place = place_named_in(world.live, message);
  std::string table;
  const std::size_t at = message.find("particle ");
  const char* const digits = at == message.npos ? "" : message.c_str() + at + 9;
  if (place.line == 0 && std::isdigit(static_cast<unsigned char>(*digits))) {
    const auto id = static_cast<ParticleId>(std::strtoull(digits, nullptr, 10));
    for (const auto& method : world.methods) {
      const HostParticles& p = method->particles();
      for (Index i = 0; i < p.size(); ++i)
        if (p.id[i] == id) {
          const BodySpec& body = world.live.bodies[p.body[i]];
          place = body.place;
          table = body.path() + " ";
        }
    }
  }
  if (place.line == 0 && !world.live.bodies.empty()) place = world.live.bodies.front().place;
  const bool finite = message.find("non-finite") == message.npos;
  const bool named = message.starts_with("material.") || message.starts_with("world.");
  fail(place, "{}{}{}{}", table, named ? "" : "at the start: ", message,
       finite ? ""
              : "; numbers of the body, its material or the world are too large or too small "
                "together: bring them nearer to 1");
}

}  // namespace phyxel
