#include "phyxel/methods/pbd/tearing.h"

#include <algorithm>
#include <cmath>
#include <doctest/doctest.h>
#include <set>

#include "methods/pbd/pbd_scenes.h"
#include "phyxel/app/checkpoints.h"
#include "render/temporary_folder.h"

using namespace phyxel;
using namespace phyxel::pbd;
using namespace phyxel::pbd::test;

namespace {

constexpr double metre = 1;

/// A square of n x n points, 1 m apart, as a model with springs and hinges.
Model square(int n) {
  BodySeed seed;
  seed.name = "sheet";
  seed.body = seed.material = 0;
  seed.kind = BodyKind::sheet;
  seed.mesh = make_sheet(Real(n - 1), Real(n - 1), Packing::cubic, Real(metre));
  seed.points = points_of(seed.mesh);
  seed.own_points = seed.points.size();
  seed.spacing = Real(metre);
  seed.thickness = Real(0.01);
  seed.volume = Real(0.01);
  Material material;
  material.name = "cloth";
  Parameters parameters;
  parameters.stretch_modulus = 100;
  parameters.bend_stiffness = 1;
  parameters.tear_strain = Real(0.1);
  material.parameters = parameters;
  Model model;
  add_to(model, seed, material);
  return model;
}

std::vector<Vec3d> places_of(const Model& model) {
  std::vector<Vec3d> x;
  for (const Vec3& at : model.rest) x.push_back(cast<double>(at));
  return x;
}

Index vertex_at(const Model& model, double x, double y) {
  for (std::size_t v = 0; v < model.rest.size(); ++v)
    if (std::hypot(double(model.rest[v][0]) - x, double(model.rest[v][1]) - y) < 0.1)
      return static_cast<Index>(v);
  return -1;
}

/// Of springs between two places at rest: the sum of 1 / softness.
double stiffness_between(Model& model, const Vec3& a, const Vec3& b) {
  double sum = 0;
  for (const auto& s : model.of<Distance>()) {
    const Vec3 &p = model.rest[s.vertex[0]], &q = model.rest[s.vertex[1]];
    if ((p == a && q == b) || (p == b && q == a)) sum += 1 / double(s.softness);
  }
  return sum;
}

std::set<std::set<Index>> edges_of_triangles(const Model& model) {
  std::set<std::set<Index>> edges;
  for (const Int3& t : model.triangles)
    for (int k = 0; k < 3; ++k) edges.insert({t[k], t[(k + 1) % 3]});
  return edges;
}

/// A strip that is pulled to twice its length.
std::string strip(const std::string& keys, double end = 0.4) {
  return fmt::format(R"(
fps = 20
[world]
gravity = [0, 0, 0]
[material.strip]
method = "pbd"
density = 100.0
stretch_modulus = 200.0
bend_stiffness = 1e-6
damping = 0.005
substeps = 20
{}
[body.strip]
material = "strip"
shape = {{ type = "sheet", width = 0.4, height = 0.2 }}
packing = "cubic"
spacing = 0.025
thickness = 0.001
[pin.left]
body = "strip"
shape = {{ type = "box", size = [0.03, 1, 1], centre = [-0.2, 0, 0] }}
[pin.right]
body = "strip"
shape = {{ type = "box", size = [0.03, 1, 1], centre = [0.2, 0, 0] }}
motion = {{ times = [0, 0.5, 3], positions = [[0, 0, 0], [{}, 0, 0], [{}, 0, 0]] }}
)",
                     keys, end, end);
}

double mass_of(World& world) {
  double sum = 0;
  for (const Real m : method_of(world).particles().mass) sum += double(m);
  return sum;
}

/// Sets of vertices of a mesh that triangles join.
int pieces(const FrameSet& mesh) {
  std::vector<Index> root(mesh.count);
  for (std::size_t v = 0; v < root.size(); ++v) root[v] = static_cast<Index>(v);
  const auto find = [&](Index v) {
    while (root[v] != v) v = root[v] = root[root[v]];
    return v;
  };
  for (const Int3& t : mesh.triangles)
    for (int k = 1; k < 3; ++k) root[find(t[k])] = find(t[0]);
  std::set<Index> roots;
  for (const Int3& t : mesh.triangles) roots.insert(find(t[0]));
  return static_cast<int>(roots.size());
}

double longest_edge(const FrameSet& mesh) {
  const FrameColumn& x = *mesh.find("position");
  double longest = 0;
  for (const auto& e : mesh.edges) {
    double squared = 0;
    for (int c = 0; c < 3; ++c) squared += std::pow(x.number(e[0], c) - x.number(e[1], c), 2);
    longest = std::max(longest, std::sqrt(squared));
  }
  return longest;
}

}  // namespace

TEST_CASE("a_vertex_that_is_parted_gives_triangles_springs_and_hinges_to_its_copy") {
  Model model = square(5);
  const std::size_t triangles = model.triangles.size(), springs = model.of<Distance>().size();
  const auto count_hinges = [&] {
    return std::ranges::count_if(model.of<Bending>(),
                                 [](const auto& h) { return h.lot != no_lot; });
  };
  const auto hinges = count_hinges();
  const auto edges_before = edges_of_triangles(model);
  std::vector<std::pair<Vec3, Vec3>> ends;
  std::vector<double> stiffness;
  for (const auto& s : model.of<Distance>()) {
    ends.push_back({model.rest[s.vertex[0]], model.rest[s.vertex[1]]});
    stiffness.push_back(stiffness_between(model, ends.back().first, ends.back().second));
  }
  Tearing tearing;
  tearing.learn(model);
  const Index middle = vertex_at(model, 0, 0);
  REQUIRE(middle >= 0);
  CHECK_FALSE(tearing.on_border(model, middle));
  const auto fans = tearing.beyond(model, places_of(model), middle, {1, 0, 0});
  REQUIRE(fans.size() == 1);
  const Tear tear = tearing.part(model, middle, fans[0]);
  CHECK(tear.share == doctest::Approx(0.5));
  CHECK(model.triangles.size() == triangles);
  // The cut runs along two edges: each is there twice, and the hinges across them are gone.
  CHECK(model.of<Distance>().size() == springs + 2);
  CHECK(edges_of_triangles(model).size() == edges_before.size() + 2);
  CHECK(count_hinges() == hinges - 2);
  for (const auto& s : model.of<Distance>())
    CHECK(edges_of_triangles(model).contains({s.vertex[0], s.vertex[1]}));
  for (const auto& h : model.of<Bending>()) {
    if (h.lot != no_lot) CHECK(edges_of_triangles(model).contains({h.vertex[2], h.vertex[3]}));
  }
  // Both sides together are as stiff as the whole was.
  for (std::size_t k = 0; k < ends.size(); ++k)
    CHECK(stiffness_between(model, ends[k].first, ends[k].second) == doctest::Approx(stiffness[k]));
  CHECK(tearing.on_border(model, middle));
  CHECK(tearing.on_border(model, tear.copy));
  // Nothing is beyond a plane along the border that the copy has now.
  CHECK(tearing.beyond(model, places_of(model), tear.copy, {1, 0, 0}).empty());
}

TEST_CASE("a_model_that_is_torn_again_from_a_file_is_the_same") {
  Model model = square(9);
  Tearing tearing;
  tearing.learn(model);
  std::vector<Vec3d> x = places_of(model);
  for (Vec3d& at : x) at[0] *= 1.3;
  const std::map<Index, double> longest = {{0, 1.1}};
  while (tearing.tears().size() < 12) {
    const std::size_t before = tearing.tears().size();
    tearing.tear(model, x, longest);
    REQUIRE(tearing.tears().size() > before);
    x = places_of(model);
    for (Vec3d& at : x) at[0] *= 1.3;
  }
  Model again = square(9);
  Tearing read;
  read.load(tearing.save());
  read.make_again(again);
  CHECK(again.triangles == model.triangles);
  CHECK(again.edges == model.edges);
  CHECK(again.id == model.id);
  REQUIRE(again.of<Distance>().size() == model.of<Distance>().size());
  for (std::size_t k = 0; k < again.of<Distance>().size(); ++k) {
    const auto &a = again.of<Distance>()[k], &b = model.of<Distance>()[k];
    CHECK(std::ranges::equal(a.vertex, b.vertex));
    CHECK(a.softness == b.softness);
  }
  for (std::size_t k = 0; k < again.of<Bending>().size(); ++k) {
    CHECK(std::ranges::equal(again.of<Bending>()[k].vertex, model.of<Bending>()[k].vertex));
    CHECK(again.of<Bending>()[k].lot == model.of<Bending>()[k].lot);
  }
}

TEST_CASE("a_strip_that_is_pulled_beyond_its_tear_strain_comes_apart") {
  World world = world_of(strip("tear_strain = 0.3"));
  const double mass = mass_of(world);
  const std::size_t particles = particle_count(world);
  for (int frame = 0; frame < 20; ++frame) advance(world);
  Frame frame = take_frame(world);
  const FrameSet& mesh = *frame.find_set("strip");
  CHECK(pieces(mesh) >= 2);
  CHECK(particle_count(world) > particles);
  CHECK(mesh.count == particle_count(world));
  CHECK(mass_of(world) == doctest::Approx(mass).epsilon(1e-6));
  // Elastic again, and no edge spans the gap of 0.4 m.
  CHECK(longest_edge(mesh) < 1.3 * 0.025 * std::sqrt(2.0));
  const Diagnostics d = look(world);
  const auto tears = std::ranges::find(d.extra, "tears", [](const auto& e) { return e.first; });
  REQUIRE(tears != d.extra.end());
  CHECK(tears->second == double(particle_count(world) - particles));
}

TEST_CASE("sheets_of_triangles_tear_as_those_of_springs") {
  World world = world_of(strip("tear_strain = 0.3\nelements = \"triangles\""));
  for (int frame = 0; frame < 20; ++frame) advance(world);
  Frame frame = take_frame(world);
  CHECK(pieces(*frame.find_set("strip")) >= 2);
}

TEST_CASE("a_strip_below_its_tear_strain_moves_as_one_that_does_not_tear") {
  const auto end_of = [](const std::string& keys) {
    World world = world_of(strip(keys, 0.04));
    for (int frame = 0; frame < 12; ++frame) advance(world);
    return bytes_of(world);
  };
  CHECK(end_of("tear_strain = 0.5") == end_of(""));
}

TEST_CASE("a_torn_strip_has_the_same_bits_on_threads_and_after_a_resume") {
  // Plastic, so that the rest lengths of springs that tears have doubled are in the checkpoint.
  const std::string text = strip("tear_strain = 0.3\nyield_strain = 0.05\ncreep = 5.0");
  World whole = world_of(text);
  for (int frame = 0; frame < 12; ++frame) advance(whole);
  for (int threads = 1; threads <= 3; ++threads) {
    const ThreadLimit limit(threads);
    World other = world_of(text);
    for (int frame = 0; frame < 12; ++frame) advance(other);
    CHECK(bytes_of(other) == bytes_of(whole));
  }
  World first = world_of(text);
  const std::size_t particles = particle_count(first);
  int stop = 0;
  for (; particle_count(first) < particles + 3; ++stop) advance(first);
  REQUIRE(stop < 12);
  const TemporaryFolder folder;
  const OutputFolder output{folder.path};
  std::filesystem::create_directories(output.root / "checkpoint");
  save_checkpoint(output, first);
  World resumed = world_of(text);
  CHECK(load_checkpoint(output, resumed) == stop);
  for (int frame = stop; frame < 12; ++frame) advance(resumed);
  CHECK(bytes_of(resumed) == bytes_of(whole));
  CHECK(take_frame(resumed).find_set("strip")->triangles ==
        take_frame(whole).find_set("strip")->triangles);
}

TEST_CASE("momenta_of_a_free_sheet_that_tears_itself_stay") {
  // Its ends fly apart.
  World world = world_of(R"(
fps = 20
[world]
gravity = [0, 0, 0]
[material.strip]
method = "pbd"
density = 100.0
stretch_modulus = 20.0
bend_stiffness = 1e-6
substeps = 40
tear_strain = 0.2
self_contact = false
[body.strip]
material = "strip"
shape = { type = "sheet", width = 0.4, height = 0.2 }
packing = "cubic"
spacing = 0.025
thickness = 0.001
)");
  HostParticles& p = method_of(world).particles();
  for (Index i = 0; i < p.size(); ++i) p.v[i] = {20 * p.x[i][0], 5 * p.x[i][0], 0};
  const Diagnostics before = look(world);
  for (int frame = 0; frame < 10; ++frame) advance(world);
  const Diagnostics after = look(world);
  CHECK(particle_count(world) > static_cast<std::size_t>(17 * 9));
  // Positions of up to 1 m are rounded in each of 1200 steps of 1/2400 s, and velocities follow
  // from them; errors of 153 particles and of the steps add up as in a random walk.
  const double rounding = double(std::numeric_limits<Real>::epsilon()) / 2 * 2400;
  CHECK(length(after.momentum - before.momentum) <
        before.mass * rounding * std::sqrt(1200.0 / 153));
  CHECK(after.mass == doctest::Approx(before.mass).epsilon(1e-6));
}

TEST_CASE("bodies_that_cannot_tear_are_refused") {
  const std::string material =
      "[material.m]\nmethod = \"pbd\"\ndensity = 100.0\nyoungs_modulus = 1e5\ntear_strain = 0.3\n";
  for (const auto& [shape, word] :
       {std::pair{"type = \"box\", size = [0.2, 0.2, 0.2]", "a solid"},
        std::pair{"type = \"polyline\", points = [[0, 0, 0], [1, 0, 0]]", "a line"}}) {
    std::string message;
    try {
      world_of(fmt::format("{}[body.b]\nmaterial = \"m\"\nspacing = 0.05\nshape = {{ {} }}\n",
                           material, shape));
    } catch (const std::exception& error) {
      message = error.what();
    }
    CHECK(message.find(word) != std::string::npos);
    CHECK(message.find("tear_strain") != std::string::npos);
  }
}
