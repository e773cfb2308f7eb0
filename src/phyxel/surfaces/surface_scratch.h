#pragma once

#include "phyxel/surfaces/field.h"
#include "phyxel/surfaces/sparse_field.h"

namespace phyxel {

/// Memory that is reused from frame to frame.
struct SurfaceScratch {
  PointField field;
  SparseField grid;
};

}  // namespace phyxel
