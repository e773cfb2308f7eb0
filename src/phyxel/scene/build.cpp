#include "phyxel/scene/build.h"

#include <algorithm>
#include <set>
#include <unordered_map>

#include "phyxel/scene/body_material.h"
#include "phyxel/scene/body_seed.h"
#include "phyxel/scene/emitters.h"
#include "phyxel/scene/fail.h"
#include "phyxel/scene/make_collider.h"
#include "phyxel/scene/make_force_field.h"
#include "phyxel/scene/memory_budget.h"
#include "phyxel/scene/plan_checks.h"
#include "phyxel/scene/read_shape.h"
#include "phyxel/scene/removal.h"
#include "phyxel/scene/start_checks.h"
#include "phyxel/scene/take_reactions.h"
#include "phyxel/scene/timeline.h"
#include "phyxel/scene/to_toml.h"

namespace phyxel {

namespace {

Vec3 mean(const std::vector<Vec3>& points) {
  Vec3d sum = Vec3d::zero();
  for (const Vec3& p : points) sum += cast<double>(p);
  return cast<Real>(sum / std::max<double>(1, points.size()));
}

void append(HostParticles& p, const BodySeed& seed, const BodySpec& body, Real mass) {
  const std::vector<Vec3>& points = seed.points;
  const std::size_t old = p.x.size();
  resize(p, old + points.size());
  const Vec3 centre = mean(points);
  const Vec3 spin = body.angular_velocity * static_cast<Real>(M_PI / 180);
  for (std::size_t k = 0; k < points.size(); ++k) {
    const std::size_t i = old + k;
    p.x[i] = points[k];
    p.v[i] = body.velocity + cross(spin, points[k] - centre);
    p.mass[i] = mass;
    p.temperature[i] = body.temperature;
    p.id[i] = seed.first_id + static_cast<ParticleId>(k);
    p.material[i] = seed.material;
    p.body[i] = seed.body;
  }
}

/// What a particle file says of velocities comes on top of what the scene says of the body.
void add_velocities(const Scene& scene, const BodySpec& body, ShapeFiles& files, HostParticles& p) {
  if (body.shape.type != "particles") return;
  const std::vector<Vec3> velocities = read_shape_velocities(body.shape, files);
  const std::size_t first = p.v.size() - velocities.size();
  for (std::size_t i = 0; i < velocities.size(); ++i) {
    const Vec3& v = velocities[i];
    const bool leaves = scene.dimensions == 2 && v[2] != 0;
    if (leaves || !is_finite(v))
      fail(body.shape.place, "body.{}: point {} of \"{}\" has a velocity that {}", body.name, i,
           body.shape.file, leaves ? "leaves the plane of a flat scene" : "is not finite");
    p.v[first + i] += v;
  }
}

/// Particles inside the shape of a pin belong to it. Those of a body follow each other while the
/// world is made. Returns how many there are.
std::size_t hold(const Shape& shape, Index pin, Index body, HostParticles& p) {
  const auto [first, last] = std::equal_range(p.body.begin(), p.body.end(), body);
  std::size_t held = 0;
  for (auto i = first - p.body.begin(); i < last - p.body.begin(); ++i)
    if (inside(shape, p.x[i])) {
      p.pin[i] = pin;
      ++held;
    }
  return held;
}

Method& method_for(World& world, const std::string& name) {
  for (std::size_t k = 0; k < world.methods.size(); ++k)
    if (world.method_names[k] == name) return *world.methods[k];
  world.methods.push_back(make_method(*find_method(name), world.environment.exec.device));
  world.method_names.push_back(name);
  return *world.methods.back();
}

void add_bodies(World& world, const ScenePlan& planned) {
  Scene& scene = world.live;
  ShapeFiles& files = *planned.files;
  for (std::size_t b = 0; b < scene.bodies.size(); ++b) {
    const BodySpec& body = scene.bodies[b];
    const Index m = material_index(scene, body.material);
    const Material& material = scene.materials[m].material;
    if (body.nozzle) {
      method_for(world, material.method);
      continue;
    }
    BodySeed seed = body_seed(scene, b, world.next_id, files);
    if (seed.points.empty())
      fail(body.place, "body.{} has no particle; lower its spacing", body.name);
    check_filling(scene, body, seed, files);
    Method& method = method_for(world, material.method);
    append(method.particles(), seed, body,
           particle_mass(material, planned.bodies[b].particle_volume));
    add_velocities(scene, body, files, method.particles());
    method.add_body(seed);
    world.next_id += seed.points.size();
    if (!seed.mesh.is_bound()) continue;
    seed.points.clear();  // the frames have them
    world.seeds.push_back(std::move(seed));
  }
}

void add_pins(World& world, ShapeFiles& files) {
  const Scene& scene = world.live;
  for (std::size_t k = 0; k < scene.pins.size(); ++k) {
    const PinSpec& pin = scene.pins[k];
    const Shape shape = make_shape(pin.shape, files);
    std::size_t held = 0;
    for (auto& method : world.methods)
      held += hold(shape, static_cast<Index>(k), body_index(scene, pin.body), method->particles());
    if (held == 0)
      fail(pin.place, "pin.{} holds no particle of body.{}: its shape is elsewhere", pin.name,
           pin.body);
    world.environment.pins.push_back({pin, pin.name, pin.motion, pose_at(pin.motion, 0)});
  }
}

/// A material that only others turn into has their spacing. True where one was found.
bool settle_what_it_becomes(Scene& scene, std::size_t m) {
  const Material from = scene.materials[m].material;
  const MethodInfo& method = *find_method(from.method);
  if (!is_given(from.spacing) || !method.turns_into) return false;
  bool found = false;
  for (const auto& [key, name] : method.turns_into(from)) {
    Material& to = scene.materials[material_index(scene, name)].material;
    if (is_given(to.spacing)) continue;
    to.spacing = from.spacing;
    to.dimensions = from.dimensions;
    if (is_given(to.particle_mass))
      to.density = static_cast<Real>(to.particle_mass /
                                     volume_per_point(Packing::closest, to.spacing, to.dimensions));
    else if (!is_given(to.density))
      to.density = 1000;
    found = true;
  }
  return found;
}

/// Spacing and dimensions reach the materials, and the density where the mass of a particle was
/// said instead. plan() has seen to it that the bodies of a material agree.
void settle_materials(Scene& scene, const ScenePlan& planned) {
  for (std::size_t b = 0; b < scene.bodies.size(); ++b) {
    const BodySpec& body = scene.bodies[b];
    Material& material = scene.materials[material_index(scene, body.material)].material;
    material.spacing = rest_spacing(scene, body);
    material.dimensions = scene.dimensions;
    const double volume = planned.bodies[b].particle_volume;
    if (is_given(material.particle_mass))
      material.density = static_cast<Real>(material.particle_mass / volume);
    else if (!is_given(material.density))
      material.density = 1000;
  }
  for (bool found = true; found;) {
    found = false;
    for (std::size_t m = 0; m < scene.materials.size(); ++m)
      found = settle_what_it_becomes(scene, m) || found;
  }
}

Environment make_environment(const Scene& scene, ShapeFiles& files, const Exec& exec) {
  Environment environment;
  environment.exec = exec;
  environment.dimensions = scene.dimensions;
  environment.seed = static_cast<std::uint32_t>(scene.seed);
  environment.origin = scene.origin;
  environment.colliders = make_colliders(scene, files);
  environment.force_fields = make_force_fields(scene, files, exec.device);
  environment.plane = scene.world.plane;
  if (scene.world.has_domain) {
    environment.box.min = cast<Real>(scene.world.domain_min);
    environment.box.size = cast<Real>(scene.world.domain_max) - environment.box.min;
    for (int k = 0; k < 3; ++k) environment.box.periodic[k] = scene.world.periodic[k];
  }
  return environment;
}

/// Packings come to rest in their own shape before time begins: without gravity, force fields and
/// colliders, cooled at every step.
void settle(World& world, const std::function<bool()>& stopped) {
  Environment calm = world.environment;
  calm.gravity = Vec3::zero();
  calm.colliders.clear();
  calm.force_fields.clear();
  for (auto& method : world.methods) {
    HostParticles& before = method->particles();
    std::unordered_map<ParticleId, Vec3> velocity;
    for (Index i = 0; i < before.size(); ++i) velocity[before.id[i]] = before.v[i];
    std::fill(before.v.begin(), before.v.end(), Vec3::zero());
    method->begin(calm);
    for (double t = 0; t < world.live.time.settle;) {
      if (stopped && stopped()) throw Stopped("stopped while the bodies settled");
      const double dt = std::min(method->stable_dt(calm).dt, world.live.time.settle - t);
      method->step(calm, static_cast<Real>(dt));
      for (Vec3& v : method->particles().v) v *= Real(0.95);
      t += dt;
    }
    HostParticles& p = method->particles();
    for (Index i = 0; i < p.size(); ++i) p.v[i] = velocity[p.id[i]];
    std::map<std::string, double> sums = method->save();
    for (auto& [name, value] : sums) value = 0;
    method->load(sums);
  }
}

/// Carries a change into the methods; what they refuse was written in the scene.
void try_change(World& world) {
  refresh(world);
  try {
    for (auto& method : world.methods) method->begin(world.environment);
  } catch (const Error& error) {
    refuse_start(world, error.what());
  }
}

/// Methods refuse materials only; what else can change was checked as it was read.
bool is_of_material(const std::string& path) {
  return path.starts_with("material.");
}

/// A number for the values that a material has now.
std::size_t state_of(MaterialSpec& spec, Index index) {
  std::string text = fmt::format("{}:", index);
  for (const Parameter& parameter : described_parameters(spec.material).list)
    text += value_text(parameter) + ";";
  return std::hash<std::string>{}(text);
}

/// The values of all materials, as a number that one change alters quickly.
struct MaterialStates {
  std::vector<std::size_t> each = {};
  std::size_t all = 0;

  void note(Scene& scene, Index m) {
    each.resize(scene.materials.size(), 0);
    const std::size_t now = state_of(scene.materials[m], m);
    all ^= each[m] ^ now;
    each[m] = now;
  }
};

/// All events and keys that change materials are tried before time begins: a run must not fail on
/// them after hours. What has been tried is not tried again.
void rehearse(World& world) {
  Scene& live = world.live;
  const std::vector<MaterialSpec> start = live.materials;
  std::set<std::size_t> tried;
  MaterialStates states;
  const auto set = [&](const std::string& path, const ParameterValue& value) {
    if (!is_of_material(path)) return false;
    apply(live, path, value);
    states.note(live, material_index(live, path.substr(9, path.rfind('.') - 9)));
    return true;
  };
  const auto try_at = [&](const Place& place, double time) {
    if (!tried.insert(states.all).second) return;
    try {
      try_change(world);
    } catch (const InputError& error) {
      fail(place, "from t = {:.6g} s on, {}", time, error.what());
    }
  };
  for (const EventSpec& event : live.events) {
    bool changed = false;
    for (const Assignment& a : event.set) changed = set(a.path, a.value) || changed;
    if (changed) try_at(event.set.front().place, event.time);
  }
  live.materials = start;
  states = {};
  for (const KeyframeSpec& keys : live.keyframes) {
    if (!is_of_material(keys.path)) continue;
    for (double time : keys.times) {
      for (const KeyframeSpec& k : live.keyframes) set(k.path, value_at(k, time));
      try_at(keys.place, time);
    }
  }
  live.materials = start;
  try_change(world);
}

/// Readies the methods, with a first look at all forces: what is wrong with them is wrong with the
/// scene.
void start(World& world, const std::function<bool()>& stopped) {
  try {
    if (world.live.time.settle > 0) settle(world, stopped);
    for (auto& method : world.methods) method->begin(world.environment);
    world.first_dt = stable_step(world).dt;
  } catch (const Stopped&) {
    throw;
  } catch (const Error& error) {
    refuse_start(world, error.what());
  }
  check_first_step(world);
}

/// Fills in what follows from other parameters. A virtual tensile test is too slow for every step.
void resolve(const Scene& scene, MaterialSpec& spec) {
  if (!spec.unresolved) return;
  try {
    find_method(spec.material.method)->resolve(spec.material);
  } catch (const InputError& error) {
    throw InputError(place_named_in(scene, error.what()), error.what());
  }
  spec.unresolved = false;
}

World make_world(Scene scene, const ScenePlan& planned, const Exec& exec,
                 const std::function<bool()>& stopped) {
  ShapeFiles& files = *planned.files;
  World world;
  world.warnings = planned.warnings;
  world.memory = planned.memory;
  world.physics = physics_text(scene);
  world.live = std::move(scene);
  settle_materials(world.live, planned);
  world.environment = make_environment(world.live, files, exec);
  add_bodies(world, planned);
  add_pins(world, files);
  add_emitters(world, files);
  add_sinks(world, files);
  refresh(world);
  move_to(world.environment, 0);
  rehearse(world);
  start(world, stopped);
  foresee_jumps(world);
  note_matter_in_sinks(world);
  drop_far_meetings(planned.meetings, world);
  start_reactions(world);
  return world;
}

}  // namespace

void refresh(World& world) {
  Environment& environment = world.environment;
  Scene& live = world.live;
  environment.gravity = live.world.gravity;
  environment.air_temperature = live.world.air_temperature;
  environment.materials.clear();
  for (MaterialSpec& spec : live.materials) {
    if (!is_given(spec.material.spacing)) {  // no body is made of it
      environment.materials.push_back(spec.material);
      environment.materials.back().method = "";
      continue;
    }
    resolve(live, spec);
    environment.materials.push_back(spec.material);
  }
  for (std::size_t k = 0; k < live.colliders.size(); ++k)
    static_cast<ColliderParameters&>(environment.colliders[k]) = live.colliders[k];
  for (std::size_t k = 0; k < live.pins.size(); ++k)
    static_cast<PinParameters&>(environment.pins[k]) = live.pins[k];
  refresh_force_fields(live, environment.force_fields);
}

World build(Scene scene, const Exec& exec, const std::function<bool()>& stopped, double memory) {
  const TimerScope scope(exec.timers, "build");
  const ScenePlan planned = plan(scene, memory);
  return make_world(std::move(scene), planned, exec, stopped);
}

World build_planned(Scene scene, const ScenePlan& planned, const Exec& exec) {
  const TimerScope scope(exec.timers, "build");
  return make_world(std::move(scene), planned, exec, {});
}

}  // namespace phyxel
