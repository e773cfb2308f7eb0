#include "phyxel/methods/mpm/implicit.h"

#include <algorithm>
#include <numeric>

#include "phyxel/colliders/contact.h"
#include "phyxel/grid/tiles.h"
#include "phyxel/methods/mpm/pins.h"

namespace phyxel::mpm {

namespace {

using Vector = Column<Quad>;
using SixteenDoubles = double __attribute__((vector_size(16 * sizeof(double))));

// Fourth numbers of holds.
constexpr Real free_node = 0, held_along = 1, held_entirely = 2;

std::size_t first_node(Index block) {
  return std::size_t(block) * nodes_in_block;
}
Vec3 velocity_of(const Quad& q) {
  return {q.c[0], q.c[1], q.c[2]};
}

/// The directions that a contact holds of a node that it has already been applied to.
Quad hold_of(const Vec3& v, const Contact& contact, ContactKind kind) {
  const Vec3 relative = v - contact.velocity;
  const Real leaving = dot(relative, contact.normal);
  const Real rounding =
      Real(1e-5) * (length(v) + length(contact.velocity)) + std::numeric_limits<Real>::min();
  const Vec3& n = contact.normal;
  if (kind == ContactKind::separate && leaving > rounding) return {{0, 0, 0, free_node}};
  const bool sticks =
      kind == ContactKind::sticky || length(relative - contact.normal * leaving) <= rounding;
  return {{n[0], n[1], n[2], sticks ? held_entirely : held_along}};
}

/// Two contacts that stop a node along different directions hold it entirely.
Quad combined(const Quad& a, const Quad& b) {
  if (a.c[3] == free_node || b.c[3] == held_entirely) return b;
  if (b.c[3] == free_node || a.c[3] == held_entirely) return a;
  const bool same = std::abs(dot(velocity_of(a), velocity_of(b))) > Real(0.9999);
  return same ? a : Quad{{0, 0, 0, held_entirely}};
}

/// The part of a change of velocity that a hold allows.
void project(const Quad& hold, Quad& v) {
  if (hold.c[3] == free_node) return;
  const Real along = dot(velocity_of(hold), velocity_of(v));
  for (int k = 0; k < 3; ++k) v.c[k] = hold.c[3] == held_entirely ? 0 : v.c[k] - along * hold.c[k];
}

/// Holds of the nodes of a block; false: all are free. `holder`: the reactions of those that hold,
/// where pins are known already; null: they are not counted.
bool find_holds(const Boundaries& boundaries, const Int3& block, Real dx, const Quad* nodes,
                const char* pinned, Quad* holds, Index* holder) {
  std::fill_n(holds, nodes_in_block, Quad{});
  bool any = false;
  for (Index n = 0; pinned && n < nodes_in_block; ++n) {
    holds[n].c[3] = pinned[n] ? held_entirely : free_node;
    any = any || pinned[n];
  }
  for_nodes_in_colliders(boundaries, block, dx, nodes,
                         [&](Index n, const Contact& contact, const ColliderView& collider) {
                           holds[n] = combined(
                               holds[n], hold_of(velocity_of(nodes[n]), contact, collider.contact));
                           any = any || holds[n].c[3] != free_node;
                           if (holder && !(pinned && pinned[n]))
                             holder[n] = static_cast<Index>(&collider - boundaries.colliders.data);
                         });
  return any;
}

void find_all_holds(const Exec& exec, const StepNumbers& in, const Boundaries& boundaries,
                    const Blocks& blocks, const Nodes& nodes, ImplicitSpace& space) {
  space.held.assign(blocks.nodes.size(), -1);
  if (boundaries.colliders.count == 0 && !boundaries.pins) return;
  space.holds.resize(first_node(blocks.nodes.size()));
  const bool counts = boundaries.reactions.counts();
  if (counts) space.holder.resize(space.holds.size());
  for_each_coarse(exec, "mpm.holds", static_cast<Index>(space.active.size()), [&](Index k) {
    const Index b = space.active[k];
    const char* const pinned = !boundaries.pins ? nullptr : nodes.pinned.data() + first_node(b);
    Index* const holder = counts ? space.holder.data() + first_node(b) : nullptr;
    for (Index n = 0; counts && pinned && n < nodes_in_block; ++n)
      if (pinned[n])
        holder[n] =
            boundaries.reactions.first_pin + pin_of_node(boundaries, nodes, first_node(b) + n);
    if (find_holds(boundaries, blocks.nodes.place(b), in.dx, nodes.now.data() + first_node(b),
                   pinned, space.holds.data() + first_node(b), holder))
      space.held[b] = b;
  });
}

/// 1 + beta dt^2 M^-1 K on the nodes of active blocks.
struct GridSystem {
  const Exec& exec;
  const StepNumbers& in;
  const Blocks& blocks;
  bool flat;
  const Rows& rows;
  const Quad* mass;  // in the fourth numbers
  Vector& sum;       // of particles to grid
  ImplicitSpace& space;

  template <class F>
  void each_block(const char* name, F&& f) const {
    for_each_coarse(exec, name, static_cast<Index>(space.active.size()),
                    [&](Index k) { f(k, first_node(space.active[k])); });
  }
  /// f for four nodes at a time.
  template <class F>
  void each_four(const char* name, F&& f) const {
    each_block(name, [&](Index, std::size_t first) {
      for (std::size_t n = first; n < first + nodes_in_block; n += 4) f(n);
    });
  }

  void apply(const Vector& x, Vector& y) const {
    apply_stiffness(exec, in, blocks, space.stiffness, rows, x, sum);
    each_block("mpm.solve", [&](Index k, std::size_t first) {
      const Index b = space.active[k];
      Quad* const part = sum.data() + first;
      for (Index n = 0; flat && n < nodes_in_block; ++n) part[n].c[2] = 0;
      for (Index n = 0; space.held[b] >= 0 && n < nodes_in_block; ++n)
        project(space.holds[first + n], part[n]);
      for (Index n = 0; n < nodes_in_block; n += 4) {
        const TwoRows8 m = masses(first + n), change = load_loose<TwoRows8>(part[n].c);
        store_loose(load_loose<TwoRows8>(x[first + n].c) + (m > 0 ? change / m : TwoRows8{}),
                    y[first + n].c);
      }
    });
  }

  double inner(const Vector& a, const Vector& b) const {
    return sum_of([&](std::size_t n) {
      return load_loose<TwoRows8>(a[n].c) * load_loose<TwoRows8>(b[n].c) * masses(n);
    });
  }
  /// Weighted by mass; nodes lighter than any particle hardly act on particles and are left out.
  double size(const Vector& v) const {
    return std::sqrt(sum_of([&](std::size_t n) {
      const TwoRows8 x = load_loose<TwoRows8>(v[n].c), m = masses(n);
      return m > in.least_mass ? x * x * m : TwoRows8{};
    }));
  }
  /// Sums of f for four nodes at a time, in a fixed order.
  template <class F>
  double sum_of(F&& f) const {
    space.sums.resize(space.active.size());
    each_block("mpm.solve", [&](Index k, std::size_t first) {
      SixteenDoubles four = {};
      for (std::size_t n = first; n < first + nodes_in_block; n += 4)
        four += __builtin_convertvector(f(n), SixteenDoubles);
      double total = 0;
      for (int l = 0; l < 16; ++l) total += four[l];
      space.sums[k] = total;
    });
    double total = 0;
    for (const double part : space.sums) total += part;
    return total;
  }
  /// The mass of each of four nodes, for all of its numbers.
  TwoRows8 masses(std::size_t n) const {
    const TwoRows8 a = load_loose<TwoRows8>(mass[n].c);
    return __builtin_shufflevector(a, a, 3, 3, 3, 3, 7, 7, 7, 7, 11, 11, 11, 11, 15, 15, 15, 15);
  }
  void copy(const Vector& x, Vector& y) const {
    each_four("mpm.solve",
              [&](std::size_t n) { store_loose(load_loose<TwoRows8>(x[n].c), y[n].c); });
  }
  void add(double scale, const Vector& x, Vector& y) const {
    each_four("mpm.solve", [&](std::size_t n) {
      store_loose(load_loose<TwoRows8>(y[n].c) + load_loose<TwoRows8>(x[n].c) * Real(scale),
                  y[n].c);
    });
  }
  void renew(double scale, const Vector& x, Vector& y) const {
    each_four("mpm.solve", [&](std::size_t n) {
      store_loose(load_loose<TwoRows8>(x[n].c) + load_loose<TwoRows8>(y[n].c) * Real(scale),
                  y[n].c);
    });
  }
};

void find_active_blocks(const Blocks& blocks, const Nodes& nodes, ImplicitSpace& space) {
  space.active.clear();
  for (Index b = 0; b < blocks.nodes.size(); ++b) {
    const Quad* const node = nodes.now.data() + first_node(b);
    if (std::any_of(node, node + nodes_in_block, [](const Quad& q) { return q.c[3] > 0; }))
      space.active.push_back(b);
  }
}

/// Velocities may be off by a share of those that matter has, or would gain by falling.
linear::SolveLimits limits_of(const GridSystem& system, const ImplicitNumbers& numbers,
                              const Vec3& gravity) {
  double mass = 0, energy = 0;
  for (const Index b : system.space.active)
    for (std::size_t n = first_node(b); n < first_node(b + 1); ++n) {
      const Quad& q = system.mass[n];
      mass += double(q.c[3]);
      energy += double(q.c[3]) * double(length_squared(velocity_of(q)));
    }
  const double fall = double(length(gravity)) * double(system.in.dt);
  return {double(numbers.tolerance) * (std::sqrt(energy) + fall * std::sqrt(mass)),
          numbers.most_iterations};
}

/// Finds the blocks of nodes that matter connects, and the bodies that are held somewhere.
void find_bodies(const Blocks& blocks, ImplicitSpace& space) {
  std::vector<Index>& body = space.body;
  body.resize(blocks.nodes.size());
  std::iota(body.begin(), body.end(), Index{0});
  const auto first_of = [&](Index b) {
    while (body[b] != b) b = body[b] = body[body[b]];
    return b;
  };
  for (const auto& around : blocks.nodes_around)
    for (const Index b : around) {
      const Index one = first_of(around[0]), other = first_of(b);
      body[std::max(one, other)] = std::min(one, other);
    }
  space.rests.assign(body.size(), 0);
  for (Index b = 0; b < static_cast<Index>(body.size()); ++b) {
    body[b] = first_of(b);
    if (space.held[b] >= 0) space.rests[body[b]] = 1;
  }
}

/// Explicit forces leave velocities that are rough where matter is stiff, far from the solution.
/// Those without the impulses of stresses are nearer, and without gravity where a body is held;
/// bodies that are not held keep their momentum.
void guess(const GridSystem& system, const std::vector<AnyLaw>& laws, const Vec3& gravity,
           Vector& v) {
  ImplicitSpace& space = system.space;
  stresses_to_grid(system.exec, system.in, laws, system.blocks, system.rows, system.sum);
  system.each_block("mpm.solve", [&](Index k, std::size_t first) {
    const Index b = space.active[k];
    Quad* const change = system.sum.data() + first;
    for (Index n = 0; n < nodes_in_block; ++n) {
      const Real m = system.mass[first + n].c[3];
      for (int a = 0; a < 3; ++a)
        change[n].c[a] = m > 0 && !(system.flat && a == 2) ? change[n].c[a] / m : 0;
      if (space.rests[space.body[b]] && m > 0)
        for (int a = 0; a < (system.flat ? 2 : 3); ++a) change[n].c[a] += gravity[a] * system.in.dt;
      if (space.held[b] >= 0) project(space.holds[first + n], change[n]);
      for (int a = 0; a < 3; ++a) v[first + n].c[a] -= change[n].c[a];
    }
  });
}

/// v less a uniform motion, whose stiffness product is zero except for rounding.
void take_away(const GridSystem& system, const Vec3& mean, const Vector& v, Vector& out) {
  system.each_block("mpm.solve", [&](Index, std::size_t first) {
    for (std::size_t n = first; n < first + nodes_in_block; ++n) {
      for (int k = 0; k < 3; ++k) out[n].c[k] = system.mass[n].c[3] > 0 ? v[n].c[k] - mean[k] : 0;
      out[n].c[3] = 0;
    }
  });
}
Vec3 mean_velocity(const GridSystem& system, const Vector& v) {
  double mass = 0, sum[3] = {};
  for (const Index b : system.space.active)
    for (std::size_t n = first_node(b); n < first_node(b + 1); ++n) {
      mass += double(v[n].c[3]);
      for (int k = 0; k < 3; ++k) sum[k] += double(v[n].c[3]) * double(v[n].c[k]);
    }
  Vec3 mean;
  for (int k = 0; k < 3; ++k) mean[k] = static_cast<Real>(sum[k] / mass);
  return mean;
}

/// Replaces v by a first guess, and finds its residual.
void start(const GridSystem& system, const std::vector<AnyLaw>& laws, const Vec3& gravity,
           Vector& v) {
  linear::SolveVectors<Vector>& with = system.space.vectors;
  const Vec3 mean = mean_velocity(system, v);
  take_away(system, mean, v, with.ep);
  guess(system, laws, gravity, v);
  take_away(system, mean, v, with.p);
  system.apply(with.p, with.r);
  system.renew(-1, with.ep, with.r);
}

/// What a collider or pin gives to the nodes that it holds.
struct HeldNodes {
  Vec3d impulse = Vec3d::zero();  // N s
  Vec3d place = Vec3d::zero();    // N s m, of their impulses without signs
  double size = 0;                // N s, the sum of these
};

/// Counts the impulses by which the solve lets colliders and pins hold nodes, m (v - v*) + beta
/// dt^2 K v along what is held. What the solve leaves undone is momentum, too: those that hold
/// share it by their parts.
void count_holds(const GridSystem& system, const ReactionView& reactions, const Vector& v) {
  ImplicitSpace& space = system.space;
  take_away(system, mean_velocity(system, v), v, space.vectors.p);
  apply_stiffness(system.exec, system.in, system.blocks, space.stiffness, system.rows,
                  space.vectors.p, system.sum);
  std::vector<HeldNodes> held(static_cast<std::size_t>(reactions.slots));
  Vec3d left = Vec3d::zero();
  for (const Index b : space.active)
    for (Index n = 0; n < nodes_in_block; ++n) {
      const std::size_t k = first_node(b) + n;
      const double mass = v[k].c[3];
      if (!(mass > 0)) continue;
      const Vec3d change =
          (cast<double>(velocity_of(v[k])) - cast<double>(velocity_of(space.before[k]))) * mass;
      left += change;
      if (space.held[b] < 0 || space.holds[k].c[3] == free_node) continue;
      Quad free = system.sum[k];
      for (int a = 0; a < 3; ++a) free.c[a] += static_cast<Real>(change[a]);
      if (system.flat) free.c[2] = 0;
      const Vec3 all = velocity_of(free);
      project(space.holds[k], free);
      const Vec3d impulse = cast<double>(all - velocity_of(free));
      const Vec3 x = node_place(system.blocks.nodes.place(b), n, system.in.dx);
      add_contact_impulse(reactions, space.holder[k], x, velocity_of(space.holds[k]), impulse);
      HeldNodes& holder = held[space.holder[k]];
      holder.impulse += impulse;
      holder.place += cast<double>(x) * length(impulse);
      holder.size += length(impulse);
    }
  double size = 0;
  for (const HeldNodes& h : held) left -= h.impulse, size += h.size;
  for (std::size_t k = 0; k < held.size(); ++k) {
    if (!(held[k].size > 0)) continue;
    const Vec3d part = left * (held[k].size / size);
    add_impulse(reactions, static_cast<Index>(k),
                {part, cross(held[k].place / held[k].size, part)});
  }
}

}  // namespace

linear::SolveReport solve_implicit(const Exec& exec, const StepNumbers& in,
                                   const ImplicitNumbers& numbers, const std::vector<AnyLaw>& laws,
                                   const Boundaries& boundaries, const Blocks& blocks, Rows& rows,
                                   Nodes& nodes, ImplicitSpace& space) {
  find_active_blocks(blocks, nodes, space);
  find_all_holds(exec, in, boundaries, blocks, nodes, space);
  find_bodies(blocks, space);
  make_stiffness(exec, in, numbers.share, laws, blocks, rows, space.stiffness);
  for (Vector* const v : {&space.vectors.r, &space.vectors.p, &space.vectors.ep})
    v->assign(nodes.now.size(), Quad{});
  const GridSystem system{exec,       in,   blocks, boundaries.flat, rows, nodes.now.data(),
                          nodes.work, space};
  const bool counts =
      boundaries.reactions.counts() &&
      std::any_of(space.held.begin(), space.held.end(), [](Index b) { return b >= 0; });
  if (counts) space.before = nodes.now;
  start(system, laws, boundaries.gravity, nodes.now);
  const linear::SolveReport report = linear::conjugate_gradient(
      system, nodes.now, space.vectors, limits_of(system, numbers, boundaries.gravity));
  if (counts) count_holds(system, boundaries.reactions, nodes.now);
  return report;
}

}  // namespace phyxel::mpm
