#pragma once

#include <functional>

namespace CLI {
class App;
}

namespace phyxel::cli {

/// A command of the program. Each is one file: its options, their help and what it does with them.
struct Command {
  const CLI::App* app;           // its part of the command line
  std::function<int()> execute;  // returns the exit status; errors are thrown
};

Command add_run(CLI::App& app);
Command add_check(CLI::App& app);
Command add_surface(CLI::App& app);
Command add_analyse(CLI::App& app);
Command add_render(CLI::App& app);
Command add_bench(CLI::App& app);
Command add_list(CLI::App& app);
Command add_new(CLI::App& app);
Command add_schema(CLI::App& app);
Command add_reference(CLI::App& app);
Command add_completion(CLI::App& app);

}  // namespace phyxel::cli
