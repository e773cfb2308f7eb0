#include <algorithm>
#include <cstdio>
#include <fmt/format.h>
#include <fstream>
#include <functional>

#include "mls/cases.h"

// validate_mls FOLDER [CASE...]: runs the cases at three resolutions; writes results.csv. Status 1
// where a number lies outside of its limits.

using namespace phyxel;
using namespace phyxel::validation::mls;
using phyxel::validation::lattice::read_table;

namespace {

/// A number, and what it must be between.
struct Result {
  std::string name, what;
  double value, low, high;
  bool right() const { return value >= low && value <= high; }
};

struct Report {
  std::vector<Result> results;

  void add(const std::string& name, const std::string& what, double value, double low,
           double high) {
    results.push_back({name, what, value, low, high});
    fmt::print("{:7} {:<11} {:<60} {:.5g} in [{:g}, {:.4g}]\n",
               results.back().right() ? "right" : "WRONG", name, what, value, low, high);
    std::fflush(stdout);
  }
  /// Values that should be 1, from the coarsest to the finest: within 5 % at the finest, and not
  /// farther from it than at the coarsest.
  void add_converging(const std::string& name, const std::string& what,
                      const std::vector<int>& layers, const std::vector<double>& values) {
    for (std::size_t k = 0; k < values.size(); ++k) {
      const double reach = k + 1 < values.size() ? 0.3 : 0.05;
      add(name, fmt::format("{} layers: {}", layers[k], what), values[k], 1 - reach, 1 + reach);
    }
    const double first = std::abs(values.front() - 1), last = std::abs(values.back() - 1);
    add(name, what + ": error at the finest less that at the coarsest", last - first, -1, 0.002);
  }
};

// Bars, and beams, whose strain changes across them, in space and in the plane.
const std::vector<int> three = {3, 5, 7}, beams = {5, 7, 9}, fine = {6, 12, 24};

void modulus(Report& report) {
  for (const double stretch : {0.95, 1.05, 1.3}) {
    std::vector<double> moduli, ratios;
    for (const int layers : three) {
      const Pulled p = pull_bar(layers, stretch);
      moduli.push_back(p.youngs_modulus / 1e5);
      ratios.push_back(p.poissons_ratio / 0.3);
    }
    const std::string at = fmt::format("stretch {}: ", stretch);
    report.add_converging("modulus", at + "Young's modulus over the scene's", three, moduli);
    report.add_converging("modulus", at + "Poisson's ratio over the scene's", three, ratios);
  }
}

void stiff_volume(Report& report) {
  // With the volume stiffness that is chosen, at a strain at which the law is linear.
  for (const double nu : {0.3, 0.45}) {
    const Pulled p =
        pull_bar(5, 1.005,
                 {fmt::format("material.rubber.volume_stiffness={}", nu == 0.3 ? 6e4 : 3e5),
                  fmt::format("material.rubber.poissons_ratio={}", nu)});
    const std::string at = fmt::format("5 layers, volume stiffness, nu = {}: ", nu);
    report.add("volume", at + "Young's modulus over the scene's", p.youngs_modulus / 1e5, 0.98,
               1.02);
    report.add("volume", at + "Poisson's ratio over the scene's", p.poissons_ratio / nu, 0.98,
               1.02);
  }
}

void cantilever(Report& report) {
  const auto reference = read_table("mls/cantilever_elastica_tip_load.csv");
  std::vector<double> loads;
  for (const auto& row : reference) loads.push_back(row[0]);
  std::vector<std::vector<Bent>> bent;
  for (const int layers : fine) bent.push_back(bend_beam(layers, loads, 2));
  for (std::size_t k = 0; k < loads.size(); ++k) {
    std::vector<double> drops;
    for (const auto& beam : bent) drops.push_back(beam[k].drop / reference[k][1]);
    report.add_converging("cantilever", fmt::format("load {}, drop over exact", loads[k]), fine,
                          drops);
    report.add("cantilever",
               fmt::format("{} layers: load {}, shortening - exact, over L", fine.back(), loads[k]),
               bent.back()[k].shortening - reference[k][2], -0.02, 0.02);
  }
}

void bar(Report& report) {
  const double period = read_table("mls/axial_bar_vibration.csv")[0][3];
  const std::vector<int> layers = {1, 2, 4};
  std::vector<double> periods;
  for (const int count : layers) periods.push_back(swing_bar(count) / period);
  report.add_converging("bar", "period along itself over exact", layers, periods);
}

void ring(Report& report) {
  std::vector<double> periods;
  for (const int layers : fine) periods.push_back(ring_beam(layers, 2) / thick_beam(1 / 12.0, 0.3));
  report.add_converging("ring", "flat, period sideways over exact", fine, periods);
  std::vector<double> in_space;
  for (const int layers : beams)
    in_space.push_back(ring_beam(layers, 3) / thick_beam(1 / 12.0, 0.3));
  report.add_converging("ring", "in space, period sideways over exact", beams, in_space);
}

void write_results(const std::string& folder, const Report& report) {
  std::ofstream out(folder + "/results.csv");
  out << "case,what,value,low,high,right\n";
  for (const Result& r : report.results)
    out << fmt::format("{},\"{}\",{:.6g},{:g},{:.4g},{}\n", r.name, r.what, r.value, r.low, r.high,
                       r.right() ? "yes" : "no");
}

}  // namespace

int main(int count, char** words) {
  if (count < 2) return std::puts("use: validate_mls FOLDER [CASE...]"), 2;
  const std::vector<std::pair<std::string, std::function<void(Report&)>>> cases = {
      {"modulus", modulus},
      {"volume", stiff_volume},
      {"bar", bar},
      {"ring", ring},
      {"cantilever", cantilever}};
  const std::vector<std::string> wanted(words + 2, words + count);
  Report report;
  for (const auto& [name, run] : cases)
    if (wanted.empty() || std::find(wanted.begin(), wanted.end(), name) != wanted.end())
      run(report);
  write_results(words[1], report);
  return std::all_of(report.results.begin(), report.results.end(),
                     [](const Result& r) { return r.right(); })
             ? 0
             : 1;
}
