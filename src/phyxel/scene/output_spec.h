#pragma once

#include "phyxel/io/mesh_write.h"
#include "phyxel/io/points.h"
#include "phyxel/matter/parameters.h"

namespace phyxel {

struct OutputSpec {
  std::string particles = "ply";  // a format, both or none
  std::string surface = "ply";    // a format or none
  bool volume = false;
  bool sets = false;
  bool usd = false;
  int contact_sheet = 0;  // pictures on it
  bool shell = false;
  bool video = true;
  double video_fps = not_given;  // 1/s; the scene's fps when absent
  int checkpoint_every = 1;      // frames
  int every = 1;                 // frames
};

inline void describe(Fields& field, OutputSpec& o) {
  const auto with = [](std::vector<std::string> formats, auto... more) {
    formats.insert(formats.end(), {more...});
    return formats;
  };
  field.choice("particles", o.particles, with(particle_formats(), "both", "none"),
               "format of the particle files; both: ply and vtp");
  field.choice("surface", o.surface, with(surface_formats(), "none"),
               "format of the surface files, where there are [surface.NAME] tables");
  field("volume", o.volume, "write the surfaces as OpenVDB level set and density too");
  field("sets", o.sets,
        "write what frames hold beside particles, as meshes of sheets and lines, to sets/NAME/");
  field("usd", o.usd, "join particles and surfaces to animation.usda at the end");
  field("contact_sheet", o.contact_sheet, "", {0, 400, true, true, ""},
        "pictures of the run on one sheet, contact_sheet.png; 0: none");
  field("shell", o.shell,
        "give particles the attribute `shell`: 1 for those on the surface of the matter of their "
        "method, 0 inside; render.colour_by = \"shell\" does that too");
  field("video", o.video, "join the pictures to video.mp4");
  field("video_fps", o.video_fps, "1/s", {0, 1000, false, true, ""},
        "pictures per second of the video; real time when absent");
  field("checkpoint_every", o.checkpoint_every, "frames", {1, 1000000, true, true, ""},
        "a checkpoint every so many frames");
  field("every", o.every, "frames", {1, 1000000, true, true, ""},
        "a particle file every so many frames");
}

}  // namespace phyxel
