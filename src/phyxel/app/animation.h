#pragma once

#include "phyxel/app/folder/output_folder.h"

namespace phyxel {

/// Joins the particle and surface files of a run to one animated USD file.
void write_animation(const OutputFolder& folder, const Scene& scene);

}  // namespace phyxel
