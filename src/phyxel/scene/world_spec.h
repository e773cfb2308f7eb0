#pragma once

#include "phyxel/matter/parameters.h"
#include "phyxel/matter/plane.h"

namespace phyxel {

enum class Walls { open, closed, sticky };

/// What to do where emitters would need more memory than there is. refuse: such a scene does not
/// start. stop: it runs until then, and can be resumed. stop_emitting: emitters close for good.
enum class OutOfMemory { refuse, stop, stop_emitting };

/// What becomes of matter outside of the domain.
enum class Outside { keep, remove };

/// What positions in a scene file count from: the zero of the world, or world.origin.
enum class Positions { world, origin };

struct WorldSpec {
  Vec3 gravity = {0, Real(-9.81), 0};  // m/s^2
  Real air_temperature = 20;           // degrees C
  Bool3 periodic = {false, false, false};
  bool has_domain = false;
  Vec3d domain_min = Vec3d::zero();  // m
  Vec3d domain_max = Vec3d::zero();
  Vec3d origin = Vec3d::filled(not_given);  // m, as given; Scene::origin is what is used
  Positions positions = Positions::world;
  Walls walls = Walls::open;
  OutOfMemory out_of_memory = OutOfMemory::refuse;
  Outside outside = Outside::keep;
  double remove_every = 0.01;  // s
  Plane plane = Plane::strain;
};

inline void describe(Fields& field, WorldSpec& w) {
  field("gravity", w.gravity, "m/s^2", any_number, "acceleration of everything; y is up")
      .changeable = true;
  field("air_temperature", w.air_temperature, "degC", above_absolute_zero,
        "of the air around materials that have convection")
      .changeable = true;
  field("periodic", w.periodic,
        "what leaves the domain on one side of an axis comes back on the other");
  field.choice("walls", w.walls, {"open", "closed", "sticky"},
               "what the sides of the domain do that are not periodic; sticky ones hold what "
               "touches them");
  field("origin", w.origin, "m", any_number,
        "the point that the scene is computed around, where numbers are most precise; chosen near "
        "its matter when absent");
  field.choice("positions", w.positions, {"world", "origin"},
               "what all positions of the file count from: zero, or world.origin");
  field.choice("out_of_memory", w.out_of_memory, {"refuse", "stop", "stop_emitting"},
               "where emitters would need more memory than there is: the scene is not begun, or "
               "runs until then and ends with a checkpoint, or its emitters shut for good");
  field.choice("outside", w.outside, {"keep", "remove"},
               "what becomes of matter that leaves the domain where an axis is not periodic");
  field("remove_every", w.remove_every, "s", positive,
        "sinks, and outside = \"remove\", look for matter at the start of each frame and at equal "
        "parts of it, no farther apart than this");
  field.choice(
      "plane", w.plane, {"strain", "stress"},
      "of elastic solids in flat scenes: a slice of something long, which keeps its width, "
      "or a sheet that is free to become thinner");
}

inline void describe_domain(Fields& field, WorldSpec& w) {
  field("min", w.domain_min, "m", any_number, "lower corner");
  field("max", w.domain_max, "m", any_number, "upper corner");
}

struct TimeSpec {
  double max_dt = infinity;     // s
  double fixed_dt = not_given;  // s; instead of the automatic step
  double settle = 0;            // s, of rest before time 0
  double safety = 1;            // factor on the automatic step
};

inline void describe(Fields& field, TimeSpec& t) {
  field("max_dt", t.max_dt, "s", positive, "upper limit of the automatic step");
  field("fixed_dt", t.fixed_dt, "s", positive, "this step always, whatever the methods say");
  field("settle", t.settle, "s", not_negative,
        "lets packings come to rest before time 0, without gravity and colliders");
  field("safety", t.safety, "", {0, 1, false, true, ""}, "factor on the automatic step");
}

}  // namespace phyxel
