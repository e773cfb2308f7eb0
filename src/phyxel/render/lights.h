#pragma once

#include "phyxel/render/ray_scene.h"
#include "phyxel/render/sampling.h"

namespace phyxel::render {

/// A direction in which a source was aimed at, and what comes from there if nothing is in between.
struct Aim {
  Vec3f direction = Vec3f::zero();
  float distance = 0;
  Colour radiance = Colour::zero();
  float density = 0;  // of the choice, per solid angle; 0: nothing comes
};

/// Chooses pixels of a picture of all directions as often as they are bright.
class EnvironmentMap {
 public:
  EnvironmentMap(const Image& image, float turn_degrees);
  Colour radiance(const Vec3f& direction) const;
  float density(const Vec3f& direction) const;
  Vec3f choose(const Vec2f& u) const;
  const Colour& mean() const { return mean_; }

 private:
  Vec2f place_of(const Vec3f& direction) const;
  float density_of(std::size_t pixel, float sine) const;
  const Image* image_;
  float turn_;                     // of a full circle
  Colour mean_ = Colour::zero();   // over all directions
  std::vector<float> row_sum_;     // brightness of the rows up to here, the last is 1
  std::vector<float> column_sum_;  // of the pixels in a row up to here, each row ends with 1
};

/// All lights in picture units. Two ways lead to the small bright ones, aiming at them and meeting
/// them by chance; each is weighted by how likely it was (Veach and Guibas 1995).
class Lights {
 public:
  Lights(const Lighting& lighting, const PictureUnits& units);

  /// Sources that are worth aiming at: the key, one of the panels, the environment.
  int sources() const { return static_cast<int>(sources_.size()); }
  Aim aim(int source, const Vec3f& point, const Vec2f& u) const;

  /// Light from far away along a ray that meets nothing. `density`: with which its direction was
  /// chosen; infinite where chance alone can find the sources.
  Colour beyond(const Vec3f& direction, float density) const;
  /// Light of panels that the ray meets before `far`.
  Colour panels_before(const Ray& ray, float far, float density) const;
  /// A guess of the light that arrives at a surface in the end: from above it, half hidden.
  Colour ambient(const Vec3f& normal) const;

 private:
  Colour sky(const Vec3f& direction) const;
  enum class Source { key, panel, environment };
  struct Emitter {
    Vec3f centre, normal, across, up;  // across and up: unit
    float half_width, half_height;
    Colour radiance;
    float share;  // of the aims at panels
  };
  Aim aim_at_key(const Vec2f& u) const;
  Aim aim_at_panel(const Vec3f& point, Vec2f u) const;
  Aim aim_at_environment(const Vec2f& u) const;

  Lighting lighting_;
  std::vector<Source> sources_;
  Basis key_{Vec3f{0, 1, 0}};
  float key_cosine_ = 1;   // of the half angle of the key
  float key_density_ = 0;  // one over its solid angle
  Colour key_radiance_ = Colour::zero();
  Vec3f fill_ = {0, 1, 0};
  std::vector<Emitter> panels_;
  std::unique_ptr<EnvironmentMap> environment_;
};

}  // namespace phyxel::render
