#include <algorithm>
#include <cstdio>
#include <phyxel/phyxel.h>

/// Reads a scene, advances it by one frame and says where the matter is.
int main(int, char** arguments) {
  const phyxel::Scene scene = phyxel::read_scene(arguments[1]);
  phyxel::World world = phyxel::build(scene);
  phyxel::advance(world);
  const phyxel::Frame frame = phyxel::take_frame(world);
  double lowest = 1e30;
  for (std::size_t i = 0; i < frame.count; ++i)
    lowest = std::min<double>(lowest, frame.position(i)[1]);
  std::printf("frame %d, t = %g s: %zu particles, lowest at y = %.3f m\n", world.frame, frame.time,
              frame.count, lowest);
}
