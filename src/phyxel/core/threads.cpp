#include "phyxel/core/threads.h"

#include <condition_variable>
#include <fmt/format.h>
#include <mutex>
#include <system_error>
#include <thread>
#include <vector>

#include "phyxel/core/error.h"

namespace phyxel {

int startable_threads(int wanted) {
  std::mutex mutex;
  std::condition_variable over;
  bool done = false;
  std::vector<std::thread> threads;
  try {
    threads.reserve(wanted);
    // All live at once, as those that they stand for.
    while (static_cast<int>(threads.size()) < wanted)
      threads.emplace_back([&] {
        std::unique_lock lock(mutex);
        over.wait(lock, [&] { return done; });
      });
  } catch (const std::exception&) {  // no thread, or no memory for one: those there are count
  }
  {
    const std::lock_guard lock(mutex);
    done = true;
  }
  over.notify_all();
  for (std::thread& thread : threads) thread.join();
  return static_cast<int>(threads.size());
}

void check_startable(int threads) {
  if (const int started = startable_threads(threads - 1); started < threads - 1)
    throw Error(
        fmt::format("{} threads are wanted and the system allows {}; say --threads {}, or raise "
                    "the limit of processes (ulimit -u) or of memory (ulimit -v)",
                    threads, started + 1, started + 1));
}

}  // namespace phyxel
