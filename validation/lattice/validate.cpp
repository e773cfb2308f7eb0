#include <algorithm>
#include <cmath>
#include <cstdio>
#include <fmt/format.h>
#include <fstream>
#include <functional>
#include <limits>

#include "lattice/momenta.h"
#include "lattice/phases.h"
#include "lattice/solids.h"
#include "lattice/thermal.h"

// validate_lattice FOLDER [CASE...]: runs the cases at full size; writes their curves and
// results.csv. Status 1 where a number lies outside of its limits.

using namespace phyxel;
using namespace phyxel::validation::lattice;

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
    fmt::print("{:7} {:<11} {:<66} {:.5g} in [{:g}, {:.4g}]\n",
               results.back().right() ? "right" : "WRONG", name, what, value, low, high);
    std::fflush(stdout);
  }

  void write(const std::string& name, const char* x, const char* y, const Curve& curve) const {
    std::ofstream out(folder + "/" + name + ".csv");
    out << x << "," << y << "\n";
    for (const Point& p : curve) out << fmt::format("{:.6g},{:.6g}\n", p.x, p.y);
  }
};

std::string with(int dimensions, int layers) {
  return fmt::format("{}D, {} layers", dimensions, layers);
}

Changes joined(Changes a, const Changes& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

void modulus(Report& report) {
  for (const int dimensions : {2, 3})
    for (const int count : {5, 7, 11}) {
      const Pulled p = pull_bar(layers("bar", count, 0.1, dimensions));
      report.add("modulus", with(dimensions, count) + ": Young's modulus over the scene's",
                 p.youngs_modulus, 0.95, 1.05);
      report.add("modulus", with(dimensions, count) + ": Poisson's ratio, 0.3", p.poissons_ratio,
                 0.285, 0.315);
    }
}

void cantilever(Report& report) {
  const auto reference = read_table("lattice/cantilever_elastica_tip_load.csv");
  std::vector<double> loads;
  for (const auto& row : reference) loads.push_back(row[0]);
  for (const auto& [dimensions, count] :
       std::vector<std::pair<int, int>>{{2, 5}, {2, 9}, {3, 5}, {3, 7}}) {
    const std::vector<Bent> bent = bend_beam(loads, slender(count, 12, dimensions));
    Curve drop, shortening;
    for (std::size_t k = 0; k < bent.size(); ++k) {
      const std::string what = fmt::format("{}: load {}", with(dimensions, count), loads[k]);
      report.add("cantilever", what + ", drop over exact", bent[k].drop / reference[k][1], 0.95,
                 1.05);
      report.add("cantilever", what + ", shortening - exact, over L",
                 bent[k].shortening - reference[k][2], -0.02, 0.02);
      drop.push_back({loads[k], bent[k].drop});
      shortening.push_back({loads[k], bent[k].shortening});
    }
    report.write(fmt::format("drop_{}d_{}", dimensions, count), "load", "drop", drop);
    report.write(fmt::format("shortening_{}d_{}", dimensions, count), "load", "shortening",
                 shortening);
  }
}

void bar(Report& report) {
  const double period = read_table("lattice/axial_bar_vibration.csv")[0][3];
  for (const int dimensions : {2, 3})
    for (const int count : {3, 5, 7}) {
      const Swung s = swing_bar(count, dimensions);
      report.write(fmt::format("bar_{}d_{}", dimensions, count), "time", "centre_speed", s.speed);
      report.add("bar", with(dimensions, count) + ": period along itself, s", s.period,
                 0.97 * period, 1.03 * period);
      report.add("bar", with(dimensions, count) + ": energy kept after three periods", s.kept, 0.99,
                 1.01);
    }
}

/// What shear and the turning of sections add to the period of a free bar: Spinner and Tefft 1961.
double thick_beam(double height_over_length, double nu) {
  const double square = height_over_length * height_over_length;
  return std::sqrt(1 + 6.585 * (1 + 0.0752 * nu + 0.8109 * nu * nu) * square);
}

void ring(Report& report) {
  for (const auto& [dimensions, count] :
       std::vector<std::pair<int, int>>{{2, 5}, {2, 9}, {3, 5}, {3, 7}}) {
    const Changes beam = slender(count, 12, dimensions);
    const Rung held = ring_beam(true, beam), free = ring_beam(false, beam);
    report.write(fmt::format("ring_{}d_{}", dimensions, count), "time", "motion", held.motion);
    report.add("ring", with(dimensions, count) + ": period across, one end held, over exact",
               held.period, 0.97, 1.03);
    report.add("ring", with(dimensions, count) + ": period across, free, over exact",
               free.period / thick_beam(0.1 / free.length, 0.3), 0.97, 1.03);
  }
}

void slab(Report& report) {
  const Cooled c = cool_slab();
  report.write("slab", "time", "temperature", c.middle);
  report.add("slab", "largest difference from heat_slab.csv over its value", c.worst, 0, 0.01);
  report.add("slab", "largest difference, over the first temperature", c.largest, 0, 0.01);
}

void insulated(Report& report) {
  const Levelled l = level_heat(10000);
  report.add("insulated", "heat lost in 10000 steps, over what had to flow", l.lost, 0,
             std::numeric_limits<Real>::epsilon() * std::sqrt(double(l.steps)));
  report.add("insulated", "difference of temperatures that is left", l.left, 0, 0.01);
}

void stefan(Report& report) {
  for (const auto& row : read_table("heat/stefan_one_phase.csv")) {
    if (row[0] != 0.2 && row[0] != 0.5 && row[0] != 1 && row[0] != 3) continue;
    const std::string number = fmt::format("Stefan number {}", row[0]);
    const Melted solid = melt_slab(row[0], row[1], {});
    report.write(fmt::format("stefan_{}", row[0]), "time", "front", solid.front);
    report.add("stefan", number + ": front of latent heat, largest error", solid.worst, 0, 0.05);
    const Melted melted = melt_slab(row[0], row[1], {"material.matter.melting_rate=1e6"});
    report.add("stefan", number + ": the same while it turns liquid", melted.worst, 0, 0.05);
    report.add("stefan", number + ": liquid particles behind the front, in layers", melted.behind,
               -0.5, 1.5);
  }
}

void momenta(Report& report) {
  const std::vector<std::pair<std::string, Changes>> kinds = {
      {"hookean", {}},
      {"stiffness", {"material.matter.law=stiffness"}},
      {"damped", {"material.matter.damping=20"}},
      {"breaking", {"material.matter.docking_rate=200", "material.matter.strength=2e3"}},
      {"breaking springs",
       {"material.matter.docking_rate=200", "material.matter.strength=2e3",
        "material.matter.law=stiffness"}}};
  for (const int dimensions : {2, 3})
    for (const auto& [kind, changes] : kinds) {
      const Tumbled t =
          tumble_block(10000, 0.5, joined(changes, {fmt::format("dimensions={}", dimensions)}));
      const double rounding = std::numeric_limits<Real>::epsilon() * std::sqrt(double(t.steps));
      const std::string name = fmt::format("{}D, {}: ", dimensions, kind);
      report.add("momenta", name + "change of momentum", t.momentum, 0, rounding);
      report.add("momenta", name + "change of angular momentum", t.angular, 0, rounding);
      if (kind.starts_with("breaking"))
        report.add("momenta", name + "share of bonds that is left", t.bonds, 0.2, 0.95);
    }
}

void turning(Report& report) {
  // Places are rounded to eps of the half length, 13 spacings, and so is the strain; edges in
  // space, where neighbours are few, keep 1e-4 of how they lay the step before (fit.h).
  const double rounding = 13 * std::numeric_limits<Real>::epsilon(), lag = 1e-4 * 2 * M_PI / 100;
  for (const int dimensions : {2, 3}) {
    const std::string name = fmt::format("{}D, ", dimensions);
    const Turned t = turn_block(100, dimensions);
    report.add("turning", name + "60 turns: slots that changed hands", t.exchanged, 0, 0);
    report.add("turning", name + "60 turns: largest strain", t.strain, 0,
               dimensions == 2 ? rounding : rounding + lag);
    report.add("turning", name + "60 turns: largest force over E D^2", t.force, 0,
               10 * (dimensions == 2 ? rounding : rounding + lag));
    const Turned s = spin_block(dimensions);
    const double drift = std::numeric_limits<Real>::epsilon() * std::sqrt(double(s.steps));
    report.add("turning", name + "free: slots that changed hands", s.exchanged, 0, 0);
    report.add("turning", name + "free: change of angular momentum", s.angular, 0, drift);
    report.add("turning", name + "free, damped: kinetic energy kept", s.kinetic, 0.99, 1.01);
  }
}

void fracture(Report& report) {
  const Parted joined = cut_bar({}), parted = cut_bar({"material.matter.docking_rate=1e3"});
  report.add("fracture", "halves put together, no fracture: gap over a layer", joined.gap, 1, 1.2);
  report.add("fracture", "the same with docking rates", parted.gap, 2.8, 3.2);
  const Snapped s = snap_bar({});
  report.add("fracture", "pulled beyond its strength: gap over a layer", s.first, 4, 7);
  report.add("fracture", "pushed together", s.pushed, 0.8, 1.2);
  report.add("fracture", "pulled again", s.second, 5.5, 6.5);
}

void melting(Report& report) {
  const Changes free = {"world.gravity=[0,0,0]", "world.domain.min=[-0.2,-0.1,-0.2]",
                        "world.domain.max=[0.2,0.35,0.2]", "body.block.angular_velocity=[0,0,5]"};
  const Refrozen f = melt_and_freeze(free);
  report.add("melting", "free block: share of particles that melts", f.liquid, 0.9, 1);
  report.add("melting", "free block: share that is solid in the end", f.frozen, 0.99, 1);
  report.add("melting", "free block: volume in the end over that at the start", f.volume, 0.95,
             1.05);
  report.add("melting", "free block: fastest particle over a fall from its height", f.fastest, 0,
             1.5);
  report.add("melting", "free block: kinetic energy over that of the fall", f.burst, 0, 0.1);
  const Refrozen r = melt_and_freeze({});
  report.write("melting", "time", "kinetic_energy", r.kinetic);
  report.add("melting", "basin: share of particles that melts", r.liquid, 0.9, 1);
  report.add("melting", "basin: volume of the liquid over that at the start", r.liquid_volume, 0.95,
             1.05);
  report.add("melting", "basin: share that is solid in the end", r.frozen, 0.95, 1);
  report.add("melting", "basin: volume in the end over that at the start", r.volume, 0.95, 1.05);
  report.add("melting", "basin: fastest particle over a fall from its height", r.fastest, 0, 1.5);
  report.add("melting", "basin: kinetic energy while it freezes over that of the fall", r.burst, 0,
             0.05);
}

void write_results(const Report& report) {
  std::ofstream out(report.folder + "/results.csv");
  out << "case,what,value,low,high,right\n";
  for (const Result& r : report.results)
    out << fmt::format("{},\"{}\",{:.6g},{:g},{:.4g},{}\n", r.name, r.what, r.value, r.low, r.high,
                       r.right() ? "yes" : "no");
}

}  // namespace

int main(int count, char** words) {
  if (count < 2) return std::puts("use: validate_lattice FOLDER [CASE...]"), 2;
  const std::vector<std::pair<std::string, std::function<void(Report&)>>> cases = {
      {"modulus", modulus}, {"cantilever", cantilever}, {"bar", bar},        {"ring", ring},
      {"slab", slab},       {"insulated", insulated},   {"stefan", stefan},  {"momenta", momenta},
      {"turning", turning}, {"fracture", fracture},     {"melting", melting}};
  const std::vector<std::string> wanted(words + 2, words + count);
  Report report{words[1], {}};
  for (const auto& [name, run] : cases)
    if (wanted.empty() || std::find(wanted.begin(), wanted.end(), name) != wanted.end())
      run(report);
  write_results(report);
  return std::all_of(report.results.begin(), report.results.end(),
                     [](const Result& r) { return r.right(); })
             ? 0
             : 1;
}
