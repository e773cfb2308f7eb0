#include <doctest/doctest.h>
#include <fmt/format.h>
#include <map>

#include "methods/mpm/textbook.h"
#include "phyxel/methods/mpm/material.h"
#include "phyxel/scene/build.h"
#include "phyxel/scene/read_scene.h"

using namespace phyxel;
using namespace phyxel::mpm;

namespace {

/// Two blocks that fly over several cells, turn, and meet.
std::string flying_blocks(const std::string& material) {
  return fmt::format(R"(
fps = 100
[world]
gravity = [0, -10, 0]
[time]
fixed_dt = 2e-4
[material.m]
method = "mpm"
density = 400.0
cell = 0.1
{}
[body.b]
material = "m"
shape = {{ type = "box", centre = [0.03, 0.2, 0.07], size = [0.5, 0.3, 0.4] }}
packing = "cubic"
spacing = 0.05
velocity = [9, -13, 6]
angular_velocity = [500, 900, 1400]
[body.c]
material = "m"
shape = {{ type = "box", centre = [0.63, 0.2, 0.07], size = [0.3, 0.4, 0.4] }}
packing = "cubic"
spacing = 0.05
velocity = [-6, -13, 6]
)",
                     material);
}

World world_of(const std::string& text) {
  return build(parse_scene(text, "test"), {});
}

template <class T>
const T* column(World& world, const std::string& name) {
  for (const ColumnView& view : world.methods.front()->columns())
    if (view.name == name) return static_cast<const T*>(view.data);
  return nullptr;
}

/// The same particles for the textbook, by their ids.
Textbook textbook_of(World& world, double dx) {
  Textbook book;
  book.dx = dx;
  book.gravity = cast<double>(world.environment.gravity);
  const HostParticles& p = world.methods.front()->particles();
  book.particles.resize(p.x.size());
  for (Index i = 0; i < p.size(); ++i) {
    TextbookParticle& q = book.particles[p.id[i]];
    const Material& material = world.environment.materials[p.material[i]];
    q.x = cast<double>(p.x[i]);
    q.v = cast<double>(p.v[i]);
    q.mass = p.mass[i];
    q.volume = column<Real>(world, "volume")[i];
    q.law = law_of(parameters_of<Parameters>(material));
    q.memory = fresh_memory(q.law);
  }
  return book;
}

struct Difference {
  double x = 0, f = 0, memory = 0;  // cells, 1, 1
};
Difference compare(World& world, const Textbook& book) {
  Difference d;
  const HostParticles& p = world.methods.front()->particles();
  const Mat3* f = column<Mat3>(world, "deformation");
  const Real* memory = column<Real>(world, "memory");
  for (Index i = 0; i < p.size(); ++i) {
    const TextbookParticle& q = book.particles[p.id[i]];
    d.x = std::max(d.x, length(cast<double>(p.x[i]) - q.x) / book.dx);
    for (int k = 0; k < 9; ++k)
      d.f = std::max(d.f, std::abs(double(f[i][k / 3][k % 3]) - q.f[k / 3][k % 3]));
    d.memory = std::max(d.memory, std::abs(double(memory[i]) - q.memory));
  }
  return d;
}

}  // namespace

TEST_CASE("the_solver_does_what_the_textbook_says") {
  for (const std::string& law : law_names())
    for (const bool flip : {false, true}) {
      const std::string material =
          fmt::format("law = \"{}\"\n{}", law, flip ? "transfer = \"flip\"\nflip = 0.95" : "");
      CAPTURE(material);
      World world = world_of(flying_blocks(material));
      Textbook book = textbook_of(world, 0.1);
      if (flip) book.flip = 0.95;
      for (int frame = 0; frame < 2; ++frame) {
        advance(world);
        for (int k = 0; k < 50; ++k) book.step(2e-4);
      }
      const Difference d = compare(world, book);
      // A hundred steps, each with some roundings of a place in a tile (1e-7 cells) and of F.
      CHECK(d.x < 5e-5);
      CHECK(d.f < 2e-5);
      CHECK(d.memory < 2e-5);
    }
}
