#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "phyxel/scene/scene.h"

namespace phyxel {

class OwnedFolder;

/// Where a run writes: out/<scene>/ with particles/ surface/ sets/ images/ checkpoint/ and the
/// files beside them.
struct OutputFolder {
  std::filesystem::path root;

  std::filesystem::path particles(int frame, const std::string& extension) const;
  std::filesystem::path surface(int frame, const std::string& extension) const;
  /// Of surfels: surface/NAME/frame_NNNN.*
  std::filesystem::path surfels(const std::string& name, int frame,
                                const std::string& extension) const;
  std::filesystem::path volume(int frame) const;
  std::filesystem::path set(const std::string& name, int frame, const std::string& extension) const;
  std::filesystem::path image(int frame) const;
  std::filesystem::path checkpoint(int frame) const;
  std::filesystem::path checkpoints() const { return root / "checkpoint"; }
  std::filesystem::path images() const { return root / "images"; }
  std::filesystem::path video() const { return root / "video.mp4"; }
  std::filesystem::path turntable() const { return root / "turntable.mp4"; }
  std::filesystem::path contact_sheet() const { return root / "contact_sheet.png"; }
  std::filesystem::path animation() const { return root / "animation.usda"; }
  std::filesystem::path stats() const { return root / "stats.csv"; }
  std::filesystem::path reactions() const { return root / "reactions.csv"; }
  std::filesystem::path log() const { return root / "run.log"; }
  std::filesystem::path scene() const { return root / "scene.toml"; }
};

/// The scene file and the subfolders of a run; those of others are not touched.
void write_head(const OutputFolder& folder, const Scene& scene, OwnedFolder& owned);

/// Of the particle files of each frame, without dots.
std::vector<std::string> particle_extensions(const OutputSpec& output);

/// True for the output folder of a run, also of an earlier version: it may be read.
bool is_run_folder(const std::filesystem::path& path);

/// True for names that runs give to files, as "particles/frame_0001.ply" and "stats.csv".
bool is_output_name(const std::string& name);

/// Files `frame_NNNN.<extension>` of a subfolder, in order; pairs of frame number and path.
std::vector<std::pair<int, std::filesystem::path>> frame_files(const std::filesystem::path& folder,
                                                               const std::string& extension);

/// The particle files of a run, in the first of the formats that there is.
std::vector<std::pair<int, std::filesystem::path>> particle_frames(const OutputFolder& folder);

}  // namespace phyxel
