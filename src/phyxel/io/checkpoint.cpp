#include "phyxel/io/checkpoint.h"

#include <fmt/format.h>
#include <hdf5.h>
#include <utility>

#include "phyxel/core/error.h"
#include "phyxel/core/file.h"
#include "phyxel/io/checkpoint_seal.h"
#include "phyxel/io/text_reader.h"

namespace phyxel {

namespace {

constexpr hsize_t max_components = 1024;                  // of a column
constexpr std::size_t user_block = checkpoint_seal_size;  // HDF5 allows 512 and its doubles

/// While it lives HDF5 prints nothing: failures become exceptions.
class Quiet {
 public:
  Quiet() {
    H5Eget_auto2(H5E_DEFAULT, &print_, &data_);
    H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
  }
  ~Quiet() { H5Eset_auto2(H5E_DEFAULT, print_, data_); }
  Quiet(const Quiet&) = delete;
  Quiet& operator=(const Quiet&) = delete;

 private:
  H5E_auto2_t print_ = nullptr;
  void* data_ = nullptr;
};

herr_t keep_reason(unsigned, const H5E_error2_t* error, void* reason) {
  *static_cast<std::string*>(reason) = error->desc ? error->desc : "";
  return 0;
}

/// The innermost reason on HDF5's error stack.
[[noreturn]] void fail(const std::string& what) {
  std::string reason;
  H5Ewalk2(H5E_DEFAULT, H5E_WALK_DOWNWARD, &keep_reason, &reason);
  throw Error("HDF5: cannot " + what + (reason.empty() ? "" : ": " + reason));
}

void check(herr_t status, const std::string& what) {
  if (status < 0) fail(what);
}

/// An HDF5 object, closed at the end of its scope.
class Handle {
 public:
  Handle(hid_t id, herr_t (*close)(hid_t), const std::string& what) : id_(id), close_(close) {
    if (id < 0) fail(what);
  }
  ~Handle() { close_(id_); }
  Handle(const Handle&) = delete;
  Handle& operator=(const Handle&) = delete;
  operator hid_t() const { return id_; }

 private:
  hid_t id_;
  herr_t (*close_)(hid_t);
};

hid_t file_type(NumberType type) {
  const hid_t types[] = {H5T_IEEE_F32LE, H5T_IEEE_F64LE, H5T_STD_I32LE,
                         H5T_STD_U32LE,  H5T_STD_U8LE,   H5T_STD_U64LE};
  return types[int(type)];
}

/// A string type with room for a final zero, so that "" is possible too.
Handle string_type(std::size_t length) {
  const hid_t type = H5Tcopy(H5T_C_S1);
  H5Tset_size(type, length + 1);
  H5Tset_cset(type, H5T_CSET_UTF8);
  return {type, &H5Tclose, "make a string type"};
}

void write_attribute(hid_t object, const std::string& name, hid_t type, const void* value) {
  const Handle space(H5Screate(H5S_SCALAR), &H5Sclose, "make a scalar");
  const Handle attribute(H5Acreate2(object, name.c_str(), type, space, H5P_DEFAULT, H5P_DEFAULT),
                         &H5Aclose, "make attribute " + name);
  check(H5Awrite(attribute, type, value), "write attribute " + name);
}

void write_text_attribute(hid_t object, const std::string& name, const std::string& text) {
  write_attribute(object, name, string_type(text.size()), text.c_str());
}

/// HDF5 takes '/' and "." for paths.
const char* link_name(const std::string& name) {
  if (name.empty() || name == "." || name.find('/') != name.npos || name.find('\0') != name.npos)
    throw Error("checkpoint: the name " + in_quotes(name) +
                " must not be empty, '.', or contain '/'; rename it");
  return name.c_str();
}

/// A group that remembers the order of its members.
Handle make_group(hid_t parent, const std::string& name) {
  const Handle order(H5Pcreate(H5P_GROUP_CREATE), &H5Pclose, "make group settings");
  check(H5Pset_link_creation_order(order, H5P_CRT_ORDER_TRACKED | H5P_CRT_ORDER_INDEXED),
        "keep the order of a group");
  check(H5Pset_obj_track_times(order, false), "leave out times");
  return {H5Gcreate2(parent, link_name(name), H5P_DEFAULT, order, H5P_DEFAULT), &H5Gclose,
          "make group " + name};
}

/// A dataset without times of day: the same state gives the same bytes.
Handle make_dataset(hid_t group, const std::string& name, hid_t type, hid_t space) {
  const Handle timeless(H5Pcreate(H5P_DATASET_CREATE), &H5Pclose, "make dataset settings");
  check(H5Pset_obj_track_times(timeless, false), "leave out times");
  return {H5Dcreate2(group, link_name(name), type, space, H5P_DEFAULT, timeless, H5P_DEFAULT),
          &H5Dclose, "make " + name};
}

void write_column(hid_t group, const FrameColumn& column) {
  if (column.components < 1 || column.data.size() % column.element_size() != 0)
    throw Error("checkpoint: column " + in_quotes(column.name) + " has " +
                std::to_string(column.data.size()) + " bytes, not a multiple of its element");
  const hsize_t shape[2] = {column.data.size() / column.element_size(),
                            static_cast<hsize_t>(column.components)};
  const Handle space(H5Screate_simple(2, shape, nullptr), &H5Sclose, "make a shape");
  const hid_t type = file_type(column.type);
  const Handle set = make_dataset(group, column.name, type, space);
  if (shape[0] > 0)
    check(H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, column.data.data()),
          "write column " + column.name);
  write_text_attribute(set, "unit", column.unit);
}

void write_text(hid_t group, const std::string& name, const std::string& text) {
  const Handle space(H5Screate(H5S_SCALAR), &H5Sclose, "make a scalar");
  const Handle type = string_type(text.size());
  const Handle set = make_dataset(group, name, type, space);
  check(H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, text.c_str()), "write text " + name);
}

void write_content(hid_t file, const Checkpoint& checkpoint) {
  write_text_attribute(file, "format", "phyxel checkpoint");
  write_attribute(file, "schema", H5T_NATIVE_INT, &checkpoint_schema);
  const Handle numbers = make_group(file, "numbers");
  for (const auto& [name, value] : checkpoint.numbers)
    write_attribute(numbers, name, H5T_IEEE_F64LE, &value);
  const Handle texts = make_group(file, "texts");
  for (const auto& [name, text] : checkpoint.texts) write_text(texts, name, text);
  const Handle groups = make_group(file, "groups");
  for (const CheckpointGroup& part : checkpoint.groups) {
    const Handle group = make_group(groups, part.name);
    for (const FrameColumn& column : part.columns) write_column(group, column);
  }
}

std::size_t size_of(const Checkpoint& checkpoint) {
  std::size_t size = 1 << 16;
  for (const auto& [name, text] : checkpoint.texts) size += text.size() + 1024;
  for (const CheckpointGroup& group : checkpoint.groups)
    for (const FrameColumn& column : group.columns) size += column.data.size() + 1024;
  return size;
}

/// A file that lives in memory only: HDF5 does not survive a full disk well, write_atomically does.
Handle make_file_in_memory(std::size_t increment) {
  const Handle access(H5Pcreate(H5P_FILE_ACCESS), &H5Pclose, "make file settings");
  check(H5Pset_fapl_core(access, increment, false), "work in memory");
  const Handle creation(H5Pcreate(H5P_FILE_CREATE), &H5Pclose, "make file settings");
  check(H5Pset_userblock(creation, user_block), "reserve the user block");
  check(H5Pset_obj_track_times(creation, false), "leave out times");
  return {H5Fcreate("phyxel checkpoint in memory", H5F_ACC_TRUNC, creation, access), &H5Fclose,
          "make a file in memory"};
}

/// The bytes of an open file in memory, user block included; valid until it changes.
std::string_view image_of(hid_t file) {
  check(H5Fflush(file, H5F_SCOPE_GLOBAL), "finish the file");
  void** memory = nullptr;  // the core driver's handle is a pointer to its buffer
  check(H5Fget_vfd_handle(file, H5P_DEFAULT, reinterpret_cast<void**>(&memory)),
        "find the file in memory");
  // Without a buffer this only tells what is in use, less the user block; the memory is larger.
  const ssize_t size = H5Fget_file_image(file, nullptr, 0);
  if (size < 0) fail("measure the file");
  return {static_cast<const char*>(*memory), user_block + static_cast<std::size_t>(size)};
}

}  // namespace

void write_checkpoint(const std::filesystem::path& path, const Checkpoint& checkpoint) {
  const Quiet quiet;
  const Handle file = make_file_in_memory(size_of(checkpoint));
  write_content(file, checkpoint);
  const std::string_view body = image_of(file).substr(user_block);
  write_atomically(path, [&](FileWriter& out) {
    out.write(checkpoint_seal(body));
    out.write(body);
  });
}

namespace {

Handle open_for_reading(const std::filesystem::path& path) {
  const Handle access(H5Pcreate(H5P_FILE_ACCESS), &H5Pclose, "make file settings");
  // Some network disks cannot lock; a checkpoint is never changed in place, so nothing is lost.
  check(H5Pset_file_locking(access, false, true), "read without a lock");
  return {H5Fopen(path.c_str(), H5F_ACC_RDONLY, access), &H5Fclose, "open the file"};
}

std::size_t member_count(hid_t group) {
  H5G_info_t info;
  check(H5Gget_info(group, &info), "count the members of a group");
  return info.nlinks;
}

/// Name of member k in the order of writing.
std::string member_name(hid_t group, std::size_t k) {
  const auto get = [&](char* to, std::size_t size) {
    const ssize_t n =
        H5Lget_name_by_idx(group, ".", H5_INDEX_CRT_ORDER, H5_ITER_INC, k, to, size, H5P_DEFAULT);
    if (n < 0) fail("read the name of a member");
    return static_cast<std::size_t>(n);
  };
  std::string name(get(nullptr, 0), '\0');
  get(name.data(), name.size() + 1);
  return name;
}

/// HDF5 writes as many values as the file says, wherever it is told to.
void expect_one_value(const Handle& space, const std::string& what) {
  if (H5Sget_simple_extent_npoints(space) != 1) fail("use " + what + ": it is not one value");
}

/// The bytes of a fixed-length string without the final zero.
template <class Read>
std::string read_string(hid_t type, const Handle& space, Read&& read) {
  if (H5Tget_class(type) != H5T_STRING || H5Tis_variable_str(type) != 0) fail("read a string");
  expect_one_value(space, "a string");
  std::string text(H5Tget_size(type), '\0');
  check(read(text.data()), "read a string");
  text.pop_back();
  return text;
}

std::string read_text_attribute(hid_t object, const char* name) {
  const Handle attribute(H5Aopen(object, name, H5P_DEFAULT), &H5Aclose, "open an attribute");
  const Handle type(H5Aget_type(attribute), &H5Tclose, "read a type");
  const Handle space(H5Aget_space(attribute), &H5Sclose, "read a shape");
  return read_string(type, space, [&](char* to) { return H5Aread(attribute, type, to); });
}

NumberType number_type_of(hid_t type) {
  for (const NumberType candidate : {NumberType::float32, NumberType::float64, NumberType::int32,
                                     NumberType::uint32, NumberType::uint8, NumberType::uint64})
    if (H5Tequal(type, file_type(candidate)) > 0) return candidate;
  fail("use a column of this number type");
}

FrameColumn read_column(hid_t group, const std::string& name) {
  const Handle set(H5Dopen2(group, name.c_str(), H5P_DEFAULT), &H5Dclose, "open column " + name);
  const Handle space(H5Dget_space(set), &H5Sclose, "read a shape");
  const Handle type(H5Dget_type(set), &H5Tclose, "read a type");
  hsize_t shape[2] = {0, 0};
  if (H5Sget_simple_extent_ndims(space) != 2) fail("use column " + name + ": it has no two axes");
  check(H5Sget_simple_extent_dims(space, shape, nullptr), "read a shape");
  if (shape[1] < 1 || shape[1] > max_components)
    fail(fmt::format("use column {}: {} components, not 1 to {}", name, shape[1], max_components));
  FrameColumn column{
      name, read_text_attribute(set, "unit"), number_type_of(type), static_cast<int>(shape[1]), {}};
  if (shape[0] == 0) return column;
  const hsize_t stored = H5Dget_storage_size(set), element = column.element_size();
  if (stored % element != 0 || stored / element != shape[0]) fail("trust the size of " + name);
  column.data.resize(stored);
  check(H5Dread(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, column.data.data()), "read " + name);
  return column;
}

std::string attribute_name(hid_t attribute) {
  const ssize_t size = H5Aget_name(attribute, 0, nullptr);
  if (size < 0) fail("read the name of a number");
  std::string name(static_cast<std::size_t>(size), '\0');
  H5Aget_name(attribute, name.size() + 1, name.data());
  return name;
}

std::map<std::string, double> read_numbers(hid_t file) {
  const Handle group(H5Gopen2(file, "numbers", H5P_DEFAULT), &H5Gclose, "open the numbers");
  std::map<std::string, double> numbers;
  H5O_info_t info;
  check(H5Oget_info2(group, &info, H5O_INFO_NUM_ATTRS), "count the numbers");
  for (hsize_t k = 0; k < info.num_attrs; ++k) {
    const Handle attribute(
        H5Aopen_by_idx(group, ".", H5_INDEX_NAME, H5_ITER_INC, k, H5P_DEFAULT, H5P_DEFAULT),
        &H5Aclose, "open a number");
    const std::string name = attribute_name(attribute);
    const Handle space(H5Aget_space(attribute), &H5Sclose, "read a shape");
    expect_one_value(space, "number " + name);
    check(H5Aread(attribute, H5T_NATIVE_DOUBLE, &numbers[name]), "read number " + name);
  }
  return numbers;
}

std::map<std::string, std::string> read_texts(hid_t file) {
  const Handle group(H5Gopen2(file, "texts", H5P_DEFAULT), &H5Gclose, "open the texts");
  std::map<std::string, std::string> texts;
  for (std::size_t k = 0; k < member_count(group); ++k) {
    const std::string name = member_name(group, k);
    const Handle set(H5Dopen2(group, name.c_str(), H5P_DEFAULT), &H5Dclose, "open text " + name);
    const Handle type(H5Dget_type(set), &H5Tclose, "read a type");
    const Handle space(H5Dget_space(set), &H5Sclose, "read a shape");
    texts[name] = read_string(type, space, [&](char* to) {
      return H5Dread(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, to);
    });
  }
  return texts;
}

std::vector<CheckpointGroup> read_groups(hid_t file) {
  const Handle all(H5Gopen2(file, "groups", H5P_DEFAULT), &H5Gclose, "open the groups");
  std::vector<CheckpointGroup> groups(member_count(all));
  for (std::size_t k = 0; k < groups.size(); ++k) {
    groups[k].name = member_name(all, k);
    const Handle group(H5Gopen2(all, groups[k].name.c_str(), H5P_DEFAULT), &H5Gclose,
                       "open group " + groups[k].name);
    for (std::size_t c = 0; c < member_count(group); ++c)
      groups[k].columns.push_back(read_column(group, member_name(group, c)));
  }
  return groups;
}

}  // namespace

Checkpoint read_checkpoint(const std::filesystem::path& path) {
  check_checkpoint_seal(path);
  const Quiet quiet;
  try {
    const Handle file = open_for_reading(path);
    return {read_numbers(file), read_texts(file), read_groups(file)};
  } catch (const InputError&) {
    throw;
  } catch (const Error& error) {
    refuse_checkpoint(path, error.what());
  }
}

}  // namespace phyxel
