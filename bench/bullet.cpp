// The same hung cloth by phyxel and by Bullet's soft bodies, in turns, as a JSON object on standard
// output.
//   bench_bullet SIDE ITERATIONS PEERS_ITERATIONS REPEATS
// bench/bullet runs it and says what is compared.

#include <BulletSoftBody/btSoftBody.h>
#include <BulletSoftBody/btSoftBodyHelpers.h>
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <fmt/format.h>

#include "phyxel/core/exec.h"
#include "phyxel/scene/body_seed.h"
#include "phyxel/scene/build.h"
#include "phyxel/scene/read_scene.h"

using namespace phyxel;

namespace {

constexpr double step = 1.0 / 60;  // s
constexpr int steps_of_round = 60;

double seconds_now() {
  const auto now = std::chrono::steady_clock::now().time_since_epoch();
  return std::chrono::duration<double>(now).count();
}

/// A square cloth of 1 m of side x side particles that hangs by its upper edge.
std::string scene_of(int side, int iterations) {
  const double spacing = 1.0 / (side - 1);
  return fmt::format(
      R"(duration = 1000
fps = 1
[world]
gravity = [0, -9.81, 0]
[material.cloth]
method = "pbd"
projection = "stiffness"
stiffness = 1.0
stretch_modulus = 1.0e3
density = 1.0
substeps = 1
self_contact = false
iterations = {}
[body.cloth]
material = "cloth"
packing = "cubic"
spacing = {}
thickness = 1.0
shape = {{ type = "sheet", width = 1, height = 1 }}
[pin.edge]
body = "cloth"
shape = {{ type = "box", size = [2, {}, 1], centre = [0, 0.5, 0] }}
)",
      iterations, spacing, spacing / 2);
}

using Edge = Vec<Index, 2>;

struct Stretch {
  double mean = 0, largest = 0;  // of |length / length at rest - 1|: root mean square, largest
};

template <class Place>
Stretch stretch_of(const std::vector<Edge>& edges, const std::vector<Vec3>& rest,
                   const Place& place) {
  Stretch s;
  for (const Edge& e : edges) {
    const double at_rest = length(cast<double>(rest[e[1]] - rest[e[0]]));
    const double error = std::abs(length(place(e[1]) - place(e[0])) / at_rest - 1);
    s.mean += error * error;
    s.largest = std::max(s.largest, error);
  }
  s.mean = std::sqrt(s.mean / double(edges.size()));
  return s;
}

struct Ours {
  World world;

  explicit Ours(const Scene& scene) : world(build(scene, {})) {}
  void run() { advance(world); }  // a frame of a second
  Stretch stretch(const BodySeed& cloth) const {
    const HostParticles& p = world.methods.front()->particles();
    std::vector<Vec3d> places(p.x.size());
    for (Index i = 0; i < p.size(); ++i) places[p.id[i] - cloth.first_id] = cast<double>(p.x[i]);
    return stretch_of(cloth.mesh.edges, cloth.points, [&](Index i) { return places[i]; });
  }
};

/// Links alone: no bending, no collisions, no damping, as in the other.
struct Bullet {
  btSoftBodyWorldInfo info;
  std::unique_ptr<btSoftBody> body;

  Bullet(const BodySeed& cloth, double top, int iterations) {
    info.m_gravity = {0, btScalar(-9.81), 0};
    info.air_density = info.water_density = 0;
    info.m_sparsesdf.Initialize();
    std::vector<btVector3> nodes;
    for (const Vec3& x : cloth.points) nodes.push_back({x[0], x[1], x[2]});
    const std::vector<btScalar> mass(nodes.size(), 1);
    body = std::make_unique<btSoftBody>(&info, static_cast<int>(nodes.size()), nodes.data(),
                                        mass.data());
    for (const Edge& e : cloth.mesh.edges) body->appendLink(e[0], e[1]);
    body->randomizeConstraints();  // as its own helpers do: it converges better
    for (std::size_t i = 0; i < nodes.size(); ++i)
      if (nodes[i].y() > top) body->setMass(static_cast<int>(i), 0);
    body->m_cfg.piterations = iterations;
    body->m_cfg.collisions = 0;
  }
  void run() {
    for (int k = 0; k < steps_of_round; ++k) {
      body->predictMotion(btScalar(step));
      body->solveConstraints();
      body->integrateMotion();
    }
  }
  Stretch stretch(const BodySeed& cloth) const {
    return stretch_of(cloth.mesh.edges, cloth.points, [&](Index i) {
      const btVector3& x = body->m_nodes[i].m_x;
      return Vec3d{x.x(), x.y(), x.z()};
    });
  }
};

/// The best time of a round, and the stretch at the ends of all of them: the cloths swing.
struct Measured {
  double seconds = 1e300;
  Stretch stretch;
};

template <class Cloth>
void time_round(Cloth& cloth, const BodySeed& sheet, int rounds, Measured& m) {
  const double start = seconds_now();
  cloth.run();
  m.seconds = std::min(m.seconds, seconds_now() - start);
  const Stretch now = cloth.stretch(sheet);
  m.stretch.mean += now.mean / rounds;
  m.stretch.largest = std::max(m.stretch.largest, now.largest);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 5) return 2;
  const int side = std::atoi(argv[1]), iterations = std::atoi(argv[2]);
  const int peer_iterations = std::atoi(argv[3]), repeats = std::atoi(argv[4]);
  const ThreadLimit limit(1);
  const Scene scene = parse_scene(scene_of(side, iterations), "cloth.toml", ".", {});
  ShapeFiles files{scene.folder};
  const BodySeed cloth = body_seed(scene, 0, 0, files);
  Ours ours(scene);
  Bullet bullet(cloth, 0.5 - 0.25 / (side - 1), peer_iterations);
  Measured our, peer;
  for (int k = 0; k < repeats; ++k) {
    time_round(ours, cloth, repeats, our);
    time_round(bullet, cloth, repeats, peer);
  }
  const double sweep = double(cloth.mesh.edges.size()) * steps_of_round;
  fmt::print(
      "{{\"name\": \"pbd_cloth\", \"peer\": \"Bullet {}\", \"particles\": {}, \"threads\": 1, "
      "\"device\": \"cpu\", \"projections\": {}, \"peer_projections\": {}, \"iterations\": {}, "
      "\"peer_iterations\": {}, \"seconds\": {}, "
      "\"peer_seconds\": {}, \"ratio\": {}, \"stretch\": {}, \"peer_stretch\": {}, "
      "\"largest_stretch\": {}, \"largest_peer_stretch\": {}}}\n",
      btGetVersion(), cloth.points.size(), sweep * iterations, sweep * peer_iterations, iterations,
      peer_iterations, our.seconds, peer.seconds, peer.seconds / our.seconds, our.stretch.mean,
      peer.stretch.mean, our.stretch.largest, peer.stretch.largest);
}
