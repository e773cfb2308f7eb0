#include "phyxel/io/vdb.h"

#include <algorithm>
#include <cstdlib>
#include <dlfcn.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <link.h>
#include <new>
#include <optional>
#include <system_error>

#include "phyxel/core/error.h"
#include "phyxel/core/file.h"
#include "phyxel/core/threads.h"
#include "phyxel/io/volumes_module.h"

namespace phyxel {

namespace fs = std::filesystem;

namespace {

/// The logging library of OpenVDB starts four threads while it is loaded, and ends the program
/// where it cannot.
constexpr int threads_of_openvdb = 4;

/// Where the program looks for libraries: its run path, LD_LIBRARY_PATH, the system's folders.
std::vector<fs::path> library_folders() {
  std::vector<fs::path> folders;
  const std::unique_ptr<void, int (*)(void*)> program(dlopen(nullptr, RTLD_LAZY), &dlclose);
  Dl_serinfo size{};
  if (!program || dlinfo(program.get(), RTLD_DI_SERINFOSIZE, &size) != 0) return folders;
  std::vector<std::max_align_t> memory(size.dls_size / sizeof(std::max_align_t) + 1);
  auto* const info = new (memory.data()) Dl_serinfo{};
  info->dls_size = size.dls_size, info->dls_cnt = size.dls_cnt;
  if (dlinfo(program.get(), RTLD_DI_SERINFO, info) != 0) return folders;
  for (unsigned k = 0; k < info->dls_cnt; ++k) folders.emplace_back(info->dls_serpath[k].dls_name);
  return folders;
}

std::vector<fs::path> module_candidates() {
  if (const char* named = std::getenv("PHYXEL_VOLUMES"); named && *named) return {named};
  std::error_code none;
  const fs::path beside = fs::read_symlink("/proc/self/exe", none).parent_path();
  std::vector<fs::path> folders = {beside, beside / PHYXEL_VOLUMES_FROM_PROGRAM};
  for (const fs::path& folder : library_folders()) folders.push_back(folder);
  for (fs::path& folder : folders) folder = (folder / volumes_module_file).lexically_normal();
  return folders;
}

std::optional<fs::path> find_module() {
  std::error_code none;
  for (const fs::path& file : module_candidates())
    if (fs::exists(file, none)) return file;
  return std::nullopt;
}

void check_threads() {
  const int others = scheduler_threads() - 1;
  const int started = startable_threads(others + threads_of_openvdb) - others;
  if (started < threads_of_openvdb)
    throw Error(
        fmt::format("volumes cannot be written: OpenVDB starts {} threads and the system allows {} "
                    "more; raise the limit of processes (ulimit -u) or of memory (ulimit -v), or "
                    "write no volumes",
                    threads_of_openvdb, std::max(0, started)));
}

const VolumesModule& load(const fs::path& file) {
  const auto fail = [&](const std::string& why) {
    throw Error(Place{file.string()}, fmt::format("volumes cannot be written: {}", why));
  };
  check_threads();
  void* module = nullptr;
  try {
    module = dlopen(file.c_str(), RTLD_LOCAL | RTLD_NOW);
  } catch (const std::exception& error) {  // of a library that starts
    fail(
        fmt::format("a library of OpenVDB does not start: {}; raise the limits of memory and "
                    "processes (ulimit -v, ulimit -u)",
                    error.what()));
  }
  if (!module)
    fail(
        fmt::format("{}; install OpenVDB (Debian: libopenvdb), raise the limit of memory where "
                    "there is one (ulimit -v), or write no volumes",
                    dlerror()));
  const auto entry = reinterpret_cast<VolumesModuleEntry>(dlsym(module, volumes_module_entry));
  const VolumesModule* const table = entry ? entry() : nullptr;
  if (!table || table->version != volumes_module_version || table->real_size != sizeof(Real))
    fail("the module is of another build of phyxel; install both from one");
  return *table;
}

/// Loaded once and never closed: OpenVDB's registries and threads stay.
const VolumesModule& loaded_module() {
  static const VolumesModule* table = nullptr;
  static const bool once [[maybe_unused]] = [] {
    const auto file = find_module();
    if (!file) throw InputError("volumes: " + no_vdb_message());
    table = &load(*file);
    return true;
  }();  // an exception leaves it to the next call
  return *table;
}

ModuleBlocks as_blocks(const SparseField& field) {
  static_assert(sizeof(Int3) == 3 * sizeof(std::int32_t) && SparseField::edge == 8);
  return {field.blocks(), reinterpret_cast<const std::int32_t*>(field.block.data()),
          field.value.data()};
}

}  // namespace

bool can_write_vdb() {
  return find_module().has_value();
}

std::string no_vdb_message() {
  if (!PHYXEL_HAS_OPENVDB)
    return "this build has no OpenVDB; install it (Debian: libopenvdb-dev libboost-dev), configure "
           "and build again";
  std::vector<std::string> places;
  for (const fs::path& file : module_candidates()) places.push_back(file.string());
  return fmt::format(
      "{} is not there, which comes with phyxel and writes them; put it beside the program, or "
      "name "
      "it with the environment variable PHYXEL_VOLUMES (looked for: {})",
      volumes_module_file, fmt::join(places, ", "));
}

void open_volumes_module() {
  loaded_module();
}

std::string vdb_bytes(const Volumes& volumes, const std::string& shown) {
  std::vector<ModuleBody> bodies;
  for (const BodyVolume& body : volumes.bodies)
    bodies.push_back({body.material, as_blocks(body.distance), as_blocks(body.density)});
  const Vec3d& o = volumes.origin;
  const ModuleVolumes plain{volumes.cell > 0 ? double(volumes.cell) : 1.0,
                            {o[0], o[1], o[2]},
                            level_set_band,
                            static_cast<std::int32_t>(bodies.size()),
                            bodies.data()};
  std::string bytes;
  const ModuleText text{&bytes, [](void* owner, const char* more, std::size_t size) {
                          static_cast<std::string*>(owner)->append(more, size);
                        }};
  const ModuleResult result = loaded_module().make_vdb(&plain, text);
  if (result == ModuleResult::out_of_memory) throw std::bad_alloc();
  if (result == ModuleResult::failed)
    throw Error(Place{shown}, "OpenVDB cannot make volumes: " + bytes);
  return bytes;
}

void write_vdb(const std::filesystem::path& path, const Volumes& volumes) {
  const std::string bytes = vdb_bytes(volumes, path.string());
  write_atomically(path, [&](FileWriter& file) { file.write(bytes); });
}

}  // namespace phyxel
