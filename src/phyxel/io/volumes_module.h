#pragma once

#include <cstddef>
#include <cstdint>

#include "phyxel/core/backend.h"

// What vdb.cpp and the module libphyxel_volumes.so know of each other: plain data and one table of
// functions. OpenVDB's libraries start threads and take memory as soon as they are loaded, so the
// module is opened only where volumes are asked for.

namespace phyxel {

constexpr std::int32_t volumes_module_version = 2;  // of the structs below
constexpr const char* volumes_module_file = "libphyxel_volumes.so";
constexpr const char* volumes_module_entry = "phyxel_volumes_module";

/// Blocks of 8 x 8 x 8 nodes, x fastest.
struct ModuleBlocks {
  std::int32_t count = 0;
  const std::int32_t* place = nullptr;  // three coordinates for each block
  const Real* value = nullptr;          // 512 for each block
};

struct ModuleBody {
  std::int32_t material = 0;
  ModuleBlocks distance, density;
};

struct ModuleVolumes {
  double cell = 0;        // m
  double origin[3] = {};  // m, of the nodes
  std::int32_t band = 0;  // width of level sets, cells
  std::int32_t bodies = 0;
  const ModuleBody* body = nullptr;
};

/// Where the module puts bytes, or a message.
struct ModuleText {
  void* owner = nullptr;
  void (*append)(void* owner, const char* bytes, std::size_t size) = nullptr;
};

enum class ModuleResult : std::int32_t { done, failed, out_of_memory };

/// No exception leaves these functions.
struct VolumesModule {
  std::int32_t version = 0, real_size = 0;
  /// The bytes of a .vdb file; where it fails, a message instead.
  ModuleResult (*make_vdb)(const ModuleVolumes* volumes, ModuleText text) = nullptr;
};

using VolumesModuleEntry = const VolumesModule* (*)();

}  // namespace phyxel
