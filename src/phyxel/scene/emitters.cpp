#include "phyxel/scene/emitters.h"

#include <algorithm>
#include <cmath>

#include "phyxel/core/random.h"
#include "phyxel/scene/body_material.h"
#include "phyxel/scene/fail.h"
#include "phyxel/scene/read_shape.h"
#include "phyxel/scene/timeline.h"

namespace phyxel {

namespace {

void check_nozzle(const Scene& scene, const BodySpec& emitter) {
  const std::string path = emitter.path();
  const NozzleSpec& n = *emitter.nozzle;
  if (emitter.packing == Packing::random)
    fail(scene, path + ".packing",
         "{}.packing: points that know nothing of each other would come out one inside the other; "
         "choose poisson, closest, cubic or jittered",
         path);
  if (length(n.direction) == 0)
    fail(scene, path + ".direction",
         "{}.direction = [0, 0, 0] has no direction; [0, -1, 0] is down", path);
  if (n.stop <= n.start)
    fail(scene, path + ".stop", "{}.stop = {:.7g} s must be after start = {:.7g} s", path, n.stop,
         n.start);
  const std::string& type = emitter.shape.type;
  if (type == "particles" || type == "mesh_sequence")
    fail(emitter.shape.place, "{}.shape cannot be {}; a mouth is cut out of a solid", path,
         type == "particles" ? "particles" : "a mesh_sequence");
}

/// Layers of a stream that have passed the mouth: the first one is there at the start.
std::int64_t passed(const Emission& e) {
  return static_cast<std::int64_t>(std::floor(e.carried / double(e.stream.thickness) + 1e-9)) + 1;
}

/// How far layer k is beyond the mouth, m; negative inside.
double beyond(const Emission& e, std::int64_t k) {
  return e.carried - double(k) * double(e.stream.thickness);
}

/// Moves a point by up to a quarter of the spacing, as packing = jittered does.
Vec3 jittered(const World& world, const BodySpec& emitter, ParticleId id) {
  if (emitter.packing != Packing::jittered) return Vec3::zero();
  const Random random{world.environment.seed, 0x656d6974};
  Vec3 v = (random.uniform3(id) * 2 - Vec3::filled(1)) * (rest_spacing(world.live, emitter) / 4);
  if (world.live.dimensions == 2) v[2] = 0;
  return v;
}

void add_layer(World& world, Emission& e) {
  const BodySpec& emitter = world.live.bodies[e.body];
  const Pin& pin = world.environment.pins[e.pin];
  const Index m = material_index(world.live, emitter.material);
  const Material& material = world.live.materials[m].material;
  const Vec3 offset = e.stream.direction * static_cast<Real>(beyond(e, e.layers));
  HostParticles& p = world.methods[e.method]->particles();
  std::size_t i = p.x.size();
  const std::vector<Vec3>& points = e.stream.layer(e.layers);
  resize(p, i + points.size());
  for (const Vec3& point : points) {
    p.x[i] = apply(pin.pose.transform, point + offset + jittered(world, emitter, world.next_id));
    p.v[i] = velocity_at(pin, p.x[i]);
    p.mass[i] = particle_mass(
        material, volume_per_point(emitter.packing, material.spacing, material.dimensions));
    p.temperature[i] = emitter.temperature;
    p.id[i] = world.next_id++;
    p.material[i] = m;
    p.body[i] = static_cast<Index>(e.body);
    p.pin[i] = static_cast<Index>(e.pin);
    e.inflow += cast<double>(p.v[i]) * double(p.mass[i]);
    ++i;
  }
  ++e.layers;
}

/// Held particles are where the nozzle has put them, so that their place tells their layer.
void let_go(World& world, const Emission& e) {
  const Pin& pin = world.environment.pins[e.pin];
  const double from = beyond(e, passed(e) - 1) - 0.5 * double(e.stream.thickness);
  HostParticles& p = world.methods[e.method]->particles();
  for (Index i = 0; i < p.size(); ++i) {
    if (p.pin[i] != static_cast<Index>(e.pin)) continue;
    const Vec3 at = apply_inverse(pin.pose.transform, p.x[i]) - e.stream.mouth;
    if (dot(at, e.stream.direction) > Real(from)) p.pin[i] = -1;
  }
}

bool fill(World& world, Emission& e) {
  const std::int64_t wanted = passed(e) + e.stream.held;
  if (e.layers >= wanted) return false;
  let_go(world, e);
  while (e.layers < wanted) add_layer(world, e);
  return true;
}

std::size_t method_of(const World& world, const BodySpec& emitter) {
  const std::string& name = material_of(world.live, emitter).method;
  return std::ranges::find(world.method_names, name) - world.method_names.begin();
}

/// Speed that the scene gives, or that follows from its rate, m/s.
Real stream_speed(const NozzleSpec& nozzle, const Stream& stream) {
  return is_given(nozzle.speed) ? nozzle.speed : nozzle.rate / stream.area;
}

/// An emitter's nozzle as events and keyframes make it, and the times at which they change it.
struct NozzleTimeline {
  Scene scratch;  // nothing but the emitter
  std::vector<std::pair<double, const Assignment*>> events;
  std::vector<const KeyframeSpec*> keyframes;

  NozzleTimeline(const Scene& scene, const BodySpec& emitter) {
    const std::string prefix = emitter.path() + ".";
    scratch.bodies = {emitter};
    for (const EventSpec& event : scene.events)
      for (const Assignment& set : event.set)
        if (set.path.starts_with(prefix)) events.emplace_back(event.time, &set);
    for (const KeyframeSpec& keys : scene.keyframes)
      if (keys.path.starts_with(prefix)) keyframes.push_back(&keys);
  }

  /// Speed at a time, m/s; 0 where nothing flows. Of a scene that runs: from the values it has now.
  double speed_at(const Stream& stream, double time, double known_until) {
    Scene at = scratch;
    for (const auto& [when, set] : events)
      if (when <= time && when > known_until) apply(at, set->path, set->value);
    for (const KeyframeSpec* keys : keyframes) apply(at, keys->path, value_at(*keys, time));
    const NozzleSpec& n = *at.bodies[0].nozzle;
    const bool open = n.active && time >= n.start && time < n.stop;
    return open ? double(stream_speed(n, stream)) : 0;
  }

  /// From `from` to `to`, and whenever something changes in between.
  std::vector<double> turns(double from, double to) const {
    const NozzleSpec& n = *scratch.bodies[0].nozzle;
    std::vector<double> times = {from, to, n.start, n.stop};
    for (const auto& [when, set] : events) times.push_back(when);
    for (const KeyframeSpec* keys : keyframes)
      times.insert(times.end(), keys->times.begin(), keys->times.end());
    std::erase_if(times, [&](double t) { return t < from || t > to; });
    std::ranges::sort(times);
    return times;
  }
};

/// visit(width, speeds at its beginning, middle and end) for every stretch of time without a jump.
template <class Visit>
void for_stretches(const Scene& scene, const BodySpec& emitter, const Stream& stream, double from,
                   double to, const Visit& visit) {
  NozzleTimeline timeline(scene, emitter);
  const std::vector<double> times = timeline.turns(from, to);
  for (std::size_t k = 0; k + 1 < times.size(); ++k) {
    const double a = times[k], width = times[k + 1] - a;
    if (!(width > 0)) continue;
    // The table holds what events up to `from` have made of it, but for those at its very time.
    const auto at = [&](double t) {
      return timeline.speed_at(stream, t, from > 0 ? from * (1 - 1e-12) : -1);
    };
    visit(width, at(a), at(a + width / 2), at(a + width * (1 - 1e-9)));
  }
}

}  // namespace

Stream stream_of(const Scene& scene, const BodySpec& emitter, ShapeFiles& files) {
  check_nozzle(scene, emitter);
  Stream stream;
  try {
    stream =
        make_stream(make_shape(emitter.shape, files), emitter.nozzle->direction, emitter.packing,
                    rest_spacing(scene, emitter), scene.dimensions, scene.seed);
  } catch (const InputError& error) {
    fail(emitter.place, "{}: {}", emitter.path(), error.what());
  }
  if (stream.empty())
    fail(emitter.place,
         "{} lets nothing through: its mouth is narrower than spacing = {:.4g} m; lower the "
         "spacing or enlarge the shape",
         emitter.path(), rest_spacing(scene, emitter));
  return stream;
}

double emitted(const Scene& scene, const BodySpec& emitter, const Stream& stream, double from,
               double to) {
  double way = 0;
  for_stretches(scene, emitter, stream, from, to, [&](double width, double a, double b, double c) {
    way += width * (a + 4 * b + c) / 6;  // Simpson: exact for keys that are joined by cubics
  });
  return way / double(stream.thickness) * stream.points_per_layer();
}

double fastest_stream(const Scene& scene, const BodySpec& emitter, const Stream& stream,
                      double from, double to) {
  double speed = 0;
  for_stretches(scene, emitter, stream, from, to, [&](double, double a, double b, double c) {
    speed = std::max({speed, a, b, c});
  });
  return speed;
}

void add_emitters(World& world, ShapeFiles& files) {
  for (std::size_t b = 0; b < world.live.bodies.size(); ++b) {
    const BodySpec& body = world.live.bodies[b];
    if (!body.nozzle) continue;
    const Motion& motion = body.nozzle->motion;
    world.environment.pins.push_back({{}, body.name, motion, pose_at(motion, 0)});
    world.emissions.push_back({b, method_of(world, body), world.environment.pins.size() - 1,
                               stream_of(world.live, body, files)});
    fill(world, world.emissions.back());
  }
}

void update_nozzles(World& world) {
  const double time = world.environment.time;
  for (const Emission& e : world.emissions) {
    const NozzleSpec& n = *world.live.bodies[e.body].nozzle;
    const bool open = n.active && !e.shut && time >= n.start && time < n.stop;
    Pin& pin = world.environment.pins[e.pin];
    pin.active = time < n.stop;
    pin.flow = open ? e.stream.direction * stream_speed(n, e.stream) : Vec3::zero();
  }
}

void emit(World& world, std::vector<bool>& changed) {
  for (Emission& e : world.emissions)
    if (world.environment.pins[e.pin].active && fill(world, e)) changed[e.method] = true;
}

void carry_streams(World& world, double dt) {
  for (Emission& e : world.emissions)
    e.carried += double(length(world.environment.pins[e.pin].flow)) * dt;
}

double next_turn(const World& world) {
  double next = infinity;
  for (const Emission& e : world.emissions) {
    const NozzleSpec& n = *world.live.bodies[e.body].nozzle;
    for (const double time : {n.start, n.stop})
      if (time > world.environment.time) next = std::min(next, time);
  }
  return next;
}

}  // namespace phyxel
