#include "phyxel/app/surfaces/scene_surfaces.h"

#include <algorithm>
#include <cstring>
#include <limits>

#include "phyxel/app/surfaces/body_surface.h"
#include "phyxel/scene/fail.h"
#include "phyxel/surfaces/decimate.h"
#include "phyxel/surfaces/mean_distance.h"

namespace phyxel {

namespace {

void append(FrameColumn& to, const FrameColumn& from) {
  to.data.insert(to.data.end(), from.data.begin(), from.data.end());
}

const FrameColumn* same_attribute(const SurfaceMesh& surface, const FrameColumn& column) {
  for (const FrameColumn& c : surface.attributes)
    if (c.name == column.name && c.type == column.type && c.components == column.components)
      return &c;
  return nullptr;
}

void keep_common_attributes(const SurfaceMesh& surface, std::vector<FrameColumn>& attributes) {
  std::erase_if(attributes, [&](const FrameColumn& c) { return !same_attribute(surface, c); });
}

void append_mesh(const SurfaceMesh& part, SurfaceMesh& all) {
  append(all.mesh, part.mesh);
  all.normals.insert(all.normals.end(), part.normals.begin(), part.normals.end());
  all.texture.insert(all.texture.end(), part.texture.begin(), part.texture.end());
  for (FrameColumn& c : all.attributes) append(c, *same_attribute(part, c));
}

/// What makers of surfaces say ("cell = 1 ..."), with the place in the scene.
[[noreturn]] void refuse_part(const Scene& scene, const SurfaceSpec& spec,
                              const std::string& message) {
  const std::string table = "surface." + spec.name, key = message.substr(0, message.find(' '));
  const bool is_key = scene.places.contains(table + "." + key);
  fail(scene, is_key ? table + "." + key : table, table + (is_key ? "." : ": ") + message);
}

/// A length that must suit the spacing of the particles.
void check_length(const Scene& scene, const SurfaceSpec& spec, const char* key, Real length,
                  double least, double most) {
  if (length == 0 || (length >= least && length <= most)) return;
  const std::string path = fmt::format("surface.{}.{}", spec.name, key);
  fail(scene, path,
       "{} = {:.4g} m must be at least {:.3g} m and at most {:.3g} m to suit the spacing of the "
       "particles; leave it out to have it chosen",
       path, length, least, most);
}

}  // namespace

Frame select(const Frame& frame, const std::vector<std::size_t>& chosen) {
  Frame part;
  part.index = frame.index;
  part.time = frame.time;
  part.origin = frame.origin;
  part.count = chosen.size();
  for (const FrameColumn& c : frame.columns) {
    const std::size_t size = c.element_size();
    FrameColumn column{c.name, c.unit, c.type, c.components,
                       std::vector<std::byte>(size * chosen.size())};
    for (std::size_t k = 0; k < chosen.size(); ++k)
      std::memcpy(column.data.data() + k * size, c.data.data() + chosen[k] * size, size);
    part.columns.push_back(std::move(column));
  }
  return part;
}

Frame vertices_of(const SurfaceMesh& surface) {
  const std::vector<Vec3>& x = surface.mesh.vertices;
  Frame frame;
  frame.origin = surface.origin;
  frame.count = x.size();
  frame.columns.push_back(make_frame_column("position", "m", x.data(), x.size()));
  frame.columns.insert(frame.columns.end(), surface.attributes.begin(), surface.attributes.end());
  return frame;
}

Frame points_of(const FrameSet& set) {
  Frame frame;
  frame.count = set.count;
  frame.columns = set.columns;
  return frame;
}

SurfaceMesh joined(const std::vector<MatterPart>& parts) {
  std::vector<const SurfaceMesh*> surfaces;
  for (const MatterPart& part : parts)
    if (!part.surface.mesh.triangles.empty()) surfaces.push_back(&part.surface);
  if (surfaces.empty()) return {};
  if (surfaces.size() == 1) return *surfaces[0];
  SurfaceMesh all;
  all.origin = surfaces[0]->origin;  // all are of one frame
  all.attributes = surfaces[0]->attributes;
  for (const SurfaceMesh* s : surfaces) keep_common_attributes(*s, all.attributes);
  for (FrameColumn& c : all.attributes) c.data.clear();
  for (const SurfaceMesh* s : surfaces) append_mesh(*s, all);
  if (all.texture.size() != all.mesh.vertices.size()) all.texture.clear();
  return all;
}

SurfaceMaker::SurfaceMaker(const Scene& scene) : scene_(scene), choice_(scene) {
  for (std::size_t s = 0; s < scene_.surfaces.size(); ++s) {
    const double spacing = choice_.spacing[s];
    const SurfaceOptions& options = scene_.surfaces[s].options;
    check_length(scene_, scene_.surfaces[s], "cell", options.cell, 0.01 * spacing, 100 * spacing);
    check_length(scene_, scene_.surfaces[s], "radius", options.field.radius, 0.1 * spacing,
                 100 * spacing);
    const bool skin = scene_.surfaces[s].method == "skin";
    if (!skin && scene_.surfaces[s].method != "body") continue;
    const std::vector<std::size_t> numbers = choice_.bodies(s);
    std::vector<const BodySpec*> bodies;
    for (const std::size_t b : numbers) bodies.push_back(&scene_.bodies[b]);
    if (!skin)
      sheets_.emplace(static_cast<int>(s), sheets_of(scene_, numbers));
    else
      skins_.emplace(static_cast<int>(s),
                     make_scene_skin({}, scene_, scene_.surfaces[s], bodies, choice_.spacing[s]));
  }
}

/// True for a table that puts a field around its particles.
bool SurfaceMaker::is_field(int table) const {
  const auto& kinds = field_names();
  return table >= 0 &&
         std::find(kinds.begin(), kinds.end(), scene_.surfaces[table].method) != kinds.end();
}

bool SurfaceMaker::writes() const {
  return std::any_of(scene_.surfaces.begin(), scene_.surfaces.end(), [](const SurfaceSpec& s) {
    return s.method != "particles" && s.method != "surfels" && !s.direct;
  });
}

SurfaceOptions SurfaceMaker::options_of(int table) const {
  SurfaceOptions options = surface_options(scene_.surfaces[table]);
  options.field.spacing = choice_.spacing[table];
  if (options.cell == 0) options.cell = choice_.spacing[table] / 2;
  options.separate = false;
  return options;
}

/// Leaves the border of a part's particles and returns the options of the surface around it.
SurfaceOptions SurfaceMaker::keep_border(const Exec& exec, MatterPart& part) {
  const FlowOptions& flow = scene_.surfaces[part.table].flow;
  const PairDistances pairs =
      flow.longest_edge > 0 ? PairDistances{} : pair_distances(exec, positions_of(part.particles));
  FlowStructure structure;
  structure_frame(exec, part.particles, longest_edge(flow, mean_distance({&pairs, 1}).mean), flow,
                  false, flow_scratch_, structure);
  part.particles = select(part.particles, border_points(structure));
  SurfaceOptions options = options_of(part.table);
  options.field.spacing = 0;  // that of the border is another
  options.cell = scene_.surfaces[part.table].options.cell;
  return skeleton_options(options, structure.longest_edge);
}

void SurfaceMaker::make_part(const Exec& exec, const Frame& frame, MatterPart& part) {
  const SurfaceSpec& spec = scene_.surfaces[part.table];
  if (spec.method == "particles" || part.particles.count == 0) return;
  if (spec.method == "surfels") {
    if (const FrameSet* set = frame.find_set(spec.name)) part.surfels = *set;
    return;
  }
  if (spec.method == "skin") {
    part.surface = posed(exec, skins_.at(part.table), part.particles);
    return;
  }
  if (spec.method == "body") {
    part.surface = sheet_surface(sheets_.at(part.table), frame);
    return;
  }
  const SurfaceOptions options =
      spec.method == "flow" ? keep_border(exec, part) : options_of(part.table);
  if (spec.direct) {
    auto field = std::make_shared<PointField>();
    make_field(exec, positions_of(part.particles), options.field, *field);
    part.field = field;
  } else {
    part.surface = make_surface(exec, part.particles, options, scratch_);
    if (spec.decimate < 1) decimate(part.surface, static_cast<Real>(spec.decimate));
  }
}

void SurfaceMaker::check(const Exec& exec, const Frame& frame) {
  if (!writes()) return;
  for (const MatterPart& part : make(exec, frame)) {
    if (part.table < 0 || part.field || part.particles.count == 0) continue;
    const SurfaceSpec& spec = scene_.surfaces[part.table];
    if (spec.method == "particles" || part.surfels || !part.surface.mesh.triangles.empty())
      continue;
    refuse_part(scene_, spec,
                fmt::format("no surface was found around {} particles; a smaller cell or iso, or a "
                            "radius like the spacing, finds one",
                            part.particles.count));
  }
}

Volumes SurfaceMaker::volumes(const Exec& exec, const std::vector<MatterPart>& parts) {
  Volumes all;
  all.cell = std::numeric_limits<Real>::max();
  for (const MatterPart& part : parts)
    if (is_field(part.table)) all.cell = std::min(all.cell, options_of(part.table).cell);
  for (const MatterPart& part : parts) {
    if (!is_field(part.table)) continue;
    SurfaceOptions options = options_of(part.table);
    options.cell = all.cell;
    Volumes own = make_volumes(exec, part.particles, options, scratch_);
    for (BodyVolume& body : own.bodies) {
      body.material = part.table;
      all.bodies.push_back(std::move(body));
    }
    all.origin = own.origin;
    append(all.mesh, own.mesh);
  }
  return all;
}

std::vector<MatterPart> SurfaceMaker::make(const Exec& exec, const Frame& frame) {
  const TimerScope scope(exec.timers, "surfaces");
  const std::size_t surfaces = scene_.surfaces.size();
  const std::vector<std::vector<std::size_t>> chosen = choice_.chosen(frame);
  std::vector<MatterPart> parts(surfaces + 1);
  for (std::size_t s = 0; s <= surfaces; ++s) {
    parts[s].particles = chosen[s].size() == frame.count ? frame : select(frame, chosen[s]);
    parts[s].particles.sets.clear();
    if (s == surfaces) break;
    parts[s].table = static_cast<int>(s);
    try {
      make_part(exec, frame, parts[s]);
    } catch (const InputError& error) {
      refuse_part(scene_, scene_.surfaces[s], error.what());
    }
  }
  return parts;
}

}  // namespace phyxel
