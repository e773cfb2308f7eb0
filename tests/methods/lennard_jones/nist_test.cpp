#include <doctest/doctest.h>
#include <fmt/format.h>
#include <fstream>

#include "phyxel/scene/build.h"
#include "phyxel/scene/read_scene.h"

using namespace phyxel;

namespace {

struct Reference {
  int configuration;
  double box, cutoff, energy, virial;
};

/// NIST Standard Reference Simulation Website, Lennard-Jones configurations 1 and 2, truncated,
/// minimum image.
std::vector<Reference> references() {
  std::ifstream file(PHYXEL_VALIDATION_DIR "/lennard_jones/lj_nist_reference_energies.csv");
  std::vector<Reference> rows;
  for (std::string line; std::getline(file, line);) {
    Reference r{};
    int n = 0;
    if (std::sscanf(line.c_str(), "%d,%d,%lf,%lf,%lf,%lf", &r.configuration, &n, &r.box, &r.cutoff,
                    &r.energy, &r.virial) == 6)
      rows.push_back(r);
  }
  return rows;
}

Diagnostics measure_configuration(const Reference& r) {
  const double r0 = std::pow(2.0, 1.0 / 6);
  const std::string text = fmt::format(R"(
[world]
gravity = [0, 0, 0]
periodic = [true, true, true]
domain = {{ min = [{0}, {0}, {0}], max = [{1}, {1}, {1}] }}
[material.m]
method = "lennard_jones"
particle_mass = 1.0
dissociation_energy = 1.0
equilibrium_distance = {2:.17g}
repulsive_exponent = 12
attractive_exponent = 6
truncation = "plain"
cutoff = {3:.17g}
[body.b]
material = "m"
shape = {{ particles = "lj_nist_config{4}.xyz" }}
spacing = 1.0
)",
                                       -r.box / 2, r.box / 2, r0, r.cutoff / r0, r.configuration);
  World world = build(parse_scene(text, "nist", PHYXEL_VALIDATION_DIR "/lennard_jones"));
  return diagnose(world);
}

double extra(const Diagnostics& d, const std::string& name) {
  for (const auto& [key, value] : d.extra)
    if (key == name) return value;
  FAIL("no " << name);
  return 0;
}

/// Half a unit of the last printed digit of a value with five significant digits (four for -690.0
/// and -704.6).
double printed_tolerance(double value) {
  return std::abs(value) >= 1000 ? 0.05 : std::abs(value) < 600 ? 0.005 : 0.05;
}

}  // namespace

TEST_CASE("nist_configurations_have_the_printed_energy_and_virial") {
  const auto rows = references();
  REQUIRE(rows.size() == 4);
  for (const Reference& r : rows) {
    const Diagnostics d = measure_configuration(r);
    CAPTURE(r.configuration);
    CAPTURE(r.cutoff);
    // In float the sums of some 50 terms per particle keep about 1e-6; the bound is 1e-5
    // relative on top of the rounding of the printed digits.
    const double bound = sizeof(Real) == 8 ? 0 : 1e-5;
    CHECK(std::abs(extra(d, "pair_energy") - r.energy) <=
          printed_tolerance(r.energy) * 1.01 + bound * std::abs(r.energy));
    CHECK(std::abs(extra(d, "virial") - r.virial) <=
          printed_tolerance(r.virial) * 1.01 + bound * std::abs(r.virial));
  }
}
