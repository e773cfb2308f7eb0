#include <cstdio>
#include <fmt/format.h>
#include <fstream>

#include "flow/cases.h"
#include "phyxel/core/random.h"
#include "phyxel/geometry/sampling.h"
#include "phyxel/surfaces/mean_distance.h"

// validate_flow FOLDER: runs the cases at full size and writes results.csv. Status 1 where
// a number lies outside of its limits.

using namespace phyxel;
using namespace phyxel::validation;

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
    fmt::print("{:7} {:<8} {:<62} {:.5g} in [{:g}, {:g}]\n",
               results.back().right() ? "right" : "WRONG", name, what, value, low, high);
    std::fflush(stdout);
  }
};

/// What must hold of the border of a body by the rule `local`.
struct Border {
  std::string body;
  double points;
  Real noise;
  double precision, recall, covered;
};

void borders(Report& report) {
  for (const Border& least :
       {Border{"ball", 1e5, 0, 0.98, 0.4, 0.95}, Border{"ball", 1e5, Real(0.3), 0.98, 0.3, 0.85},
        Border{"torus", 3e4, Real(0.3), 0.98, 0.35, 0.9},
        Border{"torus", 3e5, Real(0.3), 0.98, 0.75, 0.99},
        Border{"slab", 3e4, Real(0.3), 0.98, 0.45, 0.85},
        Border{"slab", 3e5, Real(0.3), 0.85, 0.6, 0.9}, Border{"box", 1e5, 0, 0.98, 0.8, 0.95},
        Border{"box", 1e5, Real(0.3), 0.98, 0.35, 0.9},
        Border{"thread", 300, Real(0.3), 0.98, 0.4, 0.85},
        Border{"thread", 3e3, Real(0.3), 0.98, 0.35, 0.9},
        Border{"thread", 3e4, Real(0.3), 0.9, 0.75, 0.99}}) {
    const PointBody body = point_body(least.body, least.points, least.noise);
    for (const BorderRule rule : {BorderRule::local, BorderRule::frame}) {
      const bool local = rule == BorderRule::local;
      FlowOptions options;
      options.relative_to = rule;
      const BorderScore s = score_border(body, options);
      const std::string what =
          fmt::format("{:.0f} points, noise {:.1f}, {}: ", s.points, double(least.noise),
                      border_rule_names()[static_cast<int>(rule)]);
      report.add(least.body, what + "precision", s.precision, local ? least.precision : 0, 1);
      report.add(least.body, what + "recall", s.recall, local ? least.recall : 0, 1);
      report.add(least.body, what + "covered", s.covered, local ? least.covered : 0, 1);
    }
  }
}

double exact_mean(const Column<Vec3>& x) {
  return reduce_sum({}, "exact", static_cast<Index>(x.size()),
                    [&](Index i) {
                      double sum = 0;
                      for (Index j = 0; j < i; ++j)
                        sum += length(cast<double>(x[i]) - cast<double>(x[j]));
                      return sum;
                    }) /
         (double(x.size()) * double(x.size() - 1) / 2);
}

/// How far sampled means are off, in multiples of the error that is stated.
void distances(Report& report) {
  for (const std::string name : {"ball", "slab", "thread"}) {
    const PointBody body = point_body(name, 2e4, Real(0.3));
    const double exact = exact_mean(body.x);
    double worst = 0, error = 0;
    for (std::uint32_t k = 0; k < 50; ++k) {
      const PairDistances d = pair_distances({}, body.x, k);
      const MeanDistance mean = mean_distance({&d, 1});
      worst = std::max(worst, std::abs(mean.mean - exact) / mean.error);
      error = std::max(error, mean.error / exact);
    }
    report.add(name, "mean distance: stated error, share of it", error, 0, 0.01);
    report.add(name, "mean distance: largest of 50 errors over the stated one", worst, 0, 1);
  }
}

void write(const std::string& file, const Report& report) {
  std::ofstream out(file);
  out << "case,what,value,low,high,right\n";
  for (const Result& r : report.results)
    out << fmt::format("{},\"{}\",{:.4g},{:g},{:g},{}\n", r.name, r.what, r.value, r.low, r.high,
                       r.right() ? "yes" : "no");
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    fmt::print(stderr, "validate_flow FOLDER\n");
    return 2;
  }
  Report report;
  distances(report);
  borders(report);
  write(std::string(argv[1]) + "/results.csv", report);
  for (const Result& r : report.results)
    if (!r.right()) return 1;
  return 0;
}
