#include "phyxel/methods/mpm/stiffness_product.h"

#include "phyxel/grid/tiles.h"
#include "phyxel/methods/mpm/chunk.h"
#include "phyxel/methods/mpm/stress_change.h"

namespace phyxel::mpm {

namespace {

/// Between the same numbers of neighbouring particles of a chunk: whole packs.
Index stride_of(const Chunk& chunk) {
  return (chunk.count + lanes - 1) / lanes * lanes;
}

/// Places and slopes of weights are in cells.
Real slope_scale(Quadratic, Real dx) {
  return 4 / dx;
}
Real slope_scale(Cubic, Real dx) {
  return 1 / dx;
}

/// Puts the numbers of a stiffness one behind the other, or reads them so.
template <class S, class F>
PHYXEL_INLINE void each_number(S& s, F&& f) {
  int q = 0;
  for (int k = 0; k < 9; ++k) f(s.frame[k / 3][k % 3], q++);
  for (auto* const part : {&s.along, &s.across, &s.shear, &s.turned, &s.mixed})
    for (int k = 0; k < 3; ++k) f((*part)[k], q++);
}

template <class T, class Law>
void make_chunk(const Law& law, const StepNumbers& in, Real share, const Chunk& chunk,
                const Row16* rows, const std::uint16_t* order, Real* to) {
  const Index stride = stride_of(chunk);
  const Real slope = slope_scale(T{}, in.dx), scale = share * in.dt * in.dt * slope * slope;
  for (Index k = 0; k < chunk.count; k += lanes) {
    const RowPack r =
        load_rows([&](Index l) { return rows + order[std::min(k + l, chunk.count - 1)]; });
    Stiffness<Pack> s =
        held_positive(stiffness_of(law, matrix_of(r.c, row_f), memory_in<Law>(r.c))) *
        (r.c[row_volume] * Pack(scale));
    for (int a = 0; a < 3; ++a) r.c[a].store_unaligned(to + a * stride + k);
    each_number(
        s, [&](const Pack& number, int q) { number.store_unaligned(to + (3 + q) * stride + k); });
  }
}

template <class T>
void make_all(const Exec& exec, const StepNumbers& in, Real share, const std::vector<AnyLaw>& laws,
              const Blocks& blocks, const Rows& rows, ParticleStiffness& stiffness) {
  for_each_coarse(exec, "mpm.stiffness", static_cast<Index>(blocks.chunks.size()), [&](Index c) {
    const Chunk& chunk = blocks.chunks[c];
    std::visit(
        [&](const auto& law) {
          make_chunk<T>(law, in, share, chunk, rows.row.data() + chunk.first,
                        rows.order.data() + chunk.first,
                        stiffness.number.data() + stiffness.start[c]);
        },
        laws[chunk.material]);
  });
}

/// The velocity gradient times dx, over the scale of slopes.
PHYXEL_INLINE Mat3Pack raw_gradient(Quadratic, const Buffers& b, const Pack (&offset)[3], Index k) {
  Mat3Pack g;
  for (int r = 0; r < 3; ++r) {
    const Pack v = Pack::load_unaligned(b.from_grid[r] + k);
    for (int c = 0; c < 3; ++c)
      g[r][c] = Pack::load_unaligned(b.from_grid[3 + 3 * r + c] + k) - v * offset[c];
  }
  return g;
}
PHYXEL_INLINE Mat3Pack raw_gradient(Cubic, const Buffers& b, const Pack (&)[3], Index k) {
  Mat3Pack g;
  for (int q = 0; q < 9; ++q) g[q / 3][q % 3] = Pack::load_unaligned(b.from_grid[3 + q] + k);
  return g;
}

/// Particles to grid of a stress alone.
PHYXEL_INLINE RowPack impulse_of(Quadratic, const CellPlace<Quadratic>& place,
                                 const Mat3Pack& stress) {
  RowPack p;
  for (int c = 0; c < 3; ++c) {
    p.c[c] = Pack(Real(0));
    for (int k = 0; k < 3; ++k) {
      p.c[c] -= stress[c][k] * place.offset[k];
      p.c[4 + 4 * k + c] = stress[c][k];
    }
  }
  p.c[3] = Pack(Real(0));
  return p;
}
PHYXEL_INLINE RowPack impulse_of(Cubic, const CellPlace<Cubic>&, const Mat3Pack& stress) {
  RowPack p;
  for (int k = 0; k < 4; ++k) p.c[k] = Pack(Real(0));
  for (int c = 0; c < 3; ++c)
    for (int k = 0; k < 3; ++k) p.c[4 + 4 * k + c] = stress[c][k];
  return p;
}

template <class T>
PHYXEL_INLINE void store_impulse(const CellPlace<T>& place, const Mat3Pack& stress, Index k,
                                 Buffers& b) {
  RowPack p = impulse_of(T{}, place, stress);
  store_for_grid(T{}, place, p, k, b);
}

/// Changes of the stresses of a batch by the velocities of the tile.
template <class T>
void stress_changes_of_batch(const Chunk& chunk, const Places& places, const Real* numbers,
                             Buffers& b) {
  const Index stride = stride_of(chunk);
  for (Index k = 0; k < places.count(); k += lanes) {
    const auto number = [&](int q) {
      return Pack::load_unaligned(numbers + q * stride + places.first + k);
    };
    const Vec3Pack x{number(0), number(1), number(2)};
    const CellPlace<T> place(x);
    Stiffness<Pack> s;
    each_number(s, [&](Pack& to, int q) { to = number(3 + q); });
    store_impulse(place, stress_change(s, raw_gradient(T{}, b, place.offset, k)), k, b);
  }
}

/// Impulses of a chunk, which store(places) lays out batch by batch, are added to the nodes.
template <class T, class Store>
void add_impulses(const Blocks& blocks, const Rows& rows, Index c, Buffers& b, Column<Quad>& sum,
                  const Store& store) {
  const Chunk& chunk = blocks.chunks[c];
  clear_tile(b.sum[0]);
  Index cell = 0;
  for_batches(chunk, [&](const Places& places) {
    store(places);
    cell = particles_to_grid<T>(rows.start.data() + std::size_t(c) * Rows::starts, places, cell,
                                T::passes - 1, b, b.sum[0]);
  });
  add_tile(b.sum[0], blocks.nodes_around[chunk.block], rows.range[c], sum.data());
}

/// f(chunk) for all chunks, which may add to the nodes around it.
template <class F>
void sum_chunks(const Exec& exec, const char* name, const Blocks& blocks, Column<Quad>& sum,
                F&& f) {
  sum.resize(std::size_t(blocks.nodes.size()) * nodes_in_block);
  fill(exec, name, sum, Quad{});
  for_each_block_in_turn(exec, name, blocks, [&](Index block, Index) {
    for (Index c = blocks.chunk_start[block]; c < blocks.chunk_start[block + 1]; ++c) f(c);
  });
}

template <class T>
void apply_all(const Exec& exec, const Blocks& blocks, const ParticleStiffness& stiffness,
               const Rows& rows, const Column<Quad>& v, Column<Quad>& sum) {
  sum_chunks(exec, "mpm.stiffness_product", blocks, sum, [&](Index c) {
    const Chunk& chunk = blocks.chunks[c];
    Buffers& b = thread_buffers();
    const Real* const numbers = stiffness.number.data() + stiffness.start[c];
    load_tile(v.data(), blocks.nodes_around[chunk.block], rows.range[c], b.tile);
    add_impulses<T>(blocks, rows, c, b, sum, [&](const Places& places) {
      const Index stride = stride_of(chunk);
      for (int a = 0; a < 3; ++a)
        std::copy_n(numbers + a * stride + places.first, std::min(batch, stride - places.first),
                    b.head[a]);
      grid_to_particles<T>(places, b);
      stress_changes_of_batch<T>(chunk, places, numbers, b);
    });
  });
}

template <class T, class Law>
void stresses_of_batch(const Law& law, const StepNumbers& in, const Places& places,
                       const Row16* rows, const std::uint16_t* order, Buffers& b) {
  const Real scale = -in.dt * slope_scale(T{}, in.dx);
  for (Index k = 0; k < places.count(); k += lanes) {
    const RowPack r = load_rows(
        [&](Index l) { return rows + order[std::min(places.first + k + l, places.last - 1)]; });
    const Vec3Pack x{r.c[0], r.c[1], r.c[2]};
    Mat3Pack f = matrix_of(r.c, row_f), still;
    for (int q = 0; q < 9; ++q) still[q / 3][q % 3] = Pack(Real(0));
    auto memory = memory_in<Law>(r.c);
    Pack modulus;
    const Symmetric<Pack> s = deform(law, still, Real(0), f, memory, modulus);
    const Mat3Pack stress = {{{s.xx, s.xy, s.xz}, {s.xy, s.yy, s.yz}, {s.xz, s.yz, s.zz}}};
    store_impulse(CellPlace<T>(x), stress * (r.c[row_volume] * Pack(scale)), k, b);
  }
}

template <class T>
void all_stresses_to_grid(const Exec& exec, const StepNumbers& in, const std::vector<AnyLaw>& laws,
                          const Blocks& blocks, const Rows& rows, Column<Quad>& sum) {
  sum_chunks(exec, "mpm.stresses", blocks, sum, [&](Index c) {
    const Chunk& chunk = blocks.chunks[c];
    Buffers& b = thread_buffers();
    add_impulses<T>(blocks, rows, c, b, sum, [&](const Places& places) {
      std::visit(
          [&](const auto& law) {
            stresses_of_batch<T>(law, in, places, rows.row.data() + chunk.first,
                                 rows.order.data() + chunk.first, b);
          },
          laws[chunk.material]);
    });
  });
}

}  // namespace

void stresses_to_grid(const Exec& exec, const StepNumbers& in, const std::vector<AnyLaw>& laws,
                      const Blocks& blocks, const Rows& rows, Column<Quad>& sum) {
  if (in.transfer == Transfer::flip)
    all_stresses_to_grid<Cubic>(exec, in, laws, blocks, rows, sum);
  else
    all_stresses_to_grid<Quadratic>(exec, in, laws, blocks, rows, sum);
}

void make_stiffness(const Exec& exec, const StepNumbers& in, Real share,
                    const std::vector<AnyLaw>& laws, const Blocks& blocks, const Rows& rows,
                    ParticleStiffness& stiffness) {
  stiffness.start.clear();
  std::size_t size = 0;
  for (const Chunk& chunk : blocks.chunks) {
    stiffness.start.push_back(size);
    size += std::size_t(ParticleStiffness::numbers) * stride_of(chunk);
  }
  stiffness.number.resize(size);
  if (in.transfer == Transfer::flip)
    make_all<Cubic>(exec, in, share, laws, blocks, rows, stiffness);
  else
    make_all<Quadratic>(exec, in, share, laws, blocks, rows, stiffness);
}

void apply_stiffness(const Exec& exec, const StepNumbers& in, const Blocks& blocks,
                     const ParticleStiffness& stiffness, const Rows& rows, const Column<Quad>& v,
                     Column<Quad>& sum) {
  if (in.transfer == Transfer::flip)
    apply_all<Cubic>(exec, blocks, stiffness, rows, v, sum);
  else
    apply_all<Quadratic>(exec, blocks, stiffness, rows, v, sum);
}

}  // namespace phyxel::mpm
