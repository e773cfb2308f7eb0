#include <doctest/doctest.h>

#include "phyxel/methods/skeleton/own_columns.h"
#include "phyxel/methods/skeleton/skin.h"

namespace phyxel {

TEST_CASE("a_declared_column_is_resized_reordered_and_shown") {
  SharedColumn<Real> weight;
  SharedColumn<Vec3> spin;
  OwnColumns own;
  own.add("weight", "N", KeptIn::checkpoints, Real(2), weight);
  own.add("spin", "1/s", KeptIn::files_and_checkpoints, Vec3::zero(), spin);
  own.resize(2);
  weight.for_host()[0] = 5;
  own.resize(3);
  CHECK(weight.for_host() == HostColumn<Real>{5, 2, 2});
  spin.for_host()[2] = {1, 2, 3};
  own.reorder({}, "test.reorder", Column<Index>{2, 1, 0});
  CHECK(weight.for_host() == HostColumn<Real>{2, 2, 5});
  CHECK(spin.for_host()[0] == Vec3{1, 2, 3});
  const std::vector<ColumnView> views = own.views();
  REQUIRE(views.size() == 2);
  CHECK(views[0].name == "weight");
  CHECK(views[0].unit == "N");
  CHECK_FALSE(views[0].in_files);
  CHECK(views[1].in_files);
  CHECK(views[1].components == 3);
  CHECK(views[1].count == 3);
}

TEST_CASE("a_column_that_is_not_in_use_takes_no_memory_and_is_not_shown") {
  SharedColumn<Real> rest;
  OwnColumns own;
  bool in_use = false;
  own.add("rest", "m", KeptIn::checkpoints, Real(1), rest, nullptr, &in_use);
  own.resize(4);
  own.reorder({}, "test.reorder", Column<Index>{3, 2, 1, 0});
  CHECK(rest.for_host().empty());
  CHECK(own.views().empty());
  in_use = true;
  own.resize(4);
  CHECK(rest.for_host() == HostColumn<Real>{1, 1, 1, 1});
  CHECK(own.views().size() == 1);
}

namespace {

struct OwnView : ParticleView {
  Real* weight = nullptr;
  const Real* lost = nullptr;
  Vec3* force = nullptr;
  Real* friction = nullptr;
};

}  // namespace

TEST_CASE("a_view_points_to_the_columns_that_are_declared_with_it") {
  SharedColumn<Real> weight;
  HostColumn<Real> shown;
  bool has_colliders = false;
  OwnColumns own;
  own.add("weight", "N", KeptIn::checkpoints, Real(2), weight, &OwnView::weight);
  own.add_result("shown", "J", shown, [&] { shown[0] = 4; });
  Column<Real>& lost = own.carried(&OwnView::lost);
  const Column<Vec3>& force = own.scratch(&OwnView::force, 1);
  own.scratch(&OwnView::friction, 0, &has_colliders);
  own.resize(2);
  lost = {5, 6};
  own.reorder({}, "test.reorder", Column<Index>{1, 0});
  OwnView view;
  own.point(view);
  CHECK(view.weight == weight.for_kernels().data());
  CHECK(view.lost[0] == 6);
  CHECK(view.force == force.data());
  CHECK(force.size() == 3);
  CHECK(view.friction == nullptr);
  const std::vector<ColumnView> views = own.views();
  REQUIRE(views.size() == 2);  // what kernels alone use is not shown
  CHECK(views[1].name == "shown");
  CHECK(shown[0] == 4);
}

TEST_CASE("rows_reach_at_most_half_of_a_periodic_box") {
  PeriodicBox box;
  CHECK(skin_within(box, 2, 0.25) == Real(0.5));
  box.size = {Real(4.5), 100, 100};
  box.periodic[0] = true;
  CHECK(skin_within(box, 2, 0.25) == Real(0.25));
  box.size[0] = 3;  // less than the cut-off: no skin at all
  CHECK(skin_within(box, 2, 0.25) == 0);
}

TEST_CASE("the_skin_goes_on_while_steps_become_cheaper_and_turns_where_they_do_not") {
  Skin skin{.cost_of_search = 250};
  const double start = skin.share;
  adapt(60, 10, skin);  // dearer than the cost of 0 that is known at first
  CHECK(skin.grows);
  CHECK(skin.share > start);
  const double wider = skin.share;
  adapt(60, 20, skin);  // rows stay valid for longer: cheaper
  CHECK(skin.share > wider);
  adapt(90, 20, skin);  // rows are longer: dearer
  CHECK_FALSE(skin.grows);
  for (int k = 0; k < 100; ++k) adapt(90 - k * 0.1, 20, skin);
  CHECK(skin.share == Skin::least_share);
}

}  // namespace phyxel
