#include "phyxel/io/checkpoint.h"

#include <cmath>
#include <doctest/doctest.h>
#include <fstream>
#include <limits>

#include "io/hostile.h"
#include "io/test_frames.h"
#include "phyxel/io/text_reader.h"

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

void put(const std::filesystem::path& path, const std::string& bytes) {
  std::filesystem::remove(path);  // overwriting would wait for the disk
  std::ofstream(path, std::ios::binary) << bytes;
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

TEST_CASE("the_same_state_gives_the_same_checkpoint_bytes") {
  const TestFolder folder("checkpoint_same");
  write_checkpoint(folder / "a.h5", make_test_checkpoint(100));
  write_checkpoint(folder / "b.h5", make_test_checkpoint(100));
  CHECK(read_whole_file(folder / "a.h5") == read_whole_file(folder / "b.h5"));
}

TEST_CASE("not_a_number_and_infinity_survive_in_a_checkpoint") {
  const TestFolder folder("checkpoint_nan");
  using Limits = std::numeric_limits<double>;
  Checkpoint c;
  c.numbers = {
      {"nan", Limits::quiet_NaN()}, {"inf", Limits::infinity()}, {"least", Limits::denorm_min()}};
  write_checkpoint(folder / "c.h5", c);
  const Checkpoint read = read_checkpoint(folder / "c.h5");
  CHECK(std::isnan(read.numbers.at("nan")));
  CHECK(read.numbers.at("inf") == Limits::infinity());
  CHECK(read.numbers.at("least") == Limits::denorm_min());
}

TEST_CASE("a_cut_checkpoint_is_refused") {
  const TestFolder folder("checkpoint_cut");
  write_checkpoint(folder / "c.h5", make_test_checkpoint(20));
  const std::string bytes = read_whole_file(folder / "c.h5");
  int tried = 0;
  const int refused = count_refused_cuts(bytes, [&](const std::string& cut) {
    ++tried;
    put(folder / "cut.h5", cut);
    read_checkpoint(folder / "cut.h5");
  });
  CHECK(refused == tried);
  put(folder / "cut.h5", bytes + "x");
  CHECK(contains(message_of([&] { read_checkpoint(folder / "cut.h5"); }), "cut off or damaged"));
}

TEST_CASE("a_checkpoint_with_any_changed_bit_is_refused") {
  const TestFolder folder("checkpoint_bits");
  Checkpoint small;
  small.groups = {{"all", make_test_frame(3).columns}};
  write_checkpoint(folder / "c.h5", small);
  const std::string bytes = read_whole_file(folder / "c.h5");
  for (std::size_t k = 0; k < bytes.size(); k += 1 + k / 200) {
    std::string damaged = bytes;
    damaged[k] = static_cast<char>(damaged[k] ^ (1 << k % 8));
    put(folder / "damaged.h5", damaged);
    CAPTURE(k);
    CHECK(message_of([&] { read_checkpoint(folder / "damaged.h5"); }) != "no error");
  }
}

TEST_CASE("files_that_are_no_checkpoints_are_refused_with_the_reason") {
  const TestFolder folder("checkpoint_foreign");
  const std::pair<std::string, std::string> table[] = {
      {"", "is not a phyxel checkpoint"},
      {"\x89HDF\r\n\x1a\n", "is not a phyxel checkpoint"},
      {"phyxel checkpoint\n", "is of schema ?"},
      {"phyxel checkpoint\nschema 99\n", "is of schema 99, this program reads 3"},
      {"phyxel checkpoint\nschema 3\nbytes 12\n", "0 bytes of content, 12 were written"},
      {"phyxel checkpoint\nschema 3\nbytes 0\n", "0 bytes of content, 0 were written"}};
  for (const auto& [text, expected] : table) {
    CAPTURE(text);
    put(folder / "a.h5", text);
    const std::string message = message_of([&] { read_checkpoint(folder / "a.h5"); });
    CAPTURE(message);
    CHECK(contains(message, expected));
    CHECK(contains(message, "a.h5"));
  }
  CHECK(contains(message_of([&] { read_checkpoint(folder / "none.h5"); }), "cannot read"));
}

TEST_CASE("names_that_hdf5_would_take_for_paths_are_refused") {
  const TestFolder folder("checkpoint_names");
  for (const std::string name : {"", ".", "a/b"}) {
    CHECK_THROWS_AS(write_checkpoint(folder / "c.h5", {{}, {}, {{name, {}}}}), Error);
    CHECK_THROWS_AS(write_checkpoint(folder / "c.h5", {{}, {{name, "text"}}, {}}), Error);
  }
  const std::vector<FrameColumn> twice = {make_test_frame(1).columns[0],
                                          make_test_frame(1).columns[0]};
  CHECK_THROWS_AS(write_checkpoint(folder / "c.h5", {{}, {}, {{"all", twice}}}), Error);
  CHECK(!std::filesystem::exists(folder / "c.h5"));
}
