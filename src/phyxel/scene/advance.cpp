#include <algorithm>
#include <cmath>
#include <fmt/format.h>

#include "phyxel/scene/body_seed.h"
#include "phyxel/scene/build.h"
#include "phyxel/scene/emitters.h"
#include "phyxel/scene/removal.h"
#include "phyxel/scene/start_checks.h"
#include "phyxel/scene/take_reactions.h"
#include "phyxel/scene/timeline.h"

namespace phyxel {

namespace {

/// Sets a value of a table. Those of bodies act on particles at once; refresh() carries on others.
void set(World& world, const std::string& path, const ParameterValue& value) {
  apply(world.live, path, value);
  if (!path.starts_with("body.")) return;
  const std::size_t dot = path.rfind('.');
  const Index b = body_index(world.live, path.substr(5, dot - 5));
  const BodySpec& body = world.live.bodies[b];
  const bool warms = path.ends_with(".temperature");
  for (auto& method : world.methods) {
    HostParticles& p = method->particles();
    for (Index i = 0; i < p.size(); ++i) {
      if (p.body[i] != b) continue;
      if (warms)
        p.temperature[i] = body.temperature;
      else
        p.v[i] = body.velocity;
    }
  }
}

/// Fires all events up to now; true when there was one.
bool fire_events(World& world) {
  const std::size_t first = world.next_event;
  const auto& events = world.live.events;
  for (;
       world.next_event < events.size() && events[world.next_event].time <= world.environment.time;
       ++world.next_event) {
    for (const Assignment& a : events[world.next_event].set) set(world, a.path, a.value);
    remove_named(world, events[world.next_event].remove);
  }
  return world.next_event != first;
}

void follow_keyframes(World& world) {
  for (const KeyframeSpec& keys : world.live.keyframes)
    set(world, keys.path, value_at(keys, world.environment.time));
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

/// A frame would take more steps than can be taken: shorter ones are no remedy.
struct TooManySteps : Error {
  using Error::Error;
};

/// Equal steps for the time that is left, none larger than the limit.
double choose_step(const StableStep& limit, double left) {
  const double steps = std::max(1.0, std::ceil(left / limit.dt * (1 - 1e-9)));
  if (steps > most_steps)
    throw TooManySteps(fmt::format(
        "the stable step has fallen to {:.3g} s ({}), so that a frame would take {:.1g} steps; the "
        "material is too stiff or has been crushed: lower youngs_modulus or the speeds",
        limit.dt, limit.reason, steps));
  return left / steps;
}

/// When a step ends; one that nearly reaches `stop` reaches it.
double end_of_step(double before, double dt, double stop) {
  return before + dt > stop - 1e-12 * std::abs(stop) - 1e-9 * dt ? stop : before + dt;
}

/// Removes and adds the particles that are due now. Sinks look at `next_look` and set it on.
void change_particles(World& world, double& next_look) {
  std::vector<bool> changed(world.methods.size(), false);
  if (world.environment.time >= next_look) {
    remove_due(world, changed);
    next_look = time_of_next_look(world);
  }
  emit(world, changed);
  for (std::size_t m = 0; m < changed.size(); ++m)
    if (changed[m]) world.methods[m]->begin(world.environment);
}

/// Whether emitters or keyframes write particles between steps.
bool writes_particles(const World& world) {
  const auto is_of_body = [](const KeyframeSpec& k) { return k.path.starts_with("body."); };
  return !world.emissions.empty() || std::ranges::any_of(world.live.keyframes, is_of_body);
}

bool plans_ahead(const World& world) {
  return std::ranges::any_of(world.methods, [](auto& method) { return method->plans_ahead(); });
}

/// The step after the one to `after`, chosen now, so that methods can prepare for it; 0: later.
double plan_next(const World& world, const StableStep& limit, double after, double stop) {
  if (after >= stop || !plans_ahead(world) || writes_particles(world)) return 0;
  return choose_step(limit, stop - after);
}

/// The longest step that all methods can take from here, at most dt.
StableStep prepare(World& world, double dt) {
  StableStep longest{dt, ""};
  for (auto& method : world.methods) {
    const StableStep own = method->prepare(world.environment, static_cast<Real>(dt));
    if (own.dt < longest.dt) longest = own;
  }
  return longest;
}

/// Steps that methods ask for again and again are not cut for ever.
constexpr int most_cuts = 40;

/// Takes the step that `limit` allows, or `planned` where that is more than 0, up to `stop`. Where
/// a method finds that it cannot take it nothing has moved yet: colliders and pins go back to the
/// end of a shorter one. Returns what limited it. `planned` becomes the step that follows.
StableStep take_step(World& world, StableStep limit, double stop, double& planned) {
  Environment& environment = world.environment;
  const double before = environment.time;
  double dt = planned > 0 ? planned : choose_step(limit, stop - before);
  for (int cuts = 0;; ++cuts) {
    const double end = end_of_step(before, dt, stop);
    planned = plan_next(world, limit, end, stop);
    environment.next_dt = planned;
    move_to(environment, end);
    const StableStep longest = prepare(world, dt);
    if (!(longest.dt < dt)) break;
    if (cuts == most_cuts || !(longest.dt > 0)) {
      move_to(environment, before);
      throw Error(fmt::format("{} even in a step of {:.3g} s: speeds have grown beyond all bounds",
                              longest.reason, dt));
    }
    ++world.cut_steps;
    limit = {std::min(limit.dt, longest.dt), longest.reason};
    dt = longest.dt;
  }
  carry_streams(world, environment.time - before);
  for (auto& method : world.methods) method->step(environment, static_cast<Real>(dt));
  ++environment.step;
  return {dt, limit.reason};
}

/// A run whose step has fallen to a fifth of the first one takes five times as long. It reports
/// this once, with the cause.
std::string note_small_step(World& world, const StableStep& limit) {
  if (world.told_small_step || !(limit.dt < world.first_dt / 5)) return "";
  world.told_small_step = true;
  const double frame = 1 / world.live.fps;
  return fmt::format(
      "t = {:.6g} s: the step has fallen to {:.3g} s, {:.0f} steps a frame, from {:.3g} s and "
      "{:.0f} at the start ({}): {}",
      world.environment.time, limit.dt, std::ceil(frame / limit.dt), world.first_dt,
      std::ceil(frame / world.first_dt), limit.reason, step_cause(world, limit));
}

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
  std::ranges::sort(sources, {}, &Source::id);
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

/// Which particles are on the surface of the matter of their method.
FrameColumn shell_column(World& world, const std::vector<Source>& sources) {
  std::vector<ContactShell> shells;
  for (auto& method : world.methods) shells.push_back(method->contact_shell(world.environment));
  std::vector<float> surface;
  for (const Source& source : sources)
    surface.push_back(shells[source.method].surface[source.index]);
  return make_frame_column("shell", "", surface.data(), surface.size());
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
  if (is_given(time.fixed_dt)) return {time.fixed_dt, "time.fixed_dt", StepLimit::setting, 0};
  if (time.max_dt < limit.dt) return {time.max_dt, "time.max_dt", StepLimit::setting, 0};
  return limit;
}

AdvanceReport advance(World& world, int most_substeps) {
  AdvanceReport report;
  report.smallest_dt = infinity;
  world.cut_steps = 0;
  const double frame_end = (world.frame + 1) / world.live.fps, begun = world.environment.time;
  fire_events(world);
  begin(world);
  StableStep limit;
  double planned = 0, next_look = world.environment.time;
  try {
    while (world.environment.time < frame_end && report.substeps < most_substeps) {
      follow_keyframes(world);
      update_nozzles(world);
      change_particles(world, next_look);
      const double stop = std::min(next_stop(world, frame_end), next_look);
      limit = stable_step(world);
      const StableStep taken = take_step(world, limit, stop, planned);
      ++report.substeps;
      if (taken.dt < report.smallest_dt) report.smallest_dt = taken.dt, report.limit = taken.reason;
      if (limit.dt < report.least.dt) report.least = limit;
      // Methods that plan ahead show their particles at stops only.
      if (planned == 0 && report.least.dt < world.first_dt / 5 && report.note.empty())
        report.note = note_small_step(world, report.least);
      if (world.environment.time < frame_end && fire_events(world)) begin(world);
    }
    stable_step(world);  // refuses non-finite values before they reach a file
  } catch (const TooManySteps& error) {
    throw Error(fmt::format("frame {}, t = {:.6g} s, {}", world.frame + 1, world.environment.time,
                            error.what()));
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
  if (world.environment.time >= frame_end) ++world.frame;
  take_reactions(world, begun);
  report.cut_steps = world.cut_steps;
  return report;
}

std::size_t particle_count(const World& world) {
  std::size_t count = 0;
  for (const auto& method : world.methods) count += method->particles().x.size();
  return count;
}

void add_sets(const World& world, Frame& frame) {
  const FrameColumn* const ids = frame.find("id");
  const bool whole = !ids || frame.count == 0;
  const auto last_id = whole ? 0 : static_cast<ParticleId>(ids->number(frame.count - 1));
  for (BodySeed seed : world.seeds) {
    for (const auto& method : world.methods) method->tear_mesh(last_id, seed);
    frame.sets.push_back(mesh_of(seed, frame));
  }
}

Frame take_frame(World& world) {
  const TimerScope scope(world.environment.exec.timers, "take_frame");
  Frame frame;
  frame.index = world.frame;
  frame.time = world.environment.time;
  frame.origin = world.environment.origin;
  const std::vector<Source> sources = sources_by_id(world);
  frame.count = sources.size();
  std::vector<std::vector<ColumnView>> views;
  for (auto& method : world.methods) views.push_back(method->columns());
  for (const auto& of_method : views)
    for (const ColumnView& view : of_method)
      if (view.in_files && !frame.find(view.name))
        frame.columns.push_back(gather(view, views, sources));
  add_sets(world, frame);
  for (auto& method : world.methods)
    for (FrameSet& set : method->sets(world.environment)) frame.sets.push_back(std::move(set));
  if (world.live.output.shell || world.live.render.colour_by == "shell")
    frame.columns.push_back(shell_column(world, sources));
  return frame;
}

}  // namespace phyxel
