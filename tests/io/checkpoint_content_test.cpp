#include <doctest/doctest.h>
#include <fstream>
#include <hdf5.h>

#include "io/hostile.h"
#include "io/test_frames.h"
#include "phyxel/io/checkpoint.h"
#include "phyxel/io/checkpoint_seal.h"
#include "phyxel/io/text_reader.h"

// Checkpoints with the right seal and a content that write_checkpoint would never give them.

using namespace phyxel;

namespace {

constexpr hsize_t three = 3;

hid_t string_type(std::size_t size) {
  const hid_t type = H5Tcopy(H5T_C_S1);
  H5Tset_size(type, size);
  return type;
}

void add_attribute(hid_t object, const char* name, hid_t type, hid_t space) {
  const std::string bytes(64, '\0');
  const hid_t attribute = H5Acreate2(object, name, type, space, H5P_DEFAULT, H5P_DEFAULT);
  H5Awrite(attribute, type, bytes.data());
  H5Aclose(attribute);
}

/// A column without data: HDF5 makes room for it only when something is written.
void add_column(hid_t group, hsize_t count, hsize_t components, hid_t unit_space) {
  const hsize_t shape[2] = {count, components};
  const hid_t set = H5Dcreate2(group, "x", H5T_IEEE_F32LE, H5Screate_simple(2, shape, nullptr),
                               H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  add_attribute(set, "unit", string_type(8), unit_space);
  H5Dclose(set);
}

/// An empty checkpoint whose groups `change` may fill; then the seal is made anew.
template <class Change>
std::string answer_to(const TestFolder& folder, Change&& change) {
  const auto path = folder / "forged.h5";
  write_checkpoint(path, {{}, {}, {{"all", {}}}});
  const hid_t file = H5Fopen(path.c_str(), H5F_ACC_RDWR, H5P_DEFAULT);
  REQUIRE(file >= 0);
  const hid_t numbers = H5Gopen2(file, "numbers", H5P_DEFAULT),
              texts = H5Gopen2(file, "texts", H5P_DEFAULT),
              all = H5Gopen2(file, "groups/all", H5P_DEFAULT);
  change(numbers, texts, all);
  for (const hid_t group : {numbers, texts, all}) H5Gclose(group);
  H5Fclose(file);
  const std::string body = read_whole_file(path).substr(checkpoint_seal_size);
  std::ofstream(path, std::ios::binary) << checkpoint_seal(body) + body;
  return message_of([&] { read_checkpoint(path); });
}

}  // namespace

TEST_CASE("a_checkpoint_with_lists_in_place_of_single_values_is_refused") {
  const TestFolder folder("checkpoint_lists");
  const hid_t list = H5Screate_simple(1, &three, nullptr), one = H5Screate(H5S_SCALAR);
  const auto add_text = [](hid_t texts, hid_t space) {
    H5Dclose(
        H5Dcreate2(texts, "scene", string_type(8), space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
  };
  CHECK(answer_to(folder, [&](hid_t numbers, hid_t texts, hid_t all) {
          add_attribute(numbers, "time", H5T_IEEE_F64LE, one);
          add_text(texts, one);
          add_column(all, 0, 3, one);
        }) == "no error");
  CHECK(contains(
      answer_to(folder, [&](hid_t numbers, hid_t,
                            hid_t) { add_attribute(numbers, "time", H5T_IEEE_F64LE, list); }),
      "number time: it is not one value"));
  CHECK(contains(answer_to(folder, [&](hid_t, hid_t texts, hid_t) { add_text(texts, list); }),
                 "not one value"));
  CHECK(contains(answer_to(folder, [&](hid_t, hid_t, hid_t all) { add_column(all, 0, 3, list); }),
                 "not one value"));
}

TEST_CASE("a_checkpoint_column_must_have_the_data_its_shape_claims") {
  const TestFolder folder("checkpoint_shapes");
  const hid_t one = H5Screate(H5S_SCALAR);
  const auto answer = [&](hsize_t count, hsize_t components) {
    return answer_to(folder,
                     [&](hid_t, hid_t, hid_t all) { add_column(all, count, components, one); });
  };
  CHECK(contains(answer(2, 3), "trust the size of x"));
  CHECK(contains(answer(hsize_t{1} << 62, 4), "trust the size of x"));
  // As an int this is 0 components, which no data at all would fit.
  CHECK(contains(answer(2, hsize_t{1} << 32), "4294967296 components, not 1 to 1024"));
  CHECK(contains(answer(2, 0), "0 components, not 1 to 1024"));
}
