#pragma once

#include <array>
#include <bit>

#include "phyxel/core/pack_shuffle.h"
#include "phyxel/methods/lattice/assigning.h"

// Assignment to slots, on the CPU: a pack of particles at a time where assignments stay, a pack of
// neighbours of one particle where they are found again.

namespace phyxel::lattice {

inline namespace PHYXEL_BACKEND {

template <int Dim>
using VecPack = Vec<Pack, Dim>;
template <int Dim>
using MatPack = Mat<Pack, Dim>;

template <int Dim>
PHYXEL_INLINE VecPack<Dim> vectors_of(const QuadPack& q) {
  VecPack<Dim> v;
  for (int k = 0; k < Dim; ++k) v[k] = q.c[k];
  return v;
}
template <int Dim>
PHYXEL_INLINE VecPack<Dim> everywhere(const Vec<Real, Dim>& v) {
  VecPack<Dim> result;
  for (int k = 0; k < Dim; ++k) result[k] = Pack(v[k]);
  return result;
}
template <int Dim>
PHYXEL_INLINE MatPack<Dim> everywhere(const Mat<Real, Dim>& m) {
  MatPack<Dim> result;
  for (int k = 0; k < Dim; ++k) result[k] = everywhere(m[k]);
  return result;
}

/// to - from, nearest copies.
template <int Dim>
PHYXEL_INLINE VecPack<Dim> between(const StepView<Dim>& s, const VecPack<Dim>& from,
                                   const VecPack<Dim>& to) {
  VecPack<Dim> d = to - from;
  if (s.periodic)
    for (int k = 0; k < Dim; ++k) d[k] = nearest(d[k], s.period.size[k], s.period.half[k]);
  return d;
}

/// visit(lane) for all bits that are set.
template <class Visit>
PHYXEL_INLINE void for_bits(std::uint32_t bits, const Visit& visit) {
  for (; bits != 0; bits &= bits - 1) visit(static_cast<Index>(std::countr_zero(bits)));
}

PHYXEL_INLINE std::uint32_t first_lanes(Index count) {
  return static_cast<std::uint32_t>((std::uint64_t{1} << std::min(count, lanes)) - 1);
}

PHYXEL_INLINE Pack nearest_whole(const Pack& x) {
  return xsimd::floor(x + Pack(Real(0.5)));
}

/// nearest_point of points.h, in whole numbers.
PHYXEL_INLINE VecPack<3> nearest_places(const VecPack<3>& q, Real spacing) {
  const Pack zero(Real(0)), one(Real(1)), half(Real(0.5)), two(Real(2));
  const Pack per_unit(1 / (spacing * Real(cell_volume<3>)));
  VecPack<3> p, error;
  for (int k = 0; k < 3; ++k) {
    const Pack x = q[k] * per_unit;
    p[k] = nearest_whole(x);
    error[k] = x - p[k];
  }
  const Pack a = abs(error[0]), b = abs(error[1]), c = abs(error[2]);
  const Pack sum = p[0] + p[1] + p[2];
  const auto odd = sum - two * xsimd::floor(sum * half) != zero;
  const auto x_worst = a >= b && a >= c;
  const auto y_worst = !x_worst && b >= c;
  const decltype(odd) worst[3] = {x_worst, y_worst, !x_worst && !y_worst};
  for (int k = 0; k < 3; ++k)
    p[k] += select(odd && worst[k], select(error[k] < zero, -one, one), zero);
  return p;
}
PHYXEL_INLINE VecPack<2> nearest_places(const VecPack<2>& q, Real spacing) {
  const Pack one(Real(1)), two(Real(2)), half(Real(0.5));
  const Pack x = q[0] * Pack(2 / spacing), y = q[1] * Pack(1 / (spacing * Real(cell_volume<2>)));
  const VecPack<2> even{two * nearest_whole(x * half), two * nearest_whole(y * half)};
  const VecPack<2> odd{two * xsimd::floor(x * half) + one, two * xsimd::floor(y * half) + one};
  const auto distance = [&](const VecPack<2>& p) {
    const Pack dx = x - p[0], dy = y - p[1];
    return dx * dx + Pack(Real(3)) * dy * dy;
  };
  const auto odd_is_nearer = distance(odd) < distance(even);
  return {select(odd_is_nearer, odd[0], even[0]), select(odd_is_nearer, odd[1], even[1])};
}
PHYXEL_INLINE VecPack<3> offsets(const VecPack<3>& p, Real spacing) {
  return p * Pack(spacing * Real(cell_volume<3>));
}
PHYXEL_INLINE VecPack<2> offsets(const VecPack<2>& p, Real spacing) {
  return {p[0] * Pack(spacing * Real(0.5)), p[1] * Pack(spacing * Real(cell_volume<2>))};
}

/// Slots of places near the origin, -1 for none; a place is found by its number.
template <int Dim>
struct SlotTable {
  static constexpr int wide = Dim == 2 ? 4 : 2;  // largest first coordinate
  static constexpr int size = Dim == 2 ? 9 * 5 : 5 * 5 * 5;
  std::array<std::int8_t, size> slot;

  PHYXEL_INLINE static Pack number(const VecPack<Dim>& p) {
    Pack result = p[Dim - 1] + Pack(Real(2));
    for (int k = Dim - 2; k >= 0; --k)
      result =
          result * Pack(Real(k == 0 ? 2 * wide + 1 : 5)) + p[k] + Pack(Real(k == 0 ? wide : 2));
    return result;
  }
  PHYXEL_INLINE static auto has(const VecPack<Dim>& p) {
    auto inside = abs(p[0]) <= Pack(Real(wide));
    for (int k = 1; k < Dim; ++k) inside = inside && abs(p[k]) <= Pack(Real(2));
    return inside;
  }
};
template <int Dim>
inline const SlotTable<Dim> slot_table = [] {
  SlotTable<Dim> table;
  for (int number = 0; number < SlotTable<Dim>::size; ++number) {
    constexpr int width = 2 * SlotTable<Dim>::wide + 1;
    LatticePoint<Dim> p;
    p[0] = number % width - SlotTable<Dim>::wide;
    for (int k = 1, rest = number / width; k < Dim; ++k, rest /= 5) p[k] = rest % 5 - 2;
    Index sum = 0;
    for (int k = 0; k < Dim; ++k) sum += p[k];
    table.slot[number] = static_cast<std::int8_t>((sum & 1) != 0 ? -1 : slot_of(p));
  }
  return table;
}();

/// visit(j, nearest) for the neighbours of i that are nearest to a slot, of whatever body, a pack
/// of them at a time. Those farther than `limit` from their lattice point are left out.
template <int Dim, class Visit>
PHYXEL_INLINE void for_nearest_slots(const StepView<Dim>& s, Index i, Real limit,
                                     const Visit& visit) {
  const Solid& solid = s.solid(i);
  const MatPack<Dim> inverse_a = everywhere(to_lattice(narrow<Dim>(s.a[i])));
  const Pack reach(reach_of(solid)), most(limit * limit);
  const VecPack<Dim> at = everywhere(narrow<Dim>(s.x[i]));
  const Index* const row = s.neighbour + s.row_start[i];
  for (Index e = 0; e < s.row_count[i]; e += lanes) {
    const VecPack<Dim> r = between(s, at, vectors_of<Dim>(gather(s.x_quad, row + e)));
    const VecPack<Dim> q = inverse_a * r, p = nearest_places(q, solid.spacing);
    const Pack squared = length_squared(q - offsets(p, solid.spacing));
    const auto seen =
        length_squared(r) < reach * reach && squared <= most && SlotTable<Dim>::has(p);
    alignas(64) Real number[lanes], distance_squared[lanes];
    SlotTable<Dim>::number(p).store_aligned(number);
    squared.store_aligned(distance_squared);
    for_bits(bits_of(seen) & first_lanes(s.row_count[i] - e), [&](Index l) {
      const int slot = slot_table<Dim>.slot[static_cast<int>(number[l])];
      if (slot >= 0 && slot < s.slots_of(solid))
        visit(row[e + l], NearestSlot<Real>{slot, distance_squared[l]});
    });
  }
}

/// Largest distance from a lattice point at which a particle may be newly assigned to it, m.
template <int Dim>
PHYXEL_INLINE Real docking_limit(const StepView<Dim>& s, Index i) {
  const bool some_freeze = s.rests && s.phases_changed;
  return some_freeze ? s.solid(i).spacing : capture * s.solid(i).spacing;
}

/// Whether particles assigned to i by id (StepView::slot_ids) are those by index
/// (StepView::assignment).
template <int Dim>
PHYXEL_INLINE bool knows_assigned(const StepView<Dim>& s, Index i) {
  bool known = true;
  for (int slot = 0; slot < s.slots_of(s.solid(i)); ++slot)
    known = known && (s.slot_ids[i][slot] == no_particle ||
                      s.slot_ids[i][slot] == s.slot_id(s.assigned(i, slot)));
  return known;
}

/// AssignNearest where matter freezes: first for assigned particles, then for other neighbours.
template <int Dim>
PHYXEL_INLINE void assign_beside_frozen(const StepView<Dim>& s, Index i,
                                        SlotAssignment& assignment) {
  const Solid& solid = s.solid(i);
  const Mat<Real, Dim> inverse_a = to_lattice(narrow<Dim>(s.a[i]));
  const Real reach = reach_of(solid);
  for_assigned(
      s, i, [&](Index j, int slot, Real, const Vec<Real, Dim>& r, const Vec<Real, Dim>& l) {
        if (s.object[j] == s.object[i] && !s.is_liquid(j) && length_squared(r) < reach * reach &&
            is_nearest(inverse_a * r - l, solid.spacing))
          consider(s, i, j, {slot, 0}, assignment);
      });
  for_nearest_slots(s, i, docking_limit(s, i), [&](Index j, const NearestSlot<Real>& nearest) {
    if (s.object[j] != s.object[i] || s.is_liquid(j)) return;
    const int held = slot_assigned_to(s, i, j);
    if (held < 0 || (assignment.entry[held] != j && nearest.slot != held))
      consider(s, i, j, nearest, assignment);
  });
}

/// AssignNearest on packs.
struct AssignNearestInPacks {
  template <int Dim>
  PHYXEL_INLINE void operator()(const StepView<Dim>& s, Index i, SlotAssignment& assignment) const {
    if (s.rests && knows_assigned(s, i)) return assign_beside_frozen(s, i, assignment);
    if (s.rests) return AssignNearest{}(s, i, assignment);
    for_nearest_slots(s, i, s.solid(i).spacing, [&](Index j, const NearestSlot<Real>& nearest) {
      if (s.object[j] == s.object[i] && !s.is_liquid(j)) consider(s, i, j, nearest, assignment);
    });
  }
};

/// Whether a neighbour that is not assigned to i may dock at an empty slot.
template <int Dim>
PHYXEL_INLINE bool has_visitors(const StepView<Dim>& s, Index i) {
  const Real spacing = s.solid(i).spacing, near = capture * spacing;
  bool found = false;
  for_nearest_slots(s, i, docking_limit(s, i), [&](Index j, const NearestSlot<Real>& nearest) {
    if (nearest.distance_squared > near * near && !s.has_just_frozen(j)) return;
    found = found || (s.assigned(i, nearest.slot) == i && s.object[j] == s.object[i] &&
                      !s.is_liquid(j) && slot_assigned_to(s, i, j) < 0);
  });
  return found;
}

/// SlotRests of a slot of the particles that `particle` names by lane.
template <int Dim, class Particle>
PHYXEL_INLINE VecPack<Dim> shifts_of(const StepView<Dim>& s, int slot, const Particle& particle) {
  return vectors_of<Dim>(load_fours([&](Index l) __attribute__((always_inline)) {
    return s.rests[std::min(particle(l), s.n - 1)].c + 4 * slot;  // packs go beyond the last one
  }));
}

/// Vectors to the particles assigned to the slots of a block of particles of one material, zero
/// where a slot is empty.
template <int Dim>
struct BlockBonds {
  VecPack<Dim> r[most_slots];
  Pack mass[most_slots];
  VecPack<Dim> shift[most_slots];  // of rest from lattice points; only where matter freezes
  bool shifted = false;

  PHYXEL_INLINE VecPack<Dim> rest_of(int slot, Real spacing) const {
    const VecPack<Dim> l = everywhere(slot_offset<Dim>(slot, spacing));
    return shifted ? l + shift[slot] : l;
  }

  PHYXEL_INLINE void fetch(const StepView<Dim>& s, Index first, int slots) {
    const VecPack<Dim> at = vectors_of<Dim>(
        load_fours([&](Index l) __attribute__((always_inline)) { return s.x_quad[first + l].c; }));
    shifted = s.rests != nullptr;
    for (int slot = 0; slot < slots; ++slot) {
      const QuadPack x = gather(s.x_quad, assigned_at(s, first, slot));
      r[slot] = between(s, at, vectors_of<Dim>(x));
      mass[slot] = x.c[3];
      if (s.rests) shift[slot] = shifts_of<Dim>(s, slot, [&](Index l) { return first + l; });
    }
  }
  PHYXEL_INLINE static const Index* assigned_at(const StepView<Dim>& s, Index first, int slot) {
    return s.assignment + place_in_block(first, slot, s.slots);
  }
};

template <int Dim>
PHYXEL_INLINE MatPack<Dim> load_matrices(const Mat3* from, Index count) {
  const Mat3Pack all = load(from, count);
  MatPack<Dim> m;
  for (int r = 0; r < Dim; ++r)
    for (int c = 0; c < Dim; ++c) m[r][c] = all[r][c];
  return m;
}

/// Bits of particles.
struct Losses {
  std::uint32_t lost;  // an assigned particle, or the lattice, which is crushed
  std::uint32_t open;  // have an empty slot
};
template <int Dim>
PHYXEL_INLINE Losses find_losses(const Solid& solid, const MatPack<Dim>& a,
                                 const BlockBonds<Dim>& bonds) {
  const MatPack<Dim> inverse_a = inverse(a);
  const Pack reach(reach_of(solid)), zero(Real(0));
  auto keeps = determinant(a) > Pack(Real(0.1)), whole = keeps;
  for (int slot = 0; slot < slot_count<Dim>(solid.weights.shells); ++slot) {
    const VecPack<Dim>& r = bonds.r[slot];
    const Pack squared = length_squared(r);
    const VecPack<Dim> l = bonds.rest_of(slot, solid.spacing);
    const auto held = squared > zero;
    keeps = keeps &&
            (!held || (squared < reach * reach && is_nearest(inverse_a * r - l, solid.spacing)));
    whole = whole && held;
  }
  return {~bits_of(keeps), ~bits_of(whole)};
}

}  // namespace PHYXEL_BACKEND

}  // namespace phyxel::lattice
