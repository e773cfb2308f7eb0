#include <doctest/doctest.h>
#include <zlib.h>

#include "io/hostile.h"
#include "io/test_frames.h"
#include "phyxel/core/file.h"
#include "phyxel/io/file_numbers.h"
#include "phyxel/io/points.h"

using namespace phyxel;

namespace {

/// Numbers one behind the other, the highest byte first.
struct BigEndian {
  std::string bytes;

  template <class T>
  BigEndian& add(T number) {
    const char* const raw = reinterpret_cast<const char*>(&number);
    std::string part(raw, sizeof(T));
    if (!host_is_big_endian) std::reverse(part.begin(), part.end());
    bytes += part;
    return *this;
  }
  BigEndian& name(const std::string& text) {
    add(static_cast<std::uint16_t>(text.size()));
    bytes += text;
    return *this;
  }
  BigEndian& attribute(const std::string& text, std::uint16_t size, std::int32_t type) {
    name(text).add(size).add(type);
    for (int k = 0; k < size; ++k) add(std::int32_t{0});
    return *this;
  }
};

/// Two points with velocity, id, and words of a list of two, and a primitive's worth of rest.
std::string example() {
  BigEndian file{"BgeoV"};
  for (const std::int32_t n : {5, 2, 1, 0, 0, 3, 0, 0, 0}) file.add(n);
  file.attribute("v", 3, 5).attribute("id", 1, 1);
  file.name("kind").add(std::uint16_t{1}).add(std::int32_t{4}).add(std::int32_t{2});
  file.name("water").name("oil");
  for (const int k : {0, 1}) {
    for (const float x : {1.5f, 2.5f, 3.5f, 1.0f}) file.add(x + static_cast<float>(k));
    for (const float v : {0.1f, 0.2f, 0.3f}) file.add(v * static_cast<float>(k + 1));
    file.add(std::int32_t{7 + k}).add(std::int32_t{1 - k});
  }
  return file.bytes + std::string("rest, not read");
}

std::string packed(const std::string& bytes) {
  std::string out(bytes.size() + 200, '\0');
  z_stream stream{};
  deflateInit2(&stream, 6, Z_DEFLATED, 16 + MAX_WBITS, 8, Z_DEFAULT_STRATEGY);
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
  stream.avail_in = static_cast<uInt>(bytes.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  deflate(&stream, Z_FINISH);
  out.resize(stream.total_out);
  deflateEnd(&stream);
  return out;
}

void check_example(const Frame& frame) {
  REQUIRE(frame.count == 2);
  REQUIRE(frame.columns.size() == 4);
  CHECK(frame.position(1) == Vec3{2.5f, 3.5f, 4.5f});
  const FrameColumn *velocity = frame.find("velocity"), *id = frame.find("id"),
                    *kind = frame.find("kind");
  REQUIRE((velocity && id && kind));
  CHECK(velocity->number(1, 2) == doctest::Approx(0.6));
  CHECK(id->type == NumberType::int32);
  CHECK(id->number(0) == 7);
  CHECK(kind->number(0) == 1);
  CHECK(kind->number(1) == 0);
}

}  // namespace

TEST_CASE("classic_bgeo_files_are_read_plain_and_packed") {
  check_example(parse_bgeo(example(), "a.bgeo"));
  check_example(parse_bgeo(packed(example()), "a.bgeo"));
  const TestFolder folder("bgeo");
  for (const char* name : {"a.bgeo", "a.bhclassic"}) {
    write_atomically(folder / name, [](FileWriter& file) { file.write(example()); });
    check_example(read_points(folder / name));
  }
}

TEST_CASE("the_newer_kind_of_bgeo_is_refused_with_a_way_round") {
  const std::string message =
      message_of([] { parse_bgeo(std::string("\x7fNSJb\x01\x02", 7), "a.bgeo"); });
  CHECK(contains(message, "Houdini 12 or newer"));
  CHECK(contains(message, ".bhclassic, .ply or .csv"));
}

TEST_CASE("damaged_bgeo_files_are_refused_or_read_but_never_crash") {
  const std::string bytes = example(), gz = packed(bytes);
  const auto parse = [](const std::string& text) { parse_bgeo(text, "a.bgeo"); };
  // All but the rest behind the points is needed.
  const std::string needed = bytes.substr(0, bytes.size() - 14);
  CHECK(count_refused_cuts(needed, parse) == static_cast<int>(needed.size()));
  CHECK(count_refused_cuts(gz, parse) == static_cast<int>(gz.size()));
  CHECK(count_refused_damages(bytes, 3000, parse) > 100);
  CHECK(count_refused_damages(gz, 3000, parse) > 1000);
}

TEST_CASE("what_is_wrong_with_a_bgeo_file_is_said") {
  const auto says = [](std::string bytes, std::size_t at, const std::string& change) {
    bytes.replace(at, change.size(), change);
    return message_of([&] { parse_bgeo(bytes, "a.bgeo"); });
  };
  CHECK(contains(says(example(), 0, "ply\nf"), "does not begin with 'BgeoV'"));
  CHECK(contains(says(example(), 8, "\x04"), "has version 4; 5 is read"));
  CHECK(contains(says(example(), 9, "\x7f"), "is cut off"));
  CHECK(contains(says(example(), 9, "\xff"), "a negative number"));
  // Behind 41 bytes of header: length 2, name 1, size 2, type 4.
  CHECK(contains(says(example(), 49, "\x02"), "has type 2, which is not read"));
}
