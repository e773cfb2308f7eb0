#pragma once

#include <filesystem>
#include <functional>

#include "phyxel/app/pictures/flow_pictures.h"
#include "phyxel/matter/parameters.h"
#include "phyxel/surfaces/mean_distance.h"

namespace phyxel {

/// Structure of the flow in particle files of any program.
struct FlowJob {
  std::vector<std::string> inputs;  // files, or patterns: points_{}.ply, points_{10..50}.ply
  std::filesystem::path out;        // folder
  FlowOptions flow;
  bool separate = true;     // each material is a flow of its own
  bool pictures = true;     // of each stage
  int samples = 8;          // paths per pixel
  double most_edges = 5e6;  // a larger graph is not written
};

inline void describe(Fields& field, FlowJob& job) {
  describe(field, job.flow);
  field("most_edges", job.most_edges, "", {0, 1e9, true, true, ""},
        "graphs with more are not written");
  field("samples", job.samples, "", {1, 65536, true, true, ""}, "rays per pixel");
}

/// What all frames have in common.
struct FlowScale {
  std::size_t frames = 0;
  MeanDistance mean_distance;  // of all pairs in all frames; zero where L_alpha is given
  Real longest_edge = 0;       // m
};

/// How one frame went.
struct FlowProgress {
  std::filesystem::path input;
  std::size_t done = 0, of = 0;
  std::size_t points = 0, border = 0, lone = 0;
  double edges = 0;
  double longest_vector = 0;     // m
  double structure_seconds = 0;  // graph, vectors and border
  double seconds = 0;            // everything
  std::vector<std::string> notes;
};

/// Mean distance of the points in all files, and L_alpha. Reads every file, unless L_alpha is
/// given. `skip_bad`: files that cannot be read do not count.
FlowScale measure_flow(const Exec& exec, const std::vector<std::filesystem::path>& files,
                       const FlowOptions& options, bool skip_bad = false);

/// Writes points/NAME.ply with the attributes of each point, graph/NAME.vtp with its edges,
/// images/NAME_STAGE.png, and flow.csv with a row for each file.
void analyse_flow(const Exec& exec, const FlowJob& job,
                  const std::function<void(const FlowScale&)>& begin,
                  const std::function<void(const FlowProgress&)>& show);

}  // namespace phyxel
