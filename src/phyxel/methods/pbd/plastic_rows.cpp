#include "phyxel/methods/pbd/plastic_rows.h"

#include <cmath>

namespace phyxel::pbd {

inline namespace PHYXEL_BACKEND {

namespace {

constexpr Real without_limit = Real(1e30);

/// Rows of one kind whose rest values follow.
template <class Kind>
struct FlowView {
  RowsView<Kind> rows;
  Real* rest;
  const Index* lot;
  const Real* first;
  const PlasticLot* of_lot;
};

PHYXEL_FN Real flow_of(const Distance*, const PlasticLot& lot, Real rest, Real now, Real first,
                       Real dt) {
  const Plasticity& p = lot.length;
  if (p.yield < 0) return rest;
  return plastic_rest(rest, now, first, first, p.yield, creep_share(p.creep, dt), p.limit);
}

/// Triangles fold until they lie on each other, and no further.
PHYXEL_FN Real flow_of(const Bending*, const PlasticLot& lot, Real rest, Real now, Real first,
                       Real dt) {
  const Plasticity& p = lot.angle;
  if (p.yield < 0) return rest;
  const Real flown =
      plastic_rest(rest, now, first, Real(1), p.yield, creep_share(p.creep, dt), p.limit);
  const Real folded = static_cast<Real>(M_PI);
  return min(max(flown, -folded), folded);
}

template <class Kind>
PHYXEL_FN void flow_row(const StepView& s, const FlowView<Kind>& v, Real dt, Index row) {
  if (v.lot[row] < 0) return;
  Vec3 x[Kind::points];
  for (int k = 0; k < Kind::points; ++k) x[k] = s.x[v.rows.at[k][row]];
  const Real rest = v.rest[row];
  const Real now = rest + Kind::slope(x, Vec<Real, 1>{rest}).value;
  const Kind* const kind = nullptr;
  v.rest[row] = flow_of(kind, v.of_lot[v.lot[row]], rest, now, v.first[row], dt);
}

template <class Kind>
void flow_rows(const Exec& exec, const StepView& view, const FlowView<Kind>& flow, Real dt,
               Index rows) {
  const StepView s = view;
  const FlowView<Kind> v = flow;
  for_each(
      exec, "pbd.plastic", rows, PHYXEL_LAMBDA(Index row) { flow_row(s, v, dt, row); });
}

template <class Kind>
void prepare(const Constraints<Kind>& list, const Rows<Kind>& rows, PlasticRows<Kind>& plastic) {
  const std::vector<Index>& origin = rows.origin();
  std::vector<Index> lot(origin.size(), -1);
  std::vector<Real> first(origin.size(), 0);
  for (std::size_t row = 0; row < origin.size(); ++row) {
    if (origin[row] < 0) continue;
    lot[row] = list[origin[row]].lot;
    first[row] = list[origin[row]].rest[0];
  }
  assign(plastic.lot, lot);
  assign(plastic.first, first);
}

template <class Kind>
void advance_kind(const Exec& exec, const StepView& view, Real dt, Rows<Kind>& rows,
                  PlasticRows<Kind>& plastic, const PlasticLot* of_lot) {
  flow_rows<Kind>(
      exec, view,
      {rows.view(false), rows.rest().data(), plastic.lot.data(), plastic.first.data(), of_lot}, dt,
      rows.size());
}

/// Those of the model where constraints have no row.
template <class Kind>
void keep_kind(const Constraints<Kind>& list, const Rows<Kind>& rows, std::vector<Real>& kept,
               const std::vector<Vec<Index, 2>>& copied = {}) {
  kept.resize(list.size());
  for (std::size_t k = 0; k < list.size(); ++k) kept[k] = list[k].rest[0];
  HostColumn<Real> rest;
  copy_to_host(rows.rest(), rest);
  for (std::size_t row = 0; row < rows.origin().size(); ++row)
    if (const Index k = rows.origin()[row]; k >= 0) kept[k] = rest[row];
  for (const Vec<Index, 2>& copy : copied)
    if (copy[0] >= rows.known()) kept[copy[0]] = kept[copy[1]];
}

/// Constraints of bodies that are newer than what was kept have the rest values of the model.
template <class Kind>
void restore_kind(Rows<Kind>& rows, std::vector<Real>& kept) {
  if (kept.empty()) return;
  HostColumn<Real> rest;
  copy_to_host(rows.rest(), rest);
  for (std::size_t row = 0; row < rows.origin().size(); ++row) {
    const Index k = rows.origin()[row];
    if (k >= 0 && k < static_cast<Index>(kept.size())) rest[row] = kept[k];
  }
  assign(rows.rest(), rest);
  kept = {};
}

FrameColumn column_of(const char* name, const char* unit, const std::vector<Real>& values) {
  return make_frame_column(name, unit, values.data(), values.size());
}

constexpr const char *lengths = "rest_length", *angles = "rest_angle";

}  // namespace

PlasticLot plastic_of(const Parameters& p) {
  const auto or_none = [](Real value) { return is_given(value) ? value : without_limit; };
  PlasticLot lot;
  if (is_given(p.yield_strain))
    lot.length = {p.yield_strain, or_none(p.creep), or_none(p.largest_plastic_strain)};
  if (is_given(p.yield_angle))
    lot.angle = {p.yield_angle * static_cast<Real>(M_PI / 180), or_none(p.creep), without_limit};
  return lot;
}

void PlasticFlow::set_lots(const std::vector<PlasticLot>& of_lot) {
  flows_ = false;
  for (const PlasticLot& lot : of_lot) flows_ = flows_ || lot.flows();
  lots_.assign(of_lot);
}

void PlasticFlow::keep(const Model& model, const AllRows& rows) {
  if (!flows_ || loaded_) return;
  keep_kind(std::get<Constraints<Distance>>(model.constraints), std::get<Rows<Distance>>(rows),
            lengths_.rest, model.copied_springs);
  keep_kind(std::get<Constraints<Bending>>(model.constraints), std::get<Rows<Bending>>(rows),
            angles_.rest);
}

void PlasticFlow::restore(AllRows& rows) {
  restore_kind(std::get<Rows<Distance>>(rows), lengths_.rest);
  restore_kind(std::get<Rows<Bending>>(rows), angles_.rest);
  prepared_ = false;
  loaded_ = false;
}

void PlasticFlow::advance(const Exec& exec, const StepView& view, Real dt, const Model& model,
                          AllRows& all) {
  if (!flows_) return;
  auto& edges = std::get<Rows<Distance>>(all);
  auto& hinges = std::get<Rows<Bending>>(all);
  if (!prepared_) {
    prepare(std::get<Constraints<Distance>>(model.constraints), edges, lengths_);
    prepare(std::get<Constraints<Bending>>(model.constraints), hinges, angles_);
    prepared_ = true;
  }
  advance_kind(exec, view, dt, edges, lengths_, lots_.data());
  advance_kind(exec, view, dt, hinges, angles_, lots_.data());
}

std::vector<FrameColumn> PlasticFlow::save(const Model& model, const AllRows& rows) {
  if (!flows_) return {};
  PlasticFlow now;
  now.flows_ = true;
  now.keep(model, rows);
  return {column_of(lengths, "m", now.lengths_.rest), column_of(angles, "rad", now.angles_.rest)};
}

void PlasticFlow::load(const std::vector<FrameColumn>& columns) {
  loaded_ = true;
  for (const FrameColumn& column : columns) {
    std::vector<Real>& rest = column.name == lengths ? lengths_.rest : angles_.rest;
    if (column.name != lengths && column.name != angles) continue;
    rest.resize(column.data.size() / column.element_size());
    for (std::size_t k = 0; k < rest.size(); ++k) rest[k] = static_cast<Real>(column.number(k));
  }
}

}  // namespace PHYXEL_BACKEND

}  // namespace phyxel::pbd
