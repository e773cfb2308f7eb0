#include "phyxel/io/vdb.h"

// OpenVDB is slow to compile: no other file of the library includes it.
#include <algorithm>
#include <openvdb/openvdb.h>
#include <openvdb/tools/Composite.h>
#include <openvdb/tools/Prune.h>
#include <openvdb/tools/SignedFloodFill.h>
#include <sstream>

#include "phyxel/core/error.h"
#include "phyxel/io/file.h"
#include "phyxel/surfaces/level_set.h"

namespace phyxel {

namespace {

using openvdb::FloatGrid;
using Leaf = FloatGrid::TreeType::LeafNodeType;
static_assert(Leaf::DIM == SparseField::edge, "blocks are copied to leaves as they are");

constexpr Index E = SparseField::edge;

/// The leaf at a block's place, made where it is missing.
Leaf& leaf_at(FloatGrid& grid, const Int3& block) {
  return *grid.tree().touchLeaf(openvdb::Coord(block[0] * E, block[1] * E, block[2] * E));
}

/// f(place in the leaf, value) for all nodes: x is fastest here, z there.
template <class F>
void for_nodes(const Real* value, F&& f) {
  for (Index z = 0; z < E; ++z)
    for (Index y = 0; y < E; ++y)
      for (Index x = 0; x < E; ++x)
        f((x * E + y) * E + z, static_cast<float>(value[(z * E + y) * E + x]));
}

const Real* values_of(const SparseField& field, Index b) {
  return field.value.data() + static_cast<std::size_t>(b) * SparseField::nodes;
}

FloatGrid::Ptr new_grid(const std::string& name, openvdb::GridClass kind, float background,
                        Real cell) {
  const FloatGrid::Ptr grid = FloatGrid::create(background);
  grid->setName(name);
  grid->setGridClass(kind);
  grid->setCreator("phyxel");
  grid->setTransform(
      openvdb::math::Transform::createLinearTransform(cell > 0 ? double(cell) : 1.0));
  grid->insertMeta("length_unit", openvdb::StringMetadata("m"));
  return grid;
}

FloatGrid::Ptr level_set(const std::string& name, const SparseField& distance, Real cell) {
  const float outside = static_cast<float>(level_set_band * (cell > 0 ? cell : 1));
  const FloatGrid::Ptr grid = new_grid(name, openvdb::GRID_LEVEL_SET, outside, cell);
  const auto is_near = [&](Real d) { return d < outside && d > -outside; };
  for (Index b = 0; b < distance.blocks(); ++b) {
    const Real* const value = values_of(distance, b);
    if (std::none_of(value, value + SparseField::nodes, is_near)) continue;
    Leaf& leaf = leaf_at(*grid, distance.block[b]);
    for_nodes(value, [&](Index node, float d) {
      if (is_near(d)) leaf.setValueOn(node, d);
    });
  }
  openvdb::tools::signedFloodFill(grid->tree());
  openvdb::tools::pruneLevelSet(grid->tree());
  return grid;
}

void add_density(const SparseField& density, FloatGrid& grid) {
  for (Index b = 0; b < density.blocks(); ++b) {
    Leaf& leaf = leaf_at(grid, density.block[b]);
    for_nodes(values_of(density, b), [&](Index node, float d) {
      if (d > 0) leaf.setValueOn(node, leaf.getValue(node) + d);
    });
  }
}

openvdb::GridCPtrVec grids_of(const Volumes& volumes) {
  FloatGrid::Ptr all = level_set("surface", {}, volumes.cell);
  const FloatGrid::Ptr density = new_grid("density", openvdb::GRID_FOG_VOLUME, 0, volumes.cell);
  openvdb::GridCPtrVec grids = {all, density};
  for (const BodyVolume& body : volumes.bodies) {
    const FloatGrid::Ptr one =
        level_set("surface_" + std::to_string(body.material), body.distance, volumes.cell);
    if (volumes.bodies.size() > 1) grids.push_back(one->deepCopy());
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

}  // namespace

bool can_write_vdb() {
  return true;
}

std::string vdb_bytes(const Volumes& volumes, const std::string& shown) {
  try {
    openvdb::initialize();
    std::ostringstream out;
    Archive().write_seekable(out, grids_of(volumes));
    std::string bytes = std::move(out).str();
    name_by_content(bytes);
    return bytes;
  } catch (const openvdb::Exception& error) {
    throw Error(Place{shown}, std::string("OpenVDB cannot make volumes: ") + error.what());
  }
}

void write_vdb(const std::filesystem::path& path, const Volumes& volumes) {
  const std::string bytes = vdb_bytes(volumes, path.string());
  write_atomically(path, [&](FileWriter& file) { file.write(bytes); });
}

}  // namespace phyxel
