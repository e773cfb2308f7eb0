#include <memory>

#include "commands.h"
#include "options.h"
#include "phyxel/app/report.h"
#include "phyxel/core/exec.h"
#include "phyxel/core/threads.h"
#include "terminal.h"

namespace phyxel::cli {

namespace {

struct CheckArguments : Arguments {
  std::string diagram;  // folder
};

int check(const CheckArguments& a) {
  const ThreadLimit limit(a.threads);
  const Scene scene = load(a);
  say("{}", check_report(scene, bytes_from("--memory", a.memory)));
  if (!a.diagram.empty())
    for (const std::filesystem::path& file : write_diagrams(scene, a.diagram))
      say("diagram   {}\n", file.string());
  return 0;
}

}  // namespace

Command add_check(CLI::App& app) {
  auto a = std::make_shared<CheckArguments>();
  CLI::App* check = app.add_subcommand(
      "check", "particles, memory, stable steps and why; status 2 for a bad scene");
  add_scene(check, *a);
  add_threads(check, *a);
  add_memory(check, *a);
  check
      ->add_option("--diagram", a->diagram,
                   "draw the states of pairs of mass_interaction into this folder, MATERIAL.svg")
      ->type_name("DIR");
  return {check, [a] { return cli::check(*a); }};
}

}  // namespace phyxel::cli
