#include "terminal.h"

#include <csignal>
#include <cstdio>
#include <fmt/core.h>
#include <sys/ioctl.h>
#include <unistd.h>

namespace phyxel::cli {

namespace {

std::atomic<bool> stop{false};

extern "C" void on_interrupt(int signal) {
  if (stop.exchange(true)) {
    std::signal(signal, SIG_DFL);
    std::raise(signal);
  }
}

int terminal_width() {
  winsize size{};
  if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 20) return size.ws_col;
  return 80;
}

}  // namespace

Display::Display(bool quiet) : quiet_(quiet), terminal_(isatty(STDOUT_FILENO)) {}

void Display::show(const FrameReport& report) {
  if (quiet_) return;
  if (terminal_)
    fmt::print("\r{}", to_bar(report, terminal_width()));
  else
    fmt::print("{}\n", to_line(report));
  std::fflush(stdout);
}

void Display::end() {
  if (!quiet_ && terminal_) fmt::print("\n");
}

const std::atomic<bool>& stop_requested() {
  return stop;
}

void watch_for_interrupts() {
  std::signal(SIGINT, on_interrupt);
  std::signal(SIGTERM, on_interrupt);
}

}  // namespace phyxel::cli
