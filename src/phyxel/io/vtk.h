#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "phyxel/matter/frame.h"

namespace phyxel {

/// VTK XML PolyData (.vtp) for ParaView: one vertex cell per particle, every column as point data
/// under its own name with its unit as UNITS_LABEL, TimeValue and frame index as field data; raw
/// appended binary. `lines` join two particles each. Written atomically.
void write_vtp(const std::filesystem::path& path, const Frame& frame,
               const std::vector<Vec<Index, 2>>& lines = {});

/// Points and point data of .vtp and .vtu (ascii, base64 or raw; uncompressed or zlib) and of
/// legacy .vtk (POLYDATA or UNSTRUCTURED_GRID, ascii or binary). Cells are ignored. 64-bit integers
/// become int32 where they fit, else float64.
Frame read_vtk(const std::filesystem::path& path);
Frame parse_vtk_xml(std::string_view bytes, const std::string& file);
Frame parse_vtk_legacy(std::string_view bytes, const std::string& file);

}  // namespace phyxel
