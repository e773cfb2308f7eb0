#include <cmath>
#include <cstdio>
#include <fmt/format.h>
#include <fstream>

#include "reactions/cases.h"

// validate_reactions FILE: forces on floors, slopes and plates over those of theory; writes a
// table. Status 1 where one is farther from 1 than its limit.

using namespace phyxel;

namespace {

struct Table {
  std::ofstream file;
  bool right = true;

  void add(const std::string& name, const char* what, double seen, double limit) {
    const bool inside = std::abs(seen - 1) <= limit;
    const std::string line = fmt::format("{},{},{:.4f},{:g},{:g},{}", name, what, seen, 1 - limit,
                                         1 + limit, inside ? "yes" : "no");
    fmt::print("{}\n", line);
    std::fflush(stdout);
    file << line << "\n" << std::flush;
    right = right && inside;
  }
};

void add_inclines(const MethodCase& method, Table& table) {
  for (const double friction : {0.6, 0.3, 0.1}) {
    const Incline found = lean_block(method, friction);
    const std::string name = fmt::format("incline; {}; friction {}", method.name, friction);
    table.add(name, "normal part", found.normal, 0.02);
    table.add(name, "part along the slope", found.friction, 0.03);
  }
}

}  // namespace

int main(int count, char** words) {
  if (count != 2) {
    fmt::print(stderr, "validate_reactions FILE\n");
    return 2;
  }
  Table table{std::ofstream(words[1])};
  table.file << "case,what,value,low,high,right\n";
  for (const MethodCase& method : every_method())
    table.add("weight; " + method.name, "force of floor and walls", settled_weight(method), 0.01);
  for (const MethodCase& method : every_method())
    if (method.name == "lattice" || method.name == "mpm") add_inclines(method, table);
  for (const double spacing : {0.01, 0.005}) {
    const Jet jet = jet_on_plate(spacing);
    const std::string name = fmt::format("jet; spacing {} m", spacing);
    table.add(name, "momentum that flows in", jet.inflow, 0.02);
    table.add(name, "force on the plate", jet.plate, 0.05);
  }
  return table.right ? 0 : 1;
}
