#include "phyxel/io/hash.h"

#include <doctest/doctest.h>
#include <fstream>
#include <set>

#include "io/hostile.h"
#include "io/test_frames.h"

using namespace phyxel;

TEST_CASE("a_hash_changes_with_every_byte_and_with_the_length") {
  std::set<std::uint64_t> seen;
  std::string bytes(100, 'a');
  seen.insert(hash_of(bytes));
  for (std::size_t k = 0; k < bytes.size(); ++k) {
    std::string changed = bytes;
    changed[k] ^= 1;
    seen.insert(hash_of(changed));
    seen.insert(hash_of(bytes.substr(0, k)));
  }
  CHECK(seen.size() == 201);
}

TEST_CASE("a_large_file_is_hashed_piece_by_piece_to_its_last_byte") {
  const TestFolder folder("hash");
  std::set<std::uint64_t> seen;
  for (const std::size_t size : {0, 1, (1 << 20) - 1, 1 << 20, (1 << 20) + 1, 3 << 20})
    for (const char last : {'a', 'b'}) {
      std::string bytes(size, 'a');
      if (size > 0) bytes.back() = last;
      std::ofstream(folder / "file", std::ios::binary) << bytes;
      seen.insert(hash_of_file(folder / "file"));
    }
  CHECK(seen.size() == 11);  // one of nothing, two of each other size
  CHECK_THROWS_AS(hash_of_file(folder / "none"), InputError);
  CHECK_THROWS_AS(hash_of_file(folder.path), InputError);
}
