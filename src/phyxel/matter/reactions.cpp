#include "phyxel/matter/reactions.h"

namespace phyxel {

std::string word_of(ReactionKind kind) {
  constexpr const char* words[] = {"collider", "pin", "emitter", "inflow", "damping", "gravity"};
  return words[static_cast<int>(kind)];
}

ReactionSum combine(const ReactionSum& a, const ReactionSum& b) {
  return {a.impulse + b.impulse,
          a.friction + b.friction,
          a.pressed + b.pressed,
          a.angular + b.angular,
          a.pivot_angular + b.pivot_angular,
          a.peak_force + b.peak_force,
          a.peak_torque + b.peak_torque};
}

}  // namespace phyxel
