#include <cstdio>
#include <cstring>
#include <fmt/format.h>
#include "mpm/cases.h"
using namespace phyxel;
using namespace phyxel::validation;
int main(int n, char** a) {
  const std::string which = a[1];
  Changes c;
  for (int k = 2; k < n; ++k) c.push_back(a[k]);
  if (which == "disks") {
    Disks d = collide_disks(c);
    for (size_t k = 0; k < d.kinetic.size(); k += 10)
      fmt::print("{:.3f} {:.4f} {:.4f}\n", d.kinetic[k].x, d.kinetic[k].y, d.strain[k].y);
    fmt::print("before {} after {} share {} momentum {}\n", d.before, d.after, d.after / d.before, d.momentum);
  }
  if (which == "bar") {
    Bar b = swing_bar(c);
    fmt::print("period {} kept {}\n", b.period, b.kept);
  }
  if (which == "column") {
    Settled b = settle_column(c);
    fmt::print("base {} slope {} speed {} height {}\n", b.base, b.slope, b.speed, b.height);
    for (size_t k = 0; k < b.pressure.size(); k += 16) fmt::print("{} {}\n", b.pressure[k].x, b.pressure[k].y);
  }
  if (which == "sand") {
    Collapse b = drop_sand(c);
    for (size_t k = 0; k < b.front.size(); k += 5) fmt::print("{:.3f} {:.3f}\n", b.front[k].x, b.front[k].y);
    fmt::print("run out {}\n", b.run_out);
  }
  if (which == "dam") {
    DamBreak b = break_dam(c);
    for (auto p : read_curve("dam_break_martin_moyce_front.csv")) fmt::print("{} {} {}\n", p.x, p.y, value_at(b.front, p.x));
    fmt::print("error {} shifted {}\n", b.error, b.shifted);
  }
  if (which == "incline") {
    const double mu = std::atof(a[2]);
    c.erase(c.begin());
    Slide b = slide_block(mu, c);
    fmt::print("path {} a {} exact {}\n", b.path, b.acceleration, 9.81 * (0.5 - mu * std::sqrt(0.75)));
  }
  if (which == "shake") {
    const double t = std::atof(a[2]);
    c.erase(c.begin());
    Shaken b = shake_box(t, c);
    fmt::print("lost {} deepest {} fastest {} of {}\n", b.lost, b.deepest, b.fastest, b.particles);
  }
}
