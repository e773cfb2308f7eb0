#include "phyxel/app/surface_files.h"

#include <algorithm>
#include <fmt/format.h>
#include <numeric>
#include <optional>

#include "phyxel/core/error.h"
#include "phyxel/io/file.h"
#include "phyxel/io/mesh_write.h"
#include "phyxel/io/points.h"
#include "phyxel/io/usd.h"
#include "phyxel/io/vdb.h"

namespace phyxel {

namespace fs = std::filesystem;

namespace {

/// A name with one number in it.
struct NamePattern {
  fs::path folder;
  std::string before, after;
  long first = 0, last = std::numeric_limits<long>::max();
};

[[noreturn]] void refuse_pattern(const std::string& text) {
  throw InputError(fmt::format(
      "{}: a pattern has one {{}} or {{first..last}} for the number, in the name of the file",
      text));
}

long number_from(const std::string& digits, const std::string& text) {
  if (digits.empty() || digits.size() > 9 ||
      digits.find_first_not_of("0123456789") != std::string::npos)
    refuse_pattern(text);
  return std::stol(digits);
}

NamePattern parse_pattern(const std::string& text) {
  const fs::path path(text);
  const std::string name = path.filename().string();
  const auto open = name.find('{'), close = name.find('}');
  if (open == std::string::npos || close == std::string::npos || close < open) refuse_pattern(text);
  NamePattern pattern{path.parent_path(), name.substr(0, open), name.substr(close + 1)};
  if (pattern.after.find_first_of("{}") != std::string::npos) refuse_pattern(text);
  const std::string range = name.substr(open + 1, close - open - 1);
  if (range.empty()) return pattern;
  const auto dots = range.find("..");
  if (dots == std::string::npos) refuse_pattern(text);
  pattern.first = number_from(range.substr(0, dots), text);
  pattern.last = number_from(range.substr(dots + 2), text);
  return pattern;
}

/// The number in a file name, where it fits the pattern.
std::optional<long> number_in(const NamePattern& pattern, const std::string& name) {
  const std::size_t fixed = pattern.before.size() + pattern.after.size();
  if (name.size() <= fixed || !name.starts_with(pattern.before) || !name.ends_with(pattern.after))
    return {};
  const std::string digits = name.substr(pattern.before.size(), name.size() - fixed);
  if (digits.size() > 9 || digits.find_first_not_of("0123456789") != std::string::npos) return {};
  const long number = std::stol(digits);
  if (number < pattern.first || number > pattern.last) return {};
  return number;
}

Index root_of(std::vector<Index>& parent, Index v) {
  while (parent[v] != v) v = parent[v] = parent[parent[v]];
  return v;
}

int count_pieces(const TriangleMesh& mesh) {
  std::vector<Index> parent(mesh.vertices.size());
  std::iota(parent.begin(), parent.end(), 0);
  for (const Int3& t : mesh.triangles)
    for (int k = 1; k < 3; ++k) parent[root_of(parent, t[k])] = root_of(parent, t[0]);
  int pieces = 0;
  for (Index v = 0; v < static_cast<Index>(parent.size()); ++v) pieces += parent[v] == v;
  return pieces;
}

void check_closed(const MeshReport& report, const fs::path& input) {
  if (report.open_edges == 0 && report.volume >= 0) return;
  throw Error(fmt::format("{}: its surface has {} open edges and a volume of {:.3g} m^3",
                          input.string(), report.open_edges, report.volume));
}

void check_format(const std::string& format) {
  std::vector<std::string> known = surface_file_extensions();
  known.insert(known.end(), {".vdb", ".usda"});
  if (format == "vdb" && !can_write_vdb())
    throw InputError(
        "format = vdb: this build has no OpenVDB; install it (Debian: libopenvdb-dev "
        "libboost-dev), "
        "configure and build again");
  if (std::find(known.begin(), known.end(), "." + format) != known.end()) return;
  throw InputError(fmt::format("format = {}: one of {}", format, fmt::join(known, " ")));
}

/// What is made of one file.
struct MadeSurface {
  SurfaceMesh surface;
  Volumes volumes;  // instead, for .vdb files

  const TriangleMesh& mesh() const {
    return volumes.mesh.vertices.empty() ? surface.mesh : volumes.mesh;
  }
};

/// Surfaces as files of their own, or as one animation.
class SurfaceWriter {
 public:
  explicit SurfaceWriter(const SurfaceFiles& files) : files_(files) {
    check_format(files.format);
    create_folders(files.out);
    if (files.format == "usda") animation_.emplace(files.out / "surface.usda", files.fps);
  }
  fs::path write(const fs::path& input, std::size_t number, const MadeSurface& made) {
    if (animation_) {
      animation_->add_mesh("surface", static_cast<double>(number), made.surface);
      return files_.out / "surface.usda";
    }
    const fs::path path = files_.out / (input.stem().string() + "." + files_.format);
    if (files_.format == "vdb")
      write_vdb(path, made.volumes);
    else
      write_surface(path, made.surface);
    return path;
  }
  void finish() {
    if (animation_) animation_->finish();
  }

 private:
  const SurfaceFiles& files_;
  std::optional<UsdAnimation> animation_;
};

void refuse_equal_names(const std::vector<fs::path>& inputs) {
  std::vector<std::string> names;
  for (const fs::path& input : inputs) names.push_back(input.stem().string());
  std::sort(names.begin(), names.end());
  const auto twice = std::adjacent_find(names.begin(), names.end());
  if (twice != names.end())
    throw InputError(fmt::format(
        "two inputs are called {}: their surfaces would have one name; make them in two folders",
        *twice));
}

/// What is wrong with the points of a file is said with its name.
MadeSurface surface_of(const Exec& exec, const Frame& frame, const SurfaceFiles& files,
                       const fs::path& input, SurfaceScratch& scratch) {
  try {
    if (files.format == "vdb") return {{}, make_volumes(exec, frame, files.surface, scratch)};
    return {make_surface(exec, frame, files.surface, scratch), {}};
  } catch (const InputError& error) {
    throw InputError(fmt::format("{}: {}", input.string(), error.what()));
  }
}

}  // namespace

MeshReport report_on(const TriangleMesh& mesh) {
  return {mesh.vertices.size(), mesh.triangles.size(), open_edges(mesh).count,
          count_pieces(mesh),   volume(mesh),          area(mesh)};
}

std::vector<fs::path> expand_pattern(const std::string& text) {
  if (text.find_first_of("{}") == std::string::npos) {
    if (!fs::exists(text)) throw InputError(fmt::format("{}: no such file", text));
    return {text};
  }
  const NamePattern pattern = parse_pattern(text);
  const fs::path folder = pattern.folder.empty() ? "." : pattern.folder;
  if (!fs::is_directory(folder))
    throw InputError(fmt::format("{}: no such folder: {}", text, folder.string()));
  std::vector<std::pair<long, fs::path>> found;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder)) {
    const std::string name = entry.path().filename().string();
    if (const auto number = number_in(pattern, name))
      found.emplace_back(*number, pattern.folder / name);
  }
  if (found.empty()) throw InputError(fmt::format("{}: no file fits", text));
  std::sort(found.begin(), found.end());
  std::vector<fs::path> files;
  for (const auto& [number, path] : found) files.push_back(path);
  return files;
}

std::size_t make_surfaces(const Exec& exec, const SurfaceFiles& files,
                          const std::function<void(const SurfaceProgress&)>& show) {
  std::vector<fs::path> inputs;
  for (const std::string& input : files.inputs)
    for (const fs::path& path : expand_pattern(input)) inputs.push_back(path);
  if (files.format != "usda") refuse_equal_names(inputs);
  SurfaceWriter writer(files);
  SurfaceScratch scratch;
  std::size_t failed = 0;
  for (std::size_t k = 0; k < inputs.size(); ++k) {
    const double begin = now_seconds();
    SurfaceProgress progress{inputs[k], {}, k + 1, inputs.size(), 0, {}, 0, ""};
    try {
      const Frame frame = read_points(inputs[k]);
      const MadeSurface made = surface_of(exec, frame, files, inputs[k], scratch);
      progress.particles = frame.count;
      progress.mesh = report_on(made.mesh());
      if (files.check_mesh) check_closed(progress.mesh, inputs[k]);
      progress.output = writer.write(inputs[k], k, made);
    } catch (const Error& error) {
      if (!files.keep_going) throw;
      progress.problem = error.what();
      ++failed;
    }
    progress.seconds = now_seconds() - begin;
    show(progress);
  }
  writer.finish();
  return failed;
}

}  // namespace phyxel
