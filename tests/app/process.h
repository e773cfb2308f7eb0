#pragma once

#include <csignal>
#include <fcntl.h>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

#include "app/folder_files.h"

namespace phyxel {

/// The program under test, running in a folder; what it prints goes to files there.
class Process {
 public:
  /// `file_limit`: bytes that a file may have; 0 means any number.
  Process(const fs::path& folder, const std::vector<std::string>& arguments, rlim_t file_limit = 0)
      : out_(folder / ".out"), error_(folder / ".err") {
    std::vector<std::string> words = {PHYXEL_PROGRAM};
    words.insert(words.end(), arguments.begin(), arguments.end());
    std::vector<char*> argv;
    for (std::string& word : words) argv.push_back(word.data());
    argv.push_back(nullptr);
    id_ = fork();
    if (id_ < 0) throw std::runtime_error("cannot fork");
    if (id_ == 0) become(folder, argv.data(), file_limit);
  }
  ~Process() {
    if (id_ > 0) {
      kill(SIGKILL);
      wait();
    }
  }
  Process(const Process&) = delete;
  Process& operator=(const Process&) = delete;

  void kill(int signal) { ::kill(id_, signal); }
  int id() const { return id_; }
  /// Exit status, or minus the signal that ended it.
  int wait() {
    rusage usage{};
    return wait(usage);
  }
  /// The same, with what it took.
  int wait(rusage& usage) {
    int state = 0;
    wait4(id_, &state, 0, &usage);
    id_ = 0;
    return WIFEXITED(state) ? WEXITSTATUS(state) : -WTERMSIG(state);
  }
  std::string out() const { return bytes_of(out_); }
  std::string error() const { return bytes_of(error_); }

 private:
  [[noreturn]] void become(const fs::path& folder, char** argv, rlim_t file_limit) {
    const int out = open(out_.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0666);
    const int error = open(error_.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0666);
    dup2(out, 1);
    dup2(error, 2);
    const rlimit limit{file_limit, file_limit};
    const bool ready =
        chdir(folder.c_str()) == 0 && (file_limit == 0 || setrlimit(RLIMIT_FSIZE, &limit) == 0);
    if (ready) execv(argv[0], argv);
    _exit(99);
  }

  fs::path out_, error_;
  pid_t id_ = 0;
};

struct Ended {
  int status;
  std::string out, error;
};

/// Runs the program to its end.
inline Ended phyxel_says(const fs::path& folder, const std::vector<std::string>& arguments,
                         rlim_t file_limit = 0) {
  Process process(folder, arguments, file_limit);
  const int status = process.wait();
  return {status, process.out(), process.error()};
}

}  // namespace phyxel
