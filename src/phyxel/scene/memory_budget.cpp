#include "phyxel/scene/memory_budget.h"

#include <algorithm>
#include <fmt/format.h>

#include "phyxel/core/memory.h"
#include "phyxel/scene/body_material.h"
#include "phyxel/scene/emitters.h"

namespace phyxel {

namespace {

/// Of a particle of a material, as the scene has it now.
double bytes_of_one(const World& world, Index material) {
  const Material& m = world.environment.materials[material];
  return find_method(m.method)->bytes_per_particle(m);
}

/// Bytes that come out of an emitter in the next frame.
double bytes_of_next_frame(const World& world, const Emission& e) {
  if (e.shut) return 0;
  const double from = world.environment.time, to = (world.frame + 1) / world.live.fps;
  const BodySpec& emitter = world.live.bodies[e.body];
  return emitted(world.live, emitter, e.stream, from, to) *
         bytes_of_one(world, material_index(world.live, emitter.material));
}

}  // namespace

double memory_budget(double given) {
  return given > 0 ? given : 0.8 * available_memory();
}

std::string readable_bytes(double bytes) {
  return bytes >= 1e9 ? fmt::format("{:.3g} GB", bytes / 1e9)
                      : fmt::format("{:.3g} MB", bytes / 1e6);
}

double particle_bytes(const World& world) {
  std::vector<std::size_t> count(world.environment.materials.size(), 0);
  for (const auto& method : world.methods)
    for (Index material : method->particles().material) ++count[material];
  double bytes = 0;
  for (std::size_t m = 0; m < count.size(); ++m)
    if (count[m] > 0) bytes += double(count[m]) * bytes_of_one(world, static_cast<Index>(m));
  return bytes;
}

std::string memory_shortage(const World& world) {
  double coming = 0, most = 0;
  const Emission* largest = nullptr;
  for (const Emission& e : world.emissions) {
    const double bytes = bytes_of_next_frame(world, e);
    coming += bytes;
    if (bytes > most) most = bytes, largest = &e;
  }
  if (!largest) return "";
  const double bytes = particle_bytes(world);
  const bool over = bytes + coming > world.memory;
  // Columns that grow are there twice while they are copied.
  if (!over && 2 * coming < available_memory()) return "";
  return fmt::format("{} particles take about {}, {} would add {} in the next frame, and {} {}",
                     particle_count(world), readable_bytes(bytes),
                     world.live.bodies[largest->body].path(), readable_bytes(coming),
                     readable_bytes(over ? world.memory : available_memory()),
                     over ? "may be used" : "are free");
}

void stop_emitting(World& world) {
  for (Emission& e : world.emissions) e.shut = true;
}

}  // namespace phyxel
