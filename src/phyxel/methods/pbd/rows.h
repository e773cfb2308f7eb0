#pragma once

#include "phyxel/core/column.h"
#include "phyxel/methods/pbd/bodies.h"
#include "phyxel/methods/pbd/colouring.h"

// Constraints as kernels read them: colour by colour, a column for each number.

namespace phyxel::pbd {

/// Each colour has a multiple of it; what is missing is filled up with rows that join the particle
/// behind the last one, which has no inverse mass, with itself.
constexpr Index row_width = 16;

/// A compliance with which a constraint does nothing.
constexpr Real no_stiffness = Real(1e30);

inline namespace PHYXEL_BACKEND {

template <class Kind>
struct RowsView {
  const Index* at[Kind::points];  // particles
  const Real* rest[Kind::numbers];
  const Real* compliance = nullptr;  // with projection = "stiffness": share of a sweep
  const Real* damping = nullptr;     // s; null: nothing damps
  Real* lambda = nullptr;            // null: there is one sweep, which begins at 0
};

/// What constraints of a lot have in common.
struct LotNumbers {
  Real modulus = 0;  // as of value_of()
  Real damping = 0;  // s
  Real share = -1;   // of a sweep, with projection = "stiffness"; below 0: it is compliant

  bool operator==(const LotNumbers&) const = default;
};

/// The constraints of a kind.
template <class Kind>
class Rows {
 public:
  /// `particle`: of each vertex; constraints of vertices without one (-1) are left out.
  void build(const Constraints<Kind>& list, const std::vector<Index>& particle, Index particles);
  /// Compliances and times of damping.
  void set_numbers(const std::vector<LotNumbers>& of_lot);

  /// Rows of colour c: from start(c) up to start(c + 1).
  Index colours() const { return static_cast<Index>(start_.size()) - 1; }
  Index start(Index colour) const { return start_[colour]; }
  Index size() const { return start_.back(); }
  /// Constraints in the list when rows were made.
  Index known() const { return known_; }
  /// Of each row its number in the list; -1: none.
  const std::vector<Index>& origin() const { return origin_; }
  Column<Real>& lambda() { return lambda_; }
  /// Of kinds with one rest value.
  Column<Real>& rest() { return rest_[0]; }
  const Column<Real>& rest() const { return rest_[0]; }

  RowsView<Kind> view(bool several_sweeps) {
    RowsView<Kind> rows;
    for (int k = 0; k < Kind::points; ++k) rows.at[k] = at_[k].data();
    for (int k = 0; k < Kind::numbers; ++k) rows.rest[k] = rest_[k].data();
    rows.compliance = compliance_.data();
    rows.damping = damps_ ? damping_.data() : nullptr;
    rows.lambda = several_sweeps ? lambda_.data() : nullptr;
    return rows;
  }

 private:
  std::vector<Index> start_ = {0};
  std::vector<Index> origin_, lot_;
  std::vector<Real> softness_;
  Column<Index> at_[Kind::points];
  Column<Real> rest_[Kind::numbers];
  Column<Real> compliance_, damping_, lambda_;
  Index known_ = 0;
  bool damps_ = false;
};

/// All kinds.
using AllRows = AllKinds::Each<Rows>;

void make_rows(const Model& model, const std::vector<Index>& particle, Index particles,
               AllRows& rows);
void set_numbers(const std::vector<LotNumbers>& of_lot, AllRows& rows);

}  // namespace PHYXEL_BACKEND

}  // namespace phyxel::pbd
