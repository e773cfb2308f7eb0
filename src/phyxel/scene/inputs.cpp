#include "phyxel/scene/inputs.h"

#include <fmt/format.h>
#include <set>
#include <sstream>

#include "phyxel/io/hash.h"
#include "phyxel/scene/make_collider.h"

namespace phyxel {

namespace fs = std::filesystem;

namespace {

void add_files(const Scene& scene, const ShapeSpec& shape, std::set<fs::path>& files) {
  if (shape.type == "mesh_sequence")
    for (const fs::path& file : sequence_files(scene, shape)) files.insert(file);
  else if (!shape.file.empty())
    files.insert(scene.folder / shape.file);
  for (const ShapeSpec& part : shape.of) add_files(scene, part, files);
}

std::set<std::string> lines_of(const std::string& text) {
  std::istringstream stream(text);
  std::set<std::string> lines;
  for (std::string line; std::getline(stream, line);) lines.insert(line);
  return lines;
}

}  // namespace

std::vector<fs::path> input_files(const Scene& scene) {
  std::set<fs::path> files;
  for_each_solid(scene,
                 [&](const std::string&, auto& shape, auto*) { add_files(scene, shape, files); });
  for (const SurfaceSpec& surface : scene.surfaces)
    for (const std::string& file : {surface.mesh, surface.texture})
      if (!file.empty()) files.insert(scene.folder / file);
  return {files.begin(), files.end()};
}

std::string fingerprint(const Scene& scene) {
  std::string text;
  for (const fs::path& file : input_files(scene))
    text += fmt::format("{:016x} {}\n", hash_of_file(file),
                        file.lexically_proximate(scene.folder).generic_string());
  return text;
}

std::vector<std::string> changed_inputs(const std::string& before, const std::string& now) {
  const std::set<std::string> old_lines = lines_of(before), new_lines = lines_of(now);
  std::set<std::string> names;
  for (const auto& [lines, others] : {std::pair(&old_lines, &new_lines), {&new_lines, &old_lines}})
    for (const std::string& line : *lines)
      if (!others->contains(line)) names.insert(line.substr(line.find(' ') + 1));
  return {names.begin(), names.end()};
}

}  // namespace phyxel
