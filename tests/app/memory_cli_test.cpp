#include <doctest/doctest.h>

#include "app/process.h"
#include "render/temporary_folder.h"
#include "sanitized.h"

namespace phyxel {
namespace {

/// A tap that an event opens wide.
const char* const flood = R"(fps = 20
duration = 1.0
[world]
gravity = [0, 0, 0]
[material.water]
method = "sph"
[emitter.tap]
material = "water"
shape = { type = "cylinder", radius = 0.05, height = 0.1 }
spacing = 0.02
speed = 0.5
[[event]]
time = 0.1
set = { "emitter.tap.speed" = 1.0e6 }
)";

}  // namespace

TEST_CASE("the_program_keeps_to_the_memory_it_is_given") {
  const TemporaryFolder folder;
  std::ofstream(folder.path / "flood.toml") << flood;
  const Ended refused = phyxel_says(folder.path, {"check", "flood.toml", "--memory", "50MB"});
  CHECK(refused.status == 2);
  CHECK(refused.error.find("50 MB of memory may be used") != std::string::npos);
  const Ended stopped =
      phyxel_says(folder.path, {"run", "flood.toml", "--no-render", "--memory", "0.05GB", "--set",
                                "world.out_of_memory=\"stop\""});
  CHECK(stopped.status == 1);
  CHECK(stopped.error.find("stopped after frame 2") != std::string::npos);
  CHECK(fs::exists(folder.path / "out/flood/checkpoint/frame_0002.h5"));
  for (const char* wrong : {"nan", "0", "-1GB", "2TB", "GB", "inf"})
    CHECK(
        phyxel_says(folder.path, {"run", "flood.toml", std::string("--memory=") + wrong}).status ==
        2);
}

#ifndef PHYXEL_SANITIZED  // which do not start with so little address space
TEST_CASE("an_allocation_that_fails_is_told_with_what_was_being_done") {
  const TemporaryFolder folder;
  std::ofstream(folder.path / "block.toml") << R"([material.water]
method = "sph"
[body.block]
material = "water"
shape = { type = "box", size = [1, 1, 1] }
spacing = 0.003
)";
  // The user says that there is plenty, the machine has less.
  const std::string line = "cd '" + folder.path.string() +
                           "' && ulimit -v 1500000 && " PHYXEL_PROGRAM
                           " run block.toml --threads 1 --no-render --memory 1e9GB 2> err > out";
  const int status = std::system(("bash -c \"" + line + "\"").c_str());
  CHECK(WEXITSTATUS(status) == 1);
  const std::string error = bytes_of(folder.path / "err");
  CHECK_MESSAGE(error.find("no memory is left while the scene is built") != std::string::npos,
                error);
}
#endif

}  // namespace phyxel
