#include "phyxel/io/checkpoint.h"

#include <doctest/doctest.h>

#include "io/test_frames.h"

using namespace phyxel;

namespace {

Checkpoint make_test_checkpoint(std::size_t count) {
  Checkpoint c;
  c.numbers = {{"time", 0.1 + 0.2}, {"step", 9007199254740992.0}, {"a b/c", -0.0}};
  c.texts = {{"scene", std::string(100000, 'x') + "\n\xC3\xA4"}, {"empty", ""}};
  c.groups = {{"second", make_test_frame(count).columns},
              {"first", make_test_frame(0).columns},
              {"none", {}}};
  return c;
}

}  // namespace

TEST_CASE("a_checkpoint_comes_back_bit_for_bit") {
  const TestFolder folder("checkpoint");
  for (const std::size_t count : {0, 1, 3000}) {
    const Checkpoint written = make_test_checkpoint(count);
    write_checkpoint(folder / "c.h5", written);
    const Checkpoint read = read_checkpoint(folder / "c.h5");
    CHECK(read.numbers == written.numbers);
    CHECK(read.texts == written.texts);
    REQUIRE(read.groups.size() == written.groups.size());
    for (std::size_t g = 0; g < read.groups.size(); ++g) {
      CHECK(read.groups[g].name == written.groups[g].name);
      REQUIRE(read.groups[g].columns.size() == written.groups[g].columns.size());
      for (std::size_t k = 0; k < read.groups[g].columns.size(); ++k)
        CHECK(difference(read.groups[g].columns[k], written.groups[g].columns[k]) == "");
    }
  }
}
