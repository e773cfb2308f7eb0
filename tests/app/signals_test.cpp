#include <chrono>
#include <doctest/doctest.h>
#include <fmt/format.h>
#include <thread>

#include "app/eventful_scene.h"
#include "app/process.h"
#include "render/temporary_folder.h"

// Runs that are interrupted, killed, or meet another one in their folder.

namespace phyxel {
namespace {

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != text.npos;
}

struct SceneFolder : TemporaryFolder {
  SceneFolder() { std::ofstream(path / "scene.toml") << eventful_scene; }
};

using Words = std::vector<std::string>;

void pause(int milliseconds) {
  std::this_thread::sleep_for(std::chrono::milliseconds(milliseconds));
}

double now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

bool wait_for(const fs::path& file, double seconds = 30) {
  for (const double begin = now(); now() - begin < seconds; pause(5))
    if (fs::exists(file)) return true;
  return false;
}

/// Seconds from a signal to the end; the program must end by itself.
struct Ending {
  double seconds;
  int status;
};
Ending end_by(Process& process, int signal) {
  const double begin = now();
  process.kill(signal);
  const int status = process.wait();
  return {now() - begin, status};
}

/// While it lives ffmpeg is a script that does nothing for two minutes, and says when it has begun;
/// temporary files go to a folder of its own.
struct IdleFilms {
  fs::path folder, began;
  std::string path;

  explicit IdleFilms(const fs::path& parent)
      : folder(parent / "bin"), began(parent / "began"), path(std::getenv("PATH")) {
    fs::create_directories(folder);
    fs::create_directories(parent / "temporary");
    std::ofstream(folder / "ffmpeg")
        << "#!/bin/sh\ncase \"$*\" in *-version*) exit 0;; esac\nfor film; do :; done\n"
        << "echo half > \"${film#file:}\"\necho $$ > " << (began.string() + ".new") << "\nmv "
        << (began.string() + ".new ") << began.string() << "\nexec sleep 120\n";
    fs::permissions(folder / "ffmpeg", fs::perms::owner_all);
    setenv("PATH", (folder.string() + ":" + path).c_str(), 1);
    setenv("TMPDIR", (parent / "temporary").c_str(), 1);
  }
  ~IdleFilms() {
    setenv("PATH", path.c_str(), 1);
    unsetenv("TMPDIR");
  }
  IdleFilms(const IdleFilms&) = delete;
  IdleFilms& operator=(const IdleFilms&) = delete;

  /// It was started and has ended; nothing but its entry may wait to be collected.
  bool is_gone() const {
    const std::string process = split(bytes_of(began), '\n').at(0);
    for (int k = 0; k < 100; ++k, pause(10)) {
      const std::string state = bytes_of(fs::path("/proc") / process / "stat");
      if (state.empty() || contains(state, ") Z ")) return true;
    }
    return false;
  }
};

Words film_run(const Words& more = {}) {
  Words words = {"run", "scene.toml", "--frames", "2", "--out", "out"};
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

bool has_temporaries(const fs::path& folder) {
  for (const std::string& name : names_of(folder))
    if (name.ends_with(".tmp")) return true;
  return false;
}

constexpr double at_once = 1;  // s, on a busy machine too

}  // namespace

TEST_CASE("settling_ends_on_any_request_and_costs_nothing") {
  const SceneFolder folder;
  REQUIRE(phyxel_says(folder.path, {"run", "scene.toml", "--no-render", "--out", "out"}).status ==
          0);
  const auto before = files_of(folder.path / "out");
  for (int signal : {SIGINT, SIGTERM, SIGHUP}) {
    CAPTURE(signal);
    Process process(folder.path, {"run", "scene.toml", "--out", "out", "--set", "time.settle=1e6"});
    pause(700);
    const Ending ending = end_by(process, signal);
    CHECK(ending.status == 1);
    CHECK(ending.seconds < at_once);
    CHECK(contains(process.out(), "stopped while the bodies settled"));
    CHECK(contains(process.out(), "nothing was written"));
    CHECK(files_of(folder.path / "out") == before);
    CHECK_FALSE(fs::exists(folder.path / "out.previous"));
  }
}

TEST_CASE("check_tells_what_settling_costs_and_does_not_do_it") {
  const SceneFolder folder;
  const double begin = now();
  const Ended check = phyxel_says(folder.path, {"check", "scene.toml", "--set", "time.settle=1e6"});
  CHECK(now() - begin < 10);
  CHECK(check.status == 0);
  CHECK(contains(check.out, "time.settle           1e+06 s before the first frame, about "));
}

TEST_CASE("a_hangup_ends_after_the_frame_as_an_interrupt_does") {
  const SceneFolder folder;
  Process process(folder.path, {"run", "scene.toml", "--out", "out", "--set", "fps=80", "--set",
                                "output.checkpoint_every=1000", "--no-render"});
  REQUIRE(wait_for(folder.path / "out/particles/frame_0002.ply"));
  CHECK(end_by(process, SIGHUP).status == 1);
  CHECK(contains(process.out(), "go on with the same command and --resume"));
}

TEST_CASE("a_second_interrupt_ends_at_once_in_any_phase") {
  const SceneFolder folder;
  const Words run = {"run", "scene.toml", "--out", "out", "--overwrite"};
  const auto end_twice = [&](const Words& more, const fs::path& sign) {
    CAPTURE(more[1]);
    Words words = run;
    words.insert(words.end(), more.begin(), more.end());
    Process process(folder.path, words);
    if (!sign.empty()) REQUIRE(wait_for(folder.path / sign));
    pause(300);
    process.kill(SIGINT);
    pause(50);
    const Ending ending = end_by(process, SIGINT);
    CHECK(ending.status == -SIGINT);
    CHECK(ending.seconds < at_once);
  };
  end_twice({"--set", "fps=1e-4", "--set", "duration=1e6", "--no-render"},
            "out/checkpoint/frame_0000.h5");  // one frame of hours
  end_twice({"--set", "render.samples=60000"}, "out/particles/frame_0000.ply");  // one picture
  const Ended next = phyxel_says(folder.path, {"run", "scene.toml", "--out", "out", "--no-render",
                                               "--frames", "1", "--overwrite"});
  CHECK_MESSAGE(next.status == 0, next.error);
  CHECK_FALSE(has_temporaries(folder.path / "out"));
}

TEST_CASE("commands_other_than_run_and_render_end_at_the_first_signal") {
  const SceneFolder folder;
  REQUIRE(phyxel_says(folder.path,
                      {"run", "scene.toml", "--no-render", "--frames", "0", "--out", "out"})
              .status == 0);
  const std::string points = "out/particles/frame_0000.ply";
  // Each works for several seconds.
  const std::vector<Words> commands = {
      {"bench", "mpm_flip", "--particles", "50k", "--repeats", "1000"},
      {"surface", points, "--out", "surfaces", "--cell", "0.0015"},
      {"analyse", "flow", points, "--out", "flow", "--samples", "60000"},
      {"check", "scene.toml", "--set", "body.lower.spacing=0.004", "--memory", "1000GB"}};
  for (const Words& command : commands)
    for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
      CAPTURE(command[0]);
      CAPTURE(signal);
      Process process(folder.path, command);
      pause(500);
      const Ending ending = end_by(process, signal);
      CHECK_MESSAGE(ending.status == -signal, process.error());
      CHECK(ending.seconds < at_once);
      CHECK_FALSE(has_temporaries(folder.path));
    }
}

TEST_CASE("an_interrupt_ends_a_film_and_resuming_makes_it") {
  const SceneFolder folder;
  {
    const IdleFilms films(folder.path);
    Process process(folder.path, film_run());
    REQUIRE(wait_for(films.began));
    const Ending ending = end_by(process, SIGINT);
    CHECK(ending.status == 1);
    CHECK(ending.seconds < at_once);
    CHECK(contains(process.out(), "stopped after frame 2; go on with the same command"));
    CHECK(films.is_gone());
    CHECK_FALSE(has_temporaries(folder.path / "out"));
    CHECK_FALSE(fs::exists(folder.path / "out/video.mp4"));
  }
  CHECK(phyxel_says(folder.path, film_run({"--resume"})).status == 0);
  CHECK(fs::file_size(folder.path / "out/video.mp4") > 500);
}

TEST_CASE("a_program_that_ends_takes_its_unfinished_film_with_it") {
  const SceneFolder folder;
  const IdleFilms films(folder.path);
  REQUIRE(phyxel_says(folder.path, film_run({"--no-render"})).status == 0);
  for (const Words& words : {film_run({"--resume"}), Words{"render", "out"}}) {
    CAPTURE(words[0]);
    fs::remove(films.began);
    Process process(folder.path, words);
    REQUIRE(wait_for(films.began));
    process.kill(SIGTERM);
    process.kill(SIGINT);  // before it could end by itself
    const double begin = now();
    const int status = process.wait();
    CHECK((status == -SIGINT || status == -SIGTERM || status == 1));
    CHECK(now() - begin < at_once);
    CHECK(films.is_gone());
    CHECK_FALSE(has_temporaries(folder.path / "out"));
  }
}

TEST_CASE("a_kill_in_a_film_leaves_nothing_outside_and_nothing_after_the_next_run") {
  const SceneFolder folder;
  {
    const IdleFilms films(folder.path);
    Process process(folder.path, film_run());
    REQUIRE(wait_for(films.began));
    CHECK(end_by(process, SIGKILL).status == -SIGKILL);
    CHECK(fs::is_empty(folder.path / "temporary"));
    ::kill(std::atoi(bytes_of(films.began).c_str()), SIGKILL);  // a real one ends with its input
  }
  CHECK(has_temporaries(folder.path / "out"));
  CHECK(phyxel_says(folder.path, film_run({"--resume"})).status == 0);
  CHECK_FALSE(has_temporaries(folder.path / "out"));
  CHECK(fs::file_size(folder.path / "out/video.mp4") > 500);
}

TEST_CASE("a_second_run_in_a_folder_is_refused_while_the_first_goes_on") {
  const SceneFolder folder;
  const Words words = {"run", "scene.toml", "--out", "out", "--set", "fps=80", "--no-render"};
  Process first(folder.path, words);
  REQUIRE(wait_for(folder.path / "out/particles/frame_0001.ply"));
  fs::create_directories(folder.path / "second");
  for (const char* more : {"--quiet", "--resume", "--overwrite"}) {
    CAPTURE(more);
    const Ended second = phyxel_says(folder.path / "second", {"run", "../scene.toml", "--out",
                                                              "../out", "--set", "fps=80", more});
    CHECK(second.status == 2);
    CHECK_MESSAGE(
        contains(second.error, fmt::format("out: process {} writes into this folder", first.id())),
        second.error);
  }
  CHECK(first.wait() == 0);
  REQUIRE(phyxel_says(folder.path,
                      {"run", "scene.toml", "--out", "whole", "--set", "fps=80", "--no-render"})
              .status == 0);
  CHECK(difference(folder.path / "whole", folder.path / "out") == "");
  // A process that is killed leaves no lock.
  Process third(folder.path, words);
  REQUIRE(wait_for(folder.path / "out.previous/scene.toml"));
  third.kill(SIGKILL);
  third.wait();
  CHECK(phyxel_says(folder.path, words).status == 0);
}

TEST_CASE("runs_that_race_for_a_folder_do_not_mix") {
  const SceneFolder folder;
  const Words words = {"run", "../scene.toml", "--out", "../out", "--no-render", "--frames", "3"};
  for (const char* name : {"a", "b", "c"}) fs::create_directories(folder.path / name);
  int done = 0, refused = 0;
  for (int round = 0; round < 3; ++round) {
    Process a(folder.path / "a", words), b(folder.path / "b", words), c(folder.path / "c", words);
    for (Process* process : {&a, &b, &c}) {
      const int status = process->wait();
      done += status == 0;
      refused += status == 2;
    }
  }
  CHECK(done >= 3);
  CHECK(done + refused == 9);
  REQUIRE(phyxel_says(folder.path / "a",
                      {"run", "../scene.toml", "--out", "../whole", "--no-render", "--frames", "3"})
              .status == 0);
  CHECK(difference(folder.path / "whole", folder.path / "out") == "");
}

TEST_CASE("the_current_folder_is_not_moved_away") {
  const SceneFolder folder;
  REQUIRE(phyxel_says(folder.path, {"run", "scene.toml", "--out", "out", "--no-render"}).status ==
          0);
  const Words words = {"run", "../scene.toml", "--out", ".", "--no-render"};
  const Ended refused = phyxel_says(folder.path / "out", words);
  CHECK(refused.status == 2);
  CHECK_MESSAGE(contains(refused.error, "it is the current folder"), refused.error);
  Words over = words;
  over.push_back("--overwrite");
  CHECK(phyxel_says(folder.path / "out", over).status == 0);
  CHECK(phyxel_says(folder.path, {"run", "scene.toml", "--resume", "--overwrite"}).status == 2);
}

}  // namespace phyxel
