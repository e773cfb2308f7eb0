#include "phyxel/methods/pbd/rows.h"

namespace phyxel::pbd {

inline namespace PHYXEL_BACKEND {

namespace {

/// Numbers of constraints colour by colour, each colour filled up with -1.
std::vector<Index> places_of(const Colouring& colouring, const std::vector<Index>& kept,
                             std::vector<Index>& start) {
  std::vector<Index> count(colouring.count, 0);
  for (const Index c : colouring.colour) ++count[c];
  start.assign(1, 0);
  for (const Index n : count)
    start.push_back(start.back() + (n + row_width - 1) / row_width * row_width);
  std::vector<Index> origin(start.back(), -1), next(start.begin(), start.end() - 1);
  for (std::size_t k = 0; k < kept.size(); ++k) origin[next[colouring.colour[k]]++] = kept[k];
  return origin;
}

template <class T, class F>
void fill_column(Column<T>& column, std::size_t n, const F& value) {
  std::vector<T> values(n);
  for (std::size_t k = 0; k < n; ++k) values[k] = value(k);
  assign(column, values);
}

}  // namespace

template <class Kind>
void Rows<Kind>::build(const Constraints<Kind>& list, const std::vector<Index>& particle,
                       Index particles) {
  std::vector<Index> kept, vertices;
  known_ = static_cast<Index>(list.size());
  for (std::size_t k = 0; k < list.size(); ++k) {
    bool whole = list[k].lot != no_lot;
    for (const Index v : list[k].vertex) whole = whole && particle[v] >= 0;
    if (!whole) continue;
    kept.push_back(static_cast<Index>(k));
    for (int c = 0; c < moved_points<Kind>(); ++c) vertices.push_back(particle[list[k].vertex[c]]);
  }
  origin_ = places_of(colour_greedily(vertices, moved_points<Kind>(), particles), kept, start_);
  const std::size_t n = origin_.size();
  for (int k = 0; k < Kind::points; ++k)
    fill_column(at_[k], n, [&](std::size_t row) {
      return origin_[row] < 0 ? particles : particle[list[origin_[row]].vertex[k]];
    });
  for (int k = 0; k < Kind::numbers; ++k)
    fill_column(rest_[k], n, [&](std::size_t row) {
      return origin_[row] < 0 ? Real(0) : list[origin_[row]].rest[k];
    });
  lot_.assign(n, -1);
  softness_.assign(n, 0);
  for (std::size_t row = 0; row < n; ++row) {
    if (origin_[row] < 0) continue;
    lot_[row] = list[origin_[row]].lot;
    softness_[row] = list[origin_[row]].softness;
  }
  compliance_.resize(0);
  damping_.resize(0);
  lambda_.resize(n);
}

template <class Kind>
void Rows<Kind>::set_numbers(const std::vector<LotNumbers>& of_lot) {
  damps_ = false;
  const auto numbers = [&](std::size_t row) {
    return lot_[row] < 0 ? LotNumbers{} : of_lot[lot_[row]];
  };
  fill_column(compliance_, lot_.size(), [&](std::size_t row) {
    const LotNumbers of = numbers(row);
    if (of.share >= 0) return of.share;
    return of.modulus > 0 ? softness_[row] / of.modulus : no_stiffness;
  });
  for (const LotNumbers& of : of_lot) damps_ = damps_ || of.damping > 0;
  if (damps_)
    fill_column(damping_, lot_.size(), [&](std::size_t row) { return numbers(row).damping; });
}

void make_rows(const Model& model, const std::vector<Index>& particle, Index particles,
               AllRows& rows) {
  for_each_kind(rows, [&]<class Kind>(Rows<Kind>& of) {
    of.build(std::get<Constraints<Kind>>(model.constraints), particle, particles);
  });
}

void set_numbers(const std::vector<LotNumbers>& of_lot, AllRows& rows) {
  for_each_kind(rows, [&](auto& of) { of.set_numbers(of_lot); });
}

}  // namespace PHYXEL_BACKEND

}  // namespace phyxel::pbd
