#include "phyxel/scene/check_scene.h"

#include <algorithm>

#include "phyxel/io/vdb.h"
#include "phyxel/render/colour_map.h"
#include "phyxel/render/looks.h"
#include "phyxel/scene/body_material.h"
#include "phyxel/scene/fail.h"
#include "phyxel/scene/make_force_field.h"
#include "phyxel/scene/removal.h"
#include "phyxel/scene/timeline.h"
#include "phyxel/scene/toml_table.h"
#include "phyxel/surfaces/decimate.h"

namespace phyxel {

namespace {

constexpr const char* flat_rule = "a scene with dimensions = 2 lies in the plane z = 0";

/// One part of a vector that would lead out of the plane of a flat scene.
void refuse_leaving(const Scene& scene, Problems& problems, const std::string& path, char axis,
                    double value) {
  if (value != 0)
    problems.add(scene.place_of(path),
                 fmt::format("{} has {} = {:.7g}; {}", path, axis, value, flat_rule));
}

void refuse_turning(const Scene& scene, Problems& problems, const std::string& path,
                    const Vec3& v) {
  refuse_leaving(scene, problems, path, 'x', v[0]);
  refuse_leaving(scene, problems, path, 'y', v[1]);
}

void check_flat_motion(const Scene& scene, Problems& problems, const std::string& path,
                       const Motion& motion) {
  for (const Vec3& p : motion.positions)
    refuse_leaving(scene, problems, path + ".positions", 'z', p[2]);
  for (const Vec3& r : motion.rotations) refuse_turning(scene, problems, path + ".rotations", r);
}

/// Gravity and velocities are the only vectors that change while running.
void check_flat_value(Problems& problems, const Place& place, const std::string& path,
                      const std::vector<double>& value) {
  if (value.size() == 3 && value[2] != 0)
    problems.add(place, fmt::format("{} has z = {:.7g}; {}", path, value[2], flat_rule));
}

void check_flat(const Scene& scene, Problems& problems) {
  if (scene.dimensions != 2) return;
  refuse_leaving(scene, problems, "world.gravity", 'z', scene.world.gravity[2]);
  if (is_given(scene.world.origin[0]))
    refuse_leaving(scene, problems, "world.origin", 'z', scene.world.origin[2]);
  if (scene.world.periodic[2])
    problems.add(scene.place_of("world.periodic"),
                 fmt::format("world.periodic has z = true; {}", flat_rule));
  for (const BodySpec& body : scene.bodies) {
    refuse_leaving(scene, problems, "body." + body.name + ".velocity", 'z', body.velocity[2]);
    refuse_turning(scene, problems, "body." + body.name + ".angular_velocity",
                   body.angular_velocity);
    if (body.nozzle)
      refuse_leaving(scene, problems, body.path() + ".direction", 'z', body.nozzle->direction[2]);
  }
  for_each_solid(scene, [&](const std::string& path, auto&, const Motion* motion) {
    if (motion) check_flat_motion(scene, problems, path + ".motion", *motion);
  });
  for (const EventSpec& event : scene.events)
    for (const Assignment& set : event.set)
      if (const auto* v = std::get_if<std::vector<double>>(&set.value))
        check_flat_value(problems, set.place, set.path, *v);
  for (const KeyframeSpec& keys : scene.keyframes)
    for (const auto& v : keys.values) check_flat_value(problems, keys.place, keys.path, v);
}

void check_removal(const Scene& scene) {
  if (!scene.places.contains("world.remove_every") || !scene.sinks.empty() ||
      scene.world.outside == Outside::remove)
    return;
  fail(scene, "world.remove_every",
       "world.remove_every = {:.7g} s does nothing here: there is no [sink.NAME], and outside is "
       "\"keep\"; remove it or add one",
       scene.world.remove_every);
}

void check_frames(const Scene& scene) {
  constexpr double most = 1e8;
  if (scene.duration * scene.fps > most)
    fail(scene, "duration",
         "duration = {:.7g} s at fps = {:.7g} is {:.3g} frames, must be at most {:.0e}; lower one "
         "of them",
         scene.duration, scene.fps, scene.duration * scene.fps, most);
}

void check_render(const Scene& scene, Problems& problems) {
  const RenderSpec& r = scene.render;
  const auto refuse = [&](bool wrong, const char* path, const std::string& message) {
    if (wrong) problems.add(scene.place_of(path), message);
  };
  try {
    render::find_colour_map(r.colour_map);
  } catch (const InputError& error) {
    refuse(true, "render.colour_map", fmt::format("render.colour_map = {}", error.what()));
  }
  refuse(is_given(r.view_direction[0]) && length(r.view_direction) == 0, "render.view_direction",
         "render.view_direction = [0, 0, 0] has no direction; [0, 0, -1] looks along the z axis");
  refuse(r.colour_max <= r.colour_min, "render.colour_max",
         fmt::format("render.colour_max = {:.7g} must be above colour_min = {:.7g}", r.colour_max,
                     r.colour_min));
  refuse(r.environment.empty() && r.background == BackgroundLook::environment, "render.background",
         "render.background = \"environment\" needs one; add environment = \"sky.hdr\"");
  refuse(r.camera_position == r.camera_target, "render.camera_target",
         "render.camera_target is where the camera stands; it must be another point");
}

/// Keys with values of their own that the method of a surface does not use.
void refuse_unused(const Scene& scene, Problems& problems, SurfaceSpec s) {
  SurfaceSpec plain;
  const Fields fields = described(s), defaults = described(plain);
  const auto is_used = [&](const Parameter& p) {
    if (s.direct && (p.name == "cell" || p.name == "smooth" || p.name == "decimate")) return false;
    if (s.flow.longest_edge > 0 && p.name == "alpha") return false;
    return p.used_by.empty() || contains(p.used_by, s.method);
  };
  for (std::size_t k = 0; k < fields.list.size(); ++k) {
    const Parameter& p = fields.list[k];
    if (value_text(p) == value_text(defaults.list[k]) || is_used(p)) continue;
    const std::string path = fmt::format("surface.{}.{}", s.name, p.name);
    problems.add(scene.place_of(path),
                 fmt::format("{} is not used by method = \"{}\"; remove it or "
                             "choose another method",
                             path, s.method));
  }
}

/// Whether two tables ask for the same particles.
bool compete(const SurfaceSpec& a, const SurfaceSpec& b) {
  return a.of == b.of &&
         (a.phase == b.phase || a.phase == SurfacePhase::all || b.phase == SurfacePhase::all);
}

/// Whether particles of the material are solid or liquid, in a column `phase`.
bool has_phases(const Material& material) {
  const MethodInfo& method = *find_method(material.method);
  return method.has_phases || (method.turns_into && !method.turns_into(material).empty());
}

void check_phase(const Scene& scene, const SurfaceSpec& s) {
  const std::string path = "surface." + s.name;
  for (const SurfaceSpec& other : scene.surfaces)
    if (&other < &s && compete(s, other))
      fail(scene, path, "{}: surface.{} is for the same particles; give them different phases",
           path, other.name);
  if (s.phase == SurfacePhase::all) return;
  if (s.method == "skin" || s.method == "body" || s.method == "surfels")
    fail(scene, path + ".phase",
         "{}.phase: {} needs the particles of the start, whatever they become; remove it or "
         "choose a field",
         path, s.method == "surfels" ? "a surface of surfels" : "a " + s.method);
  for (const BodySpec& b : scene.bodies)
    if ((b.name == s.of || b.material == s.of) && has_phases(material_of(scene, b))) return;
  fail(scene, path + ".phase",
       "{}.phase: the method of {} knows no phases; remove it, choose method = \"lattice\", or mpm "
       "with melts_into or freezes_into",
       path, s.of);
}

/// Surfels follow matter that keeps together, from what it is at the start.
void check_surfels(const Scene& scene, const SurfaceSpec& s) {
  const std::string path = "surface." + s.name;
  for (const BodySpec& b : scene.bodies) {
    if (b.name != s.of && b.material != s.of) continue;
    const std::string& method = material_of(scene, b).method;
    const MethodInfo& info = *find_method(method);
    const auto refuse = [&](const std::string& key, const std::string& why) {
      fail(scene, path + key, "{}{}: {}", path, key, why);
    };
    if (!info.keeps_neighbours)
      refuse(".method", fmt::format("surfels follow matter that keeps together, and method = "
                                    "\"{}\" of {} is a liquid; choose a field",
                                    method, b.path()));
    if (b.nozzle)
      refuse(".method", b.path() +
                            " grows, and surfels are for what is there at the start; choose "
                            "a field");
    if (is_thin(b))
      refuse(".method", b.path() +
                            " is a sheet or a line, and surfels are around bodies; choose "
                            "body or skin");
    if (info.has_reference_shape) continue;
    if (removes_from(scene, b))
      refuse(".method", "a sink, an event or world.outside may remove particles of " + b.path() +
                            ", and its surfels need all that are there at the start; choose a "
                            "field");
    for (const auto& [key, asked] :
         {std::pair{".show", s.show != "detail"}, std::pair{".surfel_detail", !s.surfel_detail}})
      if (asked)
        refuse(key, fmt::format("there is no such set of surfels: particles of method = \"{}\" "
                                "have no reference shape and only carry the detail; remove it",
                                method));
  }
}

/// The set of surfels that a table shows must be there.
void check_shown(const Scene& scene, const SurfaceSpec& s) {
  const std::string path = "surface." + s.name;
  const auto need = [&](bool asked, bool on, const char* key, const std::string& word) {
    if (asked && !on)
      fail(scene, path + ".show",
           "{0}.show = \"{1}\": this set is off; remove {0}.{2} = false, or show another one", path,
           word, key);
  };
  need(s.show == "sets", s.surfel_detail, "surfel_detail", s.show);
  need(s.show == "implicit", s.surfel_implicit, "surfel_implicit", s.show);
  need(s.show == "contact", s.surfel_contact, "surfel_contact", s.show);
  need(s.show == "zombies", s.surfel_zombies, "surfel_zombies", s.show);
  if (!s.surfel_detail && !s.surfel_implicit)
    fail(scene, path + ".surfel_detail",
         "{0}.surfel_detail = false shows the implicit surface, which {0}.surfel_implicit = false "
         "turns off; turn one of them on",
         path);
}

void check_surface(const Scene& scene, Problems& problems, const SurfaceSpec& s) {
  const std::string path = "surface." + s.name;
  const bool skin = s.method == "skin";
  const auto wears = [&](const BodySpec& b) { return b.name == s.of || b.material == s.of; };
  for (const BodySpec& b : scene.bodies)
    if (skin && b.nozzle && wears(b))
      fail(scene, path + ".method",
           "{}.method = \"skin\": {} grows, and a skin is for what is there at the start; choose a "
           "field",
           path, b.path());
  for (const BodySpec& b : scene.bodies)
    if (skin && !b.nozzle && wears(b) && removes_from(scene, b))
      fail(
          scene, path + ".method",
          "{}.method = \"skin\": a sink, an event or world.outside may remove particles of {}, and "
          "a skin needs all that are there at the start; choose a field",
          path, b.path());
  if (std::ranges::none_of(scene.bodies, wears))
    fail(scene, path, "{}: no body is made of material.{}; remove the table or add such a body",
         path, s.of);
  problems.attempt([&] { check_phase(scene, s); });
  for (const BodySpec& b : scene.bodies)
    if (s.method == "body" && wears(b) && !is_thin(b))
      fail(scene, path + ".method",
           "{}.method = \"body\": the particles of {} are not the vertices of triangles, as those "
           "of "
           "a sheet; choose a field, skin or particles",
           path, b.path());
  const Bool3& periodic = scene.world.periodic;
  const bool surfels = s.method == "surfels";
  if (surfels) check_surfels(scene, s);
  if (surfels) check_shown(scene, s);
  if ((skin || surfels || s.method == "body") && (periodic[0] || periodic[1] || periodic[2]))
    fail(scene, path + ".method",
         "{}.method = \"{}\": a {} would be torn at the faces of a periodic domain; choose a "
         "field instead",
         path, s.method,
         skin      ? "skin"
         : surfels ? "surface of surfels"
                   : "mesh");
  refuse_unused(scene, problems, s);
  if (s.decimate < 1 && !can_decimate())
    fail(scene, path + ".decimate",
         "{}.decimate: this build has no OpenMesh; build it where libopenmesh-dev is installed",
         path);
  if (s.method != "particles" && scene.dimensions == 2)
    fail(scene, path,
         "{}: a flat scene has no surfaces; leave it out, or say method = \"particles\"", path);
  const bool deep = render::find_look(s.look, 1).finish.depth > 0;
  if (is_given(s.depth) && !deep)
    fail(scene, path + ".depth",
         "{}.depth: light does not enter a body with look = \"{}\"; remove it", path, s.look);
}

/// An animation is joined from files that can be read again.
void check_output(const Scene& scene) {
  const OutputSpec& o = scene.output;
  if (o.usd && o.particles == "none" && o.surface != "ply")
    fail(scene, "output.usd",
         "output.usd joins the files of a run; it needs particles = \"{}\", or surface = \"ply\"",
         fmt::join(particle_formats(), "\" or \""));
  const auto is_written = [](auto& s) {
    return s.method != "particles" && s.method != "surfels" && !s.direct;
  };
  if (o.usd && std::ranges::any_of(scene.surfaces, is_written) && o.surface != "ply")
    fail(
        scene, "output.usd",
        "output.usd joins the surface files of a run, which it can read as PLY only; say surface = "
        "\"ply\" or leave one of them out");
  if (!o.volume) return;
  const auto is_field = [](auto& s) { return contains(field_names(), s.method); };
  if (std::ranges::none_of(scene.surfaces, is_field))
    fail(scene, "output.volume",
         "output.volume = true needs a surface around the points; add a [surface.NAME] table");
  if (!can_write_vdb()) fail(scene, "output.volume", "output.volume = true: " + no_vdb_message());
}

/// For a body whose method lets matter leave every collider.
void check_contacts(const Scene& scene, const BodySpec& body) {
  const auto refuse = [&](const Place& place, const std::string& path, const std::string& word) {
    fail(place,
         "{} = \"{}\" cannot be done by {}, the method of {}; remove it or choose another method",
         path, word, material_of(scene, body).method, body.path());
  };
  if (scene.world.walls == Walls::sticky)
    refuse(scene.place_of("world.walls"), "world.walls", "sticky");
  for (const ColliderSpec& collider : scene.colliders) {
    const std::string path = "collider." + collider.name + ".contact";
    if (collider.contact != ContactKind::separate)
      refuse(scene.place_of(path), path, collider.contact == ContactKind::slip ? "slip" : "sticky");
  }
  for (const EventSpec& event : scene.events)
    for (const Assignment& set : event.set) {
      const auto* word = std::get_if<std::string>(&set.value);
      const bool sets = set.path.starts_with("collider.") && set.path.ends_with(".contact");
      if (sets && word && *word != "separate") refuse(set.place, set.path, *word);
    }
}

/// Whether the matter of a body may change its temperature, now or after an event.
bool may_take_heat(const Scene& scene, const BodySpec& body) {
  Material material = material_of(scene, body);
  if (!find_method(material.method)->conducts_heat) return false;
  Fields fields = described_parameters(material);
  for (const char* key : {"conductivity", "heating", "convection"}) {
    const std::string path = "material." + material.name + "." + key;
    const auto is_this = [&](const std::string& changed) { return changed == path; };
    if (std::stod(value_text(*fields.find(key))) != 0 || scene.places.contains(path) ||
        changes_any(scene, is_this))
      return true;
  }
  return false;
}

/// Refuses temperatures of colliders and pins where no body takes heat.
void check_warm_surroundings(const Scene& scene) {
  for (const BodySpec& body : scene.bodies)
    if (may_take_heat(scene, body)) return;
  const auto refuse = [](const Place& place, const std::string& path) {
    fail(place, "{}: no body takes heat; remove it, or give the material of a body a conductivity",
         path);
  };
  const auto refuse_key = [&](bool given, const std::string& path) {
    if (given) refuse(scene.place_of(path), path);
  };
  for (const ColliderSpec& collider : scene.colliders) {
    refuse_key(is_given(collider.temperature), "collider." + collider.name + ".temperature");
    refuse_key(collider.heat_flux != 0, "collider." + collider.name + ".heat_flux");
  }
  for (const PinSpec& pin : scene.pins)
    refuse_key(is_given(pin.temperature), "pin." + pin.name + ".temperature");
  for (const EventSpec& event : scene.events)
    for (const Assignment& set : event.set)
      if ((set.path.starts_with("collider.") || set.path.starts_with("pin.")) &&
          (set.path.ends_with(".temperature") || set.path.ends_with(".heat_flux")))
        refuse(set.place, set.path);
}

/// Refuses materials that would turn into one that does not exist, or that another method moves.
void check_what_it_becomes(const Scene& scene, const Material& from) {
  const MethodInfo* const method = find_method(from.method);
  if (!method || !method->turns_into) return;
  std::vector<std::string> known;
  for (const MaterialSpec& spec : scene.materials)
    if (spec.material.method == from.method) known.push_back(spec.material.name);
  for (const auto& [key, name] : method->turns_into(from)) {
    const std::string path = "material." + from.name + "." + key;
    const Index found = material_index(scene, name);
    const std::string text = fmt::format("{} = \"{}\"", path, name);
    if (found < 0)
      fail(scene, path, "{}: there is no [material.{}]; materials of {} are {}{}", text, name,
           from.method, fmt::join(known, ", "), suggestion(name, known));
    if (scene.materials[found].material.method != from.method)
      fail(scene, path,
           "{} is of method {}, and particles cannot leave {}; give it method = \"{}\"", text,
           scene.materials[found].material.method, from.method, from.method);
  }
}

/// world.plane is about elastic solids in flat scenes.
void check_plane(const Scene& scene) {
  const bool given = scene.places.contains("world.plane");
  const auto refuse = [&](const std::string& why) {
    fail(scene, "world.plane", "world.plane = \"{}\" {}",
         scene.world.plane == Plane::strain ? "strain" : "stress", why);
  };
  if (given && scene.dimensions == 3) refuse("is of flat scenes; remove it, or say dimensions = 2");
  bool some = false;
  for (const MaterialSpec& spec : scene.materials) {
    const MethodInfo* const method = find_method(spec.material.method);
    if (!method || !method->refuses_sheet) continue;
    some = true;
    if (scene.dimensions == 3 || scene.world.plane == Plane::strain) continue;
    if (const std::string why = method->refuses_sheet(spec.material); !why.empty())
      refuse(fmt::format("cannot be: material.{}.{}, or world.plane = \"strain\"",
                         spec.material.name, why));
  }
  if (given && !some)
    refuse(
        "does nothing here: no material is of a method with elastic solids; remove it, or "
        "choose method = \"lattice\" or \"mpm\"");
}

}  // namespace

void check_methods(const Scene& scene) {
  Problems problems;
  problems.attempt([&] { check_plane(scene); });
  for (const MaterialSpec& spec : scene.materials)
    problems.attempt([&] { check_what_it_becomes(scene, spec.material); });
  problems.attempt([&] { check_warm_surroundings(scene); });
  for (const BodySpec& body : scene.bodies) {
    if (find_method(material_of(scene, body).method)->has_contact_kinds) continue;
    problems.attempt([&] { check_contacts(scene, body); });
    break;  // what passes here passes for all bodies
  }
  problems.raise();
}

void check_scene(const Scene& scene, Mistakes& mistakes) {
  Problems& problems = mistakes.problems;
  const bool top = !mistakes.tables.contains(""),
             matter = !mistakes.in("material") && !mistakes.in("body") && !mistakes.in("emitter");
  const auto whole = [&](const char* table) { return !mistakes.in(table); };
  if (matter && !mistakes.names_unsure)
    for (const SurfaceSpec& surface : scene.surfaces)
      if (!mistakes.in("surface." + surface.name))
        problems.attempt([&] { check_surface(scene, problems, surface); });
  if (matter && whole("field")) check_force_fields(scene, problems);
  if (whole("output") && whole("surface")) problems.attempt([&] { check_output(scene); });
  if (top) check_flat(scene, problems);
  if (top) problems.attempt([&] { check_frames(scene); });
  if (whole("world") && whole("sink")) problems.attempt([&] { check_removal(scene); });
  if (whole("render")) check_render(scene, problems);
}

}  // namespace phyxel
