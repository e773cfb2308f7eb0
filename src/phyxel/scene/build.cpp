#include "phyxel/scene/build.h"

#include <algorithm>
#include <fmt/format.h>

#include "phyxel/methods/registry.h"
#include "phyxel/scene/body_points.h"
#include "phyxel/scene/emitters.h"
#include "phyxel/scene/make_collider.h"
#include "phyxel/scene/particle_mass.h"
#include "phyxel/scene/read_shape.h"
#include "phyxel/scene/rest_spacing.h"
#include "phyxel/scene/timeline.h"

namespace phyxel {

Real particle_mass(const Material& material, Packing packing) {
  if (is_given(material.particle_mass)) return material.particle_mass;
  return static_cast<Real>(material.density *
                           volume_per_point(packing, material.spacing, material.dimensions));
}

Index material_index(const Scene& scene, const std::string& name) {
  const auto same = [&](const MaterialSpec& spec) { return spec.material.name == name; };
  return static_cast<Index>(std::find_if(scene.materials.begin(), scene.materials.end(), same) -
                            scene.materials.begin());
}

namespace {

Vec3 mean(const std::vector<Vec3>& points) {
  Vec3d sum = Vec3d::zero();
  for (const Vec3& p : points) sum += cast<double>(p);
  return cast<Real>(sum / std::max<double>(1, points.size()));
}

void append(HostParticles& p, const std::vector<Vec3>& points, const BodySpec& body,
            Index body_index, Index material_index, Real mass, ParticleId first_id) {
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
    p.id[i] = first_id + static_cast<ParticleId>(k);
    p.material[i] = material_index;
    p.body[i] = body_index;
  }
}

/// What a particle file says of velocities comes on top of what the scene says of the body.
void add_velocities(const Scene& scene, const BodySpec& body, HostParticles& p) {
  if (body.shape.type != "particles") return;
  const std::vector<Vec3> velocities = read_shape_velocities(body.shape, scene.folder);
  const std::size_t first = p.v.size() - velocities.size();
  for (std::size_t i = 0; i < velocities.size(); ++i) {
    const Vec3& v = velocities[i];
    const bool leaves = scene.dimensions == 2 && v[2] != 0;
    if (leaves || !is_finite(v))
      throw InputError(body.shape.place,
                       fmt::format("body.{}: point {} of \"{}\" has a velocity that {}", body.name,
                                   i, body.shape.file,
                                   leaves ? "leaves the plane of a flat scene" : "is not finite"));
    p.v[first + i] += v;
  }
}

/// Particles inside the shape of a pin belong to it; a pin that holds nothing is a mistake.
void hold(const Scene& scene, const PinSpec& pin, Index index, HostParticles& p,
          std::size_t& held) {
  const Shape shape = make_shape(pin.shape, scene.folder);
  for (Index i = 0; i < p.size(); ++i)
    if (scene.bodies[p.body[i]].name == pin.body && inside(shape, p.x[i])) {
      p.pin[i] = index;
      ++held;
    }
}

Method& method_for(World& world, const std::string& name) {
  for (std::size_t k = 0; k < world.methods.size(); ++k)
    if (world.method_names[k] == name) return *world.methods[k];
  world.methods.push_back(make_method(*find_method(name), world.environment.exec.device));
  world.method_names.push_back(name);
  return *world.methods.back();
}

void add_bodies(World& world) {
  Scene& scene = world.live;
  ParticleId next_id = 0;
  for (std::size_t b = 0; b < scene.bodies.size(); ++b) {
    const BodySpec& body = scene.bodies[b];
    const Index m = material_index(scene, body.material);
    const Material& material = scene.materials[m].material;
    if (body.nozzle) {
      method_for(world, material.method);
      continue;
    }
    const std::vector<Vec3> points = body_points(scene, body);
    if (points.empty())
      throw InputError(body.place,
                       fmt::format("body.{} has no particle; lower its spacing", body.name));
    HostParticles& particles = method_for(world, material.method).particles();
    append(particles, points, body, static_cast<Index>(b), m, particle_mass(material, body.packing),
           next_id);
    add_velocities(scene, body, particles);
    next_id += static_cast<ParticleId>(points.size());
  }
}

void add_pins(World& world) {
  const Scene& scene = world.live;
  for (std::size_t k = 0; k < scene.pins.size(); ++k) {
    const PinSpec& pin = scene.pins[k];
    std::size_t held = 0;
    for (auto& method : world.methods)
      hold(scene, pin, static_cast<Index>(k), method->particles(), held);
    if (held == 0)
      throw InputError(pin.place,
                       fmt::format("pin.{} holds no particle of body.{}: its shape is elsewhere",
                                   pin.name, pin.body));
    world.environment.pins.push_back({pin.name, pin.motion, pose_at(pin.motion, 0), pin.active});
  }
}

/// Spacing and dimensions reach the materials, and the density where the mass of a particle was
/// said instead. plan() has seen to it that the bodies of a material agree.
void settle_materials(Scene& scene) {
  for (const BodySpec& body : scene.bodies) {
    Material& material = scene.materials[material_index(scene, body.material)].material;
    material.spacing = rest_spacing(scene, body);
    material.dimensions = scene.dimensions;
    const double volume = volume_per_point(body.packing, material.spacing, scene.dimensions);
    if (is_given(material.particle_mass))
      material.density = static_cast<Real>(material.particle_mass / volume);
    else if (!is_given(material.density))
      material.density = 1000;
  }
}

Environment make_environment(const Scene& scene, const Exec& exec) {
  Environment environment;
  environment.exec = exec;
  environment.dimensions = scene.dimensions;
  environment.seed = static_cast<std::uint32_t>(scene.seed);
  environment.colliders = make_colliders(scene);
  if (scene.world.has_domain) {
    environment.box.min = scene.world.domain_min;
    environment.box.size = scene.world.domain_max - scene.world.domain_min;
    for (int k = 0; k < 3; ++k) environment.box.periodic[k] = scene.world.periodic[k];
  }
  return environment;
}

/// Packings come to rest in their own shape before time begins: without gravity and colliders,
/// cooled at every step.
void settle(World& world) {
  Environment calm = world.environment;
  calm.gravity = Vec3::zero();
  calm.colliders.clear();
  for (auto& method : world.methods) {
    HostParticles& before = method->particles();
    std::vector<Vec3> velocity(1 + *std::max_element(before.id.begin(), before.id.end()));
    for (Index i = 0; i < before.size(); ++i) velocity[before.id[i]] = before.v[i];
    std::fill(before.v.begin(), before.v.end(), Vec3::zero());
    method->begin(calm);
    for (double t = 0; t < world.live.time.settle;) {
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
  } catch (const InputError& error) {
    throw InputError(place_named_in(world.live, error.what()), error.what());
  }
}

/// All events and keys are tried before time begins: a run must not fail on them after hours.
void rehearse(World& world) {
  const Scene start = world.live;
  const auto try_at = [&](const Place& place, double time) {
    try {
      try_change(world);
    } catch (const InputError& error) {
      throw InputError(place, fmt::format("from t = {:.6g} s on, {}", time, error.what()));
    }
  };
  for (const EventSpec& event : start.events) {
    for (const Assignment& set : event.set) apply(world.live, set.path, set.value);
    try_at(event.set.front().place, event.time);
  }
  world.live = start;
  for (const KeyframeSpec& keys : start.keyframes)
    for (double time : keys.times) {
      for (const KeyframeSpec& k : start.keyframes) apply(world.live, k.path, value_at(k, time));
      try_at(keys.place, time);
    }
  world.live = start;
  try_change(world);
}

/// Readies the methods, with a first look at all forces: what is wrong with them is wrong with the
/// scene.
void start(World& world) {
  try {
    if (world.live.time.settle > 0) settle(world);
    for (auto& method : world.methods) method->begin(world.environment);
    stable_step(world);
  } catch (const Error& error) {
    throw InputError(place_named_in(world.live, error.what()),
                     fmt::format("at the start: {}", error.what()));
  }
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
  for (std::size_t k = 0; k < live.colliders.size(); ++k) {
    environment.colliders[k].friction = live.colliders[k].friction;
    environment.colliders[k].restitution = live.colliders[k].restitution;
    environment.colliders[k].contact = live.colliders[k].contact;
    environment.colliders[k].heat_flux = live.colliders[k].heat_flux;
    if (is_given(live.colliders[k].temperature))
      environment.colliders[k].temperature = live.colliders[k].temperature;
    environment.colliders[k].visible = live.colliders[k].visible;
  }
  for (std::size_t k = 0; k < live.pins.size(); ++k) {
    environment.pins[k].active = live.pins[k].active;
    if (is_given(live.pins[k].temperature))
      environment.pins[k].temperature = live.pins[k].temperature;
  }
}

World build(const Scene& scene, const Exec& exec) {
  const TimerScope scope(exec.timers, "build");
  plan(scene);
  World world;
  world.live = scene;
  settle_materials(world.live);
  world.environment = make_environment(scene, exec);
  add_bodies(world);
  add_pins(world);
  add_emitters(world);
  refresh(world);
  move_to(world.environment, 0);
  rehearse(world);
  start(world);
  return world;
}

}  // namespace phyxel
