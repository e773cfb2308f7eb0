#include <algorithm>
#include <cmath>
#include <cstdio>
#include <fmt/format.h>
#include <fstream>
#include <functional>
#include <map>

#include "mpm/cases.h"

// validate_mpm FOLDER [CASE...]: runs the cases at full size; writes their curves and results.csv.
// Status 1 where a number lies outside of its limits.

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
  std::string folder;
  std::vector<Result> results;

  void add(const std::string& name, const std::string& what, double value, double low,
           double high) {
    results.push_back({name, what, value, low, high});
    fmt::print("{:7} {:<14} {:<58} {:.5g} in [{:g}, {:g}]\n",
               results.back().right() ? "right" : "WRONG", name, what, value, low, high);
    std::fflush(stdout);
  }

  void write(const std::string& name, const char* x, const char* y, const Curve& curve) const {
    std::ofstream out(folder + "/" + name + ".csv");
    out << x << "," << y << "\n";
    for (const Point& p : curve) out << fmt::format("{:.6g},{:.6g}\n", p.x, p.y);
  }
};

void disks(Report& report) {
  const std::map<std::string, double> least = {{"apic_1", 0.65}, {"apic_2", 0.8}, {"apic_4", 0.85},
                                               {"flip_1", 0.55}, {"flip_2", 0.7}, {"flip_4", 0.75}};
  for (const std::string transfer : {"apic", "flip"})
    for (const int finer : {1, 2, 4}) {
      const Disks d = collide_disks(
          {"material.rubber.transfer=" + transfer, fmt::format("resolution={}", finer)});
      const std::string label = fmt::format("{}_{}", transfer, finer);
      const double strain = d.strain.back().y / d.before;
      report.write("disks_" + label, "time", "kinetic_energy", d.kinetic);
      report.add(
          "disks",
          fmt::format("{}, cells of {:g} m: kinetic energy before, J/m", transfer, 0.05 / finer),
          d.before, 2.513 * 0.96, 2.513 * 1.04);
      report.add("disks",
                 fmt::format("{}, cells of {:g} m: share that comes back", transfer, 0.05 / finer),
                 d.after / d.before, least.at(label), 1);
      report.add("disks",
                 fmt::format("{}, cells of {:g} m: share in vibration", transfer, 0.05 / finer),
                 strain, 0, 0.1);
      report.add(
          "disks",
          fmt::format("{}, cells of {:g} m: momentum over that of one", transfer, 0.05 / finer),
          d.momentum, 0, 1e-5);
    }
}

void bar(Report& report) {
  for (const std::string transfer : {"apic", "flip"})
    for (const double finer : {0.5, 1.0, 2.0, 4.0}) {
      const Bar b = swing_bar({"material.bar.transfer=" + transfer, "material.bar.volumes=packing",
                               fmt::format("resolution={}", finer)});
      report.write(fmt::format("bar_{}_{:g}", transfer, finer), "time", "centre_speed", b.speed);
      report.write("bar_exact", "time", "centre_speed", b.exact);
      const double allowed = finer < 1 ? 0.02 : 0.01;
      report.add("bar", fmt::format("{}, {:g} cells: period, s", transfer, 50 * finer), b.period,
                 10 * (1 - allowed), 10 * (1 + allowed));
      report.add("bar",
                 fmt::format("{}, {:g} cells: amplitude after three periods", transfer, 50 * finer),
                 b.kept, transfer == "apic" ? 0.99 : 0.9, 1.001);
    }
}

/// Numbers of liquids must be absent, or as if they were.
const Changes elastic_column = {"material.matter.law=corotated",
                                "material.matter.youngs_modulus=1e6",
                                "material.matter.bulk_modulus=1e5", "material.matter.viscosity=0"};

void resting_column(Report& report) {
  const std::vector<std::pair<std::string, Changes>> kinds = {
      {"liquid, apic", {}},
      {"liquid, flip", {"material.matter.transfer=flip", "material.matter.volumes=packing"}},
      {"liquid, apic, half cells", {"resolution=2"}},
      {"elastic, apic", elastic_column}};
  for (const auto& [kind, changes] : kinds) {
    const Settled s = settle_column(changes);
    if (changes.empty()) report.write("column", "height", "pressure", s.pressure);
    report.add("column", kind + ": pressure at the base over rho g h", s.base, 0.97, 1.03);
    report.add("column", kind + ": slope over rho g", s.slope, 0.97, 1.03);
    report.add("column", kind + ": scatter of particles about the line over rho g h", s.scatter, 0,
               0.25);
    report.add("column", kind + ": fastest particle after 4 s, m/s", s.speed, 0, 0.01);
  }
}

void sand(Report& report) {
  for (const double finer : {1.0, 2.0}) {
    const Collapse c = drop_sand({fmt::format("resolution={}", finer)});
    report.write(fmt::format("sand_front_{:g}", finer), "time", "run_out", c.front);
    report.write(fmt::format("sand_outline_{:g}", finer), "x", "height", c.outline);
    report.add("sand_column", fmt::format("run-out, cells of {:g} mm", 5 / finer), c.run_out, 2.4,
               3.6);
  }
  const Collapse smooth =
      drop_sand({"material.sand.friction_angle=0", "collider.floor.friction=0", "duration=0.4"});
  report.write("sand_front_smooth", "time", "run_out", smooth.front);
  report.add("sand_column", "run-out without friction, after 0.4 s", smooth.run_out, 3.6, 100);
}

void dam(Report& report) {
  for (const double finer : {0.5, 1.0, 2.0}) {
    const DamBreak d = break_dam({fmt::format("resolution={}", finer)});
    report.write(fmt::format("dam_{:g}", finer), "T", "Z", d.front);
    const std::string cells = fmt::format("{:g} cells across", 20 * finer);
    report.add("dam_break", cells + ": RMS of front/measured - 1, gate delay 0.175", d.shifted, 0,
               0.1);
    report.add("dam_break", cells + ": the same without the delay", d.error, 0, 0.15);
  }
}

void incline(Report& report) {
  for (const std::string transfer : {"apic", "flip"})
    for (const double friction : {0.0, 0.3, 0.5, 0.62, 0.8}) {
      const Slide s = slide_block(friction, {"material.rubber.transfer=" + transfer});
      const double exact = 9.81 * (0.5 - friction * std::sqrt(0.75));
      if (transfer == "apic")
        report.write(fmt::format("incline_{:g}", friction), "time", "speed", s.speed);
      if (exact > 0)
        report.add("incline",
                   fmt::format("{}, friction {:g}: acceleration over exact", transfer, friction),
                   s.acceleration / exact, 0.98, 1.02);
      else
        report.add("incline",
                   fmt::format("{}, friction {:g}: path in 0.8 s, m", transfer, friction),
                   std::abs(s.path), 0, 1e-3);
    }
}

void shaken_box(Report& report) {
  for (const std::string law : {"liquid", "sand", "snow"})
    for (const std::string transfer : {"apic", "flip"}) {
      const Shaken s =
          shake_box(60, {"material.matter.law=" + law, "material.matter.transfer=" + transfer});
      const std::string kind = law + ", " + transfer;
      report.add("shaken_box", kind + ": particles lost in 60 s", double(s.lost), 0, 0);
      report.add("shaken_box", kind + ": deepest in the wall, cells", s.deepest, -10, 0.05);
      report.add("shaken_box", kind + ": fastest, m/s", s.fastest, 4, 40);
    }
}

void write_results(const Report& report) {
  std::ofstream out(report.folder + "/results.csv");
  out << "case,what,value,low,high,right\n";
  for (const Result& r : report.results)
    out << fmt::format("{},\"{}\",{:.6g},{:g},{:g},{}\n", r.name, r.what, r.value, r.low, r.high,
                       r.right() ? "yes" : "no");
}

}  // namespace

int main(int count, char** words) {
  if (count < 2) return std::puts("use: validate_mpm FOLDER [CASE...]"), 2;
  const std::vector<std::pair<std::string, std::function<void(Report&)>>> cases = {
      {"disks", disks}, {"bar", bar},         {"column", resting_column}, {"sand", sand},
      {"dam", dam},     {"incline", incline}, {"shaken_box", shaken_box}};
  const std::vector<std::string> wanted(words + 2, words + count);
  Report report{words[1], {}};
  for (const auto& [name, run] : cases)
    if (wanted.empty() || std::find(wanted.begin(), wanted.end(), name) != wanted.end())
      run(report);
  write_results(report);
  for (const Result& r : report.results)
    if (!r.right()) return 1;
  return 0;
}
