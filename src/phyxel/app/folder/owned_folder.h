#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "phyxel/app/folder/folder_lock.h"
#include "phyxel/app/folder/manifest.h"

namespace phyxel {

/// What becomes of the results that a folder holds already.
enum class FolderUse {
  fresh,      // they are moved to <folder>.previous
  overwrite,  // they are removed
  resume,     // they are kept where there is a checkpoint; else as fresh
  add         // they are kept, and so is whatever else is in the folder
};

/// The right to write into a folder: its lock and its manifest. Nothing that the manifest does not
/// name is ever replaced or removed.
class OwnedFolder {
 public:
  /// Refuses with InputError, before any work, what prepare() could not do: files of others,
  /// another process in the folder, a <folder>.previous that is not ours. Locks a folder that
  /// exists; changes nothing else.
  OwnedFolder(const std::filesystem::path& root, FolderUse use);
  /// Where nothing was written the manifest and the folders that prepare() made go again.
  ~OwnedFolder();
  OwnedFolder(const OwnedFolder&) = delete;
  OwnedFolder& operator=(const OwnedFolder&) = delete;

  /// Refuses with InputError where prepare() would move or remove one of these files.
  void protect(const std::vector<std::filesystem::path>& inputs) const;

  /// True where results are kept to go on from them.
  bool resumes() const { return use_ == FolderUse::resume; }

  /// Makes the folder, and room in it. Returns what a user should know, "" for nothing.
  std::string prepare();

  /// Removes what a killed run left under temporary names. Its ffmpeg may outlive it by a moment
  /// and leave a film after prepare(), so that a run does this at its end, too.
  void remove_temporaries();
  /// Makes subfolders.
  void make_folders(const std::vector<std::filesystem::path>& folders);

  /// To be called before files of the folder are written: names them in the manifest. Error where
  /// one is there that is not ours.
  void claim(const std::vector<std::filesystem::path>& files);

  /// To be called when claimed files are whole: keeps their sizes and hashes in the manifest.
  void seal(const std::vector<std::filesystem::path>& files);
  /// Whether a file that is there is not the one that was sealed.
  bool is_changed(const std::filesystem::path& file) const;

 private:
  std::string name_of(const std::filesystem::path& path) const;
  std::filesystem::path previous() const;
  bool holds_results() const;
  void take();
  void take_new();
  void make_root();
  bool remove_unused();
  void check_below() const;
  void check_previous() const;
  void check_clear_way() const;
  std::string move_to_previous();

  std::filesystem::path root_;   // as the user names it
  std::filesystem::path place_;  // where it is: no links, absolute
  FolderUse use_;
  FolderLock lock_;
  std::optional<Manifest> manifest_;
  bool is_new_ = false;                      // the manifest
  std::vector<std::filesystem::path> made_;  // by prepare(), deepest first
};

}  // namespace phyxel
