#include "phyxel/io/vdb.h"

#include <doctest/doctest.h>
#include <openvdb/openvdb.h>
#include <openvdb/tools/Interpolation.h>
#include <openvdb/tools/LevelSetMeasure.h>

#include "io/test_frames.h"
#include "phyxel/core/error.h"
#include "phyxel/geometry/sampling.h"
#include "phyxel/io/text_reader.h"
#include "phyxel/surfaces/surface_scratch.h"

using namespace phyxel;
using openvdb::FloatGrid;

namespace {

/// A ball of radius 0.5 m about (1, 2, 3), of two materials where wanted.
Frame ball(bool two_materials) {
  std::vector<Vec3> x = sample_inside(shape_sphere(Real(0.5)), Packing::closest, Real(0.05), 1, 3);
  for (Vec3& p : x) p += Vec3{1, 2, 3};
  std::vector<std::int32_t> material;
  for (const Vec3& p : x) material.push_back(two_materials && p[0] > 1 ? 7 : 3);
  Frame frame;
  frame.count = x.size();
  frame.columns = {make_frame_column("position", "m", x.data(), x.size()),
                   make_frame_column("material", "", material.data(), x.size())};
  return frame;
}

Volumes volumes_of(const Frame& frame) {
  SurfaceScratch scratch;
  return make_volumes({}, frame, {}, scratch);
}

/// The grids of a file, opened as other programs do.
struct ReadBack {
  openvdb::GridPtrVecPtr grids;
  openvdb::MetaMap::Ptr about;

  explicit ReadBack(const std::filesystem::path& path) {
    openvdb::initialize();
    openvdb::io::File file(path.string());
    file.open();
    grids = file.getGrids();
    about = file.getMetadata();
    file.close();
  }
  FloatGrid::Ptr grid(const std::string& name) const {
    for (const openvdb::GridBase::Ptr& g : *grids)
      if (g->getName() == name) return openvdb::gridPtrCast<FloatGrid>(g);
    return nullptr;
  }
};

double sample(const FloatGrid& grid, const Vec3& x) {
  const openvdb::tools::GridSampler<FloatGrid, openvdb::tools::BoxSampler> sampler(grid);
  return sampler.wsSample({double(x[0]), double(x[1]), double(x[2])});
}

double sum(const FloatGrid& grid) {
  double total = 0;
  for (auto value = grid.cbeginValueOn(); value; ++value)
    total += double(*value) * double(value.getVoxelCount());
  return total;
}

}  // namespace

TEST_CASE("openvdb_reads_a_level_set_of_true_distances") {
  const TestFolder folder("vdb");
  const Volumes volumes = volumes_of(ball(false));
  write_vdb(folder / "a.vdb", volumes);
  const ReadBack file(folder / "a.vdb");
  CHECK(file.grids->size() == 2);
  const FloatGrid::Ptr surface = file.grid("surface");
  REQUIRE(surface);
  CHECK(surface->getGridClass() == openvdb::GRID_LEVEL_SET);
  CHECK(surface->getCreator() == "phyxel");
  CHECK(surface->metaValue<std::string>("length_unit") == "m");
  const double cell = double(volumes.cell);
  CHECK(surface->voxelSize()[0] == doctest::Approx(cell));
  CHECK(double(surface->background()) == doctest::Approx(3 * cell));
  const Vec3 centre = {1, 2, 3}, along = normalized(Vec3{1, 2, -2});
  CHECK(sample(*surface, centre) == doctest::Approx(-3 * cell));
  CHECK(sample(*surface, centre + 2 * along) == doctest::Approx(3 * cell));
  // The surface of a sampled ball is uneven by a fifth of the spacing of 0.05 m.
  for (const Real r : {Real(0.45), Real(0.5), Real(0.55)})
    CHECK(std::abs(sample(*surface, centre + r * along) - double(r - Real(0.5))) < 0.01);
  const double expected = volume(volumes.mesh);
  CHECK(expected == doctest::Approx(M_PI / 6).epsilon(0.02));
  CHECK(openvdb::tools::levelSetVolume(*surface) == doctest::Approx(expected).epsilon(0.005));
  // Slopes of 1 in the band.
  const auto a = surface->getConstAccessor();
  for (auto value = surface->cbeginValueOn(); value; ++value)
    for (int k = 0; k < 3; ++k) {
      openvdb::Coord next = value.getCoord();
      ++next[k];
      if (a.isValueOn(next)) REQUIRE(std::abs(double(a.getValue(next) - *value)) < 1.001 * cell);
    }
}

TEST_CASE("openvdb_reads_a_density_that_adds_up_to_the_volume") {
  const TestFolder folder("vdb_density");
  const Volumes volumes = volumes_of(ball(true));
  write_vdb(folder / "a.vdb", volumes);
  const FloatGrid::Ptr density = ReadBack(folder / "a.vdb").grid("density");
  REQUIRE(density);
  CHECK(density->getGridClass() == openvdb::GRID_FOG_VOLUME);
  CHECK(density->background() == 0);
  CHECK(sample(*density, {1, 2, 3}) == doctest::Approx(1).epsilon(0.05));
  CHECK(sample(*density, {2, 2, 3}) == 0);
  const double total = sum(*density) * std::pow(double(volumes.cell), 3);
  CHECK(total == doctest::Approx(M_PI / 6).epsilon(0.03));
}

TEST_CASE("each_material_has_a_level_set_and_all_have_one_together") {
  const TestFolder folder("vdb_materials");
  write_vdb(folder / "a.vdb", volumes_of(ball(true)));
  const ReadBack file(folder / "a.vdb");
  CHECK(file.grids->size() == 4);
  const FloatGrid::Ptr left = file.grid("surface_3"), right = file.grid("surface_7"),
                       all = file.grid("surface");
  REQUIRE((left && right && all));
  for (const FloatGrid::Ptr& grid : {left, right, all})
    CHECK(grid->getGridClass() == openvdb::GRID_LEVEL_SET);
  const Vec3 to_left = {Real(0.7), 2, 3}, to_right = {Real(1.3), 2, 3};
  CHECK(sample(*left, to_left) < 0);
  CHECK(sample(*left, to_right) > 0);
  CHECK(sample(*right, to_left) > 0);
  CHECK(sample(*right, to_right) < 0);
  CHECK(sample(*all, to_left) < 0);
  CHECK(sample(*all, to_right) < 0);
  using openvdb::tools::levelSetVolume;
  CHECK(levelSetVolume(*left) + levelSetVolume(*right) == doctest::Approx(M_PI / 6).epsilon(0.03));
  CHECK(levelSetVolume(*all) == doctest::Approx(M_PI / 6).epsilon(0.03));
}

TEST_CASE("a_frame_without_particles_has_empty_grids") {
  const TestFolder folder("vdb_empty");
  write_vdb(folder / "a.vdb", volumes_of({}));
  const ReadBack file(folder / "a.vdb");
  REQUIRE(file.grids->size() == 2);
  for (const char* name : {"surface", "density"}) {
    const FloatGrid::Ptr grid = file.grid(name);
    REQUIRE(grid);
    CHECK(grid->activeVoxelCount() == 0);
  }
}

TEST_CASE("the_same_volumes_are_the_same_bytes") {
  const TestFolder folder("vdb_same");
  write_vdb(folder / "a.vdb", volumes_of(ball(true)));
  {
    const ThreadLimit limit(1);
    write_vdb(folder / "b.vdb", volumes_of(ball(true)));
  }
  CHECK(read_whole_file(folder / "a.vdb") == read_whole_file(folder / "b.vdb"));
  write_vdb(folder / "c.vdb", volumes_of(ball(false)));
  const auto name_of = [&](const char* file) {
    return read_whole_file(folder / file).substr(21, 36);
  };
  CHECK(name_of("a.vdb") != name_of("c.vdb"));
}

TEST_CASE("a_vdb_file_that_cannot_be_written_says_which") {
  const TestFolder folder("vdb_nowhere");
  try {
    write_vdb(folder / "nowhere" / "a.vdb", volumes_of(ball(false)));
    FAIL("written to a folder that is not there");
  } catch (const Error& error) {
    CHECK(std::string(error.what()).find("nowhere/a.vdb") != std::string::npos);
  }
}

TEST_CASE("volumes_far_away_are_the_same_grids_with_another_transform") {
  const TestFolder folder("vdb");
  Frame frame = ball(false);
  write_vdb(folder / "near.vdb", volumes_of(frame));
  frame.origin = {1e6, 0, -2e5};
  write_vdb(folder / "far.vdb", volumes_of(frame));
  const ReadBack near_file(folder / "near.vdb"), far_file(folder / "far.vdb");
  const FloatGrid::Ptr near = near_file.grid("surface"), far = far_file.grid("surface");
  REQUIRE((near && far));
  CHECK(near->activeVoxelCount() == far->activeVoxelCount());
  const openvdb::Vec3d at = far->indexToWorld(openvdb::Vec3d(0, 0, 0));
  CHECK(at == openvdb::Vec3d(1e6, 0, -2e5));
  CHECK(far->voxelSize() == near->voxelSize());
}
