#include "phyxel/io/mesh_read.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <fmt/format.h>
#include <limits>
#include <optional>
#include <unordered_map>

#include "phyxel/core/origin.h"
#include "phyxel/io/columns.h"
#include "phyxel/io/ply_elements.h"

namespace phyxel {

namespace {

constexpr std::size_t max_vertices = std::numeric_limits<Index>::max();

TriangleMesh checked(TriangleMesh mesh, const std::string& file) {
  if (mesh.triangles.empty())
    refuse_file(file,
                "holds no triangles; a mesh needs faces (points alone are read as particles)");
  return mesh;
}

void check_count(std::size_t vertices, const std::string& file) {
  if (vertices > max_vertices)
    refuse_file(file, std::to_string(vertices) + " vertices, at most " +
                          std::to_string(max_vertices) +
                          " are possible; split or decimate the mesh");
}

/// A vertex relative to the origin.
Vec3 read_vertex(TextReader& r, const Vec3d& origin = Vec3d::zero()) {
  r.skip_space();
  const std::size_t where = r.at;
  const bool far = !(origin == Vec3d::zero());
  Vec3 p;
  for (int k = 0; k < 3; ++k)
    p[k] = far ? static_cast<Real>(r.number<double>("a coordinate") - origin[k])
               : r.number<Real>("a coordinate");
  if (!is_finite(p)) r.fail("a vertex is not finite; every coordinate must be a number", where);
  return p;
}

/// The n-th of `count` things: counted from 1, or back from the last.
Index obj_index(const TextReader& r, std::string_view word, std::string_view digits,
                std::size_t count, const char* what) {
  const std::size_t where = r.at - word.size();
  const auto number = parse_number<std::int64_t>(digits);
  if (!number)
    r.fail("face corner " + in_quotes(word) + " has no number of a " + what + " where one belongs",
           where);
  const auto n = static_cast<std::int64_t>(count);
  const std::int64_t index = *number < 0 ? n + *number : *number - 1;
  if (index < 0 || index >= n)
    r.fail("face corner " + in_quotes(word) + " names no " + what + "; " + std::to_string(count) +
               " are defined so far, counted from 1",
           where);
  return static_cast<Index>(index);
}

/// The vertex of a face corner "7", "7/1", "7//3" or "-2/..".
Index obj_corner(const TextReader& r, std::string_view word, std::size_t vertices) {
  return obj_index(r, word, word.substr(0, word.find('/')), vertices, "vertex");
}

/// The texture coordinate of a face corner "7/1" or "7/1/3"; -1: none.
Index obj_coordinate(const TextReader& r, std::string_view word, std::size_t coordinates) {
  const std::size_t slash = word.find('/');
  if (slash == std::string_view::npos) return -1;
  const std::string_view rest = word.substr(slash + 1), digits = rest.substr(0, rest.find('/'));
  return digits.empty() ? -1 : obj_index(r, word, digits, coordinates, "texture coordinate");
}

/// Corners of a face by `corner_of(word)`.
template <class CornerOf>
void read_obj_face(TextReader& line, TriangleMesh& mesh, std::vector<Index>& corners,
                   CornerOf corner_of) {
  corners.clear();
  for (std::string_view word = line.word(); !word.empty() && word[0] != '#'; word = line.word())
    corners.push_back(corner_of(word));
  if (corners.size() < 3)
    line.fail("a face has " + std::to_string(corners.size()) + " corners; it needs at least 3");
  add_polygon(mesh, corners);
}

/// Calls on_statement(word) for each line, with the reader behind its first word.
template <class OnStatement>
void for_each_statement(TextReader& r, OnStatement on_statement) {
  const std::string_view text = r.text;
  for (std::size_t next = 0; next < text.size();) {
    const std::size_t end = std::min(text.find('\n', next), text.size());
    r.text = text.substr(0, end);  // so that no statement runs on into the next line
    r.at = next;
    next = end + 1;
    on_statement(r.word());
  }
}

/// u and perhaps v; what follows is left out.
Vec<Real, 2> read_coordinate(TextReader& line) {
  const std::size_t where = line.at;
  Vec<Real, 2> uv = {line.number<Real>("a texture coordinate"), 0};
  line.skip_blanks();
  if (!line.at_end() && line.peek() != '\r' && line.peek() != '#')
    uv[1] = line.number<Real>("a texture coordinate");
  if (!std::isfinite(uv[0]) || !std::isfinite(uv[1]))
    line.fail("a texture coordinate is not finite; it must be a number", where);
  return uv;
}

/// The numbers of a `v` line behind x y z, where they are red, green and blue: one more would be a
/// weight, and two mean nothing.
std::optional<Vec3> read_colour(TextReader& line) {
  Vec3 colour;
  for (int k = 0; k < 3; ++k) {
    const auto number = parse_number<Real>(line.word());
    if (!number) return std::nullopt;
    colour[k] = *number;
  }
  return colour;
}

/// Vertices of a mesh whose corners have places and texture coordinates: one for each pair.
struct SeamSplitter {
  std::vector<Vec3> points, colours;
  std::vector<Vec<Real, 2>> coordinates;
  std::unordered_map<std::uint64_t, Index> known;
  std::vector<Vec3> vertex_colours;

  Index vertex(SurfaceMesh& to, Index point, Index coordinate) {
    const std::uint64_t pair =
        static_cast<std::uint64_t>(point) << 32 | static_cast<std::uint32_t>(coordinate);
    const auto [place, added] =
        known.try_emplace(pair, static_cast<Index>(to.mesh.vertices.size()));
    if (!added) return place->second;
    to.mesh.vertices.push_back(points[point]);
    vertex_colours.push_back(std::size_t(point) < colours.size() ? colours[point] : Vec3::zero());
    to.texture.push_back(coordinate < 0 ? Vec<Real, 2>::zero() : coordinates[coordinate]);
    return place->second;
  }
};

}  // namespace

TriangleMesh parse_obj(std::string_view text, const std::string& file) {
  TriangleMesh mesh;
  std::vector<Index> corners;
  TextReader r{text, file};
  for_each_statement(r, [&](std::string_view word) {
    if (word == "v") mesh.vertices.push_back(read_vertex(r));
    if (word == "f")
      read_obj_face(r, mesh, corners, [&](std::string_view corner) {
        return obj_corner(r, corner, mesh.vertices.size());
      });
    check_count(mesh.vertices.size(), file);
  });
  return checked(std::move(mesh), file);
}

SurfaceMesh parse_textured_obj(std::string_view text, const std::string& file,
                               const Vec3d& origin) {
  SurfaceMesh textured;
  textured.origin = origin;
  SeamSplitter seams;
  std::vector<Index> corners;
  TextReader r{text, file};
  for_each_statement(r, [&](std::string_view word) {
    if (word == "v") {
      seams.points.push_back(read_vertex(r, origin));
      if (const auto colour = read_colour(r)) seams.colours.push_back(*colour);
    }
    if (word == "vt") seams.coordinates.push_back(read_coordinate(r));
    if (word == "f")
      read_obj_face(r, textured.mesh, corners, [&](std::string_view corner) {
        return seams.vertex(textured, obj_corner(r, corner, seams.points.size()),
                            obj_coordinate(r, corner, seams.coordinates.size()));
      });
    check_count(textured.mesh.vertices.size(), file);
  });
  if (seams.coordinates.empty()) textured.texture.clear();
  textured.mesh = checked(std::move(textured.mesh), file);
  if (seams.colours.size() == seams.points.size()) {
    const std::vector<Vec3>& colours = seams.vertex_colours;
    textured.attributes = {make_frame_column("colour", "", colours.data(), colours.size())};
    settle_text_colour(textured.attributes[0]);
  }
  return textured;
}

namespace {

const PlyColumn& coordinate(const PlyElement& vertex, const char* name, const std::string& file) {
  const PlyColumn* column = vertex.find(name);
  if (!column || column->is_list)
    refuse_file(file, std::string("element 'vertex' has no number property '") + name + "'");
  return *column;
}

void read_ply_vertices(const PlyElement& vertex, const std::string& file, const Vec3d& origin,
                       TriangleMesh& mesh) {
  check_count(vertex.count, file);
  const PlyColumn* axes[3] = {&coordinate(vertex, "x", file), &coordinate(vertex, "y", file),
                              &coordinate(vertex, "z", file)};
  mesh.vertices.resize(vertex.count);
  for (std::size_t i = 0; i < vertex.count; ++i) {
    for (int k = 0; k < 3; ++k)
      mesh.vertices[i][k] = static_cast<Real>(axes[k]->number(i) - origin[k]);
    if (!is_finite(mesh.vertices[i]))
      refuse_file(file, "vertex " + std::to_string(i) + " is not finite; repair the mesh");
  }
}

/// Of the first pair of names that the vertices have; none where they have no pair.
std::vector<Vec<Real, 2>> read_ply_texture(const PlyElement& vertex, const std::string& file) {
  for (const auto& pair : ply_texture_names) {
    const PlyColumn* axes[2] = {vertex.find(pair[0]), vertex.find(pair[1])};
    if (!axes[0] || !axes[1] || axes[0]->is_list || axes[1]->is_list) continue;
    std::vector<Vec<Real, 2>> texture(vertex.count);
    for (std::size_t i = 0; i < vertex.count; ++i)
      for (int k = 0; k < 2; ++k) {
        texture[i][k] = static_cast<Real>(axes[k]->number(i));
        if (!std::isfinite(texture[i][k]))
          refuse_file(file, fmt::format("the texture coordinate '{}' of vertex {} is not finite",
                                        pair[k], i));
      }
    return texture;
  }
  return {};
}

void read_ply_faces(const PlyElement& face, const PlyColumn& lists, const std::string& file,
                    TriangleMesh& mesh) {
  std::vector<Index> corners;
  const auto vertices = static_cast<double>(mesh.vertices.size());
  for (std::size_t f = 0; f < face.count; ++f) {
    corners.clear();
    for (std::size_t k = lists.starts[f]; k < lists.starts[f + 1]; ++k) {
      const double index = lists.number(k);
      if (!(index >= 0 && index < vertices && index == std::floor(index)))
        refuse_file(file, "face " + std::to_string(f) + " names vertex " + std::to_string(index) +
                              ", but " + std::to_string(mesh.vertices.size()) +
                              " exist, counted from 0");
      corners.push_back(static_cast<Index>(index));
    }
    add_polygon(mesh, corners);
  }
}

TriangleMesh read_ply_mesh(const PlyElements& ply, const std::string& file, const Vec3d& origin) {
  const PlyElement *vertex = ply.find("vertex"), *face = ply.find("face");
  if (!vertex) refuse_file(file, "has no element 'vertex'");
  TriangleMesh mesh;
  read_ply_vertices(*vertex, file, origin, mesh);
  if (!face) return checked(std::move(mesh), file);
  const PlyColumn* lists = face->find("vertex_indices");
  if (!lists) lists = face->find("vertex_index");
  if (!lists || !lists->is_list) refuse_file(file, "element 'face' has no list 'vertex_indices'");
  read_ply_faces(*face, *lists, file, mesh);
  return checked(std::move(mesh), file);
}

}  // namespace

TriangleMesh parse_ply_mesh(std::string_view bytes, const std::string& file, const Vec3d& origin) {
  return read_ply_mesh(parse_ply_elements(bytes, file), file, origin);
}

SurfaceMesh parse_textured_ply(std::string_view bytes, const std::string& file,
                               const Vec3d& origin) {
  const PlyElements ply = parse_ply_elements(bytes, file);
  SurfaceMesh textured;
  textured.mesh = read_ply_mesh(ply, file, origin);
  textured.texture = read_ply_texture(*ply.find("vertex"), file);
  textured.origin = origin;
  return textured;
}

namespace {

/// Finds the vertex with exactly these coordinates, or adds it.
struct Welder {
  std::unordered_map<Vec3, Index, PlaceHash> known;

  Index vertex(TriangleMesh& mesh, const Vec3& p) {
    const auto [place, added] = known.try_emplace(p, static_cast<Index>(mesh.vertices.size()));
    if (added) mesh.vertices.push_back(p);
    return place->second;
  }
  void triangle(TriangleMesh& mesh, const std::array<Vec3, 3>& p) {
    const Index a = vertex(mesh, p[0]), b = vertex(mesh, p[1]), c = vertex(mesh, p[2]);
    add_triangle(mesh, a, b, c);
  }
};

void expect(TextReader& r, std::string_view wanted) {
  const std::string_view word = r.word();
  if (lower(word) == wanted) return;
  r.fail("expected '" + std::string(wanted) + "', found " +
             (word.empty() ? "the end of the file" : in_quotes(word)),
         r.at - word.size());
}

std::array<Vec3, 3> read_stl_facet(TextReader& r) {
  expect(r, "normal");
  for (int k = 0; k < 3; ++k) r.word();  // often wrong or nan: the corners' order decides
  expect(r, "outer");
  expect(r, "loop");
  std::array<Vec3, 3> corners;
  for (Vec3& p : corners) {
    expect(r, "vertex");
    p = read_vertex(r);
  }
  expect(r, "endloop");
  expect(r, "endfacet");
  return corners;
}

TriangleMesh parse_stl_text(std::string_view text, const std::string& file) {
  TriangleMesh mesh;
  Welder welder;
  TextReader r{text, file};
  r.line();
  for (std::string word = lower(r.word()); !word.empty(); word = lower(r.word())) {
    if (word == "facet")
      welder.triangle(mesh, read_stl_facet(r));
    else if (word == "endsolid" || word == "solid")
      r.line();
    else
      r.fail("expected 'facet' or 'endsolid', found " + in_quotes(word), r.at - word.size());
  }
  return checked(std::move(mesh), file);
}

constexpr std::size_t stl_head = 84, stl_facet = 50;

TriangleMesh parse_stl_binary(std::string_view bytes, const std::string& file) {
  TriangleMesh mesh;
  Welder welder;
  ByteReader r{bytes, file, 0, host_is_big_endian};
  r.take(stl_head - 4, "the header");
  const auto count = r.number<std::uint32_t>("the number of facets");
  if (count > r.left() / stl_facet)
    r.fail("claims " + std::to_string(count) + " facets of 50 bytes, but " +
               std::to_string(r.left()) + " bytes are left; the file is cut off",
           stl_head - 4);
  for (std::uint32_t f = 0; f < count; ++f) {
    r.take(12, "a normal");
    std::array<Vec3, 3> corners;
    for (Vec3& p : corners) {
      for (int k = 0; k < 3; ++k) p[k] = static_cast<Real>(r.number<float>("a coordinate"));
      if (!is_finite(p)) r.fail("facet " + std::to_string(f) + " is not finite", r.at - 12);
    }
    r.take(2, "the attribute");
    welder.triangle(mesh, corners);
  }
  return checked(std::move(mesh), file);
}

/// Binary files may begin with "solid" too: the size tells.
bool is_stl_text(std::string_view bytes) {
  if (!bytes.starts_with("solid")) return false;
  if (bytes.size() < stl_head) return true;
  const auto count = load_number<std::uint32_t>(bytes.data() + stl_head - 4, host_is_big_endian);
  return bytes.size() != stl_head + stl_facet * std::size_t{count};
}

}  // namespace

TriangleMesh parse_stl(std::string_view bytes, const std::string& file) {
  return is_stl_text(bytes) ? parse_stl_text(bytes, file) : parse_stl_binary(bytes, file);
}

namespace {

/// The extension of a mesh that can be read; refused before the file is searched for.
std::string mesh_extension(const std::filesystem::path& path) {
  std::string extension = extension_of(path);
  if (extension == ".obj" || extension == ".ply" || extension == ".stl") return extension;
  refuse_file(path.string(), "its name must end in .obj, .ply or .stl" +
                                 (extension.empty() ? "" : ", not " + in_quotes(extension)));
}

TriangleMesh parse_mesh(const std::string& extension, std::string_view bytes,
                        const std::string& file) {
  if (extension == ".obj") return parse_obj(bytes, file);
  return extension == ".ply" ? parse_ply_mesh(bytes, file) : parse_stl(bytes, file);
}

/// Zero where Real is fine enough for the vertices as they are.
Vec3d origin_of(const TriangleMesh& mesh) {
  const Bounds b = bounds_of(mesh);
  return origin_for({cast<double>(b.min), cast<double>(b.max)});
}

}  // namespace

TriangleMesh read_mesh(const std::filesystem::path& path) {
  const std::string extension = mesh_extension(path);
  TriangleMesh mesh = parse_mesh(extension, read_whole_file(path), path.string());
  if (const Vec3d far = origin_of(mesh); !(far == Vec3d::zero()))
    refuse_file(path.string(),
                "its vertices lie around " +
                    fmt::format("[{:.7g}, {:.7g}, {:.7g}]", far[0], far[1], far[2]) +
                    ", where positions are too coarse for its size; move the mesh near "
                    "its own origin and say where it stands with centre = [x, y, z]");
  return mesh;
}

SurfaceMesh read_textured_mesh(const std::filesystem::path& path) {
  const std::string extension = mesh_extension(path), file = path.string();
  const std::string bytes = read_whole_file(path);
  if (extension == ".stl") return {parse_stl(bytes, file), {}, {}, {}};
  const auto parse = extension == ".obj" ? parse_textured_obj : parse_textured_ply;
  SurfaceMesh near = parse(bytes, file, Vec3d::zero());
  const Vec3d origin = origin_of(near.mesh);
  return origin == Vec3d::zero() ? near : parse(bytes, file, origin);
}

}  // namespace phyxel
