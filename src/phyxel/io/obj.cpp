#include "phyxel/core/origin.h"
#include "phyxel/io/columns.h"
#include "phyxel/io/points.h"
#include "phyxel/io/text_reader.h"

namespace phyxel {

namespace {

/// Numbers of a line after its first word; x y z, perhaps a weight, or red green blue.
std::vector<double> numbers_of(TextReader& line) {
  std::vector<double> numbers;
  for (line.skip_blanks(); !line.at_end() && line.peek() != '#' && line.peek() != '\r';
       line.skip_blanks())
    numbers.push_back(line.number<double>("a coordinate"));
  return numbers;
}

}  // namespace

Frame parse_obj_points(std::string_view text, const std::string& file) {
  std::vector<Vec3d> points;
  std::vector<Vec3> colours;
  BoundsOf<double> bounds;
  TextReader r{text, file};
  while (!r.at_end()) {
    const std::size_t begin = r.at;
    r.line();
    TextReader line{text.substr(0, r.at), file, begin};
    if (!text.substr(begin).starts_with("v ") && !text.substr(begin).starts_with("v\t")) continue;
    line.word();
    const std::string_view whole = text.substr(begin, r.at - begin);
    line.text = text.substr(0, begin + whole.find_last_not_of("\r\n") + 1);
    const std::vector<double> n = numbers_of(line);
    if (n.size() < 3)
      line.fail("a vertex has " + std::to_string(n.size()) + " coordinates; it needs 3", begin);
    points.push_back({n[0], n[1], n[2]});
    if (!is_finite(cast<Real>(points.back())))
      line.fail("a vertex is not finite; every coordinate must be a number", begin);
    bounds.include(points.back());
    if (n.size() >= 6) colours.push_back(cast<Real>(Vec3d{n[3], n[4], n[5]}));
  }
  if (points.empty())
    throw InputError(Place{file}, "holds no vertices; points are lines such as v 0.1 0.2 0.3");
  Frame frame;
  frame.count = points.size();
  frame.columns.push_back(make_frame_column("position", "m", points.data(), points.size()));
  frame = rebased(std::move(frame), origin_for(bounds));
  if (frame.origin == Vec3d::zero())
    frame.columns[0] = converted(frame.columns[0], number_type<Real>());
  if (colours.size() == points.size()) {
    frame.columns.push_back(make_frame_column("colour", "", colours.data(), colours.size()));
    settle_text_colour(frame.columns.back());
  }
  return frame;
}

}  // namespace phyxel
