#pragma once

#include <string>
#include <vector>

#include "phyxel/core/range.h"
#include "phyxel/core/vec.h"

namespace phyxel {

/// What the length of an average close vector is compared with.
enum class BorderRule {
  frame,  // the largest of all points
  local,  // the largest of the point and its neighbours in the graph
};
/// Their names, in the order of the enumeration.
const std::vector<std::string>& border_rule_names();

struct FlowOptions {
  Real alpha = Real(0.1);   // L_alpha = alpha L_m
  Real longest_edge = 0;    // m, L_alpha itself; 0: from alpha
  Real border = Real(0.8);  // share of the largest average close vector that makes a border
  BorderRule relative_to = BorderRule::local;
};

template <class Fields>
void describe(Fields& field, FlowOptions& o) {
  const std::vector<std::string> flow = {"flow"};
  field("alpha", o.alpha, "", {0, 10, false, true, ""},
        "of flow: points are neighbours below alpha times the mean distance of all pairs")
      .used_by = flow;
  field("longest_edge", o.longest_edge, "m", {1e-12, infinity, true, true, ""},
        "of flow: that distance itself, the same in all frames; from alpha when absent")
      .used_by = flow;
  field("border", o.border, "", {0, 1, false, true, ""},
        "of flow: share of the largest average close vector that makes a border")
      .used_by = flow;
  field
      .choice("relative_to", o.relative_to, border_rule_names(),
              "of flow: the largest of all points (frame), or of the neighbours (local)")
      .used_by = flow;
}

/// Throws InputError where an option makes no sense.
void check(const FlowOptions& options);

}  // namespace phyxel
