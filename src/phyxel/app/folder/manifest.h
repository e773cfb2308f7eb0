#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace phyxel {

/// Size and hash of a file, which tell whether it is still what was written.
struct Seal {
  std::uintmax_t size = 0;  // bytes
  std::uint64_t hash = 0;   // hash_of_file()

  bool operator==(const Seal&) const = default;
};

/// What phyxel wrote into a folder, by name, in a text file there: a line for each file, and one
/// with a final slash for each folder. What it does not name is not ours, whatever it is called.
/// Names are added before the files appear, so that a run that is killed owns what it left. A line
/// "= SIZE HASH NAME" seals a file once it is written.
class Manifest {
 public:
  static constexpr const char* file_name = "phyxel_run.txt";

  /// That of a folder; nothing where there is none. InputError where a file of this name is not
  /// ours.
  static std::optional<Manifest> read(const std::filesystem::path& folder);
  /// A new one that names nothing, on the disk.
  static Manifest create(const std::filesystem::path& folder);

  const std::set<std::string>& names() const { return names_; }
  bool has(const std::string& name) const { return names_.contains(name); }
  /// On the disk when it returns.
  void add(const std::vector<std::string>& names);

  /// Null where the file has none: it was not finished, or an earlier version wrote it.
  const Seal* seal_of(const std::string& name) const;
  /// In the place of earlier ones; on the disk when it returns.
  void seal(const std::map<std::string, Seal>& seals);

 private:
  std::filesystem::path path_;
  std::set<std::string> names_;
  std::map<std::string, Seal> seals_;

  void write(const std::string& lines);
};

/// Entries of a folder that its manifest does not name, at most `most` of them; neither the lock
/// nor what a killed run left half-written under a temporary name is one.
std::vector<std::string> foreign_entries(const std::filesystem::path& folder,
                                         const Manifest& manifest, std::size_t most);

/// Files under temporary names that would have become files of the manifest.
std::vector<std::filesystem::path> temporaries_of(const std::filesystem::path& folder,
                                                  const Manifest& manifest);

/// Removes what the manifest names, and nothing else; the manifest file stays.
void remove_named(const std::filesystem::path& folder, const Manifest& manifest);

}  // namespace phyxel
