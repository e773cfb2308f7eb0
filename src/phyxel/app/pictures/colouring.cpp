#include "phyxel/app/pictures/colouring.h"

#include <algorithm>
#include <cmath>

#include "phyxel/matter/colour.h"
#include "phyxel/render/colour_map.h"
#include "phyxel/scene/body_material.h"
#include "phyxel/scene/fail.h"

namespace phyxel {

using render::Colour;

namespace {

/// The column behind an attribute; "speed" and "height" are parts of others.
const FrameColumn& find_attribute(const Scene& scene, const Frame& frame, const std::string& name) {
  const FrameColumn* column = frame.find(name == "speed"    ? "velocity"
                                         : name == "height" ? "position"
                                                            : name);
  if (column) return *column;
  std::vector<std::string> names = {"speed", "height"};
  for (const FrameColumn& c : frame.columns) names.push_back(c.name);
  fail(scene, "render.colour_by", "render.colour_by = \"{}\" is not an attribute{}; there are: {}",
       name, suggestion(name, names), fmt::join(names, ", "));
}

/// An attribute as one number per particle: a column, or the length of a vector.
std::vector<double> scalar_values(const Scene& scene, const Frame& frame, const std::string& name) {
  std::vector<double> values(frame.count);
  const FrameColumn* column = &find_attribute(scene, frame, name);
  const bool place = column == &frame.columns.front();  // in the world, as users know it
  const auto number = [&](std::size_t i, int c) {
    return column->number(i, c) + (place ? frame.origin[c] : 0);
  };
  for (std::size_t i = 0; i < frame.count; ++i) {
    if (name == "height" || column->components == 1) {
      values[i] = number(i, name == "height" ? 1 : 0);
      continue;
    }
    double sum = 0;
    for (int c = 0; c < column->components; ++c) sum += number(i, c) * number(i, c);
    values[i] = std::sqrt(sum);
  }
  return values;
}

std::string unit_of(const Frame& frame, const std::string& name) {
  if (name == "speed") return "m/s";
  if (name == "height") return "m";
  const FrameColumn* column = frame.find(name);
  return column ? column->unit : "";
}

render::Legend legend_for(const Scene& scene, const Frame& frame) {
  const RenderSpec& r = scene.render;
  const std::vector<double> values = scalar_values(scene, frame, r.colour_by);
  const auto [least, most] = std::minmax_element(values.begin(), values.end());
  render::Legend legend;
  legend.low = is_given(r.colour_min) ? r.colour_min : values.empty() ? 0 : *least;
  legend.high = is_given(r.colour_max) ? r.colour_max : values.empty() ? 1 : *most;
  if (legend.high <= legend.low) legend.high = legend.low + 1e-9 + std::abs(legend.low) * 1e-6;
  legend.title = r.colour_by;
  legend.unit = unit_of(frame, r.colour_by);
  legend.map = render::find_colour_map(r.colour_map);
  return legend;
}

std::vector<Colour> own_colours(const Frame& points, const FrameColumn& column) {
  std::vector<Colour> colours(points.count);
  for (std::size_t i = 0; i < points.count; ++i)
    for (int k = 0; k < 3; ++k) colours[i][k] = render::linear_from_srgb(colour_code(column, i, k));
  return colours;
}

}  // namespace

Colour to_colour(const Vec3& c) {
  return {render::linear_from_srgb(static_cast<float>(c[0])),
          render::linear_from_srgb(static_cast<float>(c[1])),
          render::linear_from_srgb(static_cast<float>(c[2]))};
}

Colouring::Colouring(const Scene& scene, const Frame& frame)
    : scene_(&scene), attribute_(scene.render.colour_by) {
  const FrameColumn* own = frame.find("colour");
  if (attribute_.empty() && own && is_colour(*own)) attribute_ = "colour";
  if (attribute_.empty() || (own && attribute_ == "colour" && is_colour(*own))) return;
  legend_ = legend_for(scene, frame);
}

std::vector<Colour> Colouring::by_value(const Frame& points) const {
  const double low = legend_->low, range = legend_->high - low;
  std::vector<Colour> colours;
  for (double v : scalar_values(*scene_, points, attribute_))
    colours.push_back(render::sample(legend_->map, static_cast<float>((v - low) / range)));
  return colours;
}

std::vector<Colour> Colouring::by_body(const Frame& points) const {
  std::vector<Colour> of_body;
  for (std::size_t b = 0; b < scene_->bodies.size(); ++b) {
    const Vec3 own = material_of(*scene_, scene_->bodies[b]).colour;
    of_body.push_back(is_given(own[0]) ? to_colour(own) : render::body_colour(b));
  }
  const FrameColumn* body = points.find("body");
  std::vector<Colour> colours(points.count);
  for (std::size_t i = 0; i < points.count; ++i) {
    const std::size_t b = body ? static_cast<std::size_t>(body->number(i)) : 0;
    colours[i] = of_body.at(std::min(b, of_body.size() - 1));
  }
  return colours;
}

std::vector<Colour> Colouring::colours(const Frame& points,
                                       const std::optional<Colour>& own) const {
  if (legend_) return by_value(points);
  if (const FrameColumn* colour = points.find("colour"); colour && is_colour(*colour))
    return own_colours(points, *colour);  // of particles, or of the mesh that they wear
  return own ? std::vector<Colour>(points.count, *own) : by_body(points);
}

}  // namespace phyxel
