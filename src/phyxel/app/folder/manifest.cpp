#include "phyxel/app/folder/manifest.h"

#include <cerrno>
#include <cinttypes>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <fmt/format.h>
#include <sstream>
#include <unistd.h>

#include "phyxel/app/folder/folder_lock.h"
#include "phyxel/core/error.h"
#include "phyxel/core/file.h"
#include "phyxel/io/text_reader.h"

namespace phyxel {

namespace fs = std::filesystem;

namespace {

constexpr const char* first_line = "phyxel run 1";
constexpr const char* head =
    "phyxel run 1\n"
    "# What phyxel wrote into this folder. It replaces, moves and removes what is named here, and\n"
    "# nothing else.\n";

/// Inside of the folder, as phyxel writes names.
bool is_safe(const std::string& name) {
  const fs::path path(name);
  for (const fs::path& part : path)
    if (part == "..") return false;
  return path.is_relative();
}

std::string line_of(const std::string& name, const Seal& seal) {
  return fmt::format("= {} {:016x} {}\n", seal.size, seal.hash, name);
}

/// The name in a line that seals a file, "" for other lines.
std::string read_seal(const std::string& line, Seal& seal) {
  int end = 0;
  const int numbers =
      std::sscanf(line.c_str(), "= %" SCNuMAX " %16" SCNx64 " %n", &seal.size, &seal.hash, &end);
  return numbers == 2 ? line.substr(static_cast<std::size_t>(end)) : "";
}

/// A line that a killed run did not finish is left out: its files had not begun.
void parse(const std::string& text, const fs::path& path, std::set<std::string>& names,
           std::map<std::string, Seal>& seals) {
  std::istringstream stream(text);
  std::string line;
  std::getline(stream, line);
  if (line != first_line)
    throw InputError(fmt::format(
        "{}: is not a list of files that this program wrote; choose another folder with --out",
        path.string()));
  while (std::getline(stream, line) && !stream.eof()) {
    if (line.empty() || line.starts_with('#')) continue;
    Seal seal;
    if (const std::string name = read_seal(line, seal); !name.empty()) {
      seals[name] = seal;
      continue;
    }
    if (!is_safe(line))
      throw InputError(fmt::format("{}: names {}, which is not in this folder; remove the file",
                                   path.string(), in_quotes(line)));
    names.insert(line);
  }
}

/// False, and nothing is written, where the last line was cut off: no other may follow it.
bool append(const fs::path& path, const std::string& text) {
  const int descriptor = open(path.c_str(), O_RDWR | O_APPEND | O_CLOEXEC);
  char last = 0;
  const off_t end = descriptor >= 0 ? lseek(descriptor, 0, SEEK_END) : 0;
  const bool whole = end > 0 && pread(descriptor, &last, 1, end - 1) == 1 && last == '\n';
  const bool written = whole &&
                       write(descriptor, text.data(), text.size()) == ssize_t(text.size()) &&
                       fdatasync(descriptor) == 0;
  const int reason = errno;
  if (descriptor >= 0) close(descriptor);
  if (whole && !written)
    throw Error(fmt::format("{}: cannot write: {}; free some space or choose another output folder",
                            path.string(), std::strerror(reason)));
  return whole;
}

/// Whether it would have become a file of ours, or the manifest itself.
bool is_own_temporary(const fs::path& relative, const Manifest& manifest) {
  std::string target;
  if (!is_temporary_name(relative.filename().string(), target)) return false;
  return target == Manifest::file_name ||
         manifest.has((relative.parent_path() / target).generic_string());
}

/// Whether a folder on the way to the file is a link: what lies behind it is not ours.
bool is_behind_link(const fs::path& folder, const fs::path& name) {
  fs::path at = folder;
  std::error_code none;
  for (const fs::path& part : name.parent_path())
    if (fs::is_symlink(at /= part, none)) return true;
  return false;
}

}  // namespace

std::optional<Manifest> Manifest::read(const fs::path& folder) {
  Manifest manifest;
  manifest.path_ = folder / file_name;
  std::error_code none;
  if (!fs::exists(manifest.path_, none)) return {};
  const std::string text = read_whole_file(manifest.path_);
  parse(text, manifest.path_, manifest.names_, manifest.seals_);
  return manifest;
}

Manifest Manifest::create(const fs::path& folder) {
  Manifest manifest;
  manifest.path_ = folder / file_name;
  write_atomically(manifest.path_, [&](FileWriter& file) { file.write(head); });
  return manifest;
}

void Manifest::add(const std::vector<std::string>& names) {
  std::string fresh;
  for (const std::string& name : names)
    if (names_.insert(name).second) fresh += name + "\n";
  write(fresh);
}

const Seal* Manifest::seal_of(const std::string& name) const {
  const auto found = seals_.find(name);
  return found == seals_.end() ? nullptr : &found->second;
}

void Manifest::seal(const std::map<std::string, Seal>& seals) {
  std::string fresh;
  for (const auto& [name, seal] : seals) {
    const Seal* const old = seal_of(name);
    if (old && *old == seal) continue;
    seals_[name] = seal;
    fresh += line_of(name, seal);
  }
  write(fresh);
}

/// Adds lines whose content is in this object already.
void Manifest::write(const std::string& lines) {
  if (lines.empty() || append(path_, lines)) return;
  std::string text = head;
  for (const std::string& name : names_) text += name + "\n";
  for (const auto& [name, seal] : seals_) text += line_of(name, seal);
  write_atomically(path_, [&](FileWriter& file) { file.write(text); });
}

std::vector<std::string> foreign_entries(const fs::path& folder, const Manifest& manifest,
                                         std::size_t most) {
  std::vector<std::string> foreign;
  for (auto at = fs::recursive_directory_iterator(folder); at != fs::end(at); ++at) {
    if (foreign.size() == most) break;
    const fs::path relative = at->path().lexically_relative(folder);
    const std::string name = relative.generic_string();
    if (fs::is_directory(at->symlink_status())) {  // a link to a folder is none of ours
      if (manifest.has(name + "/")) continue;
      at.disable_recursion_pending();
      foreign.push_back(name + "/");
    } else if (!manifest.has(name) && name != Manifest::file_name &&
               name != FolderLock::file_name && !is_own_temporary(relative, manifest)) {
      foreign.push_back(name);
    }
  }
  return foreign;
}

std::vector<fs::path> temporaries_of(const fs::path& folder, const Manifest& manifest) {
  std::set<fs::path> places = {folder};
  for (const std::string& name : manifest.names())
    if (!is_behind_link(folder, name)) places.insert((folder / name).parent_path());
  std::vector<fs::path> found;
  std::error_code missing;
  for (const fs::path& place : places)
    for (const auto& entry : fs::directory_iterator(place, missing))
      if (fs::is_regular_file(entry.symlink_status()) &&
          is_own_temporary(entry.path().lexically_relative(folder), manifest))
        found.push_back(entry.path());
  return found;
}

void remove_named(const fs::path& folder, const Manifest& manifest) {
  for (const fs::path& path : temporaries_of(folder, manifest)) unlink(path.c_str());
  const auto remove = [&](const std::string& name) {
    if (is_behind_link(folder, name)) return;
    if (unlink((folder / name).c_str()) != 0 && errno != ENOENT && errno != ENOTDIR)
      throw Error(fmt::format("{}: cannot be removed: {}; remove it, or choose another folder",
                              (folder / name).string(), std::strerror(errno)));
  };
  // Checkpoints first: what --resume finds must have its frames.
  for (const std::string& name : manifest.names())
    if (name.starts_with("checkpoint/") && !name.ends_with('/')) remove(name);
  for (const std::string& name : manifest.names())
    if (!name.ends_with('/')) remove(name);
  // A folder with files of others in it stays.
  for (auto name = manifest.names().rbegin(); name != manifest.names().rend(); ++name)
    if (name->ends_with('/')) rmdir((folder / *name).c_str());
}

}  // namespace phyxel
