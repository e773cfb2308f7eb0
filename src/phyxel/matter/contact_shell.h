#pragma once

#include <cstdint>
#include <vector>

#include "phyxel/matter/environment.h"
#include "phyxel/matter/particles.h"

// The skin of matter, for what is outside of its method: contact with matter of other methods, and
// pictures.

namespace phyxel {

/// What contact between methods needs to know of the particles of one. A method fills it
/// (Method::contact_shell); the order is that of its particles.
struct ContactShell {
  std::vector<ParticleId> id;
  std::vector<Index> body;            // into World::bodies
  std::vector<Vec3> x;                // m
  std::vector<Vec3> v;                // m/s
  std::vector<Real> radius;           // m, at which others touch it
  std::vector<Real> mass;             // kg
  std::vector<Real> stiffness;        // N/m, of a contact; 0: not known
  std::vector<std::uint8_t> surface;  // 1: on the surface of the matter of its method

  std::size_t size() const { return x.size(); }
};

/// A shell of balls as large as the spacing of their materials; `modulus`: Pa, by material. Nothing
/// is known of surfaces yet.
ContactShell balls_of(const HostParticles& particles, const Environment& environment,
                      const std::vector<Real>& modulus);

/// Finds the particles of a shell that lie on a surface: some cone of 60 degrees around a direction
/// holds no neighbour within 1.8 diameters. In a crystal or a liquid no hole among neighbours is
/// that wide; beyond a flat surface the cone could be 90 degrees wide. All particles of a sheet or
/// a thin rod are on a surface.
void find_surface(const Environment& environment, ContactShell& shell);

/// Whether some particle on the surface of one shell is nearer to one of the other than `gap`, m,
/// between their balls. Axes are open.
bool come_within(const ContactShell& a, const ContactShell& b, double gap);

}  // namespace phyxel
