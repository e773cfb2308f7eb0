#include "phyxel/app/surfaces/scene_surfels.h"

#include <algorithm>
#include <numeric>

#include "phyxel/app/surfaces/carried_column.h"
#include "phyxel/app/surfaces/sample_bodies.h"
#include "phyxel/app/surfaces/scene_surfaces.h"
#include "phyxel/scene/body_points.h"
#include "phyxel/scene/fail.h"
#include "phyxel/scene/make_collider.h"
#include "phyxel/surfaces/surfels/surfel_set.h"

namespace phyxel {

namespace {

/// How far a particle carries surfels, in spacings: as vertices of skins are carried.
constexpr Real reach = Real(2.5);

SurfelOptions options_of(const SurfaceSpec& spec, Real spacing) {
  SurfelOptions options;
  options.blends = spec.surfel_implicit;
  // L_I itself is kept where it is shown alone: detail goes over to its blobs.
  options.implicit = spec.surfel_implicit && (spec.show == "implicit" || !spec.surfel_detail);
  options.contact = spec.surfel_contact;
  options.resamples = spec.surfel_resampling;
  options.zombies = spec.surfel_zombies;
  options.field.kind = FieldKind::blobs;
  options.field.spacing = spacing;
  return options;
}

/// Phyxels of a method with a reference shape.
SurfelPhyxels remembered(const Exec& exec, const Frame& particles, int dimensions) {
  std::vector<std::size_t> all(particles.count);
  std::iota(all.begin(), all.end(), std::size_t(0));
  SurfelPhyxels phyxels = surfel_phyxels(particles, all);
  measure_boundary(exec, dimensions, phyxels);
  return phyxels;
}

Column<ParticleId> numbers_to(std::size_t n) {
  Column<ParticleId> numbers(n);
  std::iota(numbers.begin(), numbers.end(), ParticleId(0));
  return numbers;
}

/// Phyxels of other methods, in the order of the bodies' particles at the start.
SurfelPhyxels displaced(const Column<Vec3>& x, const Column<Vec3>& rest,
                        const Column<Mat3>& transforms, Real spacing) {
  return surfel_phyxels(numbers_to(x.size()), x, rest, transforms, reach * spacing);
}

/// The column of particles that pictures are coloured by, or null.
const FrameColumn* shown_column(const Frame& particles, const std::string& colour_by) {
  if (colour_by.empty()) return particles.find("colour");
  return particles.find(colour_by == "speed" ? "velocity" : colour_by);
}

FrameSet set_with(const std::string& name, const CarriedSurfels& surfels, const Surfels& places,
                  const FrameColumn* column) {
  FrameSet set = surfel_set(name, places);
  const bool there = column && std::ranges::any_of(set.columns, [&](const FrameColumn& c) {
                       return c.name == column->name;
                     });
  if (column && !there && !surfels.phyxel.empty())
    set.columns.push_back(carried(*column, {surfels.phyxel.size(), most_links,
                                            surfels.phyxel.data()->c, surfels.weight.data()->c}));
  return set;
}

std::string prefix_of(const SurfaceSpec& spec) {
  return "surfels." + spec.name + ".";
}

}  // namespace

SurfelMaker::SurfelMaker(const Scene& scene) : scene_(scene), choice_(scene) {
  for (std::size_t s = 0; s < scene_.surfaces.size(); ++s)
    if (scene_.surfaces[s].method == "surfels") tables_.push_back(s);
  ShapeFiles files{scene_.folder};
  if (!tables_.empty()) colliders_ = make_colliders(scene_, files);
}

bool SurfelMaker::is_free(const Frame& frame) {
  return !frame.find("reference") || !frame.find("absorbed");
}

SceneSurfels SurfelMaker::start(const Exec& exec, std::size_t table, const Frame& particles) {
  const SurfaceSpec& spec = scene_.surfaces[table];
  const Real spacing = choice_.spacing[table];
  const std::vector<std::size_t> bodies = choice_.bodies(table);
  SampledBodies sampled = sample_bodies(exec, scene_, spec, bodies, spacing);
  warnings_.insert(warnings_.end(), sampled.warnings.begin(), sampled.warnings.end());
  SceneSurfels made;
  made.table = table;
  made.remembers = !is_free(particles);
  made.options = made.remembers ? options_of(spec, spacing) : displacement_only();
  if (made.remembers) {
    made.phyxels = remembered(exec, particles, scene_.dimensions);
    sampled.body.clear();  // the method knows its objects
  } else {
    const Column<Vec3> rest(sampled.points.begin(), sampled.points.end());
    made.rest = make_rest_shape(exec, rest);
    made.phyxels = displaced(rest, rest, Column<Mat3>(rest.size(), Mat3::identity()), spacing);
    made.phyxels.object = sampled.body_of_point;
  }
  made.surface =
      make_surfel_surface(exec, std::move(sampled.surfels), made.phyxels, sampled.spacing,
                          made.options, scene_.dimensions, sampled.body);
  made.frame = made.remembers ? particles.index : -1;
  return made;
}

void SurfelMaker::follow(const Exec& exec, SceneSurfels& s, const Frame& particles) {
  if (s.frame == particles.index) return;
  if (s.remembers) {
    SurfelPhyxels now = remembered(exec, particles, scene_.dimensions);
    advance_surfels(exec, s.surface, s.phyxels, now, s.options, touched(exec, s, particles.time),
                    scratch_);
    s.phyxels = std::move(now);
    s.frame = particles.index;
    return;
  }
  if (particles.count != s.rest.x.size())
    throw Error(fmt::format(
        "surface.{}: its surfels were made for {} particles and the frame has {}; they need the "
        "particles of the start",
        scene_.surfaces[s.table].name, s.rest.x.size(), particles.count));
  SurfelPhyxels now = displaced(positions_of(particles), s.rest.x,
                                transforms_of(exec, s.rest, particles), choice_.spacing[s.table]);
  now.object = s.phyxels.object;
  advance_surfels(exec, s.surface, now, now, s.options, {}, scratch_);
}

/// Colliders, and the surfels of the other tables where they are so far.
std::vector<TouchedSurface> SurfelMaker::touched(const Exec& exec, const SceneSurfels& by,
                                                 double time) {
  std::vector<TouchedSurface> all;
  if (!by.options.contact) return all;
  for (Collider& collider : colliders_) {
    move_to(collider, time);
    all.push_back(touched_collider(collider));
  }
  for (const SceneSurfels& other : surfels_)
    if (&other != &by)
      all.push_back(touched_surfels(exec, other.surface.detail, other.surface.spacing, false));
  return all;
}

FrameSet SurfelMaker::set_of(const SceneSurfels& s, const Frame& particles) const {
  const SurfaceSpec& spec = scene_.surfaces[s.table];
  const FrameColumn* const column = shown_column(particles, scene_.render.colour_by);
  if (spec.show == "contact") return surfel_set(spec.name, s.surface.contact);
  if (spec.show == "zombies")
    return set_with(spec.name, s.surface.zombies, s.surface.zombies, column);
  if (spec.show == "sets") return surfel_set(spec.name, shown_by_set(s.surface));
  if (spec.show == "implicit" || !spec.surfel_detail)
    return set_with(spec.name, s.surface.implicit, s.surface.implicit, column);
  return set_with(spec.name, s.surface.detail, shown(s.surface), column);
}

std::vector<std::string> SurfelMaker::names() const {
  std::vector<std::string> names;
  for (const std::size_t table : tables_) names.push_back(scene_.surfaces[table].name);
  return names;
}

bool SurfelMaker::remembers() const {
  return std::ranges::any_of(surfels_, &SceneSurfels::remembers);
}

void SurfelMaker::add_sets(const Exec& exec, Frame& frame) {
  if (tables_.empty()) return;
  const TimerScope scope(exec.timers, "surfels");
  const std::vector<std::vector<std::size_t>> chosen = choice_.chosen(frame);
  for (std::size_t k = 0; k < tables_.size(); ++k) {
    if (frame.find_set(scene_.surfaces[tables_[k]].name)) continue;
    const Frame particles = select(frame, chosen[tables_[k]]);
    if (surfels_.size() == k) surfels_.push_back(start(exec, tables_[k], particles));
    follow(exec, surfels_[k], particles);
    frame.sets.push_back(set_of(surfels_[k], particles));
  }
}

std::vector<SurfelColumns> SurfelMaker::save() const {
  std::vector<SurfelColumns> all;
  for (const SceneSurfels& s : surfels_) {
    if (!s.remembers) continue;
    for (SurfelColumns& columns : phyxel::save(s.surface)) {
      columns.name = prefix_of(scene_.surfaces[s.table]) + columns.name;
      all.push_back(std::move(columns));
    }
  }
  return all;
}

void SurfelMaker::load(const std::vector<SurfelColumns>& saved, const Frame& frame) {
  if (tables_.empty() || is_free(frame)) return;
  const std::vector<std::vector<std::size_t>> chosen = choice_.chosen(frame);
  for (const std::size_t table : tables_) {
    const SurfaceSpec& spec = scene_.surfaces[table];
    std::vector<SurfelColumns> own;
    for (const SurfelColumns& columns : saved)
      if (columns.name.starts_with(prefix_of(spec)))
        own.push_back({columns.name.substr(prefix_of(spec).size()), columns.columns});
    if (own.empty())
      fail(scene_, "surface." + spec.name,
           "surface.{}: the checkpoint has no surfels of it, which follow from all frames before; "
           "undo the change, or start anew without --resume",
           spec.name);
    SceneSurfels s;
    s.table = table;
    s.remembers = true;
    s.surface = load_surfels(own);
    s.options = options_of(spec, choice_.spacing[table]);
    s.phyxels = remembered({}, select(frame, chosen[table]), scene_.dimensions);
    s.frame = frame.index;
    surfels_.push_back(std::move(s));
  }
}

}  // namespace phyxel
