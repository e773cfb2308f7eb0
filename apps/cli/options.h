#pragma once

#include <CLI/CLI.hpp>
#include <set>
#include <string>
#include <vector>

#include "phyxel/matter/parameters.h"
#include "phyxel/scene/scene.h"

// Options that several commands have. An option of one command is in the file of that command.

namespace phyxel::cli {

/// What the command line said.
struct Arguments {
  std::string scene;               // file or bundled name
  std::vector<std::string> set;    // key=value
  int seed = -1;                   // -1: the scene's
  std::vector<std::string> files;  // that are read
  std::string out;                 // "": the default
  int frames = -1;                 // -1: all
  int threads = 0;                 // 0: all cores
  std::string device = "cpu";
  std::string memory;  // "": what is free
  bool no_render = false;
  bool keep_going = false;
  bool quiet = false;
  bool timings = false;
  std::string trace;  // file
};

void add_scene(CLI::App* command, Arguments& a);
void add_set(CLI::App* command, Arguments& a);
void add_point_files(CLI::App* command, Arguments& a);
void add_frames(CLI::App* command, Arguments& a);
void add_threads(CLI::App* command, Arguments& a);
void add_device(CLI::App* command, Arguments& a);
void add_memory(CLI::App* command, Arguments& a);
void add_profiling(CLI::App* command, Arguments& a);

/// The scene of add_scene with its overrides.
Scene load(const Arguments& a);

/// "2GB", "500 MB" or a number of GB, as bytes; 0 for "".
double bytes_from(const std::string& option, const std::string& text);

/// Options that descriptions make: `longest_edge` is --longest-edge, with its help and range.
struct DescribedOptions {
  Fields fields;
  std::set<std::string> given = {};  // names, without those that are `auto`
};
/// Both must live while the command line is parsed.
void add_described(CLI::App* command, DescribedOptions& options);

/// Of flow structuring: refuses two options of which one follows from the other.
void check_flow(const DescribedOptions& options);

/// --longest-edge for longest_edge.
std::string option_name(const std::string& parameter);

/// CLI::Range of real numbers, which takes "nan" for one within.
CLI::Validator between(double low, double high);

}  // namespace phyxel::cli
