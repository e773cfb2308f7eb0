#include <fmt/format.h>
#include <memory>

#include "commands.h"
#include "options.h"
#include "phyxel/scene/reference.h"
#include "terminal.h"

// Pages that follow from the definition of the command line: shell completion and its reference.

namespace phyxel::cli {

namespace {

using Options = std::vector<const CLI::Option*>;

std::vector<const CLI::App*> commands_of(const CLI::App& app) {
  return app.get_subcommands([](const CLI::App*) { return true; });
}

/// Those of a command and of the commands below it.
Options options_of(const CLI::App& command) {
  Options options = command.get_options();
  for (const CLI::App* below : commands_of(command))
    for (const CLI::Option* option : options_of(*below))
      if (option->get_positional() || !command.get_option_no_throw(option->get_name()))
        options.push_back(option);
  return options;
}

/// "a b" where the value must be one of {a,b}, otherwise "".
std::string words_of(const CLI::Option& option) {
  const std::string type = option.get_type_name();
  const std::size_t first = type.find('{'), last = type.rfind('}');
  if (first == type.npos || last == type.npos) return "";
  std::string words = type.substr(first + 1, last - first - 1);
  std::replace(words.begin(), words.end(), ',', ' ');
  return words;
}

/// What bash completes a value with; "" where it is a number or free text.
std::string completed(const CLI::Option& option) {
  const auto among = [](const std::string& words) {
    return fmt::format("$(compgen -W \"{}\" -- \"$word\")", words);
  };
  const auto listed = [&](const char* what) {
    return among(fmt::format("$(phyxel list {} | cut -d' ' -f1)", what));
  };
  if (const std::string words = words_of(option); !words.empty()) return among(words);
  const std::string type = option.get_type_name();
  if (type == "SCENE") return listed("scenes") + " $(compgen -f -X '!*.toml' -- \"$word\")";
  if (type == "METHOD") return listed("methods");
  if (type == "BENCHMARK") return listed("benchmarks");
  if (type == "FILE") return "$(compgen -f -- \"$word\")";
  return type == "DIR" ? "$(compgen -d -- \"$word\")" : "";
}

std::string long_names(const Options& options) {
  std::string names;
  for (const CLI::Option* option : options)
    for (const std::string& name : option->get_lnames()) names += " --" + name;
  return names.empty() ? "" : names.substr(1);
}

std::string case_line(const std::string& pattern, const std::string& reply) {
  return fmt::format("    {}) COMPREPLY=({});;\n", pattern, reply);
}

/// Values of options that have words or names; values that have none.
std::string value_cases(const std::string& command, const Options& options) {
  std::string text, free;
  for (const CLI::Option* option : options) {
    if (option->get_positional() || option->get_items_expected_max() == 0) continue;
    const std::string pattern = fmt::format("\"{} --{} \"*", command, option->get_lnames().front());
    if (const std::string reply = completed(*option); !reply.empty())
      text += case_line(pattern, reply);
    else
      free += (free.empty() ? "" : "|") + pattern;
  }
  return text + (free.empty() ? "" : case_line(free, ""));
}

/// The lines of a case statement for one command: values, options, and what has no name.
std::string cases_of(const CLI::App& command) {
  const std::string& name = command.get_name();
  const Options options = options_of(command);
  std::string unnamed;
  for (const CLI::App* below : commands_of(command))
    unnamed += fmt::format("$(compgen -W \"{}\" -- \"$word\") ", below->get_name());
  for (const CLI::Option* option : options)
    if (option->get_positional()) unnamed += completed(*option);
  return value_cases(name, options) +
         case_line(fmt::format("\"{} \"*\" -\"*", name),
                   fmt::format("$(compgen -W \"{}\" -- \"$word\")", long_names(options))) +
         case_line(fmt::format("\"{} \"*", name), unnamed);
}

std::string completion_script(const CLI::App& app) {
  std::string commands, cases;
  for (const CLI::App* command : commands_of(app)) {
    commands += command->get_name() + " ";
    cases += cases_of(*command);
  }
  return fmt::format(R"bash(_phyxel() {{
  local word=${{COMP_WORDS[COMP_CWORD]}} before=${{COMP_WORDS[COMP_CWORD-1]}}
  if [ "$COMP_CWORD" = 1 ]; then
    COMPREPLY=($(compgen -W "{}{}" -- "$word"))
    return
  fi
  case "${{COMP_WORDS[1]}} $before $word" in
{}  esac
}}
complete -F _phyxel phyxel
)bash",
                     commands, long_names(app.get_options()), cases);
}

/// Words, or kind and range of a value; "" for a flag.
std::string value_of(const CLI::Option& option) {
  if (option.get_items_expected_max() == 0) return "";
  const std::string words = words_of(option), type = option.get_type_name();
  return words.empty() ? type.substr(type.find(':') + 1) : words;
}

std::string markdown_row(const CLI::Option& option) {
  std::string meaning = option.get_description();
  for (std::size_t at = 0; (at = meaning.find('<', at)) != meaning.npos;)
    meaning.replace(at, 1, "&lt;");
  return fmt::format("| `{}` | {} | {} |\n", option.get_name(), value_of(option), meaning);
}

std::string command_page(const CLI::App& command, const std::string& before) {
  const std::string name = before + " " + command.get_name();
  std::string text = fmt::format("\n## `{}`\n\n{}\n", name, command.get_description());
  std::string rows;
  for (const CLI::Option* option : command.get_options())
    if (option->get_name() != "--help") rows += markdown_row(*option);
  if (!rows.empty()) text += "\n| option | value | meaning |\n|---|---|---|\n" + rows;
  for (const CLI::App* below : commands_of(command)) text += command_page(*below, name);
  return text;
}

std::string command_reference(const CLI::App& app) {
  std::string text =
      "# Command line reference\n\nGenerated by `phyxel reference commands` from the definitions "
      "of "
      "the commands; `phyxel COMMAND --help` prints the same. What is said of files, signals, "
      "steps "
      "and memory: [command line](command_line.md).\n";
  for (const CLI::App* command : commands_of(app)) text += command_page(*command, "phyxel");
  return text;
}

}  // namespace

Command add_completion(CLI::App& app) {
  CLI::App* command =
      app.add_subcommand("completion", "shell completion: source <(phyxel completion bash)");
  auto shell = std::make_shared<std::string>();
  command->add_option("shell", *shell, "bash or zsh")
      ->required()
      ->check(CLI::IsMember({"bash", "zsh"}));
  return {command, [&app, shell] {
            if (*shell == "zsh") say("autoload -U +X bashcompinit && bashcompinit\n");
            say("{}", completion_script(app));
            return 0;
          }};
}

Command add_reference(CLI::App& app) {
  CLI::App* command =
      app.add_subcommand("reference", "reference of scene file or commands as Markdown");
  auto of = std::make_shared<std::string>("scene");
  command->add_option("of", *of, "what it is about; the scene file by default")
      ->check(CLI::IsMember({"scene", "commands"}));
  return {command, [&app, of] {
            say("{}", *of == "scene" ? scene_reference() : command_reference(app));
            return 0;
          }};
}

}  // namespace phyxel::cli
