#include "phyxel/app/progress.h"

#include <algorithm>
#include <fmt/format.h>

namespace phyxel {

namespace {

std::string readable_rate(double rate) {
  if (rate >= 1e6) return fmt::format("{:.1f} M/s", rate / 1e6);
  return fmt::format("{:.0f} k/s", rate / 1e3);
}

}  // namespace

std::string readable_seconds(double seconds) {
  const long s = static_cast<long>(seconds + 0.5);
  if (s >= 3600) return fmt::format("{} h {:02} min", s / 3600, s / 60 % 60);
  if (s >= 60) return fmt::format("{} min {:02} s", s / 60, s % 60);
  return fmt::format("{} s", s);
}

std::string to_line(const FrameReport& r) {
  return fmt::format("frame {:>4}/{}  t = {:.3f} s  {} steps  {} particles  {}  {:.2f} s  {} left",
                     r.frame, r.last_frame, r.time, r.substeps, r.particles,
                     readable_rate(r.updates_per_second), r.wall_seconds,
                     readable_seconds(r.seconds_left));
}

std::string to_bar(const FrameReport& r, int width) {
  const std::string text =
      fmt::format(" {}/{}  {} steps  {}  {} left", r.frame, r.last_frame, r.substeps,
                  readable_rate(r.updates_per_second), readable_seconds(r.seconds_left));
  const int room = std::max(10, width - static_cast<int>(text.size()) - 3);
  const int done = r.last_frame > 0 ? room * r.frame / r.last_frame : room;
  std::string bar = "[" + std::string(done, '=') + std::string(room - done, ' ') + "]" + text;
  bar.resize(std::max<std::size_t>(bar.size(), width - 1), ' ');
  return bar.substr(0, width - 1);
}

}  // namespace phyxel
