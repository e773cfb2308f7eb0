#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "phyxel/app/file_pattern.h"
#include "phyxel/surfaces/flow_frame.h"

namespace phyxel {

/// Surfaces from particle files of any program.
struct SurfaceFiles {
  std::vector<std::string> inputs;  // files, or patterns: points_{}.ply, points_{10..50}.ply
  std::filesystem::path out;        // folder
  std::string format = "ply";       // an extension that write_surface knows, vdb, or usda
  double fps = 24;                  // of a .usda file
  SurfaceOptions surface;
  std::optional<FlowOptions> flow;  // the surface is that of the border which it finds
  double decimate = 1;              // share of the triangles that is kept
  bool check_mesh = false;          // Error where a surface is not closed
  bool keep_going = false;          // other files are done although one cannot be
};

/// What a surface is like.
struct MeshReport {
  std::size_t vertices = 0, triangles = 0;
  std::size_t open_edges = 0;
  int pieces = 0;     // connected parts
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
