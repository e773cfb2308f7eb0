#include "lattice/common.h"

#include <cmath>
#include <fstream>

#include "phyxel/core/error.h"
#include "phyxel/scene/build.h"
#include "phyxel/scene/local_origin.h"
#include "phyxel/scene/read_scene.h"

namespace phyxel::validation::lattice {

namespace {

const std::string folder = PHYXEL_VALIDATION_DIR;

}  // namespace

World world_of(const std::string& scene, const Changes& changes) {
  std::vector<Override> overrides;
  for (const std::string& change : changes) overrides.push_back(parse_override(change));
  Scene read = read_scene(folder + "/lattice/" + scene + ".toml", overrides);
  set_origin(read, Vec3d::zero());  // the cases look at places of the world
  return build(read, {});
}

Method& method_of(World& world) {
  return *world.methods.front();
}

HostParticles& particles_of(World& world) {
  return method_of(world).particles();
}

int frames_of(const World& world) {
  return static_cast<int>(std::lround(world.live.duration * world.live.fps));
}

std::vector<std::vector<double>> read_table(const std::string& file) {
  std::ifstream in(folder + "/" + file);
  if (!in) throw Error("cannot read " + folder + "/" + file);
  std::vector<std::vector<double>> rows;
  for (std::string line; std::getline(in, line);) {
    if (line.empty() || !(std::isdigit(line[0]) || line[0] == '-')) continue;
    rows.emplace_back();
    for (std::size_t at = 0; at < line.size();) {
      const std::size_t end = std::min(line.find(',', at), line.size());
      rows.back().push_back(std::stod(line.substr(at, end - at)));
      at = end + 1;
    }
  }
  return rows;
}

Point straight_line(const Curve& curve) {
  double n = 0, sx = 0, sy = 0, sxx = 0, sxy = 0;
  for (const Point& p : curve) n += 1, sx += p.x, sy += p.y, sxx += p.x * p.x, sxy += p.x * p.y;
  const double slope = (n * sxy - sx * sy) / (n * sxx - sx * sx);
  return {slope, (sy - slope * sx) / n};
}

double period_of(const Curve& curve) {
  std::vector<double> zeros;
  for (std::size_t k = 1; k < curve.size(); ++k) {
    const Point &a = curve[k - 1], &b = curve[k];
    if (a.y * b.y < 0) zeros.push_back(a.x - a.y * (b.x - a.x) / (b.y - a.y));
  }
  if (zeros.size() < 2) return 0;
  return 2 * (zeros.back() - zeros.front()) / double(zeros.size() - 1);
}

std::vector<Vec3d> places_of(World& world) {
  const HostParticles& p = particles_of(world);
  std::vector<Vec3d> places(p.x.size());
  for (Index i = 0; i < p.size(); ++i) places[p.id[i]] = cast<double>(p.x[i]);
  return places;
}

Vec3d mean_of(const std::vector<Vec3d>& places, const Group& group) {
  Vec3d sum = Vec3d::zero();
  for (const ParticleId id : group) sum += places[id];
  return sum / double(group.size());
}

void load_for(World& world, const Loading& loading, double seconds) {
  Environment& environment = world.environment;
  Method& method = method_of(world);
  method.begin(environment);
  HostParticles& p = method.particles();
  const double dt = method.stable_dt(environment).dt, end = environment.time + seconds;
  std::vector<char> is_loaded(p.x.size(), 0);
  for (const ParticleId id : loading.loaded) is_loaded[id] = 1;
  const Vec3d share = loading.force / std::max(1.0, double(loading.loaded.size()));
  const Real kept = static_cast<Real>(std::exp(-loading.drag * dt));
  const auto push = [&](double seconds_of_push) {
    for (Index i = 0; i < p.size(); ++i)
      if (is_loaded[p.id[i]] != 0) p.v[i] += cast<Real>(share * (seconds_of_push / p.mass[i]));
  };
  const auto slow = [&] {
    for (Vec3& v : p.v) v *= kept;
  };
  const bool verlet = loading.kind == StepKind::verlet;
  while (environment.time < end) {
    if (loading.kind != StepKind::positions_first) slow();
    push(verlet ? dt / 2 : dt);
    if (loading.kind == StepKind::positions_first) slow();
    move_to(environment, environment.time + dt);
    method.step(environment, static_cast<Real>(dt));
    if (verlet) push(dt / 2);
    ++environment.step;
  }
}

}  // namespace phyxel::validation::lattice
