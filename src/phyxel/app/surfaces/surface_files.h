#pragma once

#include <algorithm>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "phyxel/app/folder/file_pattern.h"
#include "phyxel/core/exec.h"
#include "phyxel/geometry/mesh_topology.h"
#include "phyxel/matter/parameters.h"
#include "phyxel/surfaces/surface_parameters.h"

namespace phyxel {

/// Surfaces from particle files of any program.
struct SurfaceFiles {
  std::vector<std::string> inputs;  // files, or patterns: points_{}.ply, points_{10..50}.ply
  std::filesystem::path out;        // folder
  SurfaceParameters surface;
  std::string format = "ply";  // one that write_surface knows, vdb, or usda
  double fps = 24;             // of a .usda file
  bool check_mesh = false;     // Error where a surface is not closed
  bool keep_going = false;     // other files are done although one cannot be
};

/// Formats that make_surfaces can write.
std::vector<std::string> surface_file_formats();

inline void describe(Fields& field, SurfaceFiles& f) {
  describe(field, f.surface);
  // Files have nothing at rest that could follow them, nor a reason to make no surface.
  Parameter& method = *field.find("method");
  std::vector<std::string>& words = std::get<Choice>(method.value).words;
  words.erase(std::find(words.begin(), words.end(), "skin"), words.end());
  method.help.erase(method.help.find("; skin"));
  field("spacing", f.surface.options.field.spacing, "m", workable,
        "between neighbouring particles; measured when absent");
  field.choice("format", f.format, surface_file_formats(),
               "of the files; vdb: volumes, usda: all frames in one animated file");
  field("fps", f.fps, "1/s", {0.001, 100000, true, true, ""}, "frames per second of a .usda file");
  field("check_mesh", f.check_mesh, "fail where a surface is not closed");
  field("keep_going", f.keep_going,
        "make the other surfaces although one cannot be made; status 1 at the end");
}

/// What a surface is like.
struct MeshReport {
  std::size_t vertices = 0, triangles = 0;
  std::size_t open_edges = 0;
  MeshTopology topology = {};
  double volume = 0;  // m^3
  double area = 0;    // m^2
};
MeshReport report_on(const TriangleMesh& mesh);

/// How one file went.
struct SurfaceProgress {
  std::filesystem::path input, output;
  std::size_t done = 0, of = 0;
  std::size_t particles = 0;
  MeshReport mesh;  // without check_mesh only the numbers of vertices and triangles
  double seconds = 0;
  std::string problem;  // "": none
};

/// Makes the surfaces of all files, several at a time where memory allows; returns how many could
/// not be made. Files are written and shown in the order of the inputs, and without `keep_going`
/// none after the first that cannot be made.
std::size_t make_surfaces(const Exec& exec, const SurfaceFiles& files,
                          const std::function<void(const SurfaceProgress&)>& show);

}  // namespace phyxel
