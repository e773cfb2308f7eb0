#include "phyxel/app/surfaces/surface_files.h"

#include <algorithm>
#include <exception>
#include <fmt/format.h>

#include "phyxel/app/folder/owned_folder.h"
#include "phyxel/app/surfaces/flow_analysis.h"
#include "phyxel/app/surfaces/scene_surfaces.h"
#include "phyxel/core/error.h"
#include "phyxel/core/file.h"
#include "phyxel/core/memory.h"
#include "phyxel/io/mesh_write.h"
#include "phyxel/io/points.h"
#include "phyxel/io/usd.h"
#include "phyxel/io/vdb.h"
#include "phyxel/surfaces/decimate.h"
#include "phyxel/surfaces/flow_cells.h"
#include "phyxel/surfaces/surface_scratch.h"

namespace phyxel {

namespace fs = std::filesystem;

namespace {

void check_closed(const MeshReport& report, const fs::path& input) {
  if (report.open_edges == 0 && report.volume >= 0) return;
  throw Error(fmt::format("{}: its surface has {} open edges and a volume of {:.3g} m^3",
                          input.string(), report.open_edges, report.volume));
}

bool is_flow(const SurfaceFiles& files) {
  return files.surface.method == "flow";
}

void check_format(const SurfaceFiles& files) {
  const std::vector<std::string> known = surface_file_formats();
  if (std::find(known.begin(), known.end(), files.format) == known.end())
    throw InputError(fmt::format("format = {}: one of {}", files.format, fmt::join(known, " ")));
  if (files.format == "vdb" && !can_write_vdb())
    throw InputError("format = vdb: " + no_vdb_message());
  if (files.format == "vdb" && is_flow(files))
    throw InputError(
        "format = vdb: the border of a flow is a shell and has no volume; choose another method or "
        "format");
  if (files.format == "vdb") open_volumes_module();
  if (files.surface.decimate == 1) return;
  if (files.format == "vdb")
    throw InputError("decimate: is for triangles; volumes become smaller with a wider cell");
  if (!can_decimate())
    throw InputError(
        "decimate: this build has no OpenMesh; install it (Debian: libopenmesh-dev), configure "
        "and build again");
}

/// What is made of one file: a surface, or the bytes of a .vdb file.
struct MadeSurface {
  SurfaceMesh surface;
  std::string vdb;
};

fs::path surface_path(const SurfaceFiles& files, const fs::path& input) {
  return files.out / (input.stem().string() + "." + files.format);
}

/// Surfaces as files of their own, or as one animation.
class SurfaceWriter {
 public:
  SurfaceWriter(const SurfaceFiles& files, const std::vector<fs::path>& inputs)
      : files_(files), owned_(files.out, FolderUse::add) {
    owned_.prepare();
    std::vector<fs::path> outputs;
    for (const fs::path& input : inputs) outputs.push_back(path_of(input));
    owned_.claim(outputs);
    if (files.format == "usda") animation_.emplace(files.out / "surface.usda", files.fps);
  }
  fs::path write(const fs::path& input, std::size_t number, const MadeSurface& made) {
    if (animation_) {
      animation_->add_mesh("surface", static_cast<double>(number), made.surface);
      return path_of(input);
    }
    const fs::path path = path_of(input);
    if (files_.format == "vdb")
      write_atomically(path, [&](FileWriter& file) { file.write(made.vdb); });
    else
      write_surface(path, made.surface);
    return path;
  }
  void finish() {
    if (animation_) animation_->finish();
  }

 private:
  fs::path path_of(const fs::path& input) const {
    return files_.format == "usda" ? files_.out / "surface.usda" : surface_path(files_, input);
  }

  const SurfaceFiles& files_;
  OwnedFolder owned_;
  std::optional<UsdAnimation> animation_;
};

MeshReport report_on(const TriangleMesh& mesh, const SurfaceFiles& files, const fs::path& input) {
  if (!files.check_mesh) return {mesh.vertices.size(), mesh.triangles.size()};
  const MeshReport report = report_on(mesh);
  check_closed(report, input);
  return report;
}

/// A file on its way from points to a surface, with memory for the next one.
struct SurfaceInWork {
  SurfaceProgress progress;
  MadeSurface made;
  std::exception_ptr failure;
  SurfaceScratch scratch;
  FlowScratch flow_scratch;
  FlowStructure flow;
};

/// The points on the border.
Frame border_of(const Exec& exec, const Frame& frame, const SurfaceFiles& files,
                SurfaceInWork& work) {
  const FlowOptions& flow = files.surface.flow;
  structure_frame(exec, frame, flow.longest_edge, flow, files.surface.options.separate,
                  work.flow_scratch, work.flow);
  return select(frame, border_points(work.flow));
}

/// Points always have a surface around them; where none was found, what was asked does not fit.
void check_found(const SurfaceFiles& files, const SurfaceProgress& progress) {
  if (progress.particles == 0 || progress.mesh.triangles > 0) return;
  throw InputError(fmt::format(
      "no surface was found around {} points; {}", progress.particles,
      is_flow(files) ? "a wider --longest-edge or a smaller --border finds more"
                     : "a smaller --cell or --iso, or a --spacing and --radius like the "
                       "distance between points (auto) finds one"));
}

/// A spacing that no two of the points can have: the surface would be one ball around all.
void check_spacing(const Frame& frame, const FieldOptions& field) {
  constexpr Real most = 1000;  // a spray's last few points may be nearer to each other than usual
  Bounds box;
  for (std::size_t i = 0; i < frame.count; ++i) box.include(frame.position(i));
  const Real size = frame.count > 1 ? length(box.size()) : 0;
  for (const auto& [name, value] : {std::pair{"spacing", field.spacing}, {"radius", field.radius}})
    if (size > 0 && value > most * size)
      throw InputError(
          fmt::format("{} = {:g} m is over {} times the {:g} m that all points lie "
                      "within; leave it out, and it is measured",
                      name, value, most, size));
}

/// Errors about the points of a file name the file.
void make(const Exec& exec, const Frame& frame, const SurfaceFiles& files, SurfaceInWork& work) {
  const fs::path& input = work.progress.input;
  try {
    check_spacing(frame, files.surface.options.field);
    if (files.format == "vdb") {
      const Volumes volumes = make_volumes(exec, frame, files.surface.options, work.scratch);
      work.progress.mesh = report_on(volumes.mesh, files, input);
      check_found(files, work.progress);
      work.made.vdb = vdb_bytes(volumes, input.string());
    } else {
      work.made.surface = make_surface(exec, frame, files.surface.options, work.scratch);
      if (files.surface.decimate < 1) decimate(work.made.surface, files.surface.decimate);
      work.progress.mesh = report_on(work.made.surface.mesh, files, input);
      check_found(files, work.progress);
    }
  } catch (const InputError& error) {
    throw InputError(fmt::format("{}: {}", input.string(), error.what()));
  }
}

void read_and_make(const Exec& exec, const SurfaceFiles& files, SurfaceInWork& work) {
  const double begin = now_seconds();
  try {
    const Frame frame = read_points(work.progress.input);
    work.progress.particles = frame.count;
    make(exec, is_flow(files) ? border_of(exec, frame, files, work) : frame, files, work);
  } catch (const std::bad_alloc&) {
    work.failure = std::make_exception_ptr(
        Error(Place{work.progress.input.string()},
              out_of_memory(fmt::format("for the surface of {} points", work.progress.particles),
                            "a wider --cell or fewer --threads need less")));
  } catch (const Error&) {
    work.failure = std::current_exception();
  }
  work.progress.seconds = now_seconds() - begin;
}

void write(const SurfaceFiles& files, SurfaceWriter& writer, SurfaceInWork& work) {
  const double begin = now_seconds();
  try {
    if (work.failure) std::rethrow_exception(work.failure);
    work.progress.output = writer.write(work.progress.input, work.progress.done - 1, work.made);
  } catch (const Error& error) {
    if (!files.keep_going) throw;
    work.progress.problem = error.what();
  }
  work.made = {};
  work.progress.seconds += now_seconds() - begin;
}

/// Surfaces that fit into half of the free memory side by side, judged by what the first one took
/// and the sizes of the files. One more than threads: while one is written, the others go on.
std::size_t most_at_once(const std::vector<fs::path>& inputs, double bytes_of_first) {
  std::uintmax_t first = 1, largest = 1;
  for (const fs::path& input : inputs) {
    std::error_code none;
    const std::uintmax_t size = fs::file_size(input, none);
    if (!none) largest = std::max(largest, size);
    if (!none && &input == &inputs.front()) first = std::max(first, size);
  }
  const double bytes = std::max(1.0, bytes_of_first) * double(largest) / double(first);
  const double fit = std::min(available_memory() / 2 / bytes, double(thread_count() + 1));
  return static_cast<std::size_t>(std::max(1.0, fit));
}

/// The field is that of the method. Of flow: L_alpha is one for all files, and with it what follows
/// from it.
SurfaceFiles settled(const Exec& exec, SurfaceFiles files, const std::vector<fs::path>& inputs) {
  SurfaceParameters& surface = files.surface;
  surface.options = surface_options(surface);
  if (!is_flow(files)) return files;
  surface.flow.longest_edge =
      measure_flow(exec, inputs, surface.flow, files.keep_going).longest_edge;
  surface.options = skeleton_options(surface.options, surface.flow.longest_edge);
  return files;
}

}  // namespace

std::vector<std::string> surface_file_formats() {
  std::vector<std::string> formats = surface_formats();
  formats.insert(formats.end(), {"vdb", "usda"});
  return formats;
}

MeshReport report_on(const TriangleMesh& mesh) {
  return {mesh.vertices.size(), mesh.triangles.size(), open_edges(mesh).count,
          topology_of(mesh),    volume(mesh),          area(mesh)};
}

std::size_t make_surfaces(const Exec& exec, const SurfaceFiles& asked,
                          const std::function<void(const SurfaceProgress&)>& show) {
  const std::vector<fs::path> inputs = expand_patterns(asked.inputs);
  if (asked.format != "usda") refuse_equal_names(inputs);
  check_format(asked);
  std::vector<fs::path> outputs;
  for (const fs::path& input : inputs) outputs.push_back(surface_path(asked, input));
  refuse_overwriting(inputs, outputs);
  const SurfaceFiles files = settled(exec, asked, inputs);
  SurfaceWriter writer(files, inputs);
  std::vector<SurfaceInWork> works(1);
  std::size_t failed = 0;
  const auto do_from = [&](std::size_t first, std::size_t last) {
    const auto work_of = [&](Index k) -> SurfaceInWork& { return works[k % works.size()]; };
    for_each_in_order(
        exec, static_cast<Index>(last - first), static_cast<Index>(works.size()),
        [&](Index k) {
          SurfaceInWork& work = work_of(k);
          work.progress = {inputs[first + k], {}, first + k + 1, inputs.size(), 0, {}, 0, ""};
          work.failure = nullptr;
          read_and_make(exec, files, work);
        },
        [&](Index k) {
          write(files, writer, work_of(k));
          failed += !work_of(k).progress.problem.empty();
          show(work_of(k).progress);
        });
  };
  const double before = peak_memory();
  do_from(0, 1);
  works.resize(most_at_once(inputs, peak_memory() - before));
  do_from(1, inputs.size());
  writer.finish();
  return failed;
}

}  // namespace phyxel
