#pragma once

namespace phyxel {

/// How many threads, at most `wanted`, the system lets this process start beside those it has.
int startable_threads(int wanted);

/// Threads that loops use where nothing limits them: one per core, or as many as can be started.
int scheduler_threads();

/// Error where loops on so many threads would need more than the system allows: a task scheduler
/// that cannot start its threads ends the program.
void check_startable(int threads);

/// The number of the calling thread among those that share a loop: no two of them have the same.
int loop_thread();

/// More than loop_thread() of any loop while the limit of threads stays as it is.
int loop_threads();

}  // namespace phyxel
