#pragma once

#include <random>

#include "phyxel/geometry/body_mesh.h"
#include "phyxel/methods/pbd/contact/contacts.h"

// Sheets with the least solver that lets them fold: edges that keep their length, gravity, a floor.

namespace phyxel::pbd {

struct ContactSheets {
  TriangleMesh mesh;  // vertices: positions now
  std::vector<Vec<Index, 2>> edges;
  HostColumn<Vec3> x, v, rest;
  HostColumn<Quad> p;
  HostColumn<Index> body;
  Real spacing = 0, inverse_mass = 1000;
  ContactSettings settings;
  ElementContacts contacts;
  Vec3 gravity{0, -10, 0};
  int held = 0;  // particles that the guard held, in all steps
};

/// Adds a square sheet of n x n spacings, moved by `place`; coordinates are noisy by `noise` m.
template <class Place>
void add_sheet(ContactSheets& s, int n, Real spacing, Real noise, Place&& place) {
  const BodyMesh sheet = make_sheet(n * spacing, n * spacing, Packing::closest, spacing);
  const Index first = static_cast<Index>(s.x.size());
  const Index number = first == 0 ? 0 : s.body.back() + 1;
  std::mt19937 engine(5);
  std::uniform_real_distribution<Real> random(-noise, noise);
  for (const Vec3& vertex : sheet.surface.vertices) {
    const Vec3 off{random(engine), random(engine), random(engine)};
    s.x.push_back(place(vertex) + off);
    s.rest.push_back(vertex + Vec3{0, 0, Real(number)});
    s.v.push_back(Vec3::zero());
    s.body.push_back(number);
  }
  for (const Int3& t : sheet.surface.triangles)
    s.mesh.triangles.push_back({t[0] + first, t[1] + first, t[2] + first});
  for (const Vec<Index, 2>& e : sheet.edges) s.edges.push_back({e[0] + first, e[1] + first});
  s.spacing = spacing;
}

inline void prepare(ContactSheets& s) {
  ContactMesh mesh{s.mesh.triangles, s.edges};
  s.contacts.set_elements(make_elements(mesh, s.rest, s.body));
  s.p.resize(s.x.size());
}

inline ContactParticles particles_of(ContactSheets& s) {
  return {static_cast<Index>(s.x.size()), s.x.data(), s.p.data(), s.rest.data(), s.body.data()};
}

/// One substep of h; `move` may change predicted positions and inverse masses, `limit` positions in
/// every sweep.
template <class Limit>
void substep(ContactSheets& s, Real h, int sweeps, Limit&& limit, const Exec& exec = {}) {
  const Index n = static_cast<Index>(s.x.size());
  const ContactParticles particles = particles_of(s);
  for (Index i = 0; i < n; ++i) {
    s.v[i] += s.gravity * h;
    const Vec3 end = s.x[i] + s.v[i] * h;
    s.p[i] = {{end[0], end[1], end[2], s.inverse_mass}};
  }
  s.contacts.start(exec, s.settings, particles);
  for (int sweep = 0; sweep < sweeps; ++sweep) {
    for (const Vec<Index, 2>& e : s.edges) {
      const Vec3 a = particles.end(e[0]), b = particles.end(e[1]), d = b - a;
      const Vec3 half = d * (Real(0.5) - Real(0.5) * s.spacing / length(d));
      particles.set_end(e[0], a + half);
      particles.set_end(e[1], b - half);
    }
    for (Index i = 0; i < n; ++i) particles.set_end(i, limit(i, particles.end(i)));
    s.contacts.project(exec, particles);
  }
  s.contacts.resolve(exec, particles);
  s.held += s.contacts.hold(exec, particles);
  for (Index i = 0; i < n; ++i) {
    s.v[i] = (particles.end(i) - s.x[i]) * (Real(0.9995) / h);
    s.x[i] = particles.end(i);
  }
}

inline TriangleMesh mesh_of(const ContactSheets& s) {
  TriangleMesh mesh = s.mesh;
  mesh.vertices.assign(s.x.begin(), s.x.end());
  return mesh;
}

}  // namespace phyxel::pbd
