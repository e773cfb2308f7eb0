#include "phyxel/app/folder/owned_folder.h"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include "phyxel/app/folder/output_folder.h"
#include "phyxel/core/file.h"
#include "phyxel/io/hash.h"

namespace phyxel {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t most_named = 5;  // in a message

/// The number in particles/frame_0012.ply, or -1.
int frame_in(const std::string& name) {
  const std::string file = fs::path(name).filename().string();
  int frame = -1;
  if (file.starts_with("frame_"))
    std::from_chars(file.data() + 6, file.data() + file.size(), frame);
  return frame;
}

bool is_inside(const fs::path& path, const fs::path& folder) {
  return std::mismatch(folder.begin(), folder.end(), path.begin(), path.end()).first ==
         folder.end();
}

/// Nothing but what a run leaves that was killed before its manifest was there.
bool has_nothing(const fs::path& folder) {
  return foreign_entries(folder, Manifest(), 1).empty();
}

void sort_and_refuse(std::vector<std::string> names, const fs::path& folder,
                     const std::string& remedy) {
  std::sort(names.begin(), names.end());
  throw InputError(fmt::format("{}: holds what phyxel did not write: {}{}; {}", folder.string(),
                               fmt::join(names, ", "), names.size() == most_named ? ", ..." : "",
                               remedy));
}

}  // namespace

OwnedFolder::OwnedFolder(const fs::path& root, FolderUse use) : root_(root), use_(use) {
  if (fs::exists(root) && !fs::is_directory(root))
    throw InputError(fmt::format("{}: is a file; --out needs a folder", root.string()));
  if (fs::is_directory(root)) take();
  if (use_ == FolderUse::resume && frame_files(root_ / "checkpoint", "h5").empty())
    use_ = FolderUse::fresh;
  if (!manifest_) return;
  if (use_ == FolderUse::fresh && holds_results())
    check_previous();
  else
    check_clear_way();
}

OwnedFolder::~OwnedFolder() {
  if (!is_new_ || !remove_unused()) return;
  lock_.release();
  for (const fs::path& folder : made_) rmdir(folder.c_str());  // those of others are not empty
}

/// Whether none of what the manifest names is left; it is gone then, too.
bool OwnedFolder::remove_unused() {
  const auto& names = manifest_->names();
  std::error_code none;
  const auto is_there = [&](const std::string& name) {
    return fs::exists(fs::symlink_status(place_ / name, none));
  };
  for (const std::string& name : names)
    if (!name.ends_with('/') && is_there(name)) return false;
  for (auto name = names.rbegin(); name != names.rend(); ++name)
    if (name->ends_with('/')) rmdir((place_ / *name).c_str());
  return std::none_of(names.begin(), names.end(), is_there) &&
         unlink((place_ / Manifest::file_name).c_str()) == 0;
}

/// Locks the folder, if it may be ours.
void OwnedFolder::take() {
  place_ = fs::canonical(root_);
  const auto refuse_others = [&] {
    manifest_ = Manifest::read(place_);
    if (manifest_ || has_nothing(place_)) return;
    if (is_run_folder(root_))
      throw InputError(fmt::format(
          "{0}: holds the scene of a run but no {1}, the list of its files: a copy, or a run of an "
          "earlier version of phyxel; choose another "
          "folder with --out, or move this one away (phyxel render {0} --out ... reads it)",
          root_.string(), Manifest::file_name));
    if (use_ != FolderUse::add)
      sort_and_refuse(foreign_entries(place_, Manifest(), most_named), root_,
                      "choose another folder with --out");
  };
  refuse_others();
  lock_ = FolderLock(place_);
  refuse_others();  // it may have changed before the lock
  // Pictures may have been drawn into a folder with files of others, which does not make it ours.
  if (!manifest_ || use_ == FolderUse::add || manifest_->has("scene.toml")) return;
  const auto foreign = foreign_entries(place_, *manifest_, most_named);
  if (!foreign.empty()) sort_and_refuse(foreign, root_, "choose another folder with --out");
}

fs::path OwnedFolder::previous() const {
  return place_.string() + ".previous";
}

std::string OwnedFolder::name_of(const fs::path& path) const {
  return path.lexically_relative(root_).generic_string();
}

/// More than the initial state, which costs nothing to make again: a run that was killed at its
/// start must not take the place of an earlier one in <folder>.previous.
bool OwnedFolder::holds_results() const {
  const auto& names = manifest_->names();
  return std::any_of(names.begin(), names.end(), [&](const std::string& name) {
    const bool of_any_run = name.ends_with('/') || name == "scene.toml" || name == "run.log" ||
                            name == "stats.csv" || name == "reactions.csv" || frame_in(name) == 0;
    return !of_any_run && fs::exists(place_ / name);
  });
}

/// That no process writes into a folder below, which would be moved under it.
void OwnedFolder::check_below() const {
  for (const auto& entry : fs::recursive_directory_iterator(place_)) {
    if (!fs::is_directory(entry.symlink_status())) continue;
    const std::string holder = FolderLock::holder(entry.path());
    if (!holder.empty())
      throw InputError(fmt::format(
          "{}: its results would be moved to {}, but {} writes into {}; wait until it ends, choose "
          "another folder with --out, or say --overwrite",
          root_.string(), previous().string(), holder, entry.path().string()));
  }
}

/// That results can be moved.
void OwnedFolder::check_previous() const {
  const fs::path old = previous();
  const char* remedy = "move it away, or say --overwrite";
  if (is_inside(fs::canonical(fs::current_path()), place_))
    throw InputError(fmt::format(
        "{}: its results would be moved to {}, but it is the current folder; go to another, or say "
        "--overwrite",
        root_.string(), old.string()));
  check_below();
  const fs::file_status status = fs::symlink_status(old);
  if (!fs::exists(status)) return;
  const auto of_old = fs::is_directory(status) ? Manifest::read(old) : std::nullopt;
  if (!of_old && !(fs::is_directory(status) && has_nothing(old)))
    throw InputError(
        fmt::format("{}: the results in {} would be moved there, but it is not of a phyxel run; {}",
                    old.string(), root_.string(), remedy));
  if (!of_old) return;
  const auto foreign = foreign_entries(old, *of_old, most_named);
  if (!foreign.empty())
    sort_and_refuse(
        foreign, old,
        fmt::format("the results in {} would take its place: {}", root_.string(), remedy));
}

void OwnedFolder::protect(const std::vector<fs::path>& inputs) const {
  if (!manifest_ || use_ == FolderUse::resume || use_ == FolderUse::add) return;
  const bool moves = use_ == FolderUse::fresh && holds_results();
  for (const fs::path& input : inputs) {
    const fs::path file = fs::weakly_canonical(fs::absolute(input));
    const std::string name = file.lexically_relative(place_).generic_string();
    if ((is_inside(file, place_) && (moves || manifest_->has(name))) ||
        (moves && is_inside(file, previous())))
      throw InputError(fmt::format(
          "{}: is an input of the scene, and would be moved or replaced with the earlier results "
          "of {}; copy it to another folder, or choose another with --out",
          input.string(), root_.string()));
  }
}

/// That no file of others has a name that we need.
void OwnedFolder::check_clear_way() const {
  if (use_ == FolderUse::add) return;  // claim() knows the names
  std::vector<std::string> in_the_way;
  for (const std::string& name : foreign_entries(place_, *manifest_, 1000000))
    if (is_output_name(name)) in_the_way.push_back(name);
  if (in_the_way.size() > most_named) in_the_way.resize(most_named);
  if (!in_the_way.empty()) sort_and_refuse(in_the_way, root_, "move it away: its name is needed");
}

/// A whole folder has one place or the other, whenever the process is killed. Only the results
/// before the last ones are removed.
std::string OwnedFolder::move_to_previous() {
  const fs::path old = previous();
  check_previous();
  if (fs::is_directory(old)) {
    FolderLock lock(old);
    if (const auto manifest = Manifest::read(old)) remove_named(old, *manifest);
    unlink((old / Manifest::file_name).c_str());
    lock.release();
    rmdir(old.c_str());
  }
  if (rename(place_.c_str(), old.c_str()) != 0)
    throw InputError(fmt::format(
        "{}: its results cannot be moved to {}: {}; choose another folder with --out, or say "
        "--overwrite",
        root_.string(), old.string(), std::strerror(errno)));
  lock_.moved_to(old);
  lock_.release();
  manifest_.reset();
  return fmt::format("{}: the results that it held are now in {}", root_.string(),
                     fs::proximate(old).string());
}

/// Of the folder that was just made.
void OwnedFolder::take_new() {
  take();
  if (manifest_ && use_ != FolderUse::add)
    throw InputError(
        fmt::format("{}: another process has just written into this folder; choose another with "
                    "--out",
                    root_.string()));
}

void OwnedFolder::make_root() {
  const fs::path root = place_.empty() ? root_ : place_;
  std::error_code none;
  for (fs::path at = fs::absolute(root); !fs::exists(at, none) && at.has_relative_path();
       at = at.parent_path())
    made_.push_back(at);
  create_folders(root);
}

std::string OwnedFolder::prepare() {
  std::string note;
  std::vector<std::string> kept;
  if (manifest_ && use_ == FolderUse::fresh && holds_results())
    note = move_to_previous();
  else if (manifest_ && (use_ == FolderUse::fresh || use_ == FolderUse::overwrite)) {
    remove_named(place_, *manifest_);
    for (const std::string& name : manifest_->names())  // kept by files of others in them
      if (name.ends_with('/') && fs::is_directory(fs::symlink_status(place_ / name)))
        kept.push_back(name);
    manifest_.reset();
  }
  make_root();
  if (!lock_.held()) take_new();
  remove_temporaries();
  is_new_ = !manifest_;
  if (is_new_) manifest_ = Manifest::create(place_);
  manifest_->add(kept);
  return note;
}

void OwnedFolder::remove_temporaries() {
  for (const fs::path& path : temporaries_of(place_, manifest_.value_or(Manifest())))
    unlink(path.c_str());
}

void OwnedFolder::make_folders(const std::vector<fs::path>& folders) {
  std::vector<std::string> fresh;
  for (const fs::path& folder : folders)
    if (!fs::exists(folder)) fresh.push_back(name_of(folder) + "/");
  manifest_->add(fresh);
  for (const fs::path& folder : folders) create_folders(folder);
}

void OwnedFolder::claim(const std::vector<fs::path>& files) {
  std::vector<std::string> names;
  for (const fs::path& file : files) {
    std::error_code none;
    const fs::file_status status = fs::symlink_status(file, none);
    const bool is_there = fs::exists(status);
    // Links are followed and devices written into; they stay what they are, and the user's.
    if (is_there && !fs::is_regular_file(status) && !fs::is_directory(status)) continue;
    names.push_back(name_of(file));
    if (!manifest_->has(names.back()) && is_there)
      throw InputError(fmt::format(
          "{}: is there already, and phyxel did not write it; move it away, or choose another "
          "folder with --out",
          file.string()));
  }
  manifest_->add(names);
}

void OwnedFolder::seal(const std::vector<fs::path>& files) {
  std::map<std::string, Seal> seals;
  for (const fs::path& file : files)
    if (const std::string name = name_of(file); manifest_->has(name) && fs::is_regular_file(file))
      seals[name] = {fs::file_size(file), hash_of_file(file)};
  manifest_->seal(seals);
}

bool OwnedFolder::is_changed(const fs::path& file) const {
  const Seal* const seal = manifest_ ? manifest_->seal_of(name_of(file)) : nullptr;
  if (!seal || !fs::is_regular_file(file)) return false;
  return fs::file_size(file) != seal->size || hash_of_file(file) != seal->hash;
}

}  // namespace phyxel
