#include "phyxel/scene/scene.h"

#include <cmath>

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

Place place_named_in(const Scene& scene, const std::string& message) {
  for (const char* table : {"material.", "world.", "body.", "collider.", "pin.", "time."}) {
    const std::size_t begin = message.find(table);
    if (begin == std::string::npos || (begin > 0 && message[begin - 1] != ' ')) continue;
    return scene.place_of(message.substr(begin, message.find_first_of(" :;,", begin) - begin));
  }
  return {scene.file, 0, 0};
}

void fail(const Scene& scene, const std::string& path, const std::string& message) {
  throw InputError(scene.place_of(path), message);
}

}  // namespace phyxel
