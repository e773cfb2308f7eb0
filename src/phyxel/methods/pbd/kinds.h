#pragma once

#include <limits>
#include <tuple>
#include <vector>

#include "phyxel/methods/pbd/constraints/bending.h"
#include "phyxel/methods/pbd/constraints/cell.h"
#include "phyxel/methods/pbd/constraints/distance.h"
#include "phyxel/methods/pbd/constraints/long_range.h"
#include "phyxel/methods/pbd/constraints/tetrahedron.h"
#include "phyxel/methods/pbd/parameters.h"

// The kinds of constraints that rows have. A new one is a struct under constraints/, its name here,
// and what makes it of a body in bodies.cpp.

namespace phyxel::pbd {

template <class... Kinds>
struct KindList {
  template <template <class> class Of>
  using Each = std::tuple<Of<Kinds>...>;
};

/// Points that a constraint may move: the first ones. The others are held, and several constraints
/// of a colour may have them.
template <class Kind>
constexpr int moved_points() {
  if constexpr (requires { Kind::moved; })
    return Kind::moved;
  else
    return Kind::points;
}

/// In the order in which a sweep projects them.
using AllKinds = KindList<Distance, Bending, TetrahedronShape<Corotated>,
                          TetrahedronShape<NeoHookean>, TetrahedronVolume, CellShape<Corotated>,
                          CellShape<NeoHookean>, CellVolume, CellBend, LongRange>;

/// do_with(element) for each kind of a tuple of AllKinds::Each.
template <class Tuple, class DoWith>
void for_each_kind(Tuple&& all, const DoWith& do_with) {
  std::apply([&](auto&... each) { (do_with(each), ...); }, all);
}

/// What divides the softness of a constraint. none: it is rigid.
enum class Modulus : Index { none, youngs, stretch, bend, shear, lame };

/// Pa, N/m or N m; infinity: rigid, 0: it does nothing.
inline Real value_of(const Parameters& p, Modulus modulus) {
  const auto or_zero = [](Real value) { return is_given(value) ? value : Real(0); };
  switch (modulus) {
    case Modulus::youngs:
      return p.youngs_modulus;
    case Modulus::stretch:
      return or_zero(p.stretch_modulus);
    case Modulus::bend:
      return or_zero(p.bend_stiffness);
    case Modulus::shear:
      return lame_moduli(p.youngs_modulus, p.poissons_ratio).mu;
    case Modulus::lame:
      return lame_moduli(p.youngs_modulus, p.poissons_ratio).lambda;
    default:
      return std::numeric_limits<Real>::infinity();
  }
}

/// Constraints that take their numbers from one place.
struct Lot {
  Index material = -1;
  Modulus modulus = Modulus::none;

  bool operator==(const Lot&) const = default;
};

/// A constraint between vertices: points of all bodies in the order in which these were added.
template <class Kind>
struct Constraint {
  Index vertex[Kind::points];
  Vec<Real, Kind::numbers> rest;
  Real softness;  // compliance times the modulus of its lot
  Index lot;      // into Model::lots
};

template <class Kind>
using Constraints = std::vector<Constraint<Kind>>;

}  // namespace phyxel::pbd
