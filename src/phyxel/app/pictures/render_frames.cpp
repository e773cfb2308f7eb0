#include "phyxel/app/pictures/render_frames.h"

#include <algorithm>
#include <fmt/format.h>

#include "phyxel/app/folder/file_pattern.h"
#include "phyxel/app/folder/output_folder.h"
#include "phyxel/app/folder/owned_folder.h"
#include "phyxel/app/folder/set_files.h"
#include "phyxel/app/pictures/loaded_frame.h"
#include "phyxel/app/pictures/pictures.h"
#include "phyxel/app/surfaces/scene_surfels.h"
#include "phyxel/core/file.h"
#include "phyxel/core/memory.h"
#include "phyxel/io/mesh_read.h"
#include "phyxel/io/points.h"
#include "phyxel/io/surfels_read.h"
#include "phyxel/io/text_reader.h"
#include "phyxel/methods/registry.h"
#include "phyxel/render/contact_sheet.h"
#include "phyxel/render/video.h"
#include "phyxel/scene/body_material.h"
#include "phyxel/scene/local_origin.h"
#include "phyxel/scene/read_scene.h"

namespace phyxel {

namespace fs = std::filesystem;

namespace {

/// What is drawn, and where pictures go.
struct Source {
  bool ours = false;
  Scene scene;
  std::vector<FrameFile> files;
  OutputFolder folder;  // for pictures
  OutputFolder run;     // with the frames of a run
};

bool is_known(const fs::path& path) {
  const auto& points = point_file_extensions();
  const std::string extension = extension_of(path);
  if (path.filename() == Manifest::file_name) return false;
  return extension == ".stl" || std::find(points.begin(), points.end(), extension) != points.end();
}

/// The files of a folder that can be drawn, by name with numbers in order.
std::vector<fs::path> files_in(const fs::path& folder) {
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(folder))
    if (entry.is_regular_file() && is_known(entry.path())) files.push_back(entry.path());
  std::sort(files.begin(), files.end(), [](const fs::path& a, const fs::path& b) {
    const std::string x = a.filename().string(), y = b.filename().string();
    return std::pair(x.size(), x) < std::pair(y.size(), y);
  });
  if (files.empty())
    throw InputError(fmt::format("{}: no particle or surface files in it; they end with {}, .stl",
                                 folder.string(), fmt::join(point_file_extensions(), ", ")));
  return files;
}

std::vector<FrameFile> foreign_files(const std::vector<std::string>& places) {
  std::vector<FrameFile> files;
  for (const std::string& place : places)
    for (const fs::path& path : fs::is_directory(place) ? files_in(place) : expand_pattern(place))
      files.push_back({static_cast<int>(files.size()), path});
  return files;
}

std::string name_from(const fs::path& place) {
  std::string name = (place.filename().empty() ? place.parent_path() : place).stem().string();
  std::erase_if(name, [](char c) { return !is_name(std::string(1, c)); });
  return name.empty() ? "points" : name;
}

Bounds bounds_of(const Frame& frame) {
  Bounds b;
  for (std::size_t i = 0; i < frame.count; ++i) b.include(frame.position(i));
  return b;
}

Real spacing_of(const LoadedFrame& loaded, const Bounds& box) {
  // Points at one place, or a single one, are drawn as if they had neighbours.
  const Vec3 c = box.centre();
  const Real far = std::max({std::abs(c[0]), std::abs(c[1]), std::abs(c[2])});
  const Real least = std::max({length(box.size()) * Real(1e-4), far * Real(1e-4), Real(1e-6)});
  if (loaded.is_surface() || loaded.frame.count < 2)
    return std::max(length(box.size()) / 50, least);
  return std::max(measured_spacing({}, positions_of(loaded.frame)), least);
}

/// A coordinate in the world, with the digits that it needs.
std::string place_text(Real local, double origin) {
  return origin == 0 ? fmt::format("{}", local) : fmt::format("{}", origin + double(local));
}

/// The scene that frames from elsewhere would be of: a box of matter on the ground.
std::string made_up_scene(const std::string& name, const LoadedFrame& first, const Bounds& box,
                          Real lowest, const RenderJob& job) {
  const Real spacing = spacing_of(first, box);
  const bool surface = first.is_surface();
  const Vec3 c = box.centre(), size = max(box.size(), Vec3::filled(spacing));
  const Vec3d& o = first.frame.origin;
  std::string text = fmt::format(R"(name = "{}"
[material.points]
method = "{}"
[body.points]
material = "points"
shape = {{ type = "box", centre = [{}, {}, {}], size = [{}, {}, {}] }}
spacing = {}
[collider.ground]
shape = {{ type = "plane", point = [0, {}, 0], normal = [0, 1, 0] }}
[render]
legend = false
[surface.points]
method = "{}"
)",
                                 name, method_names().front(), place_text(c[0], o[0]),
                                 place_text(c[1], o[1]), place_text(c[2], o[2]), size[0], size[1],
                                 size[2], spacing, place_text(lowest, o[1]),
                                 !job.method.empty() ? job.method
                                 : surface           ? "particles"
                                                     : "zhu_bridson");
  if (!job.look.empty()) text += fmt::format("look = \"{}\"\n", job.look);
  return text;
}

/// The first frame with points in it, of all or going back. One that cannot be read is passed by
/// only where others may do.
template <class Iterator>
LoadedFrame first_readable(Iterator file, Iterator end, double fps, bool keep_going) {
  for (;; ++file) try {
      LoadedFrame loaded = load_frame(*file, fps);
      if (loaded.frame.count > 0) return loaded;
      if (std::next(file) == end)
        throw InputError(fmt::format("{}: holds no points, nor do the others; give files with some",
                                     file->path.string()));
    } catch (const InputError&) {
      if (!keep_going || std::next(file) == end) throw;
    }
}
LoadedFrame first_of(const std::vector<FrameFile>& files, double fps, bool keep_going) {
  return first_readable(files.begin(), files.end(), fps, keep_going);
}
LoadedFrame last_of(const std::vector<FrameFile>& files, double fps, bool keep_going) {
  return first_readable(files.rbegin(), files.rend(), fps, keep_going);
}

void check_methods(const RenderJob& job, bool surfaces) {
  if (surfaces && !job.method.empty())
    throw InputError(fmt::format(
        "--method {}: is for points, and these files hold surfaces; leave it out", job.method));
  if (job.method == "skin" || job.method == "surfels" || job.method == "body")
    throw InputError(
        fmt::format("--method {}: the files do not say which surface the points carry; choose a "
                    "field or particles",
                    job.method));
}

Source foreign_source(const RenderJob& job) {
  Source source;
  source.files = foreign_files(job.places);
  const LoadedFrame first = first_of(source.files, 24, job.keep_going);
  LoadedFrame last = last_of(source.files, 24, job.keep_going);
  last.frame = rebased(std::move(last.frame), first.frame.origin);
  check_methods(job, first.is_surface());
  const std::string name = name_from(job.places.front());
  const Bounds box = bounds_of(first.frame), end = bounds_of(last.frame);
  const Real lowest = last.frame.count > 0 ? std::min(box.min[1], end.min[1]) : box.min[1];
  const bool points = !first.is_surface() && job.method != "particles";
  source.scene =
      parse_scene(made_up_scene(name, first, box, lowest, job), "command line", ".", job.overrides);
  set_origin(source.scene, first.frame.origin);
  // Half a spacing of matter lies below the lowest point.
  if (points && !source.scene.colliders.empty()) {
    double& level = source.scene.colliders[0].shape.point[1];
    level = Real(level) - source.scene.bodies[0].spacing / 2;
  }
  source.folder.root = job.out.empty() ? fs::path("out") / name : job.out;
  return source;
}

/// Files that a user names are beside him, not in the folder of the run.
std::vector<Override> from_here(std::vector<Override> overrides) {
  for (Override& o : overrides) {
    const std::string key = o.key.substr(o.key.rfind('.') + 1);
    if (key != "environment" && key != "texture" && key != "mesh" && key != "file") continue;
    std::string name = o.value;
    std::erase(name, '"');
    if (!name.empty()) o.value = "\"" + fs::absolute(name).string() + "\"";
  }
  return overrides;
}

Source own_source(const RenderJob& job) {
  if (!job.method.empty() || !job.look.empty())
    throw InputError(
        "--method and --look are for files of other programs; say --set surface.NAME.look=\"wax\" "
        "for the surfaces of a run");
  Source source;
  source.ours = true;
  source.folder.root = job.places.front();
  source.scene = read_scene(source.folder.scene(), from_here(job.overrides));
  const auto files = particle_frames(source.folder);
  if (files.empty())
    throw InputError(fmt::format("{}: no particles/frame_NNNN.{} in it",
                                 source.folder.root.string(),
                                 fmt::join(particle_formats(), " or .")));
  for (const auto& [number, path] : files)
    if (number % source.scene.render.every == 0) source.files.push_back({number, path});
  source.run = source.folder;
  if (!job.out.empty()) source.folder.root = job.out;
  return source;
}

Source find_source(const RenderJob& job) {
  if (job.places.size() == 1 && is_run_folder(job.places[0])) return own_source(job);
  for (const std::string& place : job.places)
    if (is_run_folder(place))
      throw InputError(fmt::format("{}: is the folder of a run; draw it by itself", place));
  return foreign_source(job);
}

/// Draws frames of one source.
class FrameDrawer {
 public:
  FrameDrawer(const Exec& exec, const Source& source, bool keep_going)
      : exec_(exec),
        source_(source),
        maker_(source.scene),
        surfels_(source.scene),
        photographer_(source.scene) {
    if (source.ours) return;
    for (const LoadedFrame& loaded : {first_of(source.files, source.scene.fps, keep_going),
                                      last_of(source.files, source.scene.fps, keep_going)})
      photographer_.include(in_scene(loaded, source.scene).frame);
  }
  void load(const FrameFile& file) { show(load_frame(file, source_.scene.fps)); }
  void show(LoadedFrame given) {
    LoadedFrame loaded = in_scene(std::move(given), source_.scene);
    frame_ = std::move(loaded.frame);
    if (loaded.is_surface()) {
      const bool closed = frame_.find("axis_u") != nullptr;  // of a run, around bodies
      parts_ = {{0, frame_, std::move(loaded.surface), nullptr, std::move(loaded.surfels), closed}};
      return;
    }
    if (source_.ours) add_torn_meshes();
    if (source_.ours) add_surfels();
    parts_ = maker_.make(exec_, frame_);
  }
  void draw(const fs::path& picture) {
    write_png(photographer_.picture(exec_, frame_, parts_), picture);
  }
  Photographer& photographer() { return photographer_; }

 private:
  void add_torn_meshes() {
    for (const BodySpec& body : source_.scene.bodies) {
      if (!may_tear(source_.scene, body)) continue;
      const fs::path file = mesh_on_disk(source_.run, body.name, frame_.index);
      if (file.empty())
        throw InputError(fmt::format(
            "{}: has no mesh of frame {} as .ply, .obj or .stl, and that of a body that tears does "
            "not follow from its particles; run with output.surface = \"ply\"",
            (source_.run.root / "sets" / body.name).string(), frame_.index));
      frame_.sets.push_back(set_of(rebased(read_surface(file), frame_.origin), body.name));
    }
  }
  /// Those that the run wrote, or made again where they follow from the particles.
  void add_surfels() {
    for (const std::string& name : surfels_.names())
      if (const fs::path file = surfels_on_disk(source_.run, name, frame_.index); !file.empty())
        frame_.sets.push_back(read_surfels(file, name, frame_.origin));
      else if (!SurfelMaker::is_free(frame_))
        throw InputError(fmt::format(
            "{}: has no file of frame {}, and surfels that follow from all frames before cannot be "
            "made from one; run without output.surface = \"none\"",
            (source_.run.root / "surface" / name).string(), frame_.index));
    surfels_.add_sets(exec_, frame_);
  }

  Exec exec_;
  const Source& source_;
  SurfaceMaker maker_;
  SurfelMaker surfels_;
  Photographer photographer_;
  Frame frame_;  // what is drawn
  std::vector<MatterPart> parts_;
};

/// One picture after the other, with progress. A frame that cannot be drawn is reported, or ends
/// the command.
class Series {
 public:
  Series(std::size_t count, bool keep_going, OwnedFolder& owned,
         const std::function<void(const RenderProgress&)>& show)
      : count_(count), keep_going_(keep_going), owned_(owned), show_(show) {}
  template <class Draw>
  void add(const fs::path& picture, Draw draw) {
    const double begin = now_seconds();
    RenderProgress progress{picture, ++done_, count_, 0, ""};
    try {
      draw();
      owned_.seal({picture});
      pictures.push_back(picture);
    } catch (const std::bad_alloc&) {
      fail(progress, Error(Place{picture.string()},
                           out_of_memory("for the picture",
                                         "a coarser surface or a smaller picture need less")));
    } catch (const Error& error) {
      if (!keep_going_) throw;
      fail(progress, error);
    }
    progress.seconds = now_seconds() - begin;
    show_(progress);
  }
  std::vector<fs::path> pictures;
  std::size_t failed = 0;

 private:
  void fail(RenderProgress& progress, const Error& error) {
    if (!keep_going_) throw error;
    progress.problem = error.what();
    ++failed;
  }

  std::size_t count_, done_ = 0;
  bool keep_going_;
  OwnedFolder& owned_;
  const std::function<void(const RenderProgress&)>& show_;
};

fs::path picture_path(const fs::path& folder, int number) {
  return folder / fmt::format("frame_{:04}.png", number);
}

bool is_stopped(const RenderJob& job) {
  return job.stopped && job.stopped();
}

void draw_all(const RenderJob& job, const Source& source, const fs::path& folder,
              FrameDrawer& drawer, Series& series) {
  for (const FrameFile& file : source.files) {
    if (is_stopped(job)) return;
    const fs::path picture = picture_path(folder, file.number);
    series.add(picture, [&] {
      drawer.load(file);
      drawer.draw(picture);
    });
  }
}

void draw_around(const RenderJob& job, const Source& source, const fs::path& folder,
                 FrameDrawer& drawer, Series& series) {
  drawer.show(last_of(source.files, source.scene.fps, false));
  drawer.photographer().look_all_around();
  for (int k = 0; k < job.turntable && !is_stopped(job); ++k) {
    const fs::path picture = picture_path(folder, k);
    series.add(picture, [&] { drawer.draw(picture); });
    drawer.photographer().turn(Real(360) / static_cast<Real>(job.turntable));
  }
}

fs::path film_path(const RenderJob& job, const Source& source) {
  return job.turntable > 0 ? source.folder.turntable() : source.folder.video();
}

int pictures_on_sheet(const RenderJob& job, const Source& source) {
  return job.contact_sheet > 0 ? job.contact_sheet : source.scene.output.contact_sheet;
}

/// All that will be written.
std::vector<fs::path> outputs_of(const RenderJob& job, const Source& source,
                                 const fs::path& folder) {
  std::vector<fs::path> files;
  if (job.turntable > 0)
    for (int k = 0; k < job.turntable; ++k) files.push_back(picture_path(folder, k));
  else
    for (const FrameFile& file : source.files) files.push_back(picture_path(folder, file.number));
  if (source.scene.output.video && files.size() > 1) files.push_back(film_path(job, source));
  if (pictures_on_sheet(job, source) > 0) files.push_back(source.folder.contact_sheet());
  return files;
}

/// A film and a sheet of what was drawn.
void gather(const RenderJob& job, const Source& source, const Series& series,
            RenderResult& result) {
  if (source.scene.output.video && series.pictures.size() > 1) {
    if (!render::video_is_possible())
      result.note = "ffmpeg was not found: there are pictures but no video";
    else if (render::write_video(series.pictures, source.scene.video_fps(), film_path(job, source),
                                 job.stopped))
      result.files.push_back(film_path(job, source));
    else
      result.stopped = true;
  }
  const int on_sheet = pictures_on_sheet(job, source);
  if (on_sheet == 0 || series.pictures.empty() || result.stopped) return;
  result.files.push_back(source.folder.contact_sheet());
  write_png(render::contact_sheet(series.pictures, on_sheet), result.files.back());
}

}  // namespace

RenderResult render_frames(const Exec& exec, const RenderJob& job,
                           const std::function<void(const RenderProgress&)>& show) {
  Source source = find_source(job);
  if (job.last_frame >= 0)
    std::erase_if(source.files, [&](const FrameFile& f) { return f.number > job.last_frame; });
  if (source.files.empty())
    throw InputError(fmt::format("no frame up to {} is there", job.last_frame));
  OwnedFolder owned(source.folder.root, FolderUse::add);
  FrameDrawer drawer(exec, source, job.keep_going);
  const fs::path folder =
      job.turntable > 0 ? source.folder.root / "turntable" : source.folder.images();
  owned.prepare();
  owned.claim(outputs_of(job, source, folder));
  owned.make_folders({folder});
  Series series(job.turntable > 0 ? job.turntable : source.files.size(), job.keep_going, owned,
                show);
  if (job.turntable > 0)
    draw_around(job, source, folder, drawer, series);
  else
    draw_all(job, source, folder, drawer, series);
  RenderResult result;
  result.pictures = series.pictures.size();
  result.failed = series.failed;
  result.stopped = is_stopped(job);
  if (!result.stopped) gather(job, source, series, result);
  return result;
}

}  // namespace phyxel
