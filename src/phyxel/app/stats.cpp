#include "phyxel/app/stats.h"

#include <algorithm>
#include <cmath>
#include <fcntl.h>
#include <fmt/format.h>
#include <limits>
#include <set>
#include <sstream>
#include <unistd.h>

#include "phyxel/core/error.h"
#include "phyxel/core/file.h"
#include "phyxel/io/hash.h"

namespace phyxel {

namespace {

std::string header(const Diagnostics& d) {
  std::string text =
      "frame,time,substeps,particles,kinetic_energy,potential_energy,momentum_x,momentum_y,"
      "momentum_z,"
      "angular_momentum_x,angular_momentum_y,angular_momentum_z,centre_x,centre_y,centre_z,max_"
      "speed,"
      "min_temperature,max_temperature,wall_seconds";
  for (const auto& [name, value] : d.extra) text += "," + name;
  return text + "\n";
}

/// Counts are shown to the last digit.
bool is_large_count(double value) {
  return value >= 1e9 && value < 0x1p53 && value == std::floor(value);
}

/// 0 where a method has nothing to say, as it has no particles any more.
double value_of(const Diagnostics& d, const std::string& name) {
  for (const auto& [other, value] : d.extra)
    if (other == name) return value;
  return 0;
}

/// A temperature; "nan" where there is no matter that has one.
double shown_temperature(const Diagnostics& d, double temperature) {
  return d.particles > 0 ? temperature : std::numeric_limits<double>::quiet_NaN();
}

/// `extra`: names of the columns that methods have added.
std::string row(int frame, double time, int substeps, const Diagnostics& d, double wall_seconds,
                const std::vector<std::string>& extra) {
  const Vec3d c = d.centre();
  // Far from the world's origin nine digits would not show that anything moves.
  const int digits = d.origin == Vec3d::zero() ? 9 : 15;
  std::string text = fmt::format("{},{:.9g},{},{}", frame, time, substeps, d.particles);
  for (double v :
       {d.kinetic_energy, d.potential_energy, d.momentum[0], d.momentum[1], d.momentum[2],
        d.angular_momentum[0], d.angular_momentum[1], d.angular_momentum[2], c[0], c[1], c[2],
        d.max_speed, shown_temperature(d, d.min_temperature),
        shown_temperature(d, d.max_temperature)})
    text += fmt::format(",{:.{}g}", v, digits);
  text += fmt::format(",{:.3f}", wall_seconds);
  for (const std::string& name : extra) {
    const double value = value_of(d, name);
    text += is_large_count(value) ? fmt::format(",{:.0f}", value)
                                  : fmt::format(",{:.{}g}", value, digits);
  }
  return text + "\n";
}

constexpr int wall_column = 18;  // of wall_seconds, from 0

/// What methods had added when the file was begun.
std::vector<std::string> extra_columns(const std::string& text) {
  std::istringstream names(text.substr(0, text.find('\n')));
  std::vector<std::string> extra;
  int column = 0;
  for (std::string name; std::getline(names, name, ','); ++column)
    if (column > wall_column) extra.push_back(name);
  return extra;
}

std::string without_wall_seconds(const std::string& line) {
  std::size_t begin = 0;
  for (int k = 0; k < wall_column && begin != line.npos; ++k) begin = line.find(',', begin + 1);
  if (begin == line.npos) return line;
  const std::size_t end = std::min(line.find(',', begin + 1), line.size());
  return line.substr(0, begin) + line.substr(end);
}

/// The hash of rows with those of `text` after them; a row costs the same however many there are.
std::uint64_t with_rows(std::uint64_t hash, const std::string& text) {
  std::istringstream rows(text);
  for (std::string line; std::getline(rows, line);)
    hash = hash_of(fmt::format("{:016x} {}", hash, without_wall_seconds(line)));
  return hash;
}

}  // namespace

std::string kept_rows(const std::filesystem::path& path, int last_frame) {
  std::ifstream stream(path);
  std::string text, line;
  for (bool first = true; std::getline(stream, line); first = false) {
    if (stream.eof()) break;
    if (first || std::atoi(line.c_str()) <= last_frame) text += line + "\n";
  }
  return text;
}

StatsFile::StatsFile(std::filesystem::path path, int last_frame) : path_(std::move(path)) {
  const std::string text = last_frame >= 0 ? kept_rows(path_, last_frame) : "";
  empty_ = text.empty();
  extra_ = extra_columns(text);
  hash_ = with_rows(0, text);
  write_atomically(path_, [&](FileWriter& file) { file.write(text); });
  stream_.open(path_, std::ios::app);
}

void StatsFile::add(int frame, double time, int substeps, const Diagnostics& d,
                    double wall_seconds) {
  const std::string head = empty_ ? header(d) : "";
  if (empty_) extra_ = extra_columns(head);
  const std::string text = head + row(frame, time, substeps, d, wall_seconds, extra_);
  empty_ = false;
  hash_ = with_rows(hash_, text);
  stream_ << text << std::flush;
  if (!stream_)
    throw Error(fmt::format("{}: cannot be written; is the disk full?", path_.string()));
}

void StatsFile::sync() {
  const int descriptor = open(path_.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) return;
  fdatasync(descriptor);
  close(descriptor);
}

std::vector<int> missing_rows(const std::filesystem::path& path, int last_frame) {
  std::istringstream rows(kept_rows(path, last_frame));
  std::set<int> there;
  std::string line;
  std::getline(rows, line);  // the header
  while (std::getline(rows, line)) there.insert(std::atoi(line.c_str()));
  std::vector<int> missing;
  for (int frame = 0; frame <= last_frame; ++frame)
    if (!there.contains(frame)) missing.push_back(frame);
  return missing;
}

std::uint64_t rows_hash(const std::filesystem::path& path, int last_frame) {
  return with_rows(0, kept_rows(path, last_frame));
}

}  // namespace phyxel
