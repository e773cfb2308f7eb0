#include <CLI/CLI.hpp>
#include <algorithm>
#include <csignal>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <fmt/format.h>

#include "commands.h"
#include "phyxel/core/error.h"
#include "phyxel/core/memory.h"
#include "terminal.h"

namespace {

/// Whether another name would help, rather than another disk.
bool is_about_a_name(const std::error_code& code) {
  for (const std::errc wrong :
       {std::errc::filename_too_long, std::errc::no_such_file_or_directory,
        std::errc::not_a_directory, std::errc::is_a_directory, std::errc::permission_denied,
        std::errc::too_many_symbolic_link_levels})
    if (code == wrong) return true;
  return false;
}

/// CLI11 says of an unknown command only that one is required.
void check_command(const CLI::App& app, const char* word) {
  std::vector<std::string> names;
  for (const CLI::App* command : app.get_subcommands(nullptr)) names.push_back(command->get_name());
  if (word[0] != '-' && std::find(names.begin(), names.end(), word) == names.end())
    throw phyxel::InputError(fmt::format("phyxel {}: not a command{}; there are: {}", word,
                                         phyxel::suggestion(word, names), fmt::join(names, ", ")));
}

int execute(const std::vector<phyxel::cli::Command>& commands) {
  const auto chosen = std::find_if(commands.begin(), commands.end(),
                                   [](const auto& command) { return command.app->parsed(); });
  return chosen->execute();
}

}  // namespace

int main(int argc, char** argv) {
  using namespace phyxel::cli;
  open_standard_streams();
  end_on_interrupts();
  std::signal(SIGXFSZ, SIG_IGN);  // a file that may not grow is an error with a message
  CLI::App app("phyxel: deformable matter as points, from a scene file to pictures", "phyxel");
  app.set_version_flag("--version", "phyxel " PHYXEL_VERSION);
  app.require_subcommand(1);
  app.footer("Start with: phyxel list scenes; phyxel run falling_beam");
  const std::vector<Command> commands = {add_run(app),       add_surface(app),   add_analyse(app),
                                         add_render(app),    add_bench(app),     add_check(app),
                                         add_list(app),      add_new(app),       add_schema(app),
                                         add_reference(app), add_completion(app)};
  try {
    if (argc > 1) check_command(app, argv[1]);
    app.parse(argc, argv);
    return finish_output(execute(commands));
  } catch (const CLI::ParseError& error) {
    return finish_output(app.exit(error) == 0 ? 0 : 2);
  } catch (const phyxel::InputError& error) {
    warn("{}\n", error.what());
    return finish_output(2);
  } catch (const std::filesystem::filesystem_error& error) {
    warn("phyxel: {}: {}; name a file or folder that can be reached\n", error.path1().string(),
         error.code().message());
    return finish_output(is_about_a_name(error.code()) ? 2 : 1);
  } catch (const std::bad_alloc&) {
    warn("phyxel: {}\n",
         phyxel::out_of_memory(fmt::format("in phyxel {}", argc > 1 ? argv[1] : ""),
                               "fewer particles (a larger spacing), a coarser surface or a smaller "
                               "picture need less"));
    return finish_output(1);
  } catch (const std::exception& error) {
    warn("phyxel: {}\n", error.what());
    return finish_output(1);
  }
}
