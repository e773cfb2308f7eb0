#pragma once

#include <limits>
#include <tuple>
#include <vector>

#include "phyxel/methods/pbd/constraints/bending.h"
#include "phyxel/methods/pbd/constraints/cell.h"
#include "phyxel/methods/pbd/constraints/distance.h"
#include "phyxel/methods/pbd/constraints/isometric_bend.h"
#include "phyxel/methods/pbd/constraints/line_bend.h"
#include "phyxel/methods/pbd/constraints/long_range.h"
#include "phyxel/methods/pbd/constraints/tetrahedron.h"
#include "phyxel/methods/pbd/constraints/triangle.h"
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
using AllKinds =
    KindList<Distance, TriangleStretch, TriangleShear, TriangleArea, Bending, IsometricBend,
             LineBend, TetrahedronShape<Corotated>, TetrahedronShape<NeoHookean>, TetrahedronVolume,
             CellShape<Corotated>, CellShape<NeoHookean>, CellVolume, CellBend, LongRange>;

/// do_with(element) for each kind of a tuple of AllKinds::Each.
template <class Tuple, class DoWith>
void for_each_kind(Tuple&& all, const DoWith& do_with) {
  std::apply([&](auto&... each) { (do_with(each), ...); }, all);
}

/// What divides the softness of a constraint. none: it is rigid.
enum class Modulus : Index {
  none,
  youngs,
  stretch,
  bend,
  line_bend,
  shear,
  lame,
  sheet_stretch,
  sheet_shear,
  sheet_area,
  thread_shear
};

/// Those of plane stress, N/m of a sheet with a modulus of stretch; else Pa, which its thickness
/// multiplies.
inline LameModuli sheet_moduli(const Parameters& p) {
  const Real modulus = is_given(p.stretch_modulus) ? p.stretch_modulus : p.youngs_modulus;
  return membrane_moduli(modulus, p.poissons_ratio);
}

/// Pa, N/m, N m or N m^2; infinity: rigid, 0: it does nothing.
inline Real value_of(const Parameters& p, Modulus modulus) {
  const auto or_zero = [](Real value) { return is_given(value) ? value : Real(0); };
  switch (modulus) {
    case Modulus::youngs:
      return p.youngs_modulus;
    case Modulus::stretch:
      return or_zero(p.stretch_modulus);
    case Modulus::bend:
      return or_zero(p.bend_stiffness);
    case Modulus::line_bend:
      return or_zero(p.flexural_rigidity);
    case Modulus::shear:
      return lame_moduli(p.youngs_modulus, p.poissons_ratio).mu;
    case Modulus::lame:
      return lame_moduli(p.youngs_modulus, p.poissons_ratio).lambda;
    case Modulus::sheet_stretch:
      return 2 * sheet_moduli(p).mu;
    case Modulus::sheet_shear:
      return sheet_moduli(p).mu;
    case Modulus::sheet_area:
      return sheet_moduli(p).lambda;
    case Modulus::thread_shear:
      return or_zero(p.shear_modulus);
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
