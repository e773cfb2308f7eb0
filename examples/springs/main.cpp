#include <cstdio>
#include <phyxel/phyxel.h>

#include "springs/method.h"

/// springs SCENE OUT: runs a scene, with its files and pictures.
int main(int count, char** words) try {
  if (count != 3) throw phyxel::InputError("usage: springs SCENE OUT");
  phyxel::add_method(phyxel::springs::info());
  phyxel::RunOptions options;
  options.out = words[2];
  const phyxel::RunResult result = phyxel::run(phyxel::read_scene(words[1]), options);
  std::printf("%d frames in %s\n", result.last_frame, words[2]);
  return 0;
} catch (const phyxel::Error& error) {
  std::fprintf(stderr, "%s\n", error.what());
  return 1;
}
