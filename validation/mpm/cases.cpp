#include "cases.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <fstream>
#include <numeric>

#include "phyxel/core/error.h"
#include "phyxel/core/svd.h"
#include "phyxel/methods/mpm/material.h"
#include "phyxel/scene/build.h"
#include "phyxel/scene/local_origin.h"
#include "phyxel/scene/read_scene.h"

namespace phyxel::validation {

namespace {

const std::string folder = PHYXEL_MPM_CASES;

const HostParticles& particles_of(World& world) {
  return world.methods.front()->particles();
}

int frames_of(const World& world) {
  return static_cast<int>(std::lround(world.live.duration * world.live.fps));
}

double time_of(const World& world) {
  return world.environment.time;
}

/// Slope and value at 0 of the straight line that is nearest to the points.
Point straight_line(const Curve& curve) {
  double n = 0, sx = 0, sy = 0, sxx = 0, sxy = 0;
  for (const Point& p : curve) n += 1, sx += p.x, sy += p.y, sxx += p.x * p.x, sxy += p.x * p.y;
  const double slope = (n * sxy - sx * sy) / (n * sxx - sx * sx);
  return {slope, (sy - slope * sx) / n};
}

/// Where heaps end that reach from the origin: the far side of the last cell before the first empty
/// one, so that single grains that fly ahead do not count.
double connected_end(World& world, double cell) {
  std::vector<char> full;
  for (const Vec3& x : particles_of(world).x) {
    const auto k = static_cast<std::size_t>(std::max(Real(0), x[0]) / cell);
    if (k >= full.size()) full.resize(k + 1, 0);
    full[k] = 1;
  }
  const auto empty = std::find(full.begin(), full.end(), 0);
  const double limit = cell * double(empty - full.begin());
  double end = 0;
  for (const Vec3& x : particles_of(world).x)
    if (x[0] < limit) end = std::max(end, double(x[0]));
  return end;
}

}  // namespace

World world_of(const std::string& scene, const Changes& changes) {
  std::vector<Override> overrides;
  for (const std::string& change : changes) overrides.push_back(parse_override(change));
  Scene read = read_scene(folder + "/" + scene + ".toml", overrides);
  set_origin(read, Vec3d::zero());  // the cases look at places of the world
  return build(read, {});
}

Curve read_curve(const std::string& file, int x, int y) {
  std::ifstream in(folder + "/" + file);
  if (!in) throw Error("cannot read " + folder + "/" + file);
  Curve curve;
  for (std::string line; std::getline(in, line);) {
    if (line.empty() || !(std::isdigit(line[0]) || line[0] == '-')) continue;
    std::vector<double> numbers;
    for (std::size_t at = 0; at < line.size();) {
      const std::size_t end = std::min(line.find(',', at), line.size());
      numbers.push_back(std::stod(line.substr(at, end - at)));
      at = end + 1;
    }
    curve.push_back({numbers.at(x), numbers.at(y)});
  }
  return curve;
}

double value_at(const Curve& curve, double x) {
  const auto after =
      std::find_if(curve.begin(), curve.end(), [&](const Point& p) { return p.x >= x; });
  if (after == curve.end()) return curve.back().y;
  if (after == curve.begin()) return curve.front().y;
  const Point &a = after[-1], &b = after[0];
  return a.y + (b.y - a.y) * (x - a.x) / (b.x - a.x);
}

Totals totals_of(World& world, double dx) {
  Totals t;
  const HostParticles& p = particles_of(world);
  const Mat3* c = column<Mat3>(world, "velocity_gradient");
  for (Index i = 0; i < p.size(); ++i) {
    const double m = p.mass[i], inertia = m * dx * dx / 4;
    const Vec3d x = cast<double>(p.x[i]), v = cast<double>(p.v[i]);
    t.mass += m;
    t.momentum += v * m;
    t.angular += cross(x, v) * m;
    for (int k = 0; k < 3; ++k) {
      const int a = (k + 1) % 3, b = (k + 2) % 3;
      t.spin[k] += inertia * (double(c[i][b][a]) - double(c[i][a][b]));
    }
    t.momentum_scale += m * length(v);
    t.angular_scale += m * length(x) * length(v);
  }
  return t;
}

double strain_energy(World& world) {
  const HostParticles& p = particles_of(world);
  const Mat3* f = column<Mat3>(world, "deformation");
  const Real* volume = column<Real>(world, "volume");
  double sum = 0;
  for (Index i = 0; i < p.size(); ++i) {
    const auto& parameters =
        parameters_of<mpm::Parameters>(world.environment.materials[p.material[i]]);
    const mpm::Lame lame = mpm::lame(parameters.youngs_modulus, parameters.poissons_ratio);
    Mat3d deformation;
    for (int k = 0; k < 9; ++k) deformation[k / 3][k % 3] = f[i][k / 3][k % 3];
    const Vec3d s = svd(deformation).sigma;
    const double j = s[0] * s[1] * s[2];
    double stretch = 0, square = 0;
    for (int k = 0; k < 3; ++k) stretch += (s[k] - 1) * (s[k] - 1), square += s[k] * s[k];
    const bool rubber = mpm::law_names()[parameters.law] == "neo_hookean";
    const double log_j = std::log(j);
    const double density =
        rubber ? lame.mu * ((square - 3) / 2 - log_j) + lame.lambda / 2 * log_j * log_j
               : lame.mu * stretch + lame.lambda / 2 * (j - 1) * (j - 1);
    sum += volume[i] * density;
  }
  return sum;
}

Disks collide_disks(const Changes& changes) {
  World world = world_of("disks", changes);
  Disks disks;
  const Totals start = totals_of(world, 0);
  const auto look = [&] {
    disks.kinetic.push_back({time_of(world), diagnose(world).kinetic_energy});
    disks.strain.push_back({time_of(world), strain_energy(world)});
    const Totals now = totals_of(world, 0);
    disks.momentum = std::max(disks.momentum, 2 * length(now.momentum) / start.momentum_scale);
  };
  look();
  while (world.frame < frames_of(world)) {
    advance(world);
    look();
  }
  disks.before = disks.kinetic.front().y;
  disks.after = disks.kinetic.back().y;
  return disks;
}

namespace {

/// Times at which the curve passes zero.
std::vector<double> zeros_of(const Curve& curve) {
  std::vector<double> zeros;
  for (std::size_t k = 1; k < curve.size(); ++k) {
    const Point &a = curve[k - 1], &b = curve[k];
    if (a.y * b.y < 0) zeros.push_back(a.x - a.y * (b.x - a.x) / (b.y - a.y));
  }
  return zeros;
}

/// Amplitude of the oscillation of angular frequency w in [from, to], by its Fourier integral.
double amplitude(const Curve& curve, double w, double from, double to) {
  double c = 0, s = 0, n = 0;
  for (const Point& p : curve)
    if (p.x >= from && p.x < to - 1e-9)
      c += p.y * std::cos(w * p.x), s += p.y * std::sin(w * p.x), n += 1;
  return 2 * std::hypot(c, s) / n;
}

}  // namespace

Bar swing_bar(const Changes& changes) {
  const double length = 25, v0 = 0.1, beta = M_PI / (2 * length);
  const double omega = beta * std::sqrt(100.0), period = 2 * M_PI / omega;
  World world = world_of("bar", changes);
  HostParticles& p = world.methods.front()->particles();
  for (Index i = 0; i < p.size(); ++i)
    p.v[i] = {static_cast<Real>(v0 * std::sin(beta * double(p.x[i][0]))), 0, 0};
  Bar bar;
  const auto look = [&] {
    const Diagnostics d = diagnose(world);
    bar.speed.push_back({time_of(world), d.momentum[0] / d.mass});
    bar.exact.push_back({time_of(world), v0 * 2 / M_PI * std::cos(omega * time_of(world))});
  };
  look();
  while (world.frame < frames_of(world)) {
    advance(world);
    look();
  }
  const std::vector<double> zeros = zeros_of(bar.speed);
  bar.period = 2 * (zeros.back() - zeros.front()) / double(zeros.size() - 1);
  const double w = 2 * M_PI / bar.period, end = time_of(world);
  bar.kept = amplitude(bar.speed, w, end - period, end) / amplitude(bar.speed, w, 0, period);
  return bar;
}

namespace {

/// Of the particle i of the column: by its equation of state, or the stress along y.
double pressure_in(World& world, Index i) {
  const auto& parameters =
      parameters_of<mpm::Parameters>(world.environment.materials[particles_of(world).material[i]]);
  const mpm::AnyLaw law = mpm::law_of(parameters);
  if (const auto* liquid = std::get_if<mpm::LiquidLaw>(&law))
    return mpm::pressure_of(*liquid, double(column<Real>(world, "memory")[i]));
  // Without sideways strain: sigma_y = -(lambda + 2 mu) (1 - F_yy) to first order.
  const mpm::Lame lame = mpm::lame(parameters.youngs_modulus, parameters.poissons_ratio);
  const double stretch = column<Mat3>(world, "deformation")[i][1][1];
  return double(lame.lambda + 2 * lame.mu) * (1 - stretch);
}

}  // namespace

Settled settle_column(const Changes& changes) {
  World world = world_of("column", changes);
  const int frames = frames_of(world);
  std::vector<Point> rows;  // height and mean pressure of a row of the packing in the last quarter
  const HostParticles& p = particles_of(world);
  std::vector<double> height(p.x.size()), pressure(p.x.size(), 0), place(p.x.size(), 0);
  for (Index i = 0; i < p.size(); ++i) height[p.id[i]] = p.x[i][1];
  const double top = *std::max_element(height.begin(), height.end());
  const int from = frames * 3 / 4;
  Settled result;
  while (world.frame < frames) {
    advance(world);
    if (world.frame <= from) continue;
    for (Index i = 0; i < p.size(); ++i) {
      pressure[p.id[i]] += pressure_in(world, i) / (frames - from);
      place[p.id[i]] += p.x[i][1] / double(frames - from);
    }
  }
  double end = 0;
  for (std::size_t i = 0; i < height.size(); ++i) {
    result.pressure.push_back({place[i], pressure[i]});
    end = std::max(end, place[i]);
  }
  std::sort(result.pressure.begin(), result.pressure.end(),
            [](const Point& a, const Point& b) { return a.x < b.x; });
  Curve middle;
  for (const Point& q : result.pressure)
    if (q.x > 0.15 * top && q.x < 0.85 * top) middle.push_back(q);
  const Point line = straight_line(middle);
  const double weight = 1000 * 9.81;
  result.base = line.y / (weight * 1.0);
  result.slope = line.x / -weight;
  double squares = 0;
  for (const Point& q : middle) squares += std::pow(q.y - line.y - line.x * q.x, 2);
  result.scatter = std::sqrt(squares / double(middle.size())) / weight;
  result.speed = diagnose(world).max_speed;
  result.height = end;
  return result;
}

Collapse drop_sand(const Changes& changes) {
  World world = world_of("sand_column", changes);
  const double l0 = 0.1, h0 = 0.2, cell = 2 * world.live.bodies.front().spacing;
  Collapse collapse;
  const auto look = [&] {
    const double run_out = connected_end(world, cell) / l0 - 1;
    collapse.front.push_back({time_of(world) * std::sqrt(9.81 / h0), run_out});
    collapse.run_out = std::max(collapse.run_out, run_out);
  };
  look();
  while (world.frame < frames_of(world)) {
    advance(world);
    look();
  }
  std::vector<double> top;
  for (const Vec3& x : particles_of(world).x) {
    const auto k = static_cast<std::size_t>(std::max(Real(0), x[0]) / cell);
    if (k >= top.size()) top.resize(k + 1, 0);
    top[k] = std::max(top[k], double(x[1]));
  }
  for (std::size_t k = 0; k < top.size() && k * cell < 12 * l0; ++k)
    collapse.outline.push_back({(double(k) + 0.5) * cell / l0, top[k] / l0});
  return collapse;
}

namespace {

double front_error(const Curve& front, double delay) {
  double sum = 0;
  int count = 0;
  for (const Point& p : read_curve("dam_break_martin_moyce_front.csv"))
    if (p.x >= 0.84 && p.x <= 3.3) {
      const double ratio = value_at(front, p.x - delay) / p.y - 1;
      sum += ratio * ratio;
      ++count;
    }
  return std::sqrt(sum / count);
}

}  // namespace

DamBreak break_dam(const Changes& changes) {
  World world = world_of("dam_break", changes);
  const double a = 0.05715, cell = 2 * world.live.bodies.front().spacing;
  DamBreak dam;
  const auto look = [&] {
    dam.front.push_back({time_of(world) * std::sqrt(2 * 9.81 / a), connected_end(world, cell) / a});
  };
  look();
  while (world.frame < frames_of(world)) {
    advance(world);
    look();
  }
  dam.error = front_error(dam.front, 0);
  dam.shifted = front_error(dam.front, 0.175);
  return dam;
}

Slide slide_block(double friction, const Changes& changes) {
  Changes all = changes;
  all.push_back(fmt::format("collider.floor.friction={}", friction));
  World world = world_of("incline", all);
  Slide slide;
  std::vector<double> place;
  const auto look = [&] {
    const Diagnostics d = diagnose(world);
    slide.speed.push_back({time_of(world), d.momentum[0] / d.mass});
    place.push_back(d.centre()[0]);
  };
  look();
  while (world.frame < frames_of(world)) {
    advance(world);
    look();
  }
  Curve second(slide.speed.begin() + static_cast<std::ptrdiff_t>(slide.speed.size() / 2),
               slide.speed.end());
  slide.acceleration = straight_line(second).x;
  slide.path = place.back() - place[place.size() / 2];
  return slide;
}

namespace {

/// To and fro along x and along y at `speed`, half a metre each way, from one to the other at 0.7
/// of it, and three turns a minute.
std::string shaking(double seconds, double speed) {
  std::string times, positions, rotations;
  const double leg = 1.0 / speed;
  for (int k = 0; k * leg < seconds + leg; ++k) {
    const double side = k == 0 ? 0 : (k % 2 ? 0.5 : -0.5);
    const char* const comma = k ? ", " : "";
    times += fmt::format("{}{:.6f}", comma, k == 0 ? 0 : (k - 0.5) * leg);
    positions +=
        fmt::format("{}[{}, {}, 0]", comma, k % 4 < 2 ? side : 0.0, k % 4 < 2 ? 0.0 : side);
    rotations += fmt::format("{}[0, 0, {:.4f}]", comma, 18 * k * leg);
  }
  return fmt::format("collider.box.motion={{times=[{}], positions=[{}], rotations=[{}]}}", times,
                     positions, rotations);
}

}  // namespace

Shaken shake_box(double seconds, const Changes& changes) {
  Changes all = changes;
  all.push_back(shaking(seconds, 5));
  all.push_back(fmt::format("duration={}", seconds));
  World world = world_of("shaken_box", all);
  Shaken shaken;
  const double cell = 2 * world.live.bodies.front().spacing;
  const std::size_t count = particles_of(world).x.size();
  while (world.frame < frames_of(world)) {
    advance(world);
    const HostParticles& p = particles_of(world);
    std::size_t lost = count - p.x.size();
    const Collider& box = world.environment.colliders.front();
    for (const Vec3& x : p.x) {
      const double depth = -contact_at(box, x).distance / cell;
      // The wall is 0.2 m thick: what is deeper than half of it, or beyond, has got through.
      const Vec3 local = apply_inverse(box.pose.transform, x);
      const double out = std::max({std::abs(local[0]), std::abs(local[1]), std::abs(local[2])});
      if (!(out < 0.3)) ++lost;
      shaken.deepest = std::max(shaken.deepest, depth);
    }
    shaken.lost = std::max(shaken.lost, lost);
    shaken.fastest = std::max(shaken.fastest, diagnose(world).max_speed);
  }
  shaken.particles = count;
  return shaken;
}

}  // namespace phyxel::validation
