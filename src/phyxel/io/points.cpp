#include "phyxel/io/points.h"

#include <fmt/format.h>
#include <ranges>

#include "phyxel/core/error.h"
#include "phyxel/io/ply.h"
#include "phyxel/io/text_reader.h"
#include "phyxel/io/vtk.h"

namespace phyxel {

namespace {

struct PointFormat {
  const char* extension;
  Frame (*parse)(std::string_view bytes, const std::string& file);
  void (*write)(const std::filesystem::path&, const Frame&) = nullptr;  // null: it is only read
};

void write_vtp_points(const std::filesystem::path& path, const Frame& frame) {
  write_vtp(path, frame);
}

constexpr PointFormat formats[] = {{".ply", &parse_ply, &write_ply},
                                   {".vtp", &parse_vtk_xml, &write_vtp_points},
                                   {".vtu", &parse_vtk_xml},
                                   {".vtk", &parse_vtk_legacy},
                                   {".csv", &parse_csv},
                                   {".tsv", &parse_csv},
                                   {".txt", &parse_csv},
                                   {".xyz", &parse_xyz},
                                   {".obj", &parse_obj_points},
                                   {".bgeo", &parse_bgeo},
                                   {".bhclassic", &parse_bgeo}};

}  // namespace

const std::vector<std::string>& point_file_extensions() {
  static const auto names = formats | std::views::transform(&PointFormat::extension);
  static const std::vector<std::string> all(names.begin(), names.end());
  return all;
}

const std::vector<std::string>& particle_formats() {
  static const std::vector<std::string> written = [] {
    std::vector<std::string> names;
    for (const PointFormat& format : formats)
      if (format.write) names.emplace_back(format.extension + 1);
    return names;
  }();
  return written;
}

void write_points(const std::filesystem::path& path, const Frame& frame) {
  for (const PointFormat& format : formats)
    if (format.write && extension_of(path) == format.extension) return format.write(path, frame);
  const std::vector<std::string>& known = particle_formats();
  throw InputError(Place{path.string()},
                   fmt::format("particles cannot be written as {}; known are {}{}",
                               in_quotes(extension_of(path)), fmt::join(known, " "),
                               suggestion(extension_of(path), known)));
}

Frame read_points(const std::filesystem::path& path) {
  const std::string extension = extension_of(path);
  for (const PointFormat& format : formats)
    if (extension == format.extension) return format.parse(read_whole_file(path), path.string());
  const std::vector<std::string>& known = point_file_extensions();
  throw InputError(
      Place{path.string()},
      fmt::format("particles cannot be read from {}; known are {}{}", in_quotes(extension),
                  fmt::join(known, " "), suggestion(extension, known)));
}

}  // namespace phyxel
