#pragma once

#include <string>
#include <vector>

namespace phyxel::cli {

/// What the command line said; one struct for all commands.
struct Arguments {
  std::string scene;  // file or bundled name
  std::string out;    // "" means out/<scene>
  int frames = -1;
  int threads = 0;  // 0: all cores
  std::string device = "cpu";
  std::string memory;            // "": what is free
  int seed = -1;                 // -1: the scene's
  std::vector<std::string> set;  // key=value
  bool resume = false;
  bool overwrite = false;
  bool no_render = false;
  bool quiet = false;
  bool timings = false;
  std::string trace;  // file
  int samples = 0;    // of `render`; 0: the scene's
  std::string what;   // of `list`
  std::string name;   // of `new`
  std::string method = "lennard_jones";
  std::vector<std::string> benchmarks;
  std::string json;
  std::string plot;
  std::string particles;           // "": each benchmark's own size
  std::vector<std::string> sizes;  // more than one makes a table
  int repeats = 5;
  std::vector<std::string> files;  // of `surface` and `render`
  std::string field;               // "": the default
  std::string look;                // of `render`
  double seconds = 0;              // of `render`
  int turntable = 0, contact_sheet = 0;
  std::string spacing = "auto", radius = "auto", cell = "auto";  // m
  std::string iso = "auto", blobbiness = "auto";
  // Of flow structuring.
  std::string alpha = "auto", longest_edge = "auto", border = "auto", relative_to;
  double most_edges = 5e6;
  int smoothing = 0;
  double decimate = 1;
  std::string format = "ply";
  double fps = 24;
  bool together = false;
  bool check_mesh = false;
  std::string diagram;
  bool keep_going = false;
};

// Each returns the exit status; errors are thrown.
int run(const Arguments& arguments);
int check(const Arguments& arguments);
int render(const Arguments& arguments);
int list(const Arguments& arguments);
int new_scene(const Arguments& arguments);
int bench(const Arguments& arguments);
int surface(const Arguments& arguments);
int analyse_flow(const Arguments& arguments);
int schema();
int reference();

/// Text for bash (`source <(phyxel completion bash)`) or zsh.
int completion(const std::string& shell);

}  // namespace phyxel::cli
