#pragma once

// The stages of a step on this back end: two classes with functions of the same names, and what
// they share in step.h.

#ifdef __CUDACC__
#include "phyxel/methods/mpm/cuda_stages.h"
#include "phyxel/methods/mpm/no_heat.h"
#else
#include "phyxel/methods/mpm/heat.h"
#endif
