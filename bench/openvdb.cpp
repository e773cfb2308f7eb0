// Surfaces of the same points by phyxel and by OpenVDB, in turns, as a JSON list on standard
// output.
//   bench_openvdb PARTICLES REPEATS THREADS
// bench/openvdb runs it and says what is compared.

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <fmt/format.h>
#include <openvdb/openvdb.h>
#include <openvdb/tools/ParticlesToLevelSet.h>
#include <openvdb/tools/VolumeToMesh.h>

#include "phyxel/geometry/sampling.h"
#include "phyxel/surfaces/field.h"
#include "phyxel/surfaces/marching_cubes.h"

using namespace phyxel;

namespace {

/// What ParticlesToLevelSet wants to know, with spheres of one radius.
struct Spheres {
  using PosType = openvdb::Vec3R;
  const Column<Vec3>& x;
  double radius;

  std::size_t size() const { return x.size(); }
  void getPos(std::size_t i, PosType& p) const {
    p = {double(x[i][0]), double(x[i][1]), double(x[i][2])};
  }
};

struct ByRadius : Spheres {
  void getPosRad(std::size_t i, PosType& p, openvdb::Real& r) const {
    getPos(i, p);
    r = radius;
  }
};

/// Six times the volume of a tetrahedron with the origin.
double wedge(const openvdb::Vec3s& a, const openvdb::Vec3s& b, const openvdb::Vec3s& c) {
  return openvdb::Vec3d(a).dot(openvdb::Vec3d(b).cross(openvdb::Vec3d(c)));
}

/// What one way of making a surface made, and the best time of it.
struct Measured {
  double seconds = 1e300, volume = 0;
  std::size_t triangles = 0;
};

template <class Make>
void time_once(Measured& measured, Make make) {
  const double start = now_seconds();
  make();
  measured.seconds = std::min(measured.seconds, now_seconds() - start);
}

struct PeerMesh {
  std::vector<openvdb::Vec3s> points;
  std::vector<openvdb::Vec3I> triangles;
  std::vector<openvdb::Vec4I> quads;
};

void make_peer(const Column<Vec3>& x, double cell, double radius, PeerMesh& mesh) {
  const auto grid = openvdb::createLevelSet<openvdb::FloatGrid>(cell);
  openvdb::tools::ParticlesToLevelSet<openvdb::FloatGrid> raster(*grid);
  raster.rasterizeSpheres(ByRadius{{x, radius}});
  raster.finalize(true);
  openvdb::tools::volumeToMesh(*grid, mesh.points, mesh.triangles, mesh.quads);
}

void look_at(const PeerMesh& mesh, Measured& measured) {
  double sum = 0;
  for (const auto& t : mesh.triangles)
    sum += wedge(mesh.points[t[0]], mesh.points[t[1]], mesh.points[t[2]]);
  for (const auto& q : mesh.quads) {
    sum += wedge(mesh.points[q[0]], mesh.points[q[1]], mesh.points[q[2]]);
    sum += wedge(mesh.points[q[0]], mesh.points[q[2]], mesh.points[q[3]]);
  }
  measured.volume = std::abs(sum) / 6;
  measured.triangles = mesh.triangles.size() + 2 * mesh.quads.size();
}

struct Ours {
  FieldOptions options;
  PointField field;
  SparseField grid;
  TriangleMesh mesh;

  void make(const Column<Vec3>& x, Real cell) {
    make_field({}, x, options, field);
    sample_field({}, field, cell, grid);
    mesh = marching_cubes({}, grid);
  }
};

std::string compare(const Column<Vec3>& x, double cell, int repeats) {
  const double radius = std::max(1.0, 1.5 * cell);  // its least one; smaller leave bubbles
  const FieldKind kinds[] = {FieldKind::blobs, FieldKind::zhu_bridson};
  Ours ours[2];
  Measured measured[2], peer;
  for (int round = 0; round <= repeats; ++round) {  // the first warms up
    PeerMesh mesh;
    time_once(peer, [&] { make_peer(x, cell, radius, mesh); });
    look_at(mesh, peer);
    for (int k = 0; k < 2; ++k) {
      ours[k].options.kind = kinds[k];
      ours[k].options.spacing = 1;
      time_once(measured[k], [&] { ours[k].make(x, static_cast<Real>(cell)); });
      measured[k].volume = volume(ours[k].mesh);
      measured[k].triangles = ours[k].mesh.triangles.size();
    }
  }
  std::string rows;
  for (int k = 0; k < 2; ++k)
    rows += fmt::format(
        "{}{{\"name\": \"surface\", \"method\": \"{}\", \"peer\": \"OpenVDB {}\", \"particles\": "
        "{}, "
        "\"threads\": {}, \"device\": \"cpu\", \"cell\": {}, \"radius\": {}, \"seconds\": {}, "
        "\"peer_seconds\": {}, \"ratio\": {}, \"triangles\": {}, \"peer_triangles\": {}, "
        "\"volume\": {}, \"peer_volume\": {}}}",
        k ? ",\n" : "", field_names()[static_cast<int>(kinds[k])],
        openvdb::getLibraryVersionString(), x.size(), thread_count(), cell, radius,
        measured[k].seconds, peer.seconds, peer.seconds / measured[k].seconds,
        measured[k].triangles, peer.triangles, measured[k].volume, peer.volume);
  return rows;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 4) return 2;
  const ThreadLimit limit(std::atoi(argv[3]));
  openvdb::initialize();
  const auto edge = static_cast<Real>(std::cbrt(std::atof(argv[1]) / std::sqrt(2.0)));
  const std::vector<Vec3> points =
      sample_inside(shape_box({edge, edge, edge}), Packing::closest, 1, 1, 3);
  const Column<Vec3> x(points.begin(), points.end());
  const int repeats = std::atoi(argv[2]);
  fmt::print("[{},\n{}]\n", compare(x, 1, repeats), compare(x, 0.5, repeats));
}
