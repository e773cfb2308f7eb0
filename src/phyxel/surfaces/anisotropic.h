#pragma once

#include "phyxel/surfaces/field.h"

namespace phyxel {

/// Kernels of anisotropic, in multiples of the radius R of a round one. Yu and Turk 2013,
/// section 4.
namespace anisotropic {
constexpr Real look_around = Real(1.4);   // distance of points that shape a kernel
constexpr Real longest = Real(1.2);       // half axis of a kernel
constexpr Real least_ratio = Real(0.25);  // of an eigenvalue to the largest: 1/k_r
constexpr Real lone = Real(0.4);          // radius of a lone point's kernel: k_n
constexpr Real few = 2, enough = 10;      // sums of weights between which kernels grow: N_eps
}  // namespace anisotropic

/// Computes the kernel of every point of a sorted field.
void shape_kernels(const Exec& exec, PointField& field);

}  // namespace phyxel
