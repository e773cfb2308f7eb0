#include "phyxel/io/usd_stage.h"

// Pixar, USD: "Usda File Format Specification" and the schemas of usdGeom: https://openusd.org

namespace phyxel {

namespace {

void write_head(const UsdLayer& layer, FileWriter& file) {
  const std::set<double> times = times_of(layer);
  file.write(fmt::format(
      "#usda 1.0\n(\n    defaultPrim = \"phyxel\"\n    endTimeCode = {}\n    framesPerSecond = {}\n"
      "    metersPerUnit = 1\n    startTimeCode = {}\n    timeCodesPerSecond = {}\n"
      "    upAxis = \"Y\"\n)\n\n",
      times.empty() ? 0 : *times.rbegin(), layer.frames_per_second,
      times.empty() ? 0 : *times.begin(), layer.frames_per_second));
}

/// Times without a sample are blocked: USD would keep the array of the time before, which has
/// another length.
void write_attribute(const UsdAttribute& attribute, const UsdPrim& prim, ScratchFile& scratch,
                     FileWriter& file) {
  const std::string declaration = "        " + attribute.type + " " + attribute.name;
  if (!attribute.metadata.empty())
    file.write(declaration + " (\n            " + attribute.metadata + "\n        )\n");
  file.write(declaration + ".timeSamples = {\n");
  for (const double time : prim.times) {
    file.write(fmt::format("            {}: ", time));
    const auto sample = attribute.samples.find(time);
    if (sample == attribute.samples.end())
      file.write("None");
    else
      scratch.copy(sample->second.first, sample->second.size, file);
    file.write(",\n");
  }
  file.write("        }\n");
}

/// Points are floats, relative to where the prim stands.
void write_origin(const UsdPrim& prim, FileWriter& file) {
  const Vec3d o = prim.origin.value_or(Vec3d::zero());
  if (o == Vec3d::zero()) return;
  file.write(
      fmt::format("        double3 xformOp:translate = ({}, {}, {})\n"
                  "        uniform token[] xformOpOrder = [\"xformOp:translate\"]\n",
                  o[0], o[1], o[2]));
}

void write_visibility(const UsdPrim& prim, const std::set<double>& times, FileWriter& file) {
  if (prim.times == times) return;
  file.write("        token visibility.timeSamples = {\n");
  for (const double time : times)
    file.write(fmt::format("            {}: \"{}\",\n", time,
                           prim.times.count(time) ? "inherited" : "invisible"));
  file.write("        }\n");
}

}  // namespace

std::set<double> times_of(const UsdLayer& layer) {
  std::set<double> times;
  for (const UsdPrim& prim : layer.prims) times.insert(prim.times.begin(), prim.times.end());
  return times;
}

void write_layer(const UsdLayer& layer, ScratchFile& scratch, FileWriter& file) {
  write_head(layer, file);
  file.write("def Xform \"phyxel\"\n{\n");
  const std::set<double> times = times_of(layer);
  for (const UsdPrim& prim : layer.prims) {
    file.write(fmt::format("    def {} \"{}\"\n    {{\n", prim.type, prim.identifier));
    file.write(prim.constants);
    write_origin(prim, file);
    for (const UsdAttribute& attribute : prim.attributes)
      write_attribute(attribute, prim, scratch, file);
    write_visibility(prim, times, file);
    file.write("    }\n");
  }
  file.write("}\n");
}

}  // namespace phyxel
