#include <algorithm>
#include <fuzzer/FuzzedDataProvider.h>
#include <hdf5.h>
#include <iterator>
#include <vector>

#include "fuzz/input.h"
#include "fuzz/memory_file.h"
#include "phyxel/io/checkpoint.h"
#include "phyxel/io/checkpoint_seal.h"

// Valid HDF5 files with the right seal and the wrong content: groups and attributes that are
// missing or something else, other types, shapes and storage. The input says what to make, call by
// call; HDF5 itself is not under test, and gets no damaged bytes.

namespace phyxel::fuzz {
namespace {

hid_t pick_type(FuzzedDataProvider& input) {
  const hid_t numbers[] = {H5T_IEEE_F32LE, H5T_IEEE_F64LE, H5T_STD_I32LE, H5T_STD_U32LE,
                           H5T_STD_U8LE,   H5T_STD_I64BE,  H5T_IEEE_F64BE};
  switch (input.ConsumeIntegralInRange(0, 6)) {
    case 0: {
      const hid_t text = H5Tcopy(H5T_C_S1);
      H5Tset_size(text, input.ConsumeIntegralInRange<std::size_t>(1, 300));
      return text;
    }
    case 1: {
      const hid_t text = H5Tcopy(H5T_C_S1);
      H5Tset_size(text, H5T_VARIABLE);
      return text;
    }
    case 2: {
      const hsize_t size = input.ConsumeIntegralInRange<hsize_t>(1, 5);
      return H5Tarray_create2(H5T_IEEE_F64LE, 1, &size);
    }
    case 3: {
      const hid_t pair = H5Tcreate(H5T_COMPOUND, 16);
      H5Tinsert(pair, "a", 0, H5T_IEEE_F64LE);
      return pair;
    }
    default:
      return H5Tcopy(numbers[input.ConsumeIntegralInRange<std::size_t>(0, std::size(numbers) - 1)]);
  }
}

/// Small extents, and now and then some that only look as if there was data.
hid_t pick_space(FuzzedDataProvider& input) {
  const int axes = input.ConsumeIntegralInRange(-1, 3);
  if (axes == -1) return H5Screate(H5S_NULL);
  if (axes == 0) return H5Screate(H5S_SCALAR);
  constexpr hsize_t large[] = {1u << 31, hsize_t{1} << 32, (hsize_t{1} << 32) + 3, 1u << 20};
  hsize_t shape[3];
  for (hsize_t& extent : shape)
    extent = input.ConsumeIntegralInRange(0, 9) == 0
                 ? large[input.ConsumeIntegralInRange<std::size_t>(0, std::size(large) - 1)]
                 : input.ConsumeIntegralInRange<hsize_t>(0, 5);
  return H5Screate_simple(axes, shape, nullptr);
}

hid_t pick_storage(FuzzedDataProvider& input, hid_t space) {
  const hid_t storage = H5Pcreate(H5P_DATASET_CREATE);
  hsize_t shape[3] = {1, 1, 1};
  const int axes = H5Sget_simple_extent_ndims(space);
  if (axes > 0 && input.ConsumeBool()) {
    H5Sget_simple_extent_dims(space, shape, nullptr);
    for (hsize_t& extent : shape) extent = std::clamp<hsize_t>(extent, 1, 8);
    H5Pset_chunk(storage, axes, shape);
    if (input.ConsumeBool()) H5Pset_deflate(storage, 6);
  }
  return storage;
}

std::string pick_name(FuzzedDataProvider& input) {
  constexpr const char* names[] = {"unit", "numbers", "texts", "groups", "a", "b", "time", "x"};
  return names[input.ConsumeIntegralInRange<std::size_t>(0, std::size(names) - 1)];
}

/// Bytes for a small array, which writing without a conversion then takes.
std::vector<char> pick_bytes(FuzzedDataProvider& input, hid_t type, hid_t space) {
  const hssize_t count = H5Sget_simple_extent_npoints(space);
  if (count < 1 || count > 64 || H5Tis_variable_str(type) > 0) return {};
  std::vector<char> bytes(static_cast<std::size_t>(count) * H5Tget_size(type), 'a');
  const std::string some = input.ConsumeRandomLengthString(bytes.size());
  std::copy(some.begin(), some.end(), bytes.begin());
  return bytes;
}

void add_attribute(FuzzedDataProvider& input, hid_t object) {
  const hid_t type = pick_type(input), space = pick_space(input);
  const hid_t made =
      H5Acreate2(object, pick_name(input).c_str(), type, space, H5P_DEFAULT, H5P_DEFAULT);
  const std::vector<char> bytes = pick_bytes(input, type, space);
  if (made >= 0 && !bytes.empty()) H5Awrite(made, type, bytes.data());
  H5Aclose(made);
  H5Sclose(space);
  H5Tclose(type);
}

/// The attribute without which no column is read at all.
void add_unit(hid_t object) {
  const hid_t space = H5Screate(H5S_SCALAR);
  const hid_t made = H5Acreate2(object, "unit", H5T_C_S1, space, H5P_DEFAULT, H5P_DEFAULT);
  if (made >= 0) H5Awrite(made, H5T_C_S1, "");
  H5Aclose(made);
  H5Sclose(space);
}

void add_dataset(FuzzedDataProvider& input, hid_t group) {
  const hid_t type = pick_type(input), space = pick_space(input);
  const hid_t storage = pick_storage(input, space);
  const hid_t made =
      H5Dcreate2(group, pick_name(input).c_str(), type, space, H5P_DEFAULT, storage, H5P_DEFAULT);
  const std::vector<char> bytes = pick_bytes(input, type, space);
  if (made >= 0 && !bytes.empty() && input.ConsumeBool())
    H5Dwrite(made, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, bytes.data());
  if (made >= 0) input.ConsumeBool() ? add_unit(made) : add_attribute(input, made);
  H5Dclose(made);
  H5Pclose(storage);
  H5Sclose(space);
  H5Tclose(type);
}

void add_group(FuzzedDataProvider& input, hid_t parent, const std::string& name, int depth);

void add_members(FuzzedDataProvider& input, hid_t group, int depth) {
  for (int k = input.ConsumeIntegralInRange(0, 4); k > 0; --k)
    switch (input.ConsumeIntegral<char>() & 7) {
      case 0:
        add_attribute(input, group);
        break;
      case 1:
        if (depth < 3) add_group(input, group, pick_name(input), depth + 1);
        break;
      case 2:
        H5Lcreate_soft(".", group, pick_name(input).c_str(), H5P_DEFAULT, H5P_DEFAULT);
        break;
      case 3:
        H5Lcreate_soft("/nowhere", group, pick_name(input).c_str(), H5P_DEFAULT, H5P_DEFAULT);
        break;
      default:
        add_dataset(input, group);
    }
}

void add_group(FuzzedDataProvider& input, hid_t parent, const std::string& name, int depth) {
  const hid_t order = H5Pcreate(H5P_GROUP_CREATE);
  if (input.ConsumeIntegralInRange(0, 15) != 0)
    H5Pset_link_creation_order(order, H5P_CRT_ORDER_TRACKED | H5P_CRT_ORDER_INDEXED);
  const hid_t group = H5Gcreate2(parent, name.c_str(), H5P_DEFAULT, order, H5P_DEFAULT);
  if (group >= 0) add_members(input, group, depth);
  H5Gclose(group);
  H5Pclose(order);
}

/// Bytes of a file, user block left empty.
std::string make_content(FuzzedDataProvider& input) {
  const hid_t access = H5Pcreate(H5P_FILE_ACCESS), creation = H5Pcreate(H5P_FILE_CREATE);
  H5Pset_fapl_core(access, 1 << 16, false);
  H5Pset_userblock(creation, checkpoint_seal_size);
  const hid_t file = H5Fcreate("fuzz in memory", H5F_ACC_TRUNC, creation, access);
  for (const char* name : {"numbers", "texts", "groups"})
    if (input.ConsumeIntegralInRange(0, 15) != 0) add_group(input, file, name, 0);
  add_members(input, file, 2);
  H5Fflush(file, H5F_SCOPE_GLOBAL);
  void** memory = nullptr;  // the core driver's handle is a pointer to its buffer
  H5Fget_vfd_handle(file, H5P_DEFAULT, reinterpret_cast<void**>(&memory));
  const ssize_t size = H5Fget_file_image(file, nullptr, 0);
  require(size > 0);
  std::string bytes(static_cast<const char*>(*memory) + checkpoint_seal_size,
                    static_cast<std::size_t>(size));
  H5Fclose(file);
  H5Pclose(access);
  H5Pclose(creation);
  return bytes;
}

void check_columns(const Checkpoint& checkpoint) {
  for (const CheckpointGroup& group : checkpoint.groups)
    for (const FrameColumn& column : group.columns) {
      require(column.components >= 1 && column.data.size() % column.element_size() == 0);
      for (std::size_t i = 0; i < column.data.size() / column.element_size(); ++i)
        column.number(i, column.components - 1);
    }
}

}  // namespace
}  // namespace phyxel::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace phyxel;
  static const fuzz::MemoryFile file;
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
  FuzzedDataProvider input(data, size);
  const std::string body = fuzz::make_content(input);
  file.hold(checkpoint_seal(body) + body);
  return fuzz::answers([&] { fuzz::check_columns(read_checkpoint(file.path)); });
}
