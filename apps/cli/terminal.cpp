#include "terminal.h"

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "phyxel/core/file.h"
#include "phyxel/render/video.h"

namespace phyxel::cli {

namespace {

std::atomic<bool> stop{false};

extern "C" void end_now(int signal) {
  render::abandon_video();
  abandon_temporaries();
  std::signal(signal, SIG_DFL);
  std::raise(signal);
}

extern "C" void on_interrupt(int signal) {
  if (stop.exchange(true)) end_now(signal);
}

/// What is ignored from the start stays so: nohup, and jobs of scripts in the background.
void on_signals(void (*handler)(int)) {
  for (int signal : {SIGINT, SIGTERM, SIGHUP})
    if (std::signal(signal, handler) == SIG_IGN) std::signal(signal, SIG_IGN);
}

int terminal_width() {
  winsize size{};
  if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 20) return size.ws_col;
  return 80;
}

}  // namespace

void open_standard_streams() {
  // The lowest free number is taken, hence from 0 upwards.
  for (int number : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
    if (fcntl(number, F_GETFD) < 0) open("/dev/null", O_RDWR);
}

int finish_output(int status) {
  const bool failed_before = std::ferror(stdout) != 0;
  errno = 0;
  const bool failed = std::fflush(stdout) != 0 || failed_before;
  if (!failed) return status;
  warn("phyxel: the output could not be printed{}{}; free some space, or send it elsewhere\n",
       errno != 0 ? ": " : "", errno != 0 ? std::strerror(errno) : "");
  return status != 0 ? status : 1;
}

Display::Display(bool quiet) : quiet_(quiet), terminal_(isatty(STDOUT_FILENO)) {}

void Display::show(const FrameReport& report) {
  if (quiet_) return;
  if (terminal_)
    say("\r{}", to_bar(report, terminal_width()));
  else
    say("{}\n", to_line(report));
  std::fflush(stdout);
}

void Display::end() {
  if (!quiet_ && terminal_) say("\n");
}

const std::atomic<bool>& stop_requested() {
  return stop;
}

void watch_for_interrupts() {
  on_signals(on_interrupt);
}

void end_on_interrupts() {
  on_signals(end_now);
}

}  // namespace phyxel::cli
