#include "phyxel/io/volumes_module.h"

// The module libphyxel_volumes.so: the one file of the library that includes OpenVDB. It needs no
// function of the other libraries, as those are inside of the program that opens it.
#include <algorithm>
#include <new>
#include <openvdb/openvdb.h>
#include <openvdb/tools/Composite.h>
#include <openvdb/tools/Prune.h>
#include <openvdb/tools/SignedFloodFill.h>
#include <sstream>

namespace phyxel {

namespace {

using openvdb::FloatGrid;
using Leaf = FloatGrid::TreeType::LeafNodeType;

constexpr int E = 8, nodes = E * E * E;  // edge of a block
static_assert(Leaf::DIM == E, "blocks are copied to leaves as they are");

/// The leaf at the place of block `b`, made where it is missing.
Leaf& leaf_at(FloatGrid& grid, const ModuleBlocks& blocks, std::int32_t b) {
  const std::int32_t* const place = blocks.place + 3 * std::ptrdiff_t(b);
  return *grid.tree().touchLeaf(openvdb::Coord(place[0] * E, place[1] * E, place[2] * E));
}

/// f(place in the leaf, value) for all nodes: x is fastest here, z there.
template <class F>
void for_nodes(const Real* value, F&& f) {
  for (int z = 0; z < E; ++z)
    for (int y = 0; y < E; ++y)
      for (int x = 0; x < E; ++x)
        f((x * E + y) * E + z, static_cast<float>(value[(z * E + y) * E + x]));
}

const Real* values_of(const ModuleBlocks& blocks, std::int32_t b) {
  return blocks.value + static_cast<std::size_t>(b) * nodes;
}

FloatGrid::Ptr new_grid(const std::string& name, openvdb::GridClass kind, float background,
                        const ModuleVolumes& volumes) {
  const FloatGrid::Ptr grid = FloatGrid::create(background);
  grid->setName(name);
  grid->setGridClass(kind);
  grid->setCreator("phyxel");
  const auto transform = openvdb::math::Transform::createLinearTransform(volumes.cell);
  const openvdb::Vec3d origin(volumes.origin);
  if (!origin.isZero()) transform->postTranslate(origin);
  grid->setTransform(transform);
  grid->insertMeta("length_unit", openvdb::StringMetadata("m"));
  return grid;
}

FloatGrid::Ptr level_set(const std::string& name, const ModuleBlocks& distance,
                         const ModuleVolumes& volumes) {
  const float outside =
      static_cast<float>(static_cast<Real>(volumes.band) * static_cast<Real>(volumes.cell));
  const FloatGrid::Ptr grid = new_grid(name, openvdb::GRID_LEVEL_SET, outside, volumes);
  const auto is_near = [&](Real d) { return d < outside && d > -outside; };
  for (std::int32_t b = 0; b < distance.count; ++b) {
    const Real* const value = values_of(distance, b);
    if (std::none_of(value, value + nodes, is_near)) continue;
    Leaf& leaf = leaf_at(*grid, distance, b);
    for_nodes(value, [&](int node, float d) {
      if (is_near(d)) leaf.setValueOn(node, d);
    });
  }
  openvdb::tools::signedFloodFill(grid->tree());
  openvdb::tools::pruneLevelSet(grid->tree());
  return grid;
}

void add_density(const ModuleBlocks& density, FloatGrid& grid) {
  for (std::int32_t b = 0; b < density.count; ++b) {
    Leaf& leaf = leaf_at(grid, density, b);
    for_nodes(values_of(density, b), [&](int node, float d) {
      if (d > 0) leaf.setValueOn(node, leaf.getValue(node) + d);
    });
  }
}

openvdb::GridCPtrVec grids_of(const ModuleVolumes& volumes) {
  FloatGrid::Ptr all = level_set("surface", {}, volumes);
  const FloatGrid::Ptr density = new_grid("density", openvdb::GRID_FOG_VOLUME, 0, volumes);
  openvdb::GridCPtrVec grids = {all, density};
  for (std::int32_t k = 0; k < volumes.bodies; ++k) {
    const ModuleBody& body = volumes.body[k];
    const FloatGrid::Ptr one =
        level_set("surface_" + std::to_string(body.material), body.distance, volumes);
    if (volumes.bodies > 1) grids.push_back(one->deepCopy());
    openvdb::tools::csgUnion(*all, *one);
    add_density(body.density, *density);
  }
  return grids;
}

/// io::File as it would write, but to a stream.
struct Archive : openvdb::io::Archive {
  void write_seekable(std::ostream& out, const openvdb::GridCPtrVec& grids) {
    openvdb::MetaMap about;
    about.insertMeta("creator", openvdb::StringMetadata("phyxel"));
    openvdb::io::Archive::write(out, grids, true, about);
  }
};

/// The file's random name for itself, 36 characters behind the magic number and the versions, by
/// which readers tell files apart that they open in turn. It is made of the content instead, so
/// that the same volumes are the same bytes.
void name_by_content(std::string& bytes) {
  constexpr std::size_t at = 8 + 4 + 8 + 1, length = 36;
  if (bytes.size() < at + length) return;
  std::uint64_t hash = 0xCBF29CE484222325u;  // FNV-1a
  const auto mix = [&](std::size_t from, std::size_t to) {
    for (std::size_t k = from; k < to; ++k)
      hash = (hash ^ static_cast<unsigned char>(bytes[k])) * 0x100000001B3u;
  };
  mix(at + length, bytes.size());
  for (std::size_t k = 0; k < length; ++k) {
    if (bytes[at + k] == '-') continue;
    bytes[at + k] = "0123456789abcdef"[hash >> 60];
    hash = hash * 0x5851F42D4C957F2Du + 1;
  }
}

std::string vdb_bytes(const ModuleVolumes& volumes) {
  openvdb::initialize();
  std::ostringstream out;
  Archive().write_seekable(out, grids_of(volumes));
  std::string bytes = std::move(out).str();
  name_by_content(bytes);
  return bytes;
}

ModuleResult make_vdb(const ModuleVolumes* volumes, ModuleText text) {
  try {
    const std::string bytes = vdb_bytes(*volumes);
    text.append(text.owner, bytes.data(), bytes.size());
    return ModuleResult::done;
  } catch (const std::bad_alloc&) {
    return ModuleResult::out_of_memory;
  } catch (const std::exception& error) {
    const std::string message = error.what();
    text.append(text.owner, message.data(), message.size());
    return ModuleResult::failed;
  }
}

constexpr VolumesModule module_table = {volumes_module_version, sizeof(Real), &make_vdb};

}  // namespace

}  // namespace phyxel

extern "C" __attribute__((visibility("default"))) const phyxel::VolumesModule*
phyxel_volumes_module() {
  return &phyxel::module_table;
}
