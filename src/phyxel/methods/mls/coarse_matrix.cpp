#include "phyxel/methods/mls/coarse_matrix.h"

#include "phyxel/linear/dense_inverse.h"
#include "phyxel/methods/mls/step_system.h"

namespace phyxel::mls {

inline namespace PHYXEL_BACKEND {

namespace {

/// Steps of about the same length share a matrix: the next power of the root of two.
Real rounded_step(Real dt) {
  return static_cast<Real>(std::exp2(std::round(2 * std::log2(double(dt))) / 2));
}

/// A unit of one coordinate of one node, to column k of A_c: at rest, between neighbours alone.
void find_coarse_column(StepSystem& rest, HostColumn<Vec3>& unit, Index k, HostColumn<Vec3>& sums) {
  ImplicitSpace& space = rest.space;
  unit[k / 3][k % 3] = 1;
  assign(space.coarse.moved, unit);
  unit[k / 3][k % 3] = 0;
  Vec3* const p = space.vectors.p.data();
  const Vec3* const moved = space.coarse.moved.data();
  const Corners* const corners = space.coarse.corners.data();
  const Mat3* const f = rest.view.deformation;
  const Quad* const hold = space.hold.data();
  for_each(
      rest.exec, "mls.coarse.column", rest.view.n,
      PHYXEL_LAMBDA(Index i) { p[i] = allowed(hold[i], moved_by_nodes(corners[i], moved, f[i])); });
  rest.apply(space.vectors.p, space.vectors.ep);
  restrict_to_nodes(rest.exec, rest.view, space.vectors.ep.data(), space.vectors.z.data(),
                    space.coarse);
  copy_to_host(space.coarse.pulled, sums);
}

}  // namespace

bool make_coarse_matrix(const Exec& exec, const StepView& s, const StepUse& use,
                        const ImplicitOptions& options, ImplicitSpace& space) {
  CoarseSpace& coarse = space.coarse;
  const Real dt = rounded_step(use.dt);
  std::vector<Real> made_for = options.coarse_for;
  made_for.push_back(dt), made_for.push_back(use.damps);
  if (coarse.made_for == made_for) return false;
  for_each(
      exec, "mls.coarse.rest", s.n, PHYXEL_LAMBDA(Index i) {
        s.deformation[i] = Mat3::identity();
        s.tension[i] = Symmetric<Real>::zero();
      });
  const ContactRows nothing{};
  StepSystem rest{exec, s, nothing, dt, use.damps ? 1 / dt : Real(0), false, space};
  const Index n = 3 * coarse.nodes;
  const std::size_t size = static_cast<std::size_t>(n);
  std::vector<double> matrix(size * size);
  HostColumn<Vec3> unit(static_cast<std::size_t>(coarse.nodes), Vec3::zero()), sums;
  for (Index k = 0; k < n; ++k) {
    find_coarse_column(rest, unit, k, sums);
    for (Index c = 0; c < n; ++c) {
      // Half of what both columns of a pair say: it is symmetric but for rounding.
      const double half = double(sums[c / 3][c % 3]) / 2;
      matrix[c * size + k] += half;
      matrix[k * size + c] += half;
    }
  }
  linear::invert_in_place(matrix, n);
  assign(coarse.inverse, std::vector<Real>(matrix.begin(), matrix.end()));
  coarse.made_for = std::move(made_for);
  return true;
}

}  // namespace PHYXEL_BACKEND

}  // namespace phyxel::mls
