#include <CLI/CLI.hpp>
#include <algorithm>
#include <csignal>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <fmt/format.h>

#include "commands.h"
#include "phyxel/core/error.h"
#include "phyxel/core/memory.h"
#include "phyxel/surfaces/field.h"
#include "phyxel/surfaces/flow.h"
#include "terminal.h"

namespace {

using phyxel::cli::Arguments;

/// CLI::Range of real numbers, which takes "nan" for one within.
CLI::Validator between(double low, double high) {
  const std::string range = fmt::format("[{} - {}]", low, high);
  return CLI::Validator(
      [=](std::string& text) {
        double value = 0;
        const bool known = CLI::detail::lexical_cast(text, value);
        if (known && value >= low && value <= high) return std::string();
        return fmt::format("Value {} not in range {}", text, range);
      },
      "FLOAT in " + range);
}

/// Whether another name would help, rather than another disk.
bool is_about_a_name(const std::error_code& code) {
  for (const std::errc wrong :
       {std::errc::filename_too_long, std::errc::no_such_file_or_directory,
        std::errc::not_a_directory, std::errc::is_a_directory, std::errc::permission_denied,
        std::errc::too_many_symbolic_link_levels})
    if (code == wrong) return true;
  return false;
}

void add_scene(CLI::App* command, Arguments& a) {
  command
      ->add_option("scene", a.scene,
                   "scene file, or the name of a bundled scene (phyxel list scenes)")
      ->required();
  command
      ->add_option("--set", a.set,
                   "change a value of the scene: key=value, e.g. material.wax.damping=2")
      ->allow_extra_args(false);
  command->add_option("--seed", a.seed, "start of all random numbers")
      ->check(CLI::Range(0, 2147483647));
}

void add_threads(CLI::App* command, Arguments& a) {
  command->add_option("--threads", a.threads, "threads to use; all cores by default")
      ->check(CLI::Range(1, 1024));
}

void add_device(CLI::App* command, Arguments& a) {
  command->add_option("--device", a.device, "cpu or cuda")->check(CLI::IsMember({"cpu", "cuda"}));
}

void add_memory(CLI::App* command, Arguments& a) {
  command->add_option("--memory", a.memory,
                      "memory that particles may take, e.g. 2GB or 500MB; four fifths of what is "
                      "free by default");
}

void add_profiling(CLI::App* command, Arguments& a) {
  command->add_flag("--timings", a.timings, "print a tree of times at the end");
  command->add_option("--trace", a.trace,
                      "write every stage to this file, in the Chrome trace format (Perfetto)");
}

void add_run(CLI::App& app, Arguments& a) {
  CLI::App* run =
      app.add_subcommand("run", "simulate a scene, write particles, pictures, video and stats");
  add_scene(run, a);
  add_threads(run, a);
  run->add_option("--out", a.out, "output folder; out/<scene> by default");
  run->add_option("--frames", a.frames, "stop after this frame")->check(CLI::Range(0, 100000000));
  add_device(run, a);
  add_memory(run, a);
  CLI::Option* resume =
      run->add_flag("--resume", a.resume,
                    "go on from the last checkpoint; gives the same files as an uninterrupted run");
  run->add_flag("--overwrite", a.overwrite,
                "replace earlier results in the folder instead of moving them to <folder>.previous")
      ->excludes(resume);
  run->add_flag("--no-render", a.no_render, "no pictures and no video");
  run->add_flag("--quiet", a.quiet, "print nothing but errors");
  add_profiling(run, a);
}

void add_bench(CLI::App& app, Arguments& a) {
  CLI::App* bench = app.add_subcommand("bench", "measure speed: whole steps, best of several");
  bench->add_option("names", a.benchmarks,
                    "benchmarks to run; all by default (phyxel list benchmarks)");
  CLI::Option* particles =
      bench->add_option("--particles", a.particles, "size instead of the default, e.g. 256k");
  bench
      ->add_option("--sizes", a.sizes,
                   "several sizes, e.g. 10k,100k,1M,4M: ends with a table of the cost per particle")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->excludes(particles);
  bench->add_option("--repeats", a.repeats, "repetitions, of which the best counts")
      ->capture_default_str()
      ->check(CLI::Range(1, 1000));
  bench->add_option("--method", a.field, "field of surface; blobs by default")
      ->check(CLI::IsMember(phyxel::field_names()));
  bench->add_option("--json", a.json, "write the results to this file");
  bench->add_option("--plot", a.plot, "draw cost per particle against size: a PNG file");
  add_threads(bench, a);
  add_device(bench, a);
  add_profiling(bench, a);
}

std::vector<std::string> surface_methods() {
  std::vector<std::string> names = phyxel::field_names();
  names.push_back("flow");
  return names;
}

void add_point_files(CLI::App* command, Arguments& a) {
  command
      ->add_option("files", a.files,
                   "particle files of any program (ply vtp vtu vtk obj xyz csv bgeo), or patterns: "
                   "points_{}.ply, points_{10..50}.ply")
      ->required();
}

void add_flow(CLI::App* command, Arguments& a) {
  command->add_option("--alpha", a.alpha,
                      "of flow: points are neighbours below alpha times the mean distance of all "
                      "pairs; auto: 0.1");
  command->add_option("--longest-edge", a.longest_edge,
                      "m, of flow: that distance itself; auto: from alpha");
  command->add_option("--border", a.border,
                      "of flow: share of the largest average close vector that makes a border; "
                      "auto: 0.8");
  command
      ->add_option("--relative-to", a.relative_to,
                   "of flow: the largest of all points (frame), or of those around (local); local "
                   "by default")
      ->check(CLI::IsMember(phyxel::border_rule_names()));
}

void add_analyse(CLI::App& app, Arguments& a) {
  CLI::App* analyse = app.add_subcommand("analyse", "find out what particle files hold");
  analyse->require_subcommand(1);
  CLI::App* flow = analyse->add_subcommand(
      "flow", "structure of moving points: graph, average close vectors, border; with pictures");
  add_point_files(flow, a);
  flow->add_option("--out", a.out, "folder for points, graph and pictures")->required();
  add_flow(flow, a);
  flow->add_option("--most-edges", a.most_edges, "graphs with more are not written")
      ->capture_default_str()
      ->check(between(0.0, 1e9));
  flow->add_option("--samples", a.samples, "rays per pixel")->check(CLI::Range(1, 65536));
  flow->add_flag("--no-render", a.no_render, "no pictures");
  flow->add_flag("--together", a.together, "one flow of all materials");
  flow->add_flag("--quiet", a.quiet, "print nothing but errors and notes");
  add_threads(flow, a);
  add_profiling(flow, a);
}

void add_surface(CLI::App& app, Arguments& a) {
  CLI::App* surface =
      app.add_subcommand("surface", "make surfaces around the points of particle files");
  add_point_files(surface, a);
  surface->add_option("--out", a.out, "folder for the surfaces")->required();
  surface
      ->add_option(
          "--method", a.field,
          "field around the points: blobs, sph, anisotropic or zhu_bridson; or flow: around "
          "the border that flow structuring finds; zhu_bridson by default")
      ->check(CLI::IsMember(surface_methods()));
  add_flow(surface, a);
  surface->add_option(
      "--radius", a.radius,
      "m; blobs: of a lone particle, others: of the kernel; auto: from the spacing");
  surface->add_option("--spacing", a.spacing, "m, between neighbouring particles; auto: measured");
  surface->add_option("--blobbiness", a.blobbiness,
                      "of blobs: the smaller, the more they melt; auto: 0.5");
  surface->add_option("--iso", a.iso,
                      "not of zhu_bridson: value on the surface; auto: keeps the volume, or with a "
                      "radius makes lone blobs as large as that");
  surface->add_option("--cell", a.cell, "m, width of the grid; auto: half of the spacing");
  surface->add_option("--smooth", a.smoothing, "passes of smoothing; the volume stays")
      ->check(CLI::Range(0, 1000));
  surface
      ->add_option("--decimate", a.decimate,
                   "share of the triangles to keep; the mesh stays closed, the least needed go")
      ->check(between(0.001, 1.0));
  surface
      ->add_option("--format", a.format,
                   "ply, obj, vtp, glb, vdb (volumes), or usda for one animated file")
      ->capture_default_str();
  surface->add_option("--fps", a.fps, "frames per second of a .usda file")
      ->capture_default_str()
      ->check(between(0.001, 100000.0));
  surface->add_flag("--together", a.together, "one surface around all materials");
  surface->add_flag("--check-mesh", a.check_mesh, "fail where a surface is not closed");
  surface->add_flag("--keep-going", a.keep_going,
                    "make the other surfaces although one cannot be made; status 1 at the end");
  surface->add_flag("--quiet", a.quiet, "print nothing but errors");
  add_threads(surface, a);
  add_profiling(surface, a);
}

void add_render(CLI::App& app, Arguments& a) {
  CLI::App* render =
      app.add_subcommand("render", "make pictures and video of frames that are on the disk");
  render
      ->add_option("files", a.files,
                   "output folder of a run; or folders, files and patterns of particles or "
                   "surfaces from any program")
      ->required();
  render->add_option("--out", a.out, "folder for the pictures; that of the run, or out/<name>");
  render->add_option("--method", a.field,
                     "surface around the points of other programs: as in `surface`, or "
                     "particles");
  render->add_option("--look", a.look,
                     "of the surfaces of other programs: matte, glossy, metal, snow, wax, water, "
                     "gel or glass");
  render->add_option("--samples", a.samples, "rays per pixel")->check(CLI::Range(1, 65536));
  render->add_option("--seconds", a.seconds, "time for each picture, filled with rays")
      ->check(between(0.001, 1e6));
  render->add_option("--frames", a.frames, "stop after this frame")
      ->check(CLI::Range(0, 100000000));
  render
      ->add_option("--turntable", a.turntable,
                   "so many views around the last frame, in the folder turntable")
      ->check(CLI::Range(1, 100000));
  render->add_option("--contact-sheet", a.contact_sheet, "so many of the pictures on one sheet")
      ->check(CLI::Range(1, 400));
  render->add_option("--set", a.set, "change a value, e.g. render.colour_by=speed")
      ->allow_extra_args(false);
  render->add_flag("--keep-going", a.keep_going,
                   "draw the other frames although one cannot be drawn; status 1 at the end");
  render->add_flag("--quiet", a.quiet, "print nothing but errors");
  add_threads(render, a);
  add_profiling(render, a);
}

void add_others(CLI::App& app, Arguments& a, std::string& shell) {
  CLI::App* check = app.add_subcommand(
      "check", "particles, memory, stable steps and why; status 2 for a bad scene");
  add_scene(check, a);
  add_threads(check, a);
  add_memory(check, a);
  check->add_option("--diagram", a.diagram,
                    "draw the states of pairs of mass_interaction into this folder, MATERIAL.svg");
  CLI::App* list =
      app.add_subcommand("list", "what there is: scenes, methods, materials or benchmarks");
  list->add_option("what", a.what, "scenes, methods, materials or benchmarks")
      ->required()
      ->check(CLI::IsMember({"scenes", "methods", "materials", "benchmarks"}));
  CLI::App* fresh = app.add_subcommand("new", "write NAME.toml, a commented scene to start from");
  fresh->add_option("name", a.name, "name of the scene")->required();
  fresh->add_option("--method", a.method, "method of its material (phyxel list methods)");
  app.add_subcommand("schema", "JSON schema of the scene file, for editors");
  app.add_subcommand("reference", "reference of the scene file as Markdown");
  CLI::App* completion =
      app.add_subcommand("completion", "shell completion: source <(phyxel completion bash)");
  completion->add_option("shell", shell, "bash or zsh")
      ->required()
      ->check(CLI::IsMember({"bash", "zsh"}));
}

/// CLI11 says of an unknown command only that one is required.
void check_command(const CLI::App& app, const char* word) {
  std::vector<std::string> names;
  for (const CLI::App* command : app.get_subcommands(nullptr)) names.push_back(command->get_name());
  if (word[0] != '-' && std::find(names.begin(), names.end(), word) == names.end())
    throw phyxel::InputError(fmt::format("phyxel {}: not a command{}; there are: {}", word,
                                         phyxel::suggestion(word, names), fmt::join(names, ", ")));
}

int dispatch(const std::string& command, const Arguments& a, const std::string& shell) {
  using namespace phyxel::cli;
  if (command == "run") return run(a);
  if (command == "check") return check(a);
  if (command == "render") return render(a);
  if (command == "list") return list(a);
  if (command == "new") return new_scene(a);
  if (command == "bench") return bench(a);
  if (command == "surface") return surface(a);
  if (command == "analyse") return analyse_flow(a);
  if (command == "schema") return schema();
  if (command == "reference") return reference();
  return completion(shell);
}

}  // namespace

int main(int argc, char** argv) {
  using namespace phyxel::cli;
  open_standard_streams();
  end_on_interrupts();
  std::signal(SIGXFSZ, SIG_IGN);  // a file that may not grow is an error with a message
  CLI::App app("phyxel: deformable matter as points, from a scene file to pictures", "phyxel");
  app.set_version_flag("--version", "phyxel " PHYXEL_VERSION);
  app.require_subcommand(1);
  app.footer("Start with: phyxel list scenes; phyxel run falling_beam");
  Arguments arguments;
  std::string shell;
  add_run(app, arguments);
  add_surface(app, arguments);
  add_analyse(app, arguments);
  add_render(app, arguments);
  add_bench(app, arguments);
  add_others(app, arguments, shell);
  try {
    if (argc > 1) check_command(app, argv[1]);
    app.parse(argc, argv);
    const std::string command = app.get_subcommands().front()->get_name();
    return finish_output(dispatch(command, arguments, shell));
  } catch (const CLI::ParseError& error) {
    return finish_output(app.exit(error) == 0 ? 0 : 2);
  } catch (const phyxel::InputError& error) {
    warn("{}\n", error.what());
    return finish_output(2);
  } catch (const std::filesystem::filesystem_error& error) {
    warn("phyxel: {}: {}; name a file or folder that can be reached\n", error.path1().string(),
         error.code().message());
    return finish_output(is_about_a_name(error.code()) ? 2 : 1);
  } catch (const std::bad_alloc&) {
    warn("phyxel: {}\n",
         phyxel::out_of_memory(fmt::format("in phyxel {}", argc > 1 ? argv[1] : ""),
                               "fewer particles (a larger spacing), a coarser surface or a smaller "
                               "picture need less"));
    return finish_output(1);
  } catch (const std::exception& error) {
    warn("phyxel: {}\n", error.what());
    return finish_output(1);
  }
}
