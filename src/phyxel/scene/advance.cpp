#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <numeric>

#include "phyxel/scene/build.h"
#include "phyxel/scene/emitters.h"
#include "phyxel/scene/timeline.h"

namespace phyxel {

namespace {

/// Events on bodies act on particles at once; all others change tables that refresh() carries on.
void set_body_value(World& world, const Assignment& set) {
  for (std::size_t b = 0; b < world.live.bodies.size(); ++b) {
    const BodySpec& body = world.live.bodies[b];
    const std::string prefix = "body." + body.name + ".";
    for (auto& method : world.methods) {
      HostParticles& p = method->particles();
      for (Index i = 0; i < p.size(); ++i) {
        if (p.body[i] != static_cast<Index>(b)) continue;
        if (set.path == prefix + "temperature") p.temperature[i] = body.temperature;
        if (set.path == prefix + "velocity") p.v[i] = body.velocity;
      }
    }
  }
}

/// Fires all events up to now; true when there was one.
bool fire_events(World& world) {
  const std::size_t first = world.next_event;
  const auto& events = world.live.events;
  for (;
       world.next_event < events.size() && events[world.next_event].time <= world.environment.time;
       ++world.next_event)
    for (const Assignment& set : events[world.next_event].set) {
      apply(world.live, set.path, set.value);
      if (set.path.starts_with("body.")) set_body_value(world, set);
    }
  return world.next_event != first;
}

void follow_keyframes(World& world) {
  for (const KeyframeSpec& keys : world.live.keyframes) {
    const ParameterValue value = value_at(keys, world.environment.time);
    apply(world.live, keys.path, value);
    if (keys.path.starts_with("body.")) set_body_value(world, {keys.path, value, keys.place});
  }
  if (!world.live.keyframes.empty()) refresh(world);
}

/// Depends on the time and the events so far only, not on the steps before: a resumed run gets the
/// same laws.
void begin(World& world) {
  follow_keyframes(world);
  refresh(world);
  for (auto& method : world.methods) method->begin(world.environment);
}

double next_stop(const World& world, double frame_end) {
  const auto& events = world.live.events;
  const double turn = std::min(frame_end, next_turn(world));
  return world.next_event < events.size() ? std::min(turn, events[world.next_event].time) : turn;
}

/// Equal steps for the time that is left, none larger than the limit.
double choose_step(const StableStep& limit, double left) {
  const double steps = std::max(1.0, std::ceil(left / limit.dt * (1 - 1e-9)));
  if (steps > 1e8)
    throw Error(fmt::format(
        "the stable step has fallen to {:.3g} s ({}), so that a frame would take {:.1g} steps; the "
        "material is too stiff or has been crushed: lower youngs_modulus or the speeds",
        limit.dt, limit.reason, steps));
  return left / steps;
}

/// When a step ends; one that nearly reaches `stop` reaches it.
double end_of_step(double before, double dt, double stop) {
  return before + dt > stop - 1e-12 * std::abs(stop) - 1e-9 * dt ? stop : before + dt;
}

/// Whether anybody writes particles between steps.
bool writes_particles(const World& world) {
  const auto& keyframes = world.live.keyframes;
  return !world.emissions.empty() ||
         std::any_of(keyframes.begin(), keyframes.end(),
                     [](const KeyframeSpec& k) { return k.path.starts_with("body."); });
}

bool plans_ahead(const World& world) {
  return std::any_of(world.methods.begin(), world.methods.end(),
                     [](const auto& method) { return method->plans_ahead(); });
}

/// The step after the one to `after`, chosen now, so that methods can prepare for it; 0: later.
double plan_next(const World& world, const StableStep& limit, double after, double stop) {
  if (after >= stop || !plans_ahead(world) || writes_particles(world)) return 0;
  return choose_step(limit, stop - after);
}

void take_step(World& world, double dt, double stop) {
  Environment& environment = world.environment;
  const double before = environment.time;
  move_to(environment, end_of_step(before, dt, stop));
  carry_streams(world, environment.time - before);
  for (auto& method : world.methods) method->step(environment, static_cast<Real>(dt));
  ++environment.step;
}

}  // namespace

StableStep stable_step(World& world) {
  StableStep limit;
  for (auto& method : world.methods) {
    const StableStep own = method->stable_dt(world.environment);
    if (own.dt < limit.dt) limit = own;
  }
  const TimeSpec& time = world.live.time;
  limit.dt *= time.safety;
  if (is_given(time.fixed_dt)) return {time.fixed_dt, "time.fixed_dt"};
  if (time.max_dt < limit.dt) return {time.max_dt, "time.max_dt"};
  return limit;
}

AdvanceReport advance(World& world) {
  AdvanceReport report;
  report.smallest_dt = infinity;
  const double frame_end = (world.frame + 1) / world.live.fps;
  fire_events(world);
  begin(world);
  StableStep limit;
  double planned = 0;
  try {
    while (world.environment.time < frame_end) {
      follow_keyframes(world);
      turn_taps(world);
      emit(world);
      const double stop = next_stop(world, frame_end);
      limit = stable_step(world);
      Environment& environment = world.environment;
      const double dt = planned > 0 ? planned : choose_step(limit, stop - environment.time);
      planned = plan_next(world, limit, end_of_step(environment.time, dt, stop), stop);
      environment.next_dt = planned;
      take_step(world, dt, stop);
      ++report.substeps;
      if (dt < report.smallest_dt) report.smallest_dt = dt, report.limit = limit.reason;
      if (world.environment.time < frame_end && fire_events(world)) begin(world);
    }
    stable_step(world);  // refuses non-finite values before they reach a file
  } catch (const Error& error) {
    const std::string steps =
        report.substeps > 0
            ? fmt::format("smallest dt = {:.3g} s, stable up to {:.3g} s: ", report.smallest_dt,
                          limit.dt)
            : "";
    const bool fixed = is_given(world.live.time.fixed_dt);
    throw Error(fmt::format(
        "frame {}, t = {:.6g} s, {}; {}{}", world.frame + 1, world.environment.time, error.what(),
        steps,
        fixed ? "lower time.fixed_dt, or leave it out" : "lower time.max_dt or time.safety"));
  }
  ++world.frame;
  return report;
}

Diagnostics diagnose(World& world) {
  Diagnostics sum;
  for (auto& method : world.methods) sum = combine(sum, method->diagnostics(world.environment));
  return sum;
}

namespace {

/// Positions in all methods, in order of particle id.
struct Source {
  std::size_t method;
  Index index;
  ParticleId id;
};

std::vector<Source> sources_by_id(World& world) {
  std::vector<Source> sources;
  for (std::size_t m = 0; m < world.methods.size(); ++m) {
    const HostParticles& p = world.methods[m]->particles();
    for (Index i = 0; i < p.size(); ++i) sources.push_back({m, i, p.id[i]});
  }
  std::sort(sources.begin(), sources.end(),
            [](const Source& a, const Source& b) { return a.id < b.id; });
  return sources;
}

/// Copies one attribute; methods that do not have it leave zeros.
FrameColumn gather(const ColumnView& like, const std::vector<std::vector<ColumnView>>& views,
                   const std::vector<Source>& sources) {
  FrameColumn column{like.name, like.unit, like.type, like.components, {}};
  const std::size_t size = like.element_size();
  column.data.resize(sources.size() * size);
  std::vector<const std::byte*> data(views.size(), nullptr);
  for (std::size_t m = 0; m < views.size(); ++m)
    for (const ColumnView& view : views[m])
      if (view.name == like.name) data[m] = static_cast<const std::byte*>(view.data);
  for (std::size_t k = 0; k < sources.size(); ++k)
    if (const std::byte* from = data[sources[k].method])
      std::copy_n(from + sources[k].index * size, size, column.data.data() + k * size);
  return column;
}

}  // namespace

Frame take_frame(World& world) {
  const TimerScope scope(world.environment.exec.timers, "take_frame");
  Frame frame;
  frame.index = world.frame;
  frame.time = world.environment.time;
  const std::vector<Source> sources = sources_by_id(world);
  frame.count = sources.size();
  std::vector<std::vector<ColumnView>> views;
  for (auto& method : world.methods) views.push_back(method->columns());
  for (const auto& of_method : views)
    for (const ColumnView& view : of_method)
      if (view.in_files && !frame.find(view.name))
        frame.columns.push_back(gather(view, views, sources));
  return frame;
}

}  // namespace phyxel
