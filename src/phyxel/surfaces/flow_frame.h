#pragma once

#include "phyxel/surfaces/flow.h"
#include "phyxel/surfaces/make_surface.h"

// Flow structuring of frames: their attributes, and the surface around their border.

namespace phyxel {

/// Structure of a frame's points. With `separate`, each material is a flow of its own.
void structure_frame(const Exec& exec, const Frame& frame, Real longest_edge,
                     const FlowOptions& options, bool separate, FlowScratch& scratch,
                     FlowStructure& flow);
/// The same for one frame alone.
FlowStructure structure_frame(const Exec& exec, const Frame& frame, Real longest_edge,
                              const FlowOptions& options, bool separate);

/// The edges of its graph, each once. InputError where there are more than `most`.
std::vector<Vec<Index, 2>> frame_graph(const Exec& exec, const Frame& frame, bool separate,
                                       const FlowStructure& flow, double most);

/// Adds the structure as columns `neighbours`, `close_vector` and `border`; replaces those that the
/// frame may have.
void add_columns(const FlowStructure& flow, Frame& frame);

/// Numbers of the points on the border, ascending.
std::vector<std::size_t> border_points(const FlowStructure& flow);

/// Options of the surface around the points of a border: those not given follow from L_alpha. The
/// field is zhu_bridson, which spans gaps between points and does not swell where they are dense.
SurfaceOptions skeleton_options(SurfaceOptions given, Real longest_edge);

}  // namespace phyxel
