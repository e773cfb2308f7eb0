#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace phyxel::render {

/// True when ffmpeg can be started.
bool video_is_possible();

/// Joins the pictures of a folder into an H.264 film that plays everywhere. `pattern` names them as
/// printf would, e.g. "frame_%04d.png"; they follow each other by number, with or without gaps. An
/// odd row or column is filled up. The file appears whole or not at all. Throws Error
/// with ffmpeg's own words when it fails, InputError when there are no pictures.
void write_video(const std::filesystem::path& folder, const std::string& pattern, double fps,
                 const std::filesystem::path& output);

/// The same of these pictures, in this order.
void write_video(const std::vector<std::filesystem::path>& pictures, double fps,
                 const std::filesystem::path& output);

}  // namespace phyxel::render
