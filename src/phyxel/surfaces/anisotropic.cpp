#include "phyxel/surfaces/anisotropic.h"

#include <algorithm>
#include <cmath>

#include "phyxel/core/eigen_symmetric.h"
#include "phyxel/surfaces/first_lanes.h"

namespace phyxel {

namespace {

/// The points in the cells around a cell, one behind the other.
struct NearbyPoints {
  Column<Real> x, y, z;  // with room for a pack beyond the last
  Index count = 0;

  void append(const PointField& f, Index first, Index last) {
    const auto needed = static_cast<std::size_t>(count + last - first + lanes);
    if (x.size() < needed)
      for (Column<Real>* column : {&x, &y, &z}) column->resize(2 * needed);
    // In whole packs: what lies beyond the last is overwritten by the next.
    for (Index k = first; k < last; k += lanes, count += lanes) {
      Pack::load_unaligned(f.x.data() + k).store_unaligned(x.data() + count);
      Pack::load_unaligned(f.y.data() + k).store_unaligned(y.data() + count);
      Pack::load_unaligned(f.z.data() + k).store_unaligned(z.data() + count);
    }
    count -= (lanes - (last - first) % lanes) % lanes;
  }
};

void gather_around(const PointField& f, const Int3& cell, NearbyPoints& around) {
  const CellTableView view = f.cells.view();
  around.count = 0;
  for (Index z = cell[2] - f.width; z <= cell[2] + f.width; ++z)
    for (Index y = cell[1] - f.width; y <= cell[1] + f.width; ++y) {
      const Index row = f.rows.find(view, y, z);
      if (row < 0) continue;
      Index cursor = first_cell_near(view, row, cell[0] - f.width);
      const auto [first, last] =
          find_places(view, row, cell[0] - f.width, cell[0] + f.width, cursor);
      around.append(f, first, last);
    }
}

/// How points lie around one of them, weighted with 1 - r^2/N^2.
struct Neighbourhood {
  Real weight;        // sum of the weights
  Vec3 mean;          // of the differences from the point
  Vec3 spread, side;  // weighted covariance: xx yy zz, xy yz zx
};

/// Sums over points near p, a pack at a time.
class MomentSums {
 public:
  MomentSums(const Vec3& p, Real radius)
      : p_{Pack(p[0]), Pack(p[1]), Pack(p[2])}, over_radius2_(1 / (radius * radius)) {
    std::fill(std::begin(sums_), std::end(sums_), Pack(Real(0)));
  }

  void add_run(const Real* x, const Real* y, const Real* z, Index count) {
    Index k = 0;
    for (; k + lanes <= count; k += lanes) add(x + k, y + k, z + k, lanes);
    if (k < count) add(x + k, y + k, z + k, count - k);
  }

  Neighbourhood result() const {
    const Quad a = sums_of_lanes(sums_[0], sums_[1], sums_[2], sums_[3]);
    const Quad b = sums_of_lanes(sums_[4], sums_[5], sums_[6], sums_[0]);
    const Quad c = sums_of_lanes(sums_[7], sums_[8], sums_[9], sums_[0]);
    const Real over = 1 / a.c[0];
    const Vec3 mean = Vec3{a.c[1], a.c[2], a.c[3]} * over;
    const Vec3 turned = {mean[1], mean[2], mean[0]};
    return {a.c[0], mean, Vec3{b.c[0], b.c[1], b.c[2]} * over - scaled(mean, mean),
            Vec3{c.c[0], c.c[1], c.c[2]} * over - scaled(mean, turned)};
  }

 private:
  PHYXEL_INLINE void add(const Real* x, const Real* y, const Real* z, Index count) {
    const Pack r[3] = {Pack::load_unaligned(x) - p_[0], Pack::load_unaligned(y) - p_[1],
                       Pack::load_unaligned(z) - p_[2]};
    const Pack squared = xsimd::fma(r[2], r[2], xsimd::fma(r[1], r[1], r[0] * r[0]));
    Pack w = max(xsimd::fnma(squared, over_radius2_, Pack(Real(1))), Pack(Real(0)));
    if (count < lanes) w = select(lanes_below(count), w, Pack(Real(0)));
    sums_[0] += w;
    for (int c = 0; c < 3; ++c) {
      const Pack wr = w * r[c];
      sums_[1 + c] += wr;
      sums_[4 + c] = xsimd::fma(wr, r[c], sums_[4 + c]);
      sums_[7 + c] = xsimd::fma(wr, r[(c + 1) % 3], sums_[7 + c]);
    }
  }

  Pack p_[3], over_radius2_;
  Pack sums_[10];
};

/// Coordinates of each cell of a table, which keeps those of rows once.
Column<Int3> cell_places(const CellTable& cells) {
  Column<Int3> place(cells.x.size());
  for (Index row = 0; row < cells.rows(); ++row)
    for (Index c = cells.row_start[row]; c < cells.row_start[row + 1]; ++c)
      place[c] = {cells.x[c], cells.yz[row][0], cells.yz[row][1]};
  return place;
}

/// Cells whose first point has others all around it, nearer than an edge.
Column<std::uint8_t> find_full(const Exec& exec, const PointField& f) {
  const CellTableView view = f.cells.view();
  const Real radius = f.cells.edge;
  // The integral of the weights over a ball.
  const Real full = Real(8 * M_PI / 15) * radius * radius * radius / f.volume;
  Column<std::uint8_t> is_full(f.cells.x.size());
  for_each_coarse(exec, "surface.full", view.rows, [&](Index row) {
    TouchingRows around = touching_rows(view, row, view.x[view.row_start[row]]);
    for (Index c = view.row_start[row]; c < view.row_start[row + 1]; ++c) {
      MomentSums sums(f.place(view.start[c]), radius);
      visit_places(view, around, view.x[c], [&](const PlaceRange& r) {
        sums.add_run(f.x.data() + r.first, f.y.data() + r.first, f.z.data() + r.first,
                     r.last - r.first);
      });
      const Neighbourhood n = sums.result();
      is_full[c] = n.weight > Real(0.8) * full && length(n.mean) < Real(0.2) * radius;
    }
  });
  return is_full;
}

/// Whether all 27 cells around are marked.
bool is_surrounded(const PointField& f, const Column<std::uint8_t>& is_marked, const Int3& cell) {
  const CellTableView view = f.cells.view();
  for (Index z = cell[2] - 1; z <= cell[2] + 1; ++z)
    for (Index y = cell[1] - 1; y <= cell[1] + 1; ++y) {
      const Index row = f.rows.find(view, y, z);
      if (row < 0) return false;
      const Index c = first_cell_near(view, row, cell[0] - 1);
      if (c + 2 >= view.row_start[row + 1] || view.x[c + 2] != cell[0] + 1) return false;
      if (!(is_marked[c] && is_marked[c + 1] && is_marked[c + 2])) return false;
    }
  return true;
}

/// Cells that are full and have full cells all around, two deep: the surface is out of the reach of
/// their points.
Column<std::uint8_t> find_deep(const Exec& exec, const PointField& f, const Column<Int3>& place) {
  Column<std::uint8_t> is_marked = find_full(exec, f), next(is_marked.size());
  for (int layer = 0; layer < 2; ++layer) {
    for_each(exec, "surface.deep", f.cells.cells(),
             [&](Index c) { next[c] = is_marked[c] && is_surrounded(f, is_marked, place[c]); });
    is_marked.swap(next);
  }
  return is_marked;
}

/// What is kept of a neighbourhood until kernels are made of it, in the places of the kernel.
void keep(const Neighbourhood& n, Index k, PointField& f) {
  for (int c = 0; c < 3; ++c) f.shape[c][k] = n.spread[c], f.shape[3 + c][k] = n.side[c];
  f.height[k] = n.weight;
}

/// In the place of the weight: this point has others all around it, and a round kernel.
constexpr Real all_around = -1;

void look_around_all(const Exec& exec, Real radius, PointField& f) {
  const Column<Int3> place = cell_places(f.cells);
  const Column<std::uint8_t> is_deep = find_deep(exec, f, place);
  for_each_coarse(exec, "surface.around", static_cast<Index>(place.size() + 63) / 64, [&](Index t) {
    thread_local NearbyPoints around;
    const Index end = std::min(f.cells.cells(), 64 * (t + 1));
    for (Index c = 64 * t; c < end; ++c) {
      const Index first = f.cells.start[c], last = f.cells.start[c + 1];
      if (is_deep[c]) {
        std::fill(f.height.begin() + first, f.height.begin() + last, all_around);
        continue;
      }
      gather_around(f, place[c], around);
      for (Index k = first; k < last; ++k) {
        MomentSums sums(f.place(k), radius);
        sums.add_run(around.x.data(), around.y.data(), around.z.data(), around.count);
        keep(sums.result(), k, f);
      }
    }
  });
}

/// Half axes of a kernel in radii, from the eigenvalues of the covariance: of the volume of a round
/// one unless that makes one too long.
Vec3Pack half_axes(const Vec3Pack& eigenvalues, const Pack& weight) {
  using namespace anisotropic;
  const Pack zero(Real(0)), one(Real(1));
  Vec3Pack axes;
  for (int k = 0; k < 3; ++k) axes[k] = max(eigenvalues[k] / eigenvalues[0], Pack(least_ratio));
  const Pack over_mean = one / cbrt(axes[0] * axes[1] * axes[2]);
  const Pack share = min(max((weight - Pack(few)) * Pack(1 / (enough - few)), zero), one);
  const Pack scale = Pack(lone) + Pack(1 - lone) * share * share;
  for (int k = 0; k < 3; ++k) {
    const Pack stretch = min(axes[k] * over_mean, Pack(longest));
    axes[k] = scale * (one + share * (stretch - one));
  }
  return axes;
}

/// Turns a pack of covariances into kernels.
void shape_pack(const PointField& f, Pack (&shape)[6], Pack& height) {
  const Real radius = f.options.radius;
  // Points in one place or nearly so have no directions: a little of a ball is added.
  const Pack ball(Real(1e-4) * radius * radius);
  const EigenSymmetric<Pack> e = eigen_symmetric(Mat3Pack{{{shape[0] + ball, shape[3], shape[5]},
                                                           {shape[3], shape[1] + ball, shape[4]},
                                                           {shape[5], shape[4], shape[2] + ball}}});
  const auto is_round = height == Pack(all_around);
  Vec3Pack axes = half_axes(e.values, height), over2;
  for (int k = 0; k < 3; ++k) {
    axes[k] = select(is_round, Pack(Real(1)), axes[k]) * Pack(radius);
    over2[k] = Pack(Real(1)) / (axes[k] * axes[k]);
  }
  for (int c = 0; c < 3; ++c) {
    const Vec3Pack &here = e.vectors[c], &next = e.vectors[(c + 1) % 3];
    shape[c] = select(is_round, over2[0], dot(scaled(here, here), over2));
    shape[3 + c] = select(is_round, Pack(Real(0)), dot(scaled(here, next), over2));
  }
  height = Pack(kernel_height * f.volume) / (axes[0] * axes[1] * axes[2]);
}

void make_kernels(const Exec& exec, PointField& f) {
  const auto packs = (f.size() + lanes - 1) / lanes;
  for_each(exec, "surface.kernels", packs, [&](Index p) {
    const Index k = p * lanes;
    Pack shape[6], height = Pack::load_aligned(f.height.data() + k);
    for (int c = 0; c < 6; ++c) shape[c] = Pack::load_aligned(f.shape[c].data() + k);
    shape_pack(f, shape, height);
    for (int c = 0; c < 6; ++c) shape[c].store_aligned(f.shape[c].data() + k);
    height.store_aligned(f.height.data() + k);
  });
}

}  // namespace

void shape_kernels(const Exec& exec, PointField& f) {
  const TimerScope scope(exec.timers, "surface.shapes");
  const std::size_t room = f.x.size() + lanes;
  for (Column<Real>& column : f.shape) column.resize(room);
  f.height.resize(room);
  look_around_all(exec, anisotropic::look_around * f.options.radius, f);
  make_kernels(exec, f);
}

}  // namespace phyxel
