#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace phyxel::render {

/// True when ffmpeg can be started.
bool video_is_possible();

/// Joins the PNG pictures of a folder into an H.264 film that plays everywhere. `pattern` names
/// them as printf would, e.g. "frame_%04d.png"; they follow each other by number, with or without
/// gaps. An odd row or column is filled up; pictures with alpha are laid on light grey. The file
/// appears whole or not at all. `stopped` is called now and then; once it is true the film is given
/// up and false returned. Throws Error with ffmpeg's own words when it fails, InputError when there
/// are no pictures.
bool write_video(const std::filesystem::path& folder, const std::string& pattern, double fps,
                 const std::filesystem::path& output, const std::function<bool()>& stopped = {});

/// The same of these pictures, in this order.
bool write_video(const std::vector<std::filesystem::path>& pictures, double fps,
                 const std::filesystem::path& output, const std::function<bool()>& stopped = {});

/// Ends an ffmpeg that runs and removes its unfinished film, for a program that is about to end.
/// May be called in a signal handler.
void abandon_video();

}  // namespace phyxel::render
