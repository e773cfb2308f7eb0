#include <algorithm>
#include <cmath>
#include <cstdio>
#include <fmt/format.h>
#include <fstream>
#include <functional>

#include "pbd/cases.h"

// validate_pbd FOLDER [CASE...]: runs the cases at three resolutions; writes results.csv. Status 1
// where a number lies outside of its limits.

using namespace phyxel;
using namespace phyxel::validation::pbd;
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
    fmt::print("{:7} {:<10} {:<60} {:.5g} in [{:g}, {:.4g}]\n",
               results.back().right() ? "right" : "WRONG", name, what, value, low, high);
    std::fflush(stdout);
  }
  /// Values that should be 1, from the coarsest to the finest: within 5 % at the finest, and nearer
  /// to it than at the coarsest, or as near to 1 %.
  void add_converging(const std::string& name, const std::string& what,
                      const std::vector<int>& layers, const std::vector<double>& values) {
    for (std::size_t k = 0; k < values.size(); ++k) {
      const double reach = k + 1 < values.size() ? 0.5 : 0.05;
      add(name, fmt::format("{} layers: {}", layers[k], what), values[k], 1 - reach, 1 + reach);
    }
    const double first = std::abs(values.front() - 1), last = std::abs(values.back() - 1);
    add(name, what + ": error at the finest less that at the coarsest", last - first, -1, 0.01);
  }
};

const std::vector<std::string> elements = {"cells", "tetrahedra"};

Changes of(const std::string& kind) {
  return {"material.rubber.elements=\"" + kind + "\""};
}

void tension(Report& report) {
  const std::vector<int> layers = {3, 5, 7};
  for (const std::string& kind : elements) {
    std::vector<double> moduli, ratios;
    for (const int count : layers) {
      const Pulled p = pull_bar(count, 0.01, of(kind));
      moduli.push_back(p.youngs_modulus / 1e5);
      ratios.push_back(p.poissons_ratio / 0.3);
    }
    report.add_converging("tension", kind + ": Young's modulus over the scene's", layers, moduli);
    report.add_converging("tension", kind + ": Poisson's ratio over the scene's", layers, ratios);
  }
}

void cantilever(Report& report) {
  const double exact =
      read_table("lattice/cantilever_elastica_tip_load.csv")[0][1] * shear_of_beam();
  const std::vector<int> layers = {6, 9, 14};
  std::vector<double> drops;
  for (const int count : layers) drops.push_back(bend_beam(count, 0.5, of("cells")).drop / exact);
  report.add_converging("cantilever", "cells: drop over exact", layers, drops);
  // Tetrahedra lock: what they reach is written down, and nothing is claimed of it.
  for (const int count : {6, 9})
    report.add("cantilever", fmt::format("{} layers: tetrahedra: drop over exact", count),
               bend_beam(count, 0.5, of("tetrahedra")).drop / exact, 0.5, 1.5);
}

void balloon(Report& report) {
  for (const double ambient : {0.8e4, 1.25e4, 2e4})
    report.add("balloon", fmt::format("{:g} Pa outside: p V over that at rest", ambient),
               ambient * blow_balloon(ambient).volume / 1e4, 0.99, 1.01);
  // T = Y e / (1 - nu) in a sphere, with nu = 1/3 of the springs: 2 T / r = p.
  const double stretch = 0.02, skin = 2e4, radius = 0.5;
  const double pressure = 2 * 1.5 * skin * stretch / (radius * (1 + stretch));
  const Blown blown =
      blow_balloon(1e4, {"material.skin.gas=fixed_pressure", "material.skin.substeps=100",
                         fmt::format("material.skin.stretch_modulus={:g}", skin),
                         fmt::format("material.skin.pressure={:.9g}", 1e4 + pressure)});
  report.add("balloon", "a tight skin: stretch by pressure over that of a membrane",
             (std::cbrt(blown.volume) - 1) / stretch, 0.95, 1.05);
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
  if (count < 2) return std::puts("use: validate_pbd FOLDER [CASE...]"), 2;
  const std::vector<std::pair<std::string, std::function<void(Report&)>>> cases = {
      {"tension", tension}, {"cantilever", cantilever}, {"balloon", balloon}};
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
