#include "phyxel/app/surfaces/flow_analysis.h"

#include <algorithm>
#include <fmt/format.h>

#include "phyxel/app/folder/file_pattern.h"
#include "phyxel/app/folder/owned_folder.h"
#include "phyxel/app/surfaces/scene_surfaces.h"
#include "phyxel/core/error.h"
#include "phyxel/core/file.h"
#include "phyxel/io/ply.h"
#include "phyxel/io/points.h"
#include "phyxel/io/vtk.h"
#include "phyxel/render/contact_sheet.h"
#include "phyxel/surfaces/flow_cells.h"

namespace phyxel {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t most_drawn_edges = 200000;

/// Of every so manyth edge, so that not too many are drawn.
void choose_edges(const std::vector<Vec<Index, 2>>& edges, FlowFrame& f) {
  f.every = edges.size() / most_drawn_edges + 1;
  f.edges.clear();
  for (std::size_t k = 0; k < edges.size(); k += f.every) f.edges.push_back(edges[k]);
}

FlowView view_of(const Exec& exec, const FlowJob& job, const std::vector<fs::path>& files) {
  FlowView view;
  view.samples = job.samples;
  view.relative_to = job.flow.relative_to;
  for (const fs::path& file : files) {
    Frame frame = read_points(file);
    if (view.bounds.empty()) view.origin = frame.origin;
    frame = rebased(std::move(frame), view.origin);
    for (std::size_t i = 0; i < frame.count; ++i) view.bounds.include(frame.position(i));
    if (view.spacing == 0) view.spacing = measured_spacing(exec, positions_of(frame));
  }
  if (view.bounds.empty()) throw InputError("the files hold no points; give some with points");
  const Real size = length(view.bounds.size());
  if (view.spacing == 0) view.spacing = size > 0 ? size / 50 : 1;
  return view;
}

/// The field around the border, made to be traced; null where there is none.
std::shared_ptr<const PointField> surface_of(const Exec& exec, const FlowFrame& f) {
  const std::vector<std::size_t> border = border_points(f.flow);
  if (border.empty()) return nullptr;
  auto field = std::make_shared<PointField>();
  make_field(exec, positions_of(select(f.frame, border)),
             skeleton_options({}, f.flow.longest_edge).field, *field);
  return field;
}

/// One for each stage, and last all of them on a sheet.
std::vector<fs::path> pictures_of(const FlowJob& job, const std::string& name) {
  std::vector<fs::path> pictures;
  for (const std::string& stage : flow_stage_names())
    pictures.push_back(job.out / "images" / (name + "_" + stage + ".png"));
  pictures.push_back(job.out / "images" / (name + ".png"));
  return pictures;
}

void draw(const Exec& exec, const FlowJob& job, const FlowView& view, const FlowFrame& f,
          const std::string& name) {
  std::vector<fs::path> pictures = pictures_of(job, name);
  const fs::path sheet = pictures.back();
  pictures.pop_back();
  for (std::size_t s = 0; s < pictures.size(); ++s)
    write_png(flow_picture(exec, view, f, static_cast<FlowStage>(s)), pictures[s]);
  write_png(render::contact_sheet(pictures, static_cast<int>(pictures.size())), sheet);
}

std::string row_of(const FlowProgress& p, Real longest_edge) {
  return fmt::format("{},{},{:.9g},{:.0f},{:.6g},{},{},{:.9g},{:.4f}\n",
                     p.input.filename().string(), p.points, double(longest_edge), p.edges,
                     p.points > 0 ? 2 * p.edges / double(p.points) : 0, p.border, p.lone,
                     p.longest_vector, p.structure_seconds);
}
const char* const csv_head =
    "file,points,longest_edge,edges,mean_neighbours,border,lone,longest_vector,seconds\n";

/// Too few neighbours tell nothing of a border, and the paper's alpha gives few where points fill
/// a compact body.
void note_sparse_graph(FlowProgress& p) {
  const double mean = p.points > 0 ? 2 * p.edges / double(p.points) : 0;
  if (mean < 4)
    p.notes.push_back(
        fmt::format("{}: {:.2g} neighbours a point are too few to tell a border; raise --alpha",
                    p.input.string(), mean));
}

/// Analyses one file after the other.
class FlowAnalyser {
 public:
  FlowAnalyser(const Exec& exec, const FlowJob& job, const FlowScale& scale, const FlowView& view)
      : exec_(exec), job_(job), scale_(scale), view_(view) {}

  void analyse(FlowProgress& p) {
    const double begin = now_seconds();
    f_.frame = read_points(p.input);
    if (job_.pictures) f_.frame = rebased(std::move(f_.frame), view_.origin);
    const double ready = now_seconds();
    structure_frame(exec_, f_.frame, scale_.longest_edge, job_.flow, job_.separate, scratch_,
                    f_.flow);
    p.structure_seconds = now_seconds() - ready;
    p.points = f_.frame.count;
    p.edges = f_.flow.edges;
    p.border = f_.flow.border_points;
    p.lone = f_.flow.lone_points;
    p.longest_vector = f_.flow.largest_vector;
    note_sparse_graph(p);
    write(p);
    p.seconds = now_seconds() - begin;
  }

 private:
  void write(FlowProgress& p) {
    const std::string name = p.input.stem().string();
    add_columns(f_.flow, f_.frame);
    write_ply(job_.out / "points" / (name + ".ply"), f_.frame);
    write_graph(name, p);
    if (!job_.pictures || f_.frame.count == 0) return;
    f_.surface = surface_of(exec_, f_);
    draw(exec_, job_, view_, f_, name);
  }
  void write_graph(const std::string& name, FlowProgress& p) {
    f_.edges.clear();
    if (f_.flow.edges > job_.most_edges) {
      p.notes.push_back(fmt::format(
          "{}: its graph of {:.3g} edges is not written or drawn, as --most-edges is {:.3g}; lower "
          "--alpha or raise that",
          p.input.string(), f_.flow.edges, job_.most_edges));
      return;
    }
    const auto edges = frame_graph(exec_, f_.frame, job_.separate, f_.flow, job_.most_edges);
    write_vtp(job_.out / "graph" / (name + ".vtp"), f_.frame, edges);
    choose_edges(edges, f_);
  }

  Exec exec_;
  const FlowJob& job_;
  const FlowScale& scale_;
  const FlowView& view_;
  FlowFrame f_;
  FlowScratch scratch_;
};

}  // namespace

FlowScale measure_flow(const Exec& exec, const std::vector<fs::path>& files,
                       const FlowOptions& options, bool skip_bad) {
  check(options);
  FlowScale scale;
  scale.frames = files.size();
  std::vector<PairDistances> pairs;
  for (const fs::path& file : files) {
    if (options.longest_edge > 0) break;
    try {
      pairs.push_back(pair_distances(exec, positions_of(read_points(file)),
                                     static_cast<std::uint32_t>(pairs.size())));
    } catch (const InputError&) {
      if (!skip_bad) throw;
    }
  }
  scale.mean_distance = mean_distance(pairs);
  scale.longest_edge = longest_edge(options, scale.mean_distance.mean);
  return scale;
}

void analyse_flow(const Exec& exec, const FlowJob& job,
                  const std::function<void(const FlowScale&)>& begin,
                  const std::function<void(const FlowProgress&)>& show) {
  const std::vector<fs::path> files = expand_patterns(job.inputs);
  refuse_equal_names(files);
  std::vector<fs::path> outputs = {job.out / "flow.csv"};
  for (const fs::path& file : files)
    for (const auto& [folder, extension] :
         {std::pair("points", ".ply"), std::pair("graph", ".vtp")})
      outputs.push_back(job.out / folder / (file.stem().string() + extension));
  refuse_overwriting(files, outputs);
  const FlowScale scale = measure_flow(exec, files, job.flow);
  begin(scale);
  if (job.pictures)
    for (const fs::path& file : files)
      for (const fs::path& picture : pictures_of(job, file.stem().string()))
        outputs.push_back(picture);
  OwnedFolder owned(job.out, FolderUse::add);
  owned.prepare();
  owned.claim(outputs);
  owned.make_folders({job.out / "points", job.out / "graph"});
  if (job.pictures) owned.make_folders({job.out / "images"});
  const FlowView view = job.pictures ? view_of(exec, job, files) : FlowView{};
  FlowAnalyser analyser(exec, job, scale, view);
  std::string table = csv_head;
  for (const fs::path& file : files) {
    FlowProgress p;
    p.input = file;
    p.of = files.size();
    p.done = static_cast<std::size_t>(&file - files.data()) + 1;
    analyser.analyse(p);
    table += row_of(p, scale.longest_edge);
    show(p);
  }
  write_atomically(job.out / "flow.csv", [&](FileWriter& writer) { writer.write(table); });
}

}  // namespace phyxel
