#pragma once

#include "phyxel/scene/toml_table.h"

// Readers of the tables of a scene file. Mistakes go to the Mistakes of the table. `scene` has what
// was read before: materials, then bodies.

namespace phyxel {

MaterialSpec read_material(const std::string& name, TomlTable& table);
BodySpec read_body(const std::string& name, TomlTable& table, const Scene& scene);
BodySpec read_emitter(const std::string& name, TomlTable& table, const Scene& scene);
ColliderSpec read_collider(const std::string& name, TomlTable& table);
PinSpec read_pin(const std::string& name, TomlTable& table, const Scene& scene);
SinkSpec read_sink(const std::string& name, TomlTable& table, const Scene& scene);
FieldSpec read_field(const std::string& name, TomlTable& table, const Scene& scene);
SurfaceSpec read_surface(const std::string& name, TomlTable& table, const Scene& scene);
LightSpec read_light(const std::string& name, TomlTable& table);
EventSpec read_event(TomlTable& table, const Scene& scene);
KeyframeSpec read_keyframe(TomlTable& table, const Scene& scene);

/// Two keyframe tables, or an event and keyframes, for one path: the later would win in silence.
void check_different_paths(const Scene& scene, Mistakes& mistakes);
/// The key `times` of a table must rise.
void check_rising(TomlTable& table, const std::vector<double>& times);

}  // namespace phyxel
