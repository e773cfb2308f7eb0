#include "phyxel/methods/mls/coarse_space.h"

namespace phyxel::mls {

inline namespace PHYXEL_BACKEND {

void assign_nodes(const CoarseNodes& nodes, CoarseSpace& space) {
  space.nodes = nodes.count;
  space.made_for.clear();
  if (nodes.count == 0) return;
  assign(space.corners, nodes.corners);
  assign(space.entry, nodes.entry);
  assign(space.piece_start, nodes.piece_start);
  assign(space.node_start, nodes.node_start);
  space.piece.resize(nodes.piece_start.size() - 1);
  space.pulled.resize(static_cast<std::size_t>(nodes.count));
  space.moved.resize(static_cast<std::size_t>(nodes.count));
}

void restrict_to_nodes(const Exec& exec, const StepView& view, const Vec3* r, Vec3* scratch,
                       CoarseSpace& space) {
  const Mat3* const f = view.deformation;
  for_each(
      exec, "mls.coarse.turn", view.n,
      PHYXEL_LAMBDA(Index i) { scratch[i] = transpose(turned_by(f[i])) * r[i]; });
  Vec3 *const piece = space.piece.data(), *const pulled = space.pulled.data();
  const Corners* const corners = space.corners.data();
  const Index *const entry = space.entry.data(), *const first = space.piece_start.data(),
                     *const node = space.node_start.data();
  for_each(
      exec, "mls.coarse.pieces", static_cast<Index>(space.piece.size()), PHYXEL_LAMBDA(Index k) {
        Vec3 sum = Vec3::zero();
        for (Index e = first[k]; e < first[k + 1]; ++e)
          sum += scratch[entry[e] / 8] * corners[entry[e] / 8].share[entry[e] % 8];
        piece[k] = sum;
      });
  for_each(
      exec, "mls.coarse.nodes", space.nodes, PHYXEL_LAMBDA(Index a) {
        Vec3 sum = Vec3::zero();
        for (Index k = node[a]; k < node[a + 1]; ++k) sum += piece[k];
        pulled[a] = sum;
      });
}

void solve_for_nodes(const Exec& exec, CoarseSpace& space) {
  const Index n = 3 * space.nodes;
  const Real* const inverse = space.inverse.data();
  const Real* const from = space.pulled.data()->c;
  Real* const to = space.moved.data()->c;
  for_each(
      exec, "mls.coarse.solve", n, PHYXEL_LAMBDA(Index k) {
        // Sums side by side, for the processor.
        constexpr Index sums = 16;
        const Real* const row = inverse + static_cast<std::size_t>(k) * n;
        Real sum[sums] = {};
        Index c = 0;
        for (; c + sums <= n; c += sums)
          for (Index l = 0; l < sums; ++l) sum[l] += row[c + l] * from[c + l];
        for (; c < n; ++c) sum[0] += row[c] * from[c];
        for (Index l = 1; l < sums; ++l) sum[0] += sum[l];
        to[k] = sum[0];
      });
}

}  // namespace PHYXEL_BACKEND

}  // namespace phyxel::mls
