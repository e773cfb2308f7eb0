#include <cstdio>
#include <fmt/format.h>
#include <fstream>

#include "plane/flat_bar.h"

// validate_plane FILE: periods of free flat bars as a slice and as a sheet, over those of theory,
// for finer and finer rows; writes a table. Status 1 where one of the finest is 2 % off, or a
// coarse one 20 %.

using namespace phyxel;

constexpr int finest = 25;

int main(int count, char** words) {
  if (count != 2) {
    fmt::print(stderr, "validate_plane FILE\n");
    return 2;
  }
  std::ofstream table(words[1]);
  table << "case,what,value,low,high,right\n";
  bool right = true;
  for (const auto& [method, law] : {std::pair{"lattice", "hookean"}, std::pair{"mpm", "corotated"},
                                    std::pair{"mpm", "neo_hookean"}})
    for (const char* plane : {"strain", "stress"})
      for (const int rows : {5, 9, 17, finest})
        for (const bool sideways : {false, true}) {
          FlatBar bar{method, plane, fmt::format("law = \"{}\"\n", law),
                      0.4,    rows,  sideways ? 20.0 : 10.0};
          const double theory = sideways ? bending_period(bar) : axial_period(bar);
          const double measured = sideways ? measure_period(bar, bending_mode, 1, theory)
                                           : measure_period(bar, axial_mode, 0, theory);
          const double ratio = measured / theory;
          const double limit = rows == finest ? 0.02 : 0.2;
          const bool inside = std::abs(ratio - 1) <= limit;
          const std::string line =
              fmt::format("{} {}; {}; {} rows,period {},{:.4f},{:g},{:g},{}", method, law, plane,
                          rows, sideways ? "sideways" : "along itself", ratio, 1 - limit, 1 + limit,
                          inside ? "yes" : "no");
          fmt::print("{}\n", line);
          std::fflush(stdout);
          table << line << "\n" << std::flush;
          right = right && inside;
        }
  return right ? 0 : 1;
}
