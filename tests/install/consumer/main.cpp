#include <cstdio>
#include <phyxel/phyxel.h>

/// Reads a scene, advances it by one frame and says how far its matter has fallen, and whether the
/// installed module of volumes is found.
int main(int, char** arguments) {
  std::printf("volumes: %s\n", phyxel::can_write_vdb() ? "yes" : "no");
  const phyxel::Scene scene = phyxel::read_scene(arguments[1]);
  phyxel::World world = phyxel::build(scene);
  const double start = phyxel::diagnose(world).centre()[1];
  phyxel::advance(world);
  const double fall = start - phyxel::diagnose(world).centre()[1];
  const phyxel::Frame frame = phyxel::take_frame(world);
  std::printf("%zu particles fell by %.3f m in %g s\n", frame.count, fall, frame.time);
}
