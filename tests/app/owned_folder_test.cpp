#include "phyxel/app/folder/owned_folder.h"

#include <doctest/doctest.h>
#include <fmt/format.h>
#include <fstream>
#include <unistd.h>

#include "app/folder_files.h"
#include "phyxel/app/pictures/render_frames.h"
#include "phyxel/app/run.h"
#include "phyxel/scene/read_scene.h"
#include "render/temporary_folder.h"

namespace phyxel {
namespace {

/// Five frames of a ball; `seed` tells runs apart.
Scene scene_with(int seed = 1, const std::vector<std::string>& set = {}) {
  std::vector<Override> overrides;
  for (const std::string& s : set) overrides.push_back(parse_override(s));
  return parse_scene(fmt::format(R"(duration = 0.2
fps = 20
seed = {}
[material.wax]
method = "lennard_jones"
youngs_modulus = 1e4
[body.ball]
material = "wax"
shape = {{ type = "sphere", radius = 0.2 }}
spacing = 0.1
[render]
enabled = false
width = 32
height = 18
samples = 1
)",
                                 seed),
                     "scene.toml", ".", overrides);
}

struct Asked {
  bool overwrite = false, resume = false;
  int last = -1;    // frame to stop after
  int frames = -1;  // last frame; -1: the scene's
};

/// "" or the message of the InputError.
std::string run_into(const fs::path& out, const Scene& scene, Asked asked = {},
                     std::vector<std::string>* notes = nullptr) {
  std::atomic<bool> stop{false};
  RunOptions options;
  options.out = out;
  options.overwrite = asked.overwrite;
  options.resume = asked.resume;
  options.frames = asked.frames;
  options.stop = &stop;
  options.on_frame = [&](const FrameReport& report) { stop = report.frame == asked.last; };
  options.on_note = [&](const std::string& note) {
    if (notes) notes->push_back(note);
  };
  try {
    run(scene, options);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != text.npos;
}

bool holds_seed(const fs::path& folder, int seed) {
  return contains(bytes_of(folder / "scene.toml"), fmt::format("seed = {}\n", seed));
}

void write(const fs::path& path, const std::string& text = "mine") {
  fs::create_directories(path.parent_path());
  std::ofstream(path) << text;
}

}  // namespace

TEST_CASE("earlier_results_move_to_previous_of_which_one_is_kept") {
  const TemporaryFolder folder;
  const fs::path out = folder.path / "out", previous = folder.path / "out.previous";
  REQUIRE(run_into(out, scene_with(1, {"duration=0.4"})) == "");
  const auto first = files_of(out);
  std::vector<std::string> notes;
  REQUIRE(run_into(out, scene_with(2), {}, &notes) == "");
  CHECK(files_of(previous) == first);
  CHECK(holds_seed(out, 2));
  CHECK_FALSE(fs::exists(out / "particles/frame_0005.ply"));
  REQUIRE(notes.size() == 1);
  CHECK(contains(notes[0], "the results that it held are now in "));
  CHECK(contains(notes[0], "out.previous"));
  REQUIRE(run_into(out, scene_with(3)) == "");
  CHECK(holds_seed(out, 3));
  CHECK(holds_seed(previous, 2));
  CHECK_FALSE(fs::exists(previous / "particles/frame_0005.ply"));
  CHECK(std::distance(fs::directory_iterator(folder.path), {}) == 2);
}

TEST_CASE("overwrite_replaces_results_and_keeps_files_of_others") {
  const TemporaryFolder folder;
  const fs::path out = folder.path / "out";
  REQUIRE(run_into(out, scene_with(1, {"duration=0.4"})) == "");
  write(out / "images/mine.png");
  write(out / "notes/todo.txt");
  write(out / "half.tmp");
  REQUIRE(run_into(out, scene_with(2), {.overwrite = true}) == "");
  CHECK(holds_seed(out, 2));
  CHECK_FALSE(fs::exists(out / "particles/frame_0005.ply"));
  CHECK_FALSE(fs::exists(folder.path / "out.previous"));
  for (const char* file : {"images/mine.png", "notes/todo.txt", "half.tmp"})
    CHECK(bytes_of(out / file) == "mine");
  // Not where it would be in the way.
  write(out / "particles/frame_0099.ply");
  const auto before = files_of(out);
  for (const Asked asked : {Asked{.overwrite = true}, Asked{.resume = true}}) {
    const std::string message = run_into(out, scene_with(2), asked);
    CHECK_MESSAGE(contains(message, "did not write: particles/frame_0099.ply;"), message);
    CHECK(files_of(out) == before);
  }
}

TEST_CASE("files_of_others_move_along_and_are_never_removed") {
  const TemporaryFolder folder;
  const fs::path out = folder.path / "out", previous = folder.path / "out.previous";
  REQUIRE(run_into(out, scene_with(1)) == "");
  write(out / "images/mine.png");
  REQUIRE(run_into(out, scene_with(2)) == "");
  CHECK(bytes_of(previous / "images/mine.png") == "mine");
  const auto before = files_of(folder.path);
  const std::string message = run_into(out, scene_with(3));
  CHECK_MESSAGE(contains(message, "out.previous: holds what phyxel did not write: images/mine.png"),
                message);
  CHECK(contains(message, "--overwrite"));
  CHECK(files_of(folder.path) == before);
  fs::remove(previous / "images/mine.png");
  CHECK(run_into(out, scene_with(3)) == "");
}

TEST_CASE("a_previous_that_is_not_ours_is_left_alone") {
  const TemporaryFolder folder;
  const fs::path out = folder.path / "out", previous = folder.path / "out.previous";
  REQUIRE(run_into(out, scene_with(1)) == "");
  const auto check_refused = [&] {
    const auto before = files_of(folder.path);
    const std::string message = run_into(out, scene_with(2));
    CHECK_MESSAGE(contains(message, "it is not of a phyxel run; move it away, or say --overwrite"),
                  message);
    CHECK(files_of(folder.path) == before);
    fs::remove_all(previous);
  };
  write(previous / "thesis.tex");
  check_refused();
  write(previous);
  check_refused();
  fs::create_directories(folder.path / "elsewhere");
  fs::create_symlink("elsewhere", previous);
  check_refused();
  CHECK(run_into(out, scene_with(2)) == "");
  CHECK(holds_seed(previous, 1));
}

TEST_CASE("a_run_that_got_nowhere_does_not_take_the_place_of_an_earlier_one") {
  const TemporaryFolder folder;
  const fs::path out = folder.path / "out", previous = folder.path / "out.previous";
  REQUIRE(run_into(out, scene_with(1)) == "");
  REQUIRE(run_into(out, scene_with(2), {.frames = 0}) == "");  // the initial state only
  REQUIRE(run_into(out, scene_with(3)) == "");
  CHECK(holds_seed(out, 3));
  CHECK(holds_seed(previous, 1));
  // Killed between the removal of the older results and the move of the newer ones.
  fs::remove_all(previous / "particles");
  fs::remove(previous / "scene.toml");
  REQUIRE(run_into(out, scene_with(4)) == "");
  CHECK(holds_seed(previous, 3));
  // Killed behind the move: the folder is not there.
  fs::remove_all(previous);
  fs::rename(out, previous);
  for (const bool resume : {true, false})
    CHECK(run_into(folder.path / (resume ? "a" : "out"), scene_with(5), {.resume = resume}) == "");
  CHECK(holds_seed(previous, 4));
}

TEST_CASE("resume_without_a_checkpoint_starts_anew_and_keeps_what_was_there") {
  const TemporaryFolder folder;
  const fs::path out = folder.path / "out";
  REQUIRE(run_into(out, scene_with(1)) == "");
  fs::remove(out / "checkpoint/frame_0003.h5");
  fs::remove(out / "checkpoint/frame_0004.h5");
  REQUIRE(run_into(out, scene_with(2), {.resume = true}) == "");
  CHECK(holds_seed(out, 2));
  CHECK(holds_seed(folder.path / "out.previous", 1));
}

TEST_CASE("a_copied_scene_file_makes_no_folder_ours") {
  const TemporaryFolder folder;
  REQUIRE(run_into(folder.path / "run", scene_with(1)) == "");
  const fs::path mine = folder.path / "mine";
  write(mine / "images/frame_0000.png");
  write(mine / "images/mine.png");
  write(mine / "a.tmp");
  fs::copy(folder.path / "run/scene.toml", mine);
  const auto before = files_of(folder.path);
  for (const Asked asked : {Asked{}, Asked{.overwrite = true}, Asked{.resume = true}}) {
    const std::string message = run_into(mine, scene_with(2), asked);
    CHECK_MESSAGE(contains(message, "of an earlier version of phyxel"), message);
    CHECK(contains(message, "--out"));
    CHECK(files_of(folder.path) == before);
  }
}

TEST_CASE("folders_of_others_are_left_alone") {
  const TemporaryFolder folder;
  write(folder.path / "notes/images/mine.png");
  write(folder.path / "notes/scene.toml", "# my own scene\n");
  write(folder.path / "scratch/a.tmp");
  const auto before = files_of(folder.path);
  for (const char* name : {"notes", "scratch"})
    for (const Asked asked : {Asked{}, Asked{.overwrite = true}, Asked{.resume = true}})
      CHECK(contains(run_into(folder.path / name, scene_with(), asked),
                     "holds what phyxel did not write: "));
  CHECK(contains(run_into(folder.path / "notes/scene.toml", scene_with()),
                 "is a file; --out needs a folder"));
  CHECK(files_of(folder.path) == before);
}

TEST_CASE("only_what_killed_runs_left_half_written_is_removed") {
  const TemporaryFolder folder;
  const fs::path out = folder.path / "out";
  REQUIRE(run_into(folder.path / "whole", scene_with()) == "");
  write(out / ".phyxel_run.txt.123-0.tmp", "half");  // killed before it had begun
  REQUIRE(run_into(out, scene_with(), {.last = 2}) == "");
  CHECK_FALSE(fs::exists(out / ".phyxel_run.txt.123-0.tmp"));
  write(out / "particles/.frame_0002.ply.123-0.tmp", "half");
  std::ofstream(out / "stats.csv", std::ios::app) << "3,0.15,1";
  const std::vector<std::string> kept = {"mine.tmp", "particles/mine.tmp", ".todo.txt.7-0.tmp",
                                         "particles/.frame_0099.ply.5-0.tmp", "stats.csv.tmp"};
  for (const std::string& name : kept) write(out / name);
  REQUIRE(run_into(out, scene_with(), {.resume = true}) == "");
  for (const std::string& name : kept) {
    CHECK_MESSAGE(bytes_of(out / name) == "mine", name);
    fs::remove(out / name);
  }
  CHECK(difference(folder.path / "whole", out) == "");
}

TEST_CASE("a_link_to_a_folder_stays_and_what_is_behind_it_moves") {
  const TemporaryFolder folder;
  fs::create_directories(folder.path / "disk/results");
  fs::create_symlink("disk/results", folder.path / "out");
  REQUIRE(run_into(folder.path / "out/", scene_with(1)) == "");
  REQUIRE(run_into(folder.path / "out", scene_with(2)) == "");
  CHECK(fs::is_symlink(folder.path / "out"));
  CHECK(holds_seed(folder.path / "disk/results", 2));
  CHECK(holds_seed(folder.path / "disk/results.previous", 1));
}

TEST_CASE("what_lies_behind_a_linked_subfolder_is_never_removed") {
  const TemporaryFolder folder;
  const fs::path out = folder.path / "out", photos = folder.path / "photos";
  REQUIRE(run_into(out, scene_with(1, {"render.enabled=true"})) == "");
  fs::remove_all(out / "images");
  fs::create_directories(photos);
  std::ofstream(photos / "frame_0001.png") << "mine";
  fs::create_directory_symlink(photos, out / "images");
  for (const bool overwrite : {true, false, false, false}) {
    run_into(out, scene_with(2), {overwrite});
    CHECK(bytes_of(photos / "frame_0001.png") == "mine");
  }
}

TEST_CASE("a_subfolder_that_outlives_an_overwrite_stays_ours") {
  const TemporaryFolder folder;
  const fs::path out = folder.path / "out", foreign = out / "particles/mine.txt";
  REQUIRE(run_into(out, scene_with(1)) == "");
  std::ofstream(foreign) << "mine";
  REQUIRE(run_into(out, scene_with(2), {true}) == "");
  CHECK(bytes_of(foreign) == "mine");
  fs::remove(foreign);
  for (int seed = 3; seed < 6; ++seed) CHECK(run_into(out, scene_with(seed)) == "");
}

TEST_CASE("an_input_in_the_output_folder_is_not_moved_or_replaced") {
  const TemporaryFolder folder;
  const fs::path out = folder.path / "out", input = out / "particles/frame_0002.ply";
  REQUIRE(run_into(out, scene_with(1)) == "");
  const std::string points = bytes_of(input);
  const Scene next = scene_with(
      2, {"body.ball.shape={ particles = \"" + input.string() + "\" }", "body.ball.spacing=0.1"});
  for (const bool overwrite : {false, true}) {
    const std::string message = run_into(out, next, {overwrite});
    CHECK_MESSAGE(contains(message, "is an input of the scene"), message);
    CHECK(bytes_of(input) == points);
  }
  REQUIRE(run_into(out, scene_with(3)) == "");  // it is in out.previous now
  const fs::path moved = folder.path / "out.previous/particles/frame_0002.ply";
  const Scene later = scene_with(
      4, {"body.ball.shape={ particles = \"" + moved.string() + "\" }", "body.ball.spacing=0.1"});
  CHECK(contains(run_into(out, later), "is an input of the scene"));
  CHECK(bytes_of(moved) == points);
}

TEST_CASE("a_locked_folder_is_refused_with_the_number_of_the_process") {
  const TemporaryFolder folder;
  const fs::path out = folder.path / "out";
  REQUIRE(run_into(out, scene_with(1)) == "");
  const auto before = files_of(out);
  const std::string expected =
      fmt::format("process {} writes into this folder", static_cast<int>(getpid()));
  {
    const FolderLock lock(out);
    for (const Asked asked : {Asked{}, Asked{.overwrite = true}, Asked{.resume = true}})
      CHECK(contains(run_into(out, scene_with(2), asked), expected));
    RenderJob job;
    job.places = {out.string()};
    CHECK_THROWS_WITH_AS(render_frames({}, job, [](const RenderProgress&) {}),
                         doctest::Contains(expected.c_str()), InputError);
  }
  CHECK(files_of(out) == before);
  // A dead process leaves the file, but no lock.
  write(out / FolderLock::file_name, "1\n");
  CHECK(run_into(out, scene_with(1), {.resume = true}) == "");
  CHECK_FALSE(fs::exists(out / FolderLock::file_name));
}

TEST_CASE("a_manifest_names_what_is_in_its_folder_only") {
  const TemporaryFolder folder;
  write(folder.path / "precious.txt");
  const fs::path out = folder.path / "out";
  write(out / Manifest::file_name, "phyxel run 1\n../precious.txt\n");
  CHECK(contains(run_into(out, scene_with(), {.overwrite = true}), "which is not in this folder"));
  write(out / Manifest::file_name, "phyxel run 1\n/etc/passwd\n");
  CHECK(contains(run_into(out, scene_with(), {.overwrite = true}), "which is not in this folder"));
  write(out / Manifest::file_name, "my list\n");
  CHECK(contains(run_into(out, scene_with(), {.overwrite = true}), "is not a list of files"));
  CHECK(bytes_of(folder.path / "precious.txt") == "mine");
}

TEST_CASE("a_line_of_a_manifest_that_was_cut_off_names_nothing") {
  const TemporaryFolder folder;
  Manifest manifest = Manifest::create(folder.path);
  manifest.add({"a", "b/"});
  manifest.add({"a", "b/c"});
  std::ofstream(folder.path / Manifest::file_name, std::ios::app) << "b/d";
  manifest = *Manifest::read(folder.path);
  CHECK(manifest.names() == std::set<std::string>{"a", "b/", "b/c"});
  manifest.add({"e"});
  CHECK(Manifest::read(folder.path)->names() == std::set<std::string>{"a", "b/", "b/c", "e"});
}

TEST_CASE("pictures_are_drawn_beside_files_of_others_and_replace_none") {
  const TemporaryFolder folder;
  write(folder.path / "p.xyz", "0 0 0\n0.1 0 0\n0 0.1 0\n0 0 0.1\n");
  write(folder.path / "seen/notes.txt");
  RenderJob job;
  job.places = {(folder.path / "p.xyz").string()};
  job.out = folder.path / "seen";
  for (const char* set : {"render.width=16", "render.height=16", "render.samples=1"})
    job.overrides.push_back(parse_override(set));
  const auto draw = [&] { return render_frames({}, job, [](const RenderProgress&) {}).pictures; };
  CHECK(draw() == 1);
  CHECK(draw() == 1);  // its own picture is replaced
  CHECK(bytes_of(folder.path / "seen/notes.txt") == "mine");
  // That does not make the folder one of a run.
  CHECK(contains(run_into(job.out, scene_with()), "holds what phyxel did not write: notes.txt"));
  fs::create_directories(folder.path / "other");
  write(folder.path / "other/images/frame_0000.png");
  job.out = folder.path / "other";
  CHECK_THROWS_WITH_AS(draw(), doctest::Contains("frame_0000.png: is there already"), InputError);
  CHECK(bytes_of(folder.path / "other/images/frame_0000.png") == "mine");
}

TEST_CASE("runs_of_earlier_versions_are_read_and_not_written_into") {
  const TemporaryFolder folder;
  const fs::path out = folder.path / "out";
  REQUIRE(run_into(out, scene_with(1)) == "");
  fs::remove(out / Manifest::file_name);
  const auto before = files_of(out);
  RenderJob job;
  job.places = {out.string()};
  job.last_frame = 0;
  const auto draw = [&] { return render_frames({}, job, [](const RenderProgress&) {}).pictures; };
  CHECK_THROWS_WITH_AS(draw(), doctest::Contains("of an earlier version of phyxel"), InputError);
  job.out = folder.path / "seen";
  CHECK(draw() == 1);
  CHECK(files_of(out) == before);
}

TEST_CASE("a_folder_is_not_moved_while_another_process_writes_below_it") {
  const TemporaryFolder folder;
  const fs::path out = folder.path / "out";
  REQUIRE(run_into(out, scene_with()) == "");
  fs::create_directories(out / "deep/in");
  {
    const FolderLock lock(out / "deep/in");
    const std::string message = run_into(out, scene_with(2));
    CHECK_MESSAGE(message.find(fmt::format("process {} writes into ", getpid())) != message.npos,
                  message);
    CHECK(message.find("deep/in; wait until it ends") != message.npos);
    CHECK_FALSE(fs::exists(folder.path / "out.previous"));
    CHECK(run_into(out, scene_with(2), {true}) == "");  // nothing is moved
  }
  CHECK(run_into(out, scene_with(3)) == "");
  CHECK(fs::exists(folder.path / "out.previous/deep/in"));
}

TEST_CASE("a_folder_that_nothing_was_written_into_is_left_as_it_was") {
  const TemporaryFolder folder;
  const auto refuse = [](const fs::path& out) {
    OwnedFolder owned(out, FolderUse::add);
    owned.prepare();
    owned.make_folders({out / "images"});
    owned.claim({out / "images/frame_0000.png"});
  };
  fs::create_directories(folder.path / "mine");
  std::ofstream(folder.path / "mine/file.txt") << "text";
  refuse(folder.path / "mine");
  CHECK(names_of(folder.path / "mine") == std::vector<std::string>{"file.txt"});
  CHECK_FALSE(fs::exists(folder.path / "mine/images"));
  refuse(folder.path / "new/one");
  CHECK_FALSE(fs::exists(folder.path / "new"));
  // What was written is kept, with the list that names it.
  {
    OwnedFolder owned(folder.path / "mine", FolderUse::add);
    owned.prepare();
    owned.claim({folder.path / "mine/one.ply"});
    std::ofstream(folder.path / "mine/one.ply") << "points";
  }
  CHECK(names_of(folder.path / "mine") ==
        std::vector<std::string>{"file.txt", "one.ply", "phyxel_run.txt"});
  refuse(folder.path / "mine");
  CHECK(fs::exists(folder.path / "mine/phyxel_run.txt"));
}

}  // namespace phyxel
