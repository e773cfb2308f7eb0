#include "phyxel/scene/scene.h"

#include <cmath>
#include <fmt/format.h>

namespace phyxel {

Place Scene::place_of(const std::string& path) const {
  for (std::string p = path;;) {
    if (const auto found = places.find(p); found != places.end()) return found->second;
    const std::size_t dot = p.rfind('.');
    if (dot == std::string::npos) return {file, 1, 1};
    p.erase(dot);
  }
}

double Scene::video_fps() const {
  return is_given(output.video_fps) ? output.video_fps : fps / render.every;
}

int Scene::frames() const {
  return static_cast<int>(std::max(1.0, std::round(duration * fps)));
}

namespace {

const std::string& name_of(const MaterialSpec& spec) {
  return spec.material.name;
}
template <class Spec>
const std::string& name_of(const Spec& spec) {
  return spec.name;
}

template <class Spec>
Index index_of(const Scene& scene, const std::vector<Spec>& list, const char* table,
               const std::string& name) {
  const auto known = scene.names.find(fmt::format("{}.{}", table, name));
  if (known != scene.names.end() && known->second < std::ssize(list) &&
      name_of(list[known->second]) == name)
    return known->second;
  for (std::size_t k = 0; k < list.size(); ++k)
    if (name_of(list[k]) == name) return static_cast<Index>(k);
  return -1;
}

}  // namespace

Index material_index(const Scene& scene, const std::string& name) {
  return index_of(scene, scene.materials, "material", name);
}
Index body_index(const Scene& scene, const std::string& name) {
  return index_of(scene, scene.bodies, "body", name);
}
Index collider_index(const Scene& scene, const std::string& name) {
  return index_of(scene, scene.colliders, "collider", name);
}
Index pin_index(const Scene& scene, const std::string& name) {
  return index_of(scene, scene.pins, "pin", name);
}
Index sink_index(const Scene& scene, const std::string& name) {
  return index_of(scene, scene.sinks, "sink", name);
}
Index field_index(const Scene& scene, const std::string& name) {
  return index_of(scene, scene.fields, "field", name);
}

Place place_named_in(const Scene& scene, const std::string& message) {
  for (const char* table :
       {"material.", "world.", "body.", "collider.", "pin.", "sink.", "field.", "time."}) {
    const std::size_t begin = message.find(table);
    if (begin == std::string::npos || (begin > 0 && message[begin - 1] != ' ')) continue;
    return scene.place_of(message.substr(begin, message.find_first_of(" :;,", begin) - begin));
  }
  return {scene.file, 0, 0};
}

}  // namespace phyxel
