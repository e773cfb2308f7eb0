#include <algorithm>
#include <cmath>
#include <cstdio>
#include <fmt/format.h>
#include <fstream>
#include <functional>

#include "pbd/cases.h"
#include "pbd/sheets.h"

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
                      const std::vector<int>& layers, const std::vector<double>& values,
                      const std::string& unit = "layers") {
    for (std::size_t k = 0; k < values.size(); ++k) {
      const double reach = k + 1 < values.size() ? 0.5 : 0.05;
      add(name, fmt::format("{} {}: {}", layers[k], unit, what), values[k], 1 - reach, 1 + reach);
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
  const double cell_drop = drops.front();
  drops.clear();
  const std::vector<int> few = {4, 6, 9};
  for (const int count : few) drops.push_back(bend_beam(count, 0.5, of("tetrahedra")).drop / exact);
  report.add_converging("cantilever", "tetrahedra: drop over exact", few, drops);
  // What the solver finds beside the least energy of the same elements.
  for (const std::string& kind : elements)
    report.add("cantilever", "6 layers: " + kind + ": drop over that of least energy",
               (kind == "cells" ? cell_drop : drops[1]) * exact / static_drop(6, 0.5, of(kind)),
               0.95, 1.05);
}

void strip(Report& report) {
  const std::vector<int> rows = {1, 2, 4};
  const std::vector<std::pair<std::string, Changes>> kinds = {
      {"springs", {"body.strip.packing=closest"}},
      {"triangles", {"material.cloth.elements=triangles"}}};
  for (const auto& [kind, changes] : kinds) {
    std::vector<double> stretches;
    for (const int count : rows) stretches.push_back(hang_strip(count, changes));
    report.add_converging("strip", kind + ": stretch by its own weight over exact", rows, stretches,
                          "rows in a tenth");
  }
}

/// Coefficients for stiffer and stiffer cloth: monotonic at each resolution, and nearer to those of
/// the finest.
void drape_test(Report& report) {
  const std::vector<double> stiffness = {1e-5, 4e-5, 1.6e-4, 6.4e-4};
  const std::vector<int> rings = {5, 10, 20};
  std::vector<std::vector<double>> all;
  for (const int count : rings) {
    all.emplace_back();
    for (const double b : stiffness) {
      all.back().push_back(drape(count, b));
      report.add("drape", fmt::format("{} rings: {:g} N m: drape coefficient", count, b),
                 all.back().back(), 0, 1);
    }
    double least = 1;
    for (std::size_t k = 1; k < stiffness.size(); ++k)
      least = std::min(least, all.back()[k] - all.back()[k - 1]);
    report.add("drape",
               fmt::format("{} rings: least growth of it for 4 times the stiffness", count), least,
               0.01, 1);
  }
  const auto apart = [&](std::size_t which) {
    double most = 0;
    for (std::size_t k = 0; k < stiffness.size(); ++k)
      most = std::max(most, std::abs(all[which][k] - all.back()[k]));
    return most;
  };
  report.add("drape", "10 rings: farthest from 20 rings", apart(1), 0, 0.08);
  report.add("drape", "10 rings: the same over that of 5 rings", apart(1) / apart(0), 0, 0.75);
}

void balloon(Report& report) {
  for (const double ambient : {0.8e4, 1.25e4, 2e4})
    report.add("balloon", fmt::format("{:g} Pa outside: p V over that at rest", ambient),
               ambient * blow_balloon(ambient).volume / 1e4, 0.99, 1.01);
  // Springs carry 3/2 Y e per width at rest (nu = 1/3), so that T = 3/2 Y e / (1 + e) and 2 T / r =
  // p with r = r_0 (1 + e).
  const double stretch = 0.02, skin = 2e4, radius = 0.5;
  const double pressure = 2 * 1.5 * skin * stretch / (radius * (1 + stretch) * (1 + stretch));
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
      {"tension", tension},
      {"cantilever", cantilever},
      {"balloon", balloon},
      {"strip", strip},
      {"drape", drape_test}};
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
