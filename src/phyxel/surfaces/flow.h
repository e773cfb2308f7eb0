#pragma once

#include <vector>

#include "phyxel/core/exec.h"
#include "phyxel/surfaces/flow_options.h"

// Structure of a flow of unorganised points: Guilbaud, Luciani and Castagne, section 3.2.

namespace phyxel {

/// L_alpha, m: points nearer than this are neighbours. Throws InputError where it is not known.
Real longest_edge(const FlowOptions& options, double mean_distance);

/// The vectors from a point to all others that are nearer than the radius.
struct MeanVectors {
  Column<Index> count;
  Column<Vec3> mean;    // m; zero where there are none
  Column<Real> spread;  // m, root of their mean squared length
};

/// Structure of one frame. Columns are in the order of the points.
struct FlowStructure {
  Real longest_edge = 0;  // m, L_alpha
  MeanVectors close;      // of the quasi-neighbourhood graph; the means point inwards
  Column<std::uint8_t> border;
  double edges = 0;         // of the graph
  Real largest_vector = 0;  // m
  Index border_points = 0, lone_points = 0;
};

struct FlowScratch;  // flow_cells.h: memory that is reused from frame to frame

/// A point without neighbours counts as border. Same bits on any number of threads.
void structure_flow(const Exec& exec, const Column<Vec3>& x, Real longest_edge,
                    const FlowOptions& options, FlowScratch& scratch, FlowStructure& flow);

/// The edges of the graph, each once, by the numbers of its points. InputError where there are more
/// than `most`.
std::vector<Vec<Index, 2>> flow_graph(const Exec& exec, const Column<Vec3>& x,
                                      const FlowStructure& flow, double most);

}  // namespace phyxel
