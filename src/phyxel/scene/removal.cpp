#include "phyxel/scene/removal.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

#include "phyxel/scene/body_material.h"
#include "phyxel/scene/read_shape.h"

namespace phyxel {

namespace {

/// Removes the particles of a method for which is_gone(p, i) holds. True where there were any.
template <class IsGone>
bool remove_where(World& world, std::size_t m, const IsGone& is_gone) {
  Method& method = *world.methods[m];
  const HostParticles& p = method.particles_to_read();
  Removal& removal = world.removal;
  const auto first_held = static_cast<Index>(world.live.pins.size());  // pins of nozzles follow
  removal.gone.resize(p.x.size());
  const auto count = reduce(
      {world.environment.exec.timers}, "removal", p.size(), Index{0},
      [&](Index i) {
        removal.gone[i] = p.pin[i] < first_held && is_gone(p, i);
        return Index(removal.gone[i]);
      },
      [](Index a, Index b) { return a + b; });
  if (count == 0) return false;
  removal.order.clear();
  for (Index i = 0; i < p.size(); ++i)
    if (!removal.gone[i])
      removal.order.push_back(i);
    else
      removal.outflow += cast<double>(p.v[i]) * double(p.mass[i]);
  removal.count += static_cast<std::uint64_t>(count);
  method.keep(world.environment.exec, removal.order);
  return true;
}

/// A sink where it is now.
struct PlacedSink {
  const Sink* sink;
  Transform pose;

  bool holds(const HostParticles& p, Index i) const {
    if (!sink->takes[p.material[i]]) return false;
    const Vec3 at = apply_inverse(pose, p.x[i]);
    return sink->box.contains(at) && inside(sink->shape, at);
  }
};

PlacedSink placed(const World& world, std::size_t k) {
  return {&world.removal.sinks[k],
          pose_at(world.live.sinks[k].motion, world.environment.time).transform};
}

std::vector<PlacedSink> active_sinks(const World& world) {
  std::vector<PlacedSink> sinks;
  for (std::size_t k = 0; k < world.live.sinks.size(); ++k)
    if (world.live.sinks[k].active) sinks.push_back(placed(world, k));
  return sinks;
}

/// The domain, without end along axes that matter cannot leave.
Bounds open_domain(const Scene& scene) {
  Bounds box{Vec3::filled(-std::numeric_limits<Real>::max()),
             Vec3::filled(std::numeric_limits<Real>::max())};
  if (scene.world.outside == Outside::keep) return box;
  for (int k = 0; k < scene.dimensions; ++k) {
    if (scene.world.periodic[k]) continue;
    box.min[k] = static_cast<Real>(scene.world.domain_min[k]);
    box.max[k] = static_cast<Real>(scene.world.domain_max[k]);
  }
  return box;
}

/// Not one whose position is no number: methods report it.
bool is_beyond(const Bounds& box, const Vec3& x) {
  for (int k = 0; k < 3; ++k)
    if (x[k] < box.min[k] || x[k] > box.max[k]) return true;
  return false;
}

bool looks(const Scene& scene) {
  return !scene.sinks.empty() || scene.world.outside == Outside::remove;
}

void remove_named(World& world, const std::string& name) {
  const Scene& scene = world.live;
  const std::size_t dot = name.find('.');
  const std::string table = name.substr(0, dot), what = name.substr(dot + 1);
  const auto remove = [&](const auto& is_gone) {
    for (std::size_t m = 0; m < world.methods.size(); ++m) remove_where(world, m, is_gone);
  };
  if (table == "material") {
    const Index material = material_index(scene, what);
    remove([=](const HostParticles& p, Index i) { return p.material[i] == material; });
  } else if (table == "sink") {
    const PlacedSink sink = placed(world, static_cast<std::size_t>(sink_index(scene, what)));
    remove([=](const HostParticles& p, Index i) { return sink.holds(p, i); });
  } else {
    const Index body = body_index(scene, what);
    remove([=](const HostParticles& p, Index i) { return p.body[i] == body; });
  }
}

/// Particles of a body, and those of them in a sink.
struct Share {
  std::size_t all = 0, held = 0;
};

/// By body: what a sink holds, with what is in nozzles.
std::vector<Share> shares_of(const World& world, const PlacedSink& sink) {
  std::vector<Share> shares(world.live.bodies.size());
  for (const auto& method : world.methods) {
    const HostParticles& p = method->particles_to_read();
    for (Index i = 0; i < p.size(); ++i) {
      Share& share = shares[p.body[i]];
      ++share.all;
      if (sink.holds(p, i)) ++share.held;
    }
  }
  return shares;
}

}  // namespace

bool removes_particles(const Scene& scene) {
  const auto removes = [](const EventSpec& event) { return !event.remove.empty(); };
  return looks(scene) || std::ranges::any_of(scene.events, removes);
}

bool removes_from(const Scene& scene, const BodySpec& body) {
  const auto takes = [&](const SinkSpec& sink) {
    return sink.materials.empty() || contains(sink.materials, body.material);
  };
  const auto removes = [&](const EventSpec& event) {
    return contains(event.remove, body.path()) ||
           contains(event.remove, "material." + body.material);
  };
  return scene.world.outside == Outside::remove || std::ranges::any_of(scene.sinks, takes) ||
         std::ranges::any_of(scene.events, removes);
}

void add_sinks(World& world, ShapeFiles& files) {
  for (const SinkSpec& spec : world.live.sinks) {
    Sink sink;
    sink.shape = make_shape(spec.shape, files);
    sink.box = bounds_of(sink.shape);
    sink.takes.assign(world.live.materials.size(), spec.materials.empty());
    for (const std::string& name : spec.materials) sink.takes[material_index(world.live, name)] = 1;
    world.removal.sinks.push_back(std::move(sink));
  }
}

void note_matter_in_sinks(World& world) {
  for (std::size_t k = 0; k < world.live.sinks.size(); ++k) {
    const SinkSpec& spec = world.live.sinks[k];
    if (!spec.active) continue;
    const std::vector<Share> shares = shares_of(world, placed(world, k));
    for (std::size_t b = 0; b < shares.size(); ++b) {
      const BodySpec& body = world.live.bodies[b];
      if (shares[b].held == 0) continue;
      world.notes.push_back(fmt::format(
          "{}: sink.{} {}; move one of them, or say with material = [...] what the sink is for",
          to_string(spec.place), spec.name,
          body.nozzle
              ? fmt::format("lies at the mouth of {} and removes what comes out of it", body.path())
              : fmt::format("holds {} of {} particles of {} at the start and removes them",
                            shares[b].held, shares[b].all, body.path())));
    }
  }
}

double time_of_next_look(const World& world) {
  if (!looks(world.live)) return infinity;
  const double fps = world.live.fps, begin = world.frame / fps, now = world.environment.time;
  const double parts =
      std::max(1.0, std::ceil(1 / (fps * world.live.world.remove_every) * (1 - 1e-9)));
  double part = std::max(1.0, std::floor((now - begin) * fps * parts));
  while (part < parts && begin + part / (fps * parts) <= now) ++part;
  return part < parts ? begin + part / (fps * parts) : infinity;
}

void remove_due(World& world, std::vector<bool>& changed) {
  if (!looks(world.live)) return;
  const std::vector<PlacedSink> sinks = active_sinks(world);
  const Bounds domain = open_domain(world.live);
  const auto is_gone = [&](const HostParticles& p, Index i) {
    return is_beyond(domain, p.x[i]) ||
           std::ranges::any_of(sinks, [&](const PlacedSink& sink) { return sink.holds(p, i); });
  };
  for (std::size_t m = 0; m < world.methods.size(); ++m)
    if (remove_where(world, m, is_gone)) changed[m] = true;
}

void remove_named(World& world, const std::vector<std::string>& names) {
  for (const std::string& name : names) remove_named(world, name);
}

}  // namespace phyxel
