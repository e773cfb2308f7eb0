#include "phyxel/methods/mpm/method.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

#include "phyxel/core/error.h"

namespace phyxel::mpm {

namespace {

bool is_ours(const Material& material) {
  return material.method == "mpm";
}

/// A place in cells: the block of its nearest node, and the rest within that block.
struct Split {
  Int3 block;
  Real local[3];
};
Split split(const Vec3& x, Real dx) {
  Split s;
  for (int k = 0; k < 3; ++k) {
    const double at = double(x[k]) / double(dx);
    s.block[k] = static_cast<Index>(std::floor(std::floor(at + 0.5) / block_edge));
    s.local[k] = static_cast<Real>(at - double(s.block[k]) * block_edge);
  }
  return s;
}

Int3 smaller(const Int3& a, const Int3& b) {
  return {std::min(a[0], b[0]), std::min(a[1], b[1]), std::min(a[2], b[2])};
}
Int3 larger(const Int3& a, const Int3& b) {
  return {std::max(a[0], b[0]), std::max(a[1], b[1]), std::max(a[2], b[2])};
}
struct Extent {
  Int3 low, high;
};

}  // namespace

void Solver::read_materials(const Environment& environment) {
  laws_.assign(environment.materials.size(), AnyLaw{});
  density_.assign(environment.materials.size(), 1);
  Real given = not_given, natural = 0;
  for (std::size_t m = 0; m < environment.materials.size(); ++m) {
    const Material& material = environment.materials[m];
    if (!is_ours(material)) continue;
    const Parameters& p = parameters_of<Parameters>(material);
    laws_[m] = law_of(p);
    density_[m] = is_given(material.density) ? material.density : Real(1000);
    natural = std::max(natural, natural_cell(material));
    if (is_given(p.cell)) given = p.cell;
  }
  dx_ = is_given(given) ? given : natural;
}

/// Particles that are new to the method are at rest in their own shape.
void Solver::add_new_particles(const Environment&) {
  const std::size_t n = particles_.x.size(), old = deformation_.size();
  gradient_.resize(n, Mat3::zero());
  deformation_.resize(n, Mat3::identity());
  memory_.resize(n);
  volume_.resize(n);
  for (std::size_t i = old; i < n; ++i) {
    const Index m = particles_.material[i];
    memory_[i] = std::visit([](const auto& law) { return law.fresh; }, laws_[m]);
    volume_[i] = particles_.mass[i] / density_[m];
  }
}

void Solver::begin(const Environment& environment) {
  read_materials(environment);
  add_new_particles(environment);
  tiles_valid_ = false;
  if (particles_.size() == 0) return;
  sort_particles(environment.exec);
  make_rows(environment.exec);
  StepNumbers look;
  look.dx = dx_;
  look.gathers = look.spreads = false;
  advance_particles(environment.exec, look, laws_, blocks_, nodes_, velocities(), rows_);
  total_limits();
}

/// All columns in the order of blocks and materials.
void Solver::sort_particles(const Exec& exec) {
  const Index n = particles_.size();
  const Vec3* const x = particles_.x.data();
  const Real dx = dx_;
  constexpr Index far = std::numeric_limits<Index>::max();
  const Extent none{Int3::filled(far), Int3::filled(-far)};
  const Extent extent = reduce(
      exec, "mpm.extent", n, none,
      [=](Index i) {
        const Int3 b = split(x[i], dx).block;
        return Extent{b, b};
      },
      [](const Extent& a, const Extent& b) {
        return Extent{smaller(a.low, b.low), larger(a.high, b.high)};
      });
  const BlockKeys keys =
      make_keys(extent.low, extent.high, static_cast<Index>(laws_.size()));
  keys_.resize(n);
  sorted_.resize(n);
  for_each(exec, "mpm.keys", n, [&](Index i) {
    keys_[i] = keys.key(split(x[i], dx).block, particles_.material[i]);
    sorted_[i] = i;
  });
  sort_pairs(exec, "mpm.sort", keys_, sorted_, keys.bits(), sort_scratch_);
  build_blocks(keys, keys_, blocks_);
  reorder(exec, particles_, sorted_, reorder_scratch_);
  for (auto* column : {&memory_, &volume_})
    permute(exec, "mpm.reorder", *column, sorted_, reorder_scratch_.real);
  for (auto* column : {&gradient_, &deformation_})
    permute(exec, "mpm.reorder", *column, sorted_, matrix_scratch_);
}

void Solver::resize_chunks() {
  const std::size_t chunks = blocks_.chunks.size();
  rows_.order.resize(rows_.row.size());
  rows_.start.resize(chunks * Rows::starts);
  rows_.tile.resize(chunks * tile_stride);
  rows_.limits.resize(chunks);
}

void Solver::make_rows(const Exec& exec) {
  const Index n = particles_.size();
  rows_.row.resize(n);
  rows_.particle.resize(n);
  resize_chunks();
  for_each(exec, "mpm.rows", n, [&](Index i) {
    const Split at = split(particles_.x[i], dx_);
    Row16& row = rows_.row[i];
    for (int k = 0; k < 3; ++k) row.c[k] = at.local[k];
    row.c[row_memory] = memory_[i];
    for (int k = 0; k < 9; ++k) row.c[row_f + k] = deformation_[i][k / 3][k % 3];
    row.c[row_volume] = volume_[i];
    row.c[row_mass] = particles_.mass[i];
    row.c[15] = 0;
    rows_.particle[i] = i;
  });
  sort_cells(exec, {}, blocks_, rows_);
}

/// Rows that have drifted away from their blocks find new ones; velocities of nodes go along.
void Solver::rebin(const Exec& exec) {
  const TimerScope scope(exec.timers, "mpm.rebin");
  Extent extent{blocks_.map.place(0), blocks_.map.place(0)};
  for (Index b = 0; b < blocks_.map.size(); ++b) {
    extent.low = smaller(extent.low, blocks_.map.place(b));
    extent.high = larger(extent.high, blocks_.map.place(b));
  }
  for (int k = 0; k < 3; ++k) --extent.low[k], ++extent.high[k];
  const BlockKeys keys = make_keys(extent.low, extent.high, static_cast<Index>(laws_.size()));
  // Rows get places in their new blocks; keys tell which.
  for_each_coarse(exec, "mpm.keys", static_cast<Index>(blocks_.chunks.size()), [&](Index c) {
    const Chunk& chunk = blocks_.chunks[c];
    const Int3 old = blocks_.map.place(chunk.block);
    for (Index i = chunk.first; i < chunk.first + chunk.count; ++i) {
      Int3 block;
      for (int k = 0; k < 3; ++k) {
        Real& x = rows_.row[i].c[k];
        const auto steps =
            static_cast<Index>(std::floor(std::floor(x + Real(0.5)) / Real(block_edge)));
        block[k] = old[k] + steps;
        x -= Real(block_edge * steps);
      }
      keys_[i] = keys.key(block, chunk.material);
      sorted_[i] = i;
    }
  });
  sort_pairs(exec, "mpm.sort", keys_, sorted_, keys.bits(), sort_scratch_);
  permute(exec, "mpm.rows", rows_.row, sorted_, row_scratch_);
  permute(exec, "mpm.rows", rows_.particle, sorted_, index_scratch_);
  old_nodes_.swap(blocks_.nodes);
  build_blocks(keys, keys_, blocks_);
  resize_chunks();
  sort_cells(exec, {}, blocks_, rows_);
  remap_nodes(exec, old_nodes_, blocks_, nodes_.now, node_scratch_);
  nodes_.now.swap(node_scratch_);
}

void Solver::step(const Environment& environment, Real dt) {
  if (particles_.size() == 0) return;
  const Exec& exec = environment.exec;
  StepNumbers in;
  in.dx = dx_;
  in.dt = in.next_dt = dt;
  if (!tiles_valid_) {
    in.gathers = false;
    advance_particles(exec, in, laws_, blocks_, nodes_, velocities(), rows_);
    in.gathers = true;
  } else if (dt != tiles_dt_) {
    throw Error(fmt::format("mpm.step: was told to expect a step of {} s, not of {} s", tiles_dt_, dt));
  }
  pack(environment.colliders, colliders_);
  rebase(colliders_, colliders_.bytes.data());
  const GridForces forces{environment.gravity, views_of(colliders_), environment.dimensions == 2};
  const Real speed = update_grid(exec, in, forces, blocks_, rows_, nodes_);
  if (speed * dt / dx_ >= limits_.margin) rebin(exec);
  in.next_dt = static_cast<Real>(environment.next_dt);
  in.spreads = tiles_valid_ = in.next_dt > 0;
  tiles_dt_ = in.next_dt;
  advance_particles(exec, in, laws_, blocks_, nodes_, velocities(), rows_);
  total_limits();
  if (!tiles_valid_) write_particles(exec);
}

/// What rows know goes back to the columns; velocities are there already.
void Solver::write_particles(const Exec& exec) {
  for_each_coarse(exec, "mpm.write", static_cast<Index>(blocks_.chunks.size()), [&](Index c) {
    const Chunk& chunk = blocks_.chunks[c];
    const Int3 block = blocks_.map.place(chunk.block);
    for (Index r = chunk.first; r < chunk.first + chunk.count; ++r) {
      const Row16& row = rows_.row[r];
      const Index i = rows_.particle[r];
      for (int k = 0; k < 3; ++k)
        particles_.x[i][k] = static_cast<Real>((double(block[k]) * block_edge + double(row.c[k])) * double(dx_));
      memory_[i] = row.c[row_memory];
      for (int k = 0; k < 9; ++k) deformation_[i][k / 3][k % 3] = row.c[row_f + k];
    }
  });
}

void Solver::total_limits() {
  limits_ = {};
  for (const ChunkLimits& l : rows_.limits) {
    limits_.speed_squared = std::max(limits_.speed_squared, l.speed_squared);
    limits_.wave_speed_squared = std::max(limits_.wave_speed_squared, l.wave_speed_squared);
    limits_.margin = std::min(limits_.margin, l.margin);
  }
}

ParticleVelocities Solver::velocities() {
  return {particles_.v.data(), gradient_.data()};
}

StableStep Solver::stable_dt(const Environment&) {
  if (particles_.size() == 0) return {};
  const double wave = std::sqrt(double(limits_.wave_speed_squared)),
               speed = std::sqrt(double(limits_.speed_squared));
  StableStep limit{0.4 * dx_ / (wave + 1e-30), "pressure waves may cross two fifths of a cell"};
  const double motion = 0.3 * dx_ / (speed + 1e-30);
  if (motion < limit.dt)
    limit = {motion, "the fastest particle may cross three tenths of a cell"};
  return limit;
}

std::vector<ColumnView> Solver::columns() {
  std::vector<ColumnView> views = columns_of(particles_);
  views.push_back(phyxel::view("memory", "", memory_));
  views.push_back(phyxel::view("volume", "m^3", volume_));
  views.push_back(phyxel::view("velocity_gradient", "1/s", gradient_));
  views.push_back(phyxel::view("deformation", "", deformation_));
  return views;
}

Diagnostics Solver::diagnostics(const Environment& environment) {
  Diagnostics d = measure(environment.exec, particles_);
  d.potential_energy = -dot(cast<double>(environment.gravity), d.mass_moment);
  return d;
}

std::map<std::string, double> Solver::save() {
  return {};
}
void Solver::load(const std::map<std::string, double>&) {}

std::unique_ptr<Method> make_solver() {
  return std::make_unique<Solver>();
}

}  // namespace phyxel::mpm
