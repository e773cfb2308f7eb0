#include "phyxel/app/checkpoints.h"

#include <cstring>
#include <fmt/format.h>

#include "phyxel/app/reactions_file.h"
#include "phyxel/app/stats.h"
#include "phyxel/io/checkpoint.h"
#include "phyxel/scene/build.h"
#include "phyxel/scene/inputs.h"
#include "phyxel/scene/timeline.h"

namespace phyxel {

namespace {

constexpr const char* real_name = sizeof(Real) == 8 ? "double" : "float";

/// Name of the group that holds what pairs of a method remember.
std::string pairs_of(const std::string& method) {
  return method + ".pairs";
}

CheckpointGroup group_of(const std::string& name, Method& method) {
  CheckpointGroup group{name, {}};
  for (const ColumnView& view : method.columns()) {
    const auto* bytes = static_cast<const std::byte*>(view.data);
    group.columns.push_back({view.name,
                             view.unit,
                             view.type,
                             view.components,
                             {bytes, bytes + view.count * view.element_size()}});
  }
  return group;
}

Checkpoint checkpoint_of(World& world) {
  Checkpoint checkpoint;
  checkpoint.texts = {{"scene", world.physics},
                      {"real", real_name},
                      {"inputs", world.inputs},
                      {"next_id", std::to_string(world.next_id)},  // numbers are exact to 2^53
                      {"removed", std::to_string(world.removal.count)}};
  checkpoint.numbers = {{"frame", world.frame},
                        {"time", world.environment.time},
                        {"step", static_cast<double>(world.environment.step)},
                        {"next_event", static_cast<double>(world.next_event)},
                        {"origin_x", world.environment.origin[0]},
                        {"origin_y", world.environment.origin[1]},
                        {"origin_z", world.environment.origin[2]}};
  for (std::size_t m = 0; m < world.methods.size(); ++m) {
    checkpoint.groups.push_back(group_of(world.method_names[m], *world.methods[m]));
    for (const auto& [name, value] : world.methods[m]->save())
      checkpoint.numbers[world.method_names[m] + "." + name] = value;
  }
  for (std::size_t m = 0; m < world.methods.size(); ++m)
    if (std::vector<FrameColumn> pairs = world.methods[m]->save_pairs(); !pairs.empty())
      checkpoint.groups.push_back({pairs_of(world.method_names[m]), std::move(pairs)});
  for (const Emission& e : world.emissions) {
    const std::string path = world.live.bodies[e.body].path();
    checkpoint.numbers[path + ".carried"] = e.carried;
    checkpoint.numbers[path + ".layers"] = static_cast<double>(e.layers);
    if (e.shut) checkpoint.numbers[path + ".shut"] = 1;
  }
  return checkpoint;
}

void check_same(const Checkpoint& checkpoint, const World& world,
                const std::filesystem::path& file) {
  if (checkpoint.texts.at("real") != real_name)
    throw InputError(fmt::format(
        "{}: was written with Real = {}, this program has {}; resume with the other build",
        file.string(), checkpoint.texts.at("real"), real_name));
  const auto inputs = checkpoint.texts.find("inputs");
  const std::vector<std::string> changed = inputs == checkpoint.texts.end()
                                               ? std::vector<std::string>{}
                                               : changed_inputs(inputs->second, world.inputs);
  if (!changed.empty())
    throw InputError(fmt::format(
        "{}: {} {} changed since {} was written; put {} back, or start anew without --resume",
        world.live.file, fmt::join(changed, ", "), changed.size() > 1 ? "have" : "has",
        file.string(), changed.size() > 1 ? "them" : "it"));
  // After the files: a changed one may move the origin that places are relative to.
  if (checkpoint.texts.at("scene") != world.physics)
    throw InputError(fmt::format(
        "{}: belongs to another version of the scene; only duration, [render] and [output] may "
        "differ. Start anew without --resume, or undo the change",
        file.string()));
}

/// Earlier versions had ids of 32 bits, and did not keep the next one.
void check_ids(const Checkpoint& checkpoint, const std::filesystem::path& file) {
  if (checkpoint.texts.contains("next_id") && checkpoint.texts.contains("removed")) return;
  throw InputError(fmt::format(
      "{}: was written by an earlier version, which did not keep the ids of particles that are yet "
      "to come; resume with that version, or start anew without --resume",
      file.string()));
}

/// Positions are relative to the origin. Earlier versions had none but zero.
void check_origin(const Checkpoint& checkpoint, const World& world,
                  const std::filesystem::path& file) {
  const auto number = [&](const char* name) {
    const auto found = checkpoint.numbers.find(name);
    return found == checkpoint.numbers.end() ? 0 : found->second;
  };
  const Vec3d own{number("origin_x"), number("origin_y"), number("origin_z")};
  const Vec3d& wanted = world.environment.origin;
  if (!(own == wanted))
    throw InputError(fmt::format(
        "{}: its positions are relative to [{}, {}, {}] m, those of this scene to [{}, {}, {}] m; "
        "a particle file of the scene has changed, or another version wrote it: start anew "
        "without --resume",
        file.string(), own[0], own[1], own[2], wanted[0], wanted[1], wanted[2]));
}

std::string rows_text(std::uint64_t hash) {
  return fmt::format("{:016x}", hash);
}

[[noreturn]] void refuse_rows(const std::filesystem::path& file, int frame) {
  throw InputError(
      fmt::format("{}: its rows up to frame {} have changed since the run wrote them, and only a "
                  "new run makes them: put the file back, or run without --resume",
                  file.string(), frame));
}

/// Missing rows are reported by name later.
void check_rows(const Checkpoint& checkpoint, const std::filesystem::path& stats) {
  const auto rows = checkpoint.texts.find("rows");
  const int frame = static_cast<int>(checkpoint.numbers.at("frame"));
  if (rows == checkpoint.texts.end() || !missing_rows(stats, frame).empty() ||
      rows->second == rows_text(rows_hash(stats, frame)))
    return;
  refuse_rows(stats, frame);
}

/// The same of reactions.csv, which may be missing as a whole.
void check_reactions(const Checkpoint& checkpoint, const std::filesystem::path& file) {
  const auto rows = checkpoint.texts.find("reactions");
  const int frame = static_cast<int>(checkpoint.numbers.at("frame"));
  if (rows == checkpoint.texts.end()) return;
  if (!std::filesystem::exists(file) || (missing_reactions(file, frame).empty() &&
                                         rows->second != rows_text(reactions_hash(file, frame))))
    refuse_rows(file, frame);
}

void load_columns(const CheckpointGroup& group, Method& method) {
  for (const ColumnView& view : method.columns())
    for (const FrameColumn& column : group.columns)
      if (column.name == view.name && column.data.size() == view.count * view.element_size())
        std::memcpy(view.data, column.data.data(), column.data.size());
}

/// Columns of a method grow with its particles when it begins, and some only where its numbers say
/// that they are in use.
void load_particles(const CheckpointGroup& group, const Environment& environment,
                    const std::map<std::string, double>& numbers, Method& method) {
  resize(method.particles(),
         group.columns.front().data.size() / group.columns.front().element_size());
  load_columns(group, method);
  method.begin(environment);
  method.load(numbers);
  load_columns(group, method);
}

void load_streams(const Checkpoint& checkpoint, World& world) {
  for (Emission& e : world.emissions) {
    const std::string path = world.live.bodies[e.body].path();
    e.carried = checkpoint.numbers.at(path + ".carried");
    e.layers = static_cast<std::int64_t>(checkpoint.numbers.at(path + ".layers"));
    e.shut = checkpoint.numbers.contains(path + ".shut");
  }
}

/// Tables are a function of the events so far; what events did to particles is in the columns.
void replay_events(World& world) {
  for (std::size_t k = 0; k < world.next_event; ++k)
    for (const Assignment& set : world.live.events[k].set) apply(world.live, set.path, set.value);
}

/// Null when there is none.
const CheckpointGroup* find_group(const Checkpoint& checkpoint, const std::string& name) {
  for (const CheckpointGroup& group : checkpoint.groups)
    if (group.name == name) return &group;
  return nullptr;
}

void restore(const Checkpoint& checkpoint, World& world) {
  world.frame = static_cast<int>(checkpoint.numbers.at("frame"));
  world.environment.step = static_cast<std::uint64_t>(checkpoint.numbers.at("step"));
  world.next_event = static_cast<std::size_t>(checkpoint.numbers.at("next_event"));
  world.next_id = std::stoull(checkpoint.texts.at("next_id"));
  world.removal.count = std::stoull(checkpoint.texts.at("removed"));
  replay_events(world);
  refresh(world);
  load_streams(checkpoint, world);
  move_to(world.environment, checkpoint.numbers.at("time"));
  for (std::size_t m = 0; m < world.methods.size(); ++m) {
    Method& method = *world.methods[m];
    const std::string prefix = world.method_names[m] + ".";
    std::map<std::string, double> numbers;
    for (const auto& [name, value] : checkpoint.numbers)
      if (name.starts_with(prefix)) numbers[name.substr(prefix.size())] = value;
    load_particles(*find_group(checkpoint, world.method_names[m]), world.environment, numbers,
                   method);
    if (const CheckpointGroup* pairs = find_group(checkpoint, pairs_of(world.method_names[m])))
      method.load_pairs(pairs->columns);
    method.begin(world.environment);
  }
}

}  // namespace

void save_checkpoint(const OutputFolder& folder, World& world, std::optional<std::uint64_t> rows,
                     std::optional<std::uint64_t> reactions,
                     const std::vector<SurfelColumns>& surfels) {
  Checkpoint checkpoint = checkpoint_of(world);
  for (const SurfelColumns& set : surfels) checkpoint.groups.push_back({set.name, set.columns});
  if (rows) checkpoint.texts["rows"] = rows_text(*rows);
  if (reactions) checkpoint.texts["reactions"] = rows_text(*reactions);
  write_checkpoint(folder.checkpoint(world.frame), checkpoint);
  const auto files = frame_files(folder.root / "checkpoint", "h5");
  for (std::size_t k = 0; k + 2 < files.size(); ++k) std::filesystem::remove(files[k].second);
}

int load_checkpoint(const OutputFolder& folder, World& world, std::vector<SurfelColumns>* surfels) {
  auto files = frame_files(folder.root / "checkpoint", "h5");
  if (files.empty())
    throw InputError(fmt::format("{}: there is no checkpoint to resume from; run without --resume",
                                 folder.root.string()));
  std::string trouble;
  for (auto file = files.rbegin(); file != files.rend(); ++file) {
    Checkpoint checkpoint;
    try {
      checkpoint = read_checkpoint(file->second);
    } catch (const InputError& error) {
      trouble += std::string(trouble.empty() ? "" : "\n") + error.what();
      continue;
    }
    check_same(checkpoint, world, file->second);
    check_origin(checkpoint, world, file->second);
    check_ids(checkpoint, file->second);
    check_rows(checkpoint, folder.stats());
    check_reactions(checkpoint, folder.reactions());
    restore(checkpoint, world);
    for (const CheckpointGroup& group : checkpoint.groups)
      if (surfels && group.name.starts_with("surfels."))
        surfels->push_back({group.name, group.columns});
    return world.frame;
  }
  throw InputError("no checkpoint can be read:\n" + trouble);
}

}  // namespace phyxel
