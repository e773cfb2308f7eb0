#include "phyxel/core/file.h"

#include <csignal>
#include <doctest/doctest.h>
#include <fcntl.h>
#include <fstream>
#include <memory>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "io/hostile.h"
#include "io/test_frames.h"
#include "io/write_csv.h"
#include "phyxel/io/checkpoint.h"
#include "phyxel/io/mesh_read.h"
#include "phyxel/io/mesh_write.h"
#include "phyxel/io/ply.h"
#include "phyxel/io/points.h"
#include "phyxel/io/text_reader.h"
#include "phyxel/io/usd.h"
#include "phyxel/io/vtk.h"

using namespace phyxel;

namespace {

/// While it lives no file can grow beyond `bytes`: what a full disk looks like, without root.
struct FullDisk {
  rlimit before;
  sighandler_t handler;

  explicit FullDisk(rlim_t bytes) {
    handler = std::signal(SIGXFSZ, SIG_IGN);
    getrlimit(RLIMIT_FSIZE, &before);
    const rlimit small{bytes, before.rlim_max};
    setrlimit(RLIMIT_FSIZE, &small);
  }
  ~FullDisk() {
    setrlimit(RLIMIT_FSIZE, &before);
    std::signal(SIGXFSZ, handler);
  }
};

void write_text(const std::filesystem::path& path, const std::string& text) {
  write_atomically(path, [&](FileWriter& file) { file.write(text); });
}

std::string error_of(const std::function<void()>& f) {
  try {
    f();
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

std::size_t files_in(const TestFolder& folder) {
  return std::distance(std::filesystem::directory_iterator(folder.path), {});
}

}  // namespace

TEST_CASE("an_atomic_write_leaves_one_file_with_all_bytes") {
  const TestFolder folder("file");
  const std::string large(3 << 20, 'a');
  write_atomically(folder / "a.bin", [&](FileWriter& file) {
    file.write("begin");
    file.write(large);
    file.write("end");
    CHECK(file.bytes() == large.size() + 8);
  });
  CHECK(read_whole_file(folder / "a.bin") == "begin" + large + "end");
  CHECK(files_in(folder) == 1);
}

TEST_CASE("a_new_file_has_the_rights_that_umask_leaves") {
  const TestFolder folder("rights");
  const mode_t before = umask(027);
  write_text(folder / "a", "text");
  umask(before);
  struct stat status;
  REQUIRE(stat((folder / "a").c_str(), &status) == 0);
  CHECK((status.st_mode & 0777) == 0640);
}

TEST_CASE("a_full_disk_is_a_clear_error_and_keeps_the_earlier_file") {
  const TestFolder folder("full");
  write_text(folder / "a", "earlier");
  const FullDisk full(100000);
  const std::string message =
      error_of([&] { write_text(folder / "a", std::string(3 << 20, 'a')); });
  CHECK(contains(message, (folder / "a").string() + ": cannot write: File too large"));
  CHECK(contains(message, "after 100000 bytes, at least 3145728 are needed"));
  CHECK(contains(message, "ulimit -f"));
  CHECK(read_whole_file(folder / "a") == "earlier");
  CHECK(files_in(folder) == 1);
}

TEST_CASE("every_writer_reports_a_full_disk_and_keeps_the_earlier_file") {
  const TestFolder folder("writers");
  const Frame frame = make_test_frame(5000);
  const SurfaceMesh surface = make_test_surface(5000);
  const Checkpoint checkpoint{{}, {}, {{"all", frame.columns}}};
  const std::function<void()> writers[] = {[&] { write_ply(folder / "a", frame); },
                                           [&] { write_vtp(folder / "a", frame); },
                                           [&] { write_csv(folder / "a", frame); },
                                           [&] { write_checkpoint(folder / "a", checkpoint); },
                                           [&] { write_ply(folder / "a", surface); },
                                           [&] { write_obj(folder / "a", surface); },
                                           [&] { write_vtp(folder / "a", surface); },
                                           [&] { write_glb(folder / "a", surface); },
                                           [&] {
                                             UsdAnimation animation(folder / "a", 24);
                                             animation.add_mesh("a", 0, surface);
                                             animation.finish();
                                           }};
  write_text(folder / "a", "earlier");
  for (const auto& writer : writers) {
    {
      const FullDisk full(100000);
      CHECK(contains(error_of(writer), "cannot write"));
    }
    CHECK(read_whole_file(folder / "a") == "earlier");
    CHECK(files_in(folder) == 1);
  }
  for (const auto& writer : writers) CHECK(error_of(writer) == "no error");
}

TEST_CASE("a_scratch_file_gives_any_part_of_its_bytes_and_leaves_nothing") {
  const TestFolder folder("scratch");
  ScratchFile scratch(folder / "a");
  const std::string large(3 << 20, 'a');
  scratch.writer().write("begin");
  scratch.writer().write(large);
  scratch.writer().write("end");
  CHECK(files_in(folder) == 0);
  write_atomically(folder / "a", [&](FileWriter& file) {
    scratch.copy(5 + large.size(), 3, file);
    scratch.copy(0, 5 + large.size(), file);
    scratch.copy(2, 0, file);
  });
  CHECK(read_whole_file(folder / "a") == "endbegin" + large);
  const auto past = [&](FileWriter& file) { scratch.copy(large.size(), 100, file); };
  CHECK(contains(error_of([&] { write_atomically(folder / "b", past); }), "cannot write"));
  CHECK(files_in(folder) == 1);
}

TEST_CASE("a_writer_that_throws_leaves_the_earlier_file") {
  const TestFolder folder("throws");
  write_text(folder / "a", "earlier");
  const auto broken = [](FileWriter& file) {
    file.write("half of it");
    throw Error("stop");
  };
  CHECK_THROWS_AS(write_atomically(folder / "a", broken), Error);
  CHECK(read_whole_file(folder / "a") == "earlier");
  CHECK(files_in(folder) == 1);
}

TEST_CASE("places_that_cannot_be_written_are_named_with_the_reason") {
  const TestFolder folder("places");
  write_text(folder / "file", "text");
  create_folders(folder / "folder");
  const auto message = [&](const std::string& name) {
    return error_of([&] { write_text(folder / name, "text"); });
  };
  CHECK(contains(message("missing/a"), "No such file or directory"));
  CHECK(contains(message("file/a"), "Not a directory"));
  CHECK(contains(message("folder"), "a folder has this name"));
  CHECK(contains(message(std::string(300, 'a')), "choose a shorter name"));
  CHECK(contains(error_of([&] { create_folders(folder / "file/a"); }), "cannot make this folder"));
  CHECK(files_in(folder) == 2);
}

TEST_CASE("an_unwritable_folder_is_named_with_the_remedy") {
  if (geteuid() == 0) return;  // root may write everywhere
  const TestFolder folder("unwritable");
  REQUIRE(chmod(folder.path.c_str(), 0500) == 0);
  const std::string message = error_of([&] { write_text(folder / "a", "text"); });
  chmod(folder.path.c_str(), 0700);
  CHECK(contains(message, "choose an output folder that you may write to"));
}

TEST_CASE("create_folders_makes_all_levels_and_accepts_existing_ones") {
  const TestFolder folder("levels");
  create_folders(folder / "a/b/c");
  create_folders(folder / "a/b/c");
  create_folders("");
  CHECK(std::filesystem::is_directory(folder / "a/b/c"));
}

TEST_CASE("what_cannot_be_read_is_named_with_the_reason") {
  const TestFolder folder("read");
  const auto message = [](const std::filesystem::path& path) {
    return message_of([&] { read_whole_file(path); });
  };
  CHECK(contains(message(folder / "none.ply"), "none.ply: cannot read: No such file"));
  CHECK(contains(message(folder.path), "it is a folder"));
  CHECK(contains(message("/dev/zero"), "it is a device"));
}

TEST_CASE("a_link_stays_and_the_file_behind_it_is_replaced") {
  const TestFolder folder("links");
  create_folders(folder / "there");
  write_text(folder / "there/file", "earlier");
  std::filesystem::create_symlink("there/file", folder / "link");
  std::filesystem::create_symlink("link", folder / "link_to_link");
  std::filesystem::create_symlink("there/new", folder / "dangling");
  std::filesystem::create_symlink("circle", folder / "circle");
  write_text(folder / "link_to_link", "later");
  write_text(folder / "dangling", "new");
  for (const char* link : {"link", "link_to_link", "dangling"})
    CHECK(std::filesystem::is_symlink(folder / link));
  CHECK(read_whole_file(folder / "there/file") == "later");
  CHECK(read_whole_file(folder / "there/new") == "new");
  CHECK(contains(error_of([&] { write_text(folder / "circle", "x"); }), "links"));
  CHECK(std::distance(std::filesystem::directory_iterator(folder / "there"), {}) == 2);
}

TEST_CASE("a_replaced_file_keeps_its_rights") {
  const TestFolder folder("kept_rights");
  write_text(folder / "a", "earlier");
  REQUIRE(chmod((folder / "a").c_str(), 0600) == 0);
  write_text(folder / "a", "later");
  struct stat status;
  REQUIRE(stat((folder / "a").c_str(), &status) == 0);
  CHECK((status.st_mode & 0777) == 0600);
}

TEST_CASE("a_pipe_is_written_into_and_stays_one") {
  const TestFolder folder("pipe");
  const auto pipe = folder / "pipe";
  REQUIRE(mkfifo(pipe.c_str(), 0600) == 0);
  CHECK(contains(error_of([&] { write_text(pipe, "text"); }), "a program that reads it"));
  const int reader = open(pipe.c_str(), O_RDONLY | O_NONBLOCK);
  check_writable(pipe);  // sends nothing
  write_text(pipe, "text");
  char buffer[16];
  CHECK(std::string(buffer, static_cast<std::size_t>(read(reader, buffer, sizeof buffer))) ==
        "text");
  close(reader);
  CHECK(std::filesystem::is_fifo(pipe));
  CHECK(files_in(folder) == 1);
}

TEST_CASE("a_device_is_written_into_and_stays_one") {
  const TestFolder folder("device");
  const auto device = folder / "null";
  // A device of our own, as a mistake here would cost the machine its /dev/null.
  if (mknod(device.c_str(), S_IFCHR | 0666, makedev(1, 3)) != 0) return;
  write_text(device, "text");
  check_writable(device);
  CHECK(std::filesystem::is_character_file(device));
  CHECK(files_in(folder) == 1);
}

TEST_CASE("a_path_of_an_open_descriptor_is_written_into_where_it_stands") {
  const TestFolder folder("descriptor");
  const int file = open((folder / "out").c_str(), O_RDWR | O_CREAT, 0600);
  REQUIRE(write(file, "before ", 7) == 7);
  write_text("/dev/fd/" + std::to_string(file), "text");
  REQUIRE(write(file, " after", 6) == 6);
  close(file);
  CHECK(read_whole_file(folder / "out") == "before text after");
  CHECK(files_in(folder) == 1);
}

TEST_CASE("temporary_names_are_told_from_names_that_only_end_like_them") {
  std::string target;
  CHECK(is_temporary_name(".frame_0001.ply.123-0.tmp", target));
  CHECK(target == "frame_0001.ply");
  for (const char* name : {"mine.tmp", ".mine.tmp", ".a.b-c.tmp", ".a.12-.tmp", ".a.-3.tmp",
                           "a.12-3.tmp", ".12-3.tmp", ".tmp", ".a.12-3.tmp.bak"})
    CHECK_MESSAGE(!is_temporary_name(name, target), name);
}

TEST_CASE("a_pipe_as_input_is_refused_at_once") {
  const TestFolder folder("input_pipe");
  for (const char* name : {"p.ply", "p.obj", "p.xyz", "p.vtk"}) {
    REQUIRE(mkfifo((folder / name).c_str(), 0600) == 0);
    CHECK(!holds_a_surface(folder / name));
    CHECK(contains(message_of([&] { read_points(folder / name); }), "it is a pipe; save what"));
  }
}

TEST_CASE("a_program_that_must_end_can_remove_what_it_has_not_finished") {
  const TestFolder folder("abandoned");
  write_text(folder / "done", "text");
  for (int round = 0; round < 3; ++round) {  // places for names are used again
    std::vector<std::unique_ptr<TemporaryFile>> files;
    for (int k = 0; k < 10; ++k)
      files.push_back(std::make_unique<TemporaryFile>(folder / ("file" + std::to_string(k))));
    CHECK(files_in(folder) == 11);
    abandon_temporaries();
    CHECK(files_in(folder) == 1);
  }
  abandon_temporaries();
  CHECK(read_whole_file(folder / "done") == "text");
}
