#pragma once

#include "phyxel/render/image.h"
#include "phyxel/render/scene.h"
#include "phyxel/surfaces/flow_frame.h"

namespace phyxel {

/// The steps from points to a surface, in the order of the figures of Guilbaud et al.
enum class FlowStage { points, graph, vectors, border, surface };
/// Their names, in the order of the enumeration.
const std::vector<std::string>& flow_stage_names();

/// What pictures of all frames have in common.
struct FlowView {
  Vec3d origin = Vec3d::zero();   // m, of all frames
  Bounds bounds;                  // m, of all frames, relative to it
  Real spacing = 0;               // m, between points: what spheres and lines are drawn by
  int width = 720, height = 540;  // pixels
  int samples = 8;                // paths per pixel
  BorderRule relative_to = BorderRule::local;
  render::Colour colour{0.85f, 0.55f, 0.3f};  // of the surface
};

/// A frame with its structure.
struct FlowFrame {
  Frame frame;
  FlowStructure flow;
  std::vector<Vec<Index, 2>> edges;           // that are drawn
  std::size_t every = 1;                      // only each so manyth is
  std::shared_ptr<const PointField> surface;  // around the border; null: none
};

render::Image flow_picture(const Exec& exec, const FlowView& view, const FlowFrame& frame,
                           FlowStage stage);

}  // namespace phyxel
