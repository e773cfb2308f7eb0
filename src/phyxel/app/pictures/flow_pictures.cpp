#include "phyxel/app/pictures/flow_pictures.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

#include "phyxel/render/legend.h"

namespace phyxel {

using render::Colour;

namespace {

constexpr Colour grey{0.5f, 0.52f, 0.55f}, pale{0.72f, 0.74f, 0.76f}, black{0.012f, 0.012f, 0.014f},
    blue{0.05f, 0.16f, 0.4f}, red{0.55f, 0.06f, 0.03f};

constexpr int sides = 5;

/// Two directions across a line.
std::pair<Vec3, Vec3> across(const Vec3& direction) {
  const Vec3 other = std::abs(direction[0]) < Real(0.7) ? Vec3{1, 0, 0} : Vec3{0, 1, 0};
  const Vec3 u = normalized(cross(direction, other));
  return {u, cross(direction, u)};
}

/// Adds a stick that narrows from one radius to the other, open at its ends.
void add_stick(const Vec3& from, const Vec3& to, Real radius, Real end_radius, TriangleMesh& mesh) {
  const Vec3 along = to - from;
  if (!(length(along) > 0)) return;
  const auto [u, v] = across(normalized(along));
  const auto first = static_cast<Index>(mesh.vertices.size());
  for (int k = 0; k < sides; ++k) {
    const Real angle = static_cast<Real>(2 * M_PI * k / sides);
    const Vec3 out = u * std::cos(angle) + v * std::sin(angle);
    mesh.vertices.push_back(from + out * radius);
    mesh.vertices.push_back(to + out * end_radius);
  }
  for (Index k = 0; k < sides; ++k) {
    const Index a = first + 2 * k, b = first + 2 * ((k + 1) % sides);
    mesh.triangles.push_back({a, b, b + 1});
    mesh.triangles.push_back({a, b + 1, a + 1});
  }
}

render::MeshObject sticks(TriangleMesh mesh, const Colour& colour) {
  render::MeshObject object;
  object.mesh = std::move(mesh);
  object.colours = {colour};
  object.finish = {0.6f, 0.3f};
  return object;
}

render::SphereSet spheres(const Frame& frame, Real radius, std::vector<Colour> colours) {
  render::SphereSet set;
  for (std::size_t i = 0; i < frame.count; ++i) set.centres.push_back(frame.position(i));
  set.radii = {radius};
  set.colours = std::move(colours);
  return set;
}

render::MeshObject graph_of(const FlowFrame& f, Real radius) {
  TriangleMesh mesh;
  for (const Vec<Index, 2>& e : f.edges)
    add_stick(f.frame.position(e[0]), f.frame.position(e[1]), radius, radius, mesh);
  return sticks(std::move(mesh), blue);
}

/// Each vector as a long cone that ends where it points, all of them if they are few.
render::MeshObject vectors_of(const FlowFrame& f, Real radius) {
  constexpr std::size_t most = 100000;
  const std::size_t stride = f.frame.count / most + 1;
  TriangleMesh mesh;
  for (std::size_t i = 0; i < f.frame.count; i += stride) {
    const Vec3 x = f.frame.position(i);
    add_stick(x, x + f.flow.close.mean[i], radius, 0, mesh);
  }
  return sticks(std::move(mesh), red);
}

std::vector<Colour> border_colours(const FlowStructure& flow) {
  std::vector<Colour> colours;
  for (const std::uint8_t border : flow.border) colours.push_back(border ? black : pale);
  return colours;
}

void add_stage(const FlowView& view, const FlowFrame& f, FlowStage stage,
               render::PictureScene& picture) {
  const Real s = view.spacing;
  if (stage == FlowStage::points)
    picture.spheres.push_back(spheres(f.frame, s * Real(0.4), {grey}));
  if (stage == FlowStage::graph || stage == FlowStage::vectors)
    picture.spheres.push_back(spheres(f.frame, s * Real(0.1), {grey}));
  if (stage == FlowStage::graph) picture.meshes.push_back(graph_of(f, s * Real(0.04)));
  if (stage == FlowStage::vectors) picture.meshes.push_back(vectors_of(f, s * Real(0.16)));
  if (stage == FlowStage::border)
    picture.spheres.push_back(spheres(f.frame, s * Real(0.4), border_colours(f.flow)));
  if (stage == FlowStage::surface && f.surface)
    picture.fields.push_back({f.surface, {view.colour}, {}});
}

std::string drawn_share(const FlowFrame& f) {
  if (f.edges.empty() && f.flow.edges > 0) return ", too many to draw";
  return f.every == 1 ? "" : fmt::format(", one of {} drawn", f.every);
}

std::string detail_of(const FlowView& view, const FlowFrame& f, FlowStage stage) {
  switch (stage) {
    case FlowStage::points:
      return fmt::format("{} points", f.frame.count);
    case FlowStage::graph:
      return fmt::format("{:.0f} edges below {:.3g} m{}", f.flow.edges, double(f.flow.longest_edge),
                         drawn_share(f));
    case FlowStage::vectors:
      return fmt::format("up to {:.3g} m", double(f.flow.largest_vector));
    case FlowStage::border:
      return fmt::format("{} of {} points, rule {}", f.flow.border_points, f.frame.count,
                         border_rule_names()[static_cast<std::size_t>(view.relative_to)]);
    case FlowStage::surface:
      return fmt::format("around {} points", f.flow.border_points);
  }
  return "";
}

const char* title_of(FlowStage stage) {
  switch (stage) {
    case FlowStage::points:
      return "points";
    case FlowStage::graph:
      return "quasi-neighbourhood graph";
    case FlowStage::vectors:
      return "average close vectors";
    case FlowStage::border:
      return "border";
    case FlowStage::surface:
      return "surface";
  }
  return "";
}

}  // namespace

const std::vector<std::string>& flow_stage_names() {
  static const std::vector<std::string> names = {"points", "graph", "vectors", "border", "surface"};
  return names;
}

render::Image flow_picture(const Exec& exec, const FlowView& view, const FlowFrame& frame,
                           FlowStage stage) {
  const Real margin = std::max(view.spacing, frame.flow.longest_edge);
  const Bounds box{view.bounds.min - Vec3::filled(margin), view.bounds.max + Vec3::filled(margin)};
  const Real aspect = static_cast<Real>(view.width) / static_cast<Real>(view.height);
  const render::Camera camera =
      render::frame_bounds(box, normalized(render::three_quarter_direction), 30, aspect);
  render::PictureScene picture;
  add_stage(view, frame, stage, picture);
  picture.ground.point = box.min;
  picture.lighting = render::studio_lighting(camera);
  render::RenderOptions options;
  options.width = view.width;
  options.height = view.height;
  options.samples = view.samples;
  render::Image image = render::render_picture(exec, picture, camera, options);
  render::develop(image);
  render::draw_caption(image, title_of(stage), detail_of(view, frame, stage));
  return image;
}

}  // namespace phyxel
