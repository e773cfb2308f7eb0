#include "phyxel/app/reactions_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sstream>
#include <unistd.h>

#include "phyxel/app/stats.h"
#include "phyxel/core/error.h"
#include "phyxel/core/file.h"
#include "phyxel/io/hash.h"

namespace phyxel {

namespace {

constexpr const char* header =
    "frame,time,kind,name,force_x,force_y,force_z,peak_force,normal_force,friction_force,"
    "friction_x,friction_y,friction_z,torque_x,torque_y,torque_z,peak_torque,pivot_x,pivot_y,"
    "pivot_z,origin_torque_x,origin_torque_y,origin_torque_z\n";

/// A name with a comma or a quote in it is written in quotes.
std::string quoted(const std::string& name) {
  if (name.find_first_of(",\"\n") == name.npos) return name;
  std::string text = "\"";
  for (const char c : name) text += c == '"' ? std::string("\"\"") : std::string(1, c);
  return text + "\"";
}

std::string numbers(const std::vector<double>& values) {
  std::string text;
  for (const double value : values) text += fmt::format(",{:.9g}", value);
  return text;
}

std::string row(int frame, double time, const Reaction& r) {
  const Vec3d &f = r.force, &s = r.friction, &t = r.torque, &p = r.pivot, &o = r.origin_torque;
  std::string text = fmt::format("{},{:.9g},{},{}", frame, time, word_of(r.kind), quoted(r.name));
  text += numbers({f[0], f[1], f[2], r.peak_force, r.normal_force, length(s), s[0], s[1], s[2]});
  if (!r.has_torque) return text + ",,,,,,,,,,\n";
  return text + numbers({t[0], t[1], t[2], r.peak_torque, p[0], p[1], p[2], o[0], o[1], o[2]}) +
         "\n";
}

std::uint64_t with_text(std::uint64_t hash, const std::string& text) {
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);)
    hash = hash_of(fmt::format("{:016x} {}", hash, line));
  return hash;
}

}  // namespace

ReactionsFile::ReactionsFile(std::filesystem::path path, int last_frame) : path_(std::move(path)) {
  std::string text = last_frame >= 0 ? kept_rows(path_, last_frame) : "";
  if (text.empty()) text = header;
  hash_ = with_text(0, text);
  write_atomically(path_, [&](FileWriter& file) { file.write(text); });
  stream_.open(path_, std::ios::app);
}

void ReactionsFile::add(int frame, double time, const std::vector<Reaction>& reactions) {
  std::string text;
  for (const Reaction& reaction : reactions) text += row(frame, time, reaction);
  hash_ = with_text(hash_, text);
  stream_ << text << std::flush;
  if (!stream_)
    throw Error(fmt::format("{}: cannot be written; is the disk full?", path_.string()));
}

void ReactionsFile::sync() {
  const int descriptor = open(path_.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) return;
  fdatasync(descriptor);
  close(descriptor);
}

std::vector<int> missing_reactions(const std::filesystem::path& path, int last_frame) {
  std::vector<int> missing = missing_rows(path, last_frame);
  std::erase(missing, 0);
  return missing;
}

std::uint64_t reactions_hash(const std::filesystem::path& path, int last_frame) {
  return with_text(0, kept_rows(path, last_frame));
}

}  // namespace phyxel
