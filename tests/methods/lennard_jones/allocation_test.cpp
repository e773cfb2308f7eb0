#include <atomic>
#include <cstdlib>
#include <doctest/doctest.h>
#include <new>

#include "methods/lennard_jones/kernel_scenes.h"
#include "phyxel/core/random.h"
#include "phyxel/scene/build.h"
#include "phyxel/scene/read_scene.h"

using namespace phyxel;

namespace {

std::atomic<long> allocations{0};

void* counted(std::size_t size, std::size_t alignment) {
  ++allocations;
  void* memory = std::aligned_alloc(alignment, (size + alignment - 1) / alignment * alignment);
  if (!memory) throw std::bad_alloc();
  return memory;
}

}  // namespace

// All of the test program's allocations pass here.
void* operator new(std::size_t size) {
  return counted(size, alignof(std::max_align_t));
}
void* operator new(std::size_t size, std::align_val_t alignment) {
  return counted(size, static_cast<std::size_t>(alignment));
}
void operator delete(void* memory) noexcept {
  std::free(memory);
}
void operator delete(void* memory, std::size_t) noexcept {
  std::free(memory);
}
void operator delete(void* memory, std::align_val_t) noexcept {
  std::free(memory);
}
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept {
  std::free(memory);
}

namespace {

void take_steps(World& world, int count) {
  for (int k = 0; k < count; ++k) {
    const double dt = 0.9 * world.methods.front()->stable_dt(world.environment).dt;
    move_to(world.environment, world.environment.time + dt);
    world.methods.front()->step(world.environment, static_cast<Real>(dt));
  }
}

}  // namespace

TEST_CASE("a_step_allocates_nothing") {
  for (const char* text : {crystal_scene, busy_scene}) {
    World world = build(parse_scene(text, "test"));
    HostParticles& p = world.methods.front()->particles();
    for (Index i = 0; i < p.size(); ++i)
      p.v[i] += (Random{3, 0}.uniform3(p.id[i]) - Vec3::filled(Real(0.5))) * 2;
    world.methods.front()->begin(world.environment);
    take_steps(world, 300);  // rows grow to what they will need
    const long before = allocations;
    take_steps(world, 50);
    CHECK(allocations - before == 0);
  }
}

TEST_CASE("the_count_of_allocations_counts") {
  const long before = allocations;
  Column<Real> column(100);
  CHECK(allocations - before == 1);
}
