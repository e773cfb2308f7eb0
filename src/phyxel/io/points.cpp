#include "phyxel/io/points.h"

#include "phyxel/core/error.h"
#include "phyxel/io/bgeo.h"
#include "phyxel/io/csv.h"
#include "phyxel/io/obj.h"
#include "phyxel/io/ply.h"
#include "phyxel/io/text_reader.h"
#include "phyxel/io/vtk.h"

namespace phyxel {

namespace {

struct PointFormat {
  const char* extension;
  Frame (*read)(const std::filesystem::path&);
  void (*write)(const std::filesystem::path&, const Frame&) = nullptr;  // null: it is only read
};

void write_vtp_points(const std::filesystem::path& path, const Frame& frame) {
  write_vtp(path, frame);
}

constexpr PointFormat formats[] = {{".ply", &read_ply, &write_ply},
                                   {".vtp", &read_vtk, &write_vtp_points},
                                   {".vtu", &read_vtk},
                                   {".vtk", &read_vtk},
                                   {".csv", &read_csv},
                                   {".tsv", &read_csv},
                                   {".txt", &read_csv},
                                   {".xyz", &read_xyz},
                                   {".obj", &read_obj},
                                   {".bgeo", &read_bgeo},
                                   {".bhclassic", &read_bgeo}};

}  // namespace

const std::vector<std::string>& point_file_extensions() {
  static const std::vector<std::string> all = [] {
    std::vector<std::string> names;
    for (const PointFormat& format : formats) names.emplace_back(format.extension);
    return names;
  }();
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
  throw InputError(Place{path.string()}, "particles cannot be written as " +
                                             in_quotes(extension_of(path)) +
                                             suggestion(extension_of(path), particle_formats()));
}

Frame read_points(const std::filesystem::path& path) {
  const std::string extension = extension_of(path);
  for (const PointFormat& format : formats)
    if (extension == format.extension) return format.read(path);
  std::string known;
  for (const std::string& name : point_file_extensions()) known += " " + name;
  throw InputError(Place{path.string()}, "particles cannot be read from " + in_quotes(extension) +
                                             "; known are" + known +
                                             suggestion(extension, point_file_extensions()));
}

}  // namespace phyxel
