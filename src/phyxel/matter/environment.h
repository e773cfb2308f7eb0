#pragma once

#include <string>
#include <vector>

#include "phyxel/colliders/collider.h"
#include "phyxel/core/exec.h"
#include "phyxel/matter/force_fields/force_field.h"
#include "phyxel/matter/material.h"
#include "phyxel/matter/pin_parameters.h"
#include "phyxel/matter/plane.h"
#include "phyxel/neighbours/periodic_box.h"

namespace phyxel {

/// A region of particles that is held: it follows a motion, whatever forces act on it.
struct Pin : PinParameters {
  std::string name;
  Motion motion;
  Pose pose;                 // current
  Vec3 flow = Vec3::zero();  // m/s, of its particles through it, as in the nozzle of an emitter
};

/// Everything around the matter that methods read; nothing writes it during a step.
struct Environment {
  Exec exec;
  int dimensions = 3;
  std::uint32_t seed = 1;
  Vec3d origin = Vec3d::zero();  // m, where the zero of all positions lies in the world
  double time = 0;               // s, at the start of the step
  std::uint64_t step = 0;        // counts all steps since the start
  // s, of the step after this one, which will follow without reading particles in between; 0: not
  // known, or a frame ends.
  double next_dt = 0;
  Vec3 gravity = Vec3::zero();  // m/s^2
  Real air_temperature = 20;    // degrees C
  PeriodicBox box;
  std::vector<Material> materials;
  std::vector<Collider> colliders;
  std::vector<Pin> pins;
  std::vector<ForceField> force_fields;
  Plane plane = Plane::strain;  // of solids in flat scenes
};

/// The numbers of a pin that kernels need.
struct PinView : PinParameters {
  Transform moved;  // its motion in this step
  Pose pose;
  Vec3 pivot;
};

/// All pins, after a step of dt that ends now.
void view_pins(const Environment& environment, Real dt, std::vector<PinView>& views);

/// Velocity of the pin's motion at a point, m/s.
Vec3 velocity_at(const Pin& pin, const Vec3& x);

/// Sets poses of colliders and pins for `time`.
void move_to(Environment& environment, double time);

}  // namespace phyxel
