#include <cstdio>
#include <fmt/format.h>
#include "flow/cases.h"
using namespace phyxel;
using namespace phyxel::validation;
int main(int argc, char** argv) {
  double most = argc > 1 ? atof(argv[1]) : 1e5;
  for (const char* name : {"ball", "torus", "slab", "box", "thread"})
    for (double n : {300.0, 3e3, 3e4, 1e5, 1e6}) {
      if (n > most) continue;
      for (Real noise : {Real(0), Real(0.3)}) {
        const PointBody body = point_body(name, n, noise);
        for (BorderRule rule : {BorderRule::frame, BorderRule::local}) {
          FlowOptions o; o.relative_to = rule;
          const BorderScore s = score_border(body, o);
          fmt::print("{:7} {:8} noise {:.1f} {:6} nb {:8.1f} outer {:7} marked {:7} precision {:.3f} near {:.3f} recall {:.3f} covered {:.3f}\n", name, s.points, noise, border_rule_names()[int(rule)], s.mean_neighbours, s.outermost, s.marked, s.precision, s.near, s.recall, s.covered);
          std::fflush(stdout);
        }
      }
    }
}
