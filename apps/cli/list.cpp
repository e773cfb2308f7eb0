#include <filesystem>
#include <fmt/format.h>
#include <memory>

#include "commands.h"
#include "options.h"
#include "phyxel/app/bench/bench.h"
#include "phyxel/app/scenes.h"
#include "phyxel/core/file.h"
#include "phyxel/methods/method_info.h"
#include "phyxel/methods/registry.h"
#include "phyxel/scene/presets.h"
#include "phyxel/scene/reference.h"
#include "terminal.h"

// Commands that print or write what the program knows.

namespace phyxel::cli {

namespace fs = std::filesystem;

namespace {

int list(const std::string& what) {
  if (what == "scenes")
    for (const BundledScene& s : bundled_scenes()) say("{:<20} {}\n", s.name, s.description);
  else if (what == "methods")
    for (const MethodInfo& m : method_registry()) say("{:<20} {}\n", m.name, m.summary);
  else if (what == "materials")
    for (const KnownMaterial& p : known_materials())
      say("{:<20} {:<16} {}; {}\n", p.name, p.method, p.summary, scale_of(p));
  else
    for (const BenchInfo& b : benchmarks())
      say("{:<20} {} ({} particles)\n", b.name, b.summary, b.particles.back());
  return 0;
}

int new_scene(const std::string& name, const std::string& method) {
  const std::string stem = name.ends_with(".toml") ? name.substr(0, name.size() - 5) : name;
  const fs::path file = stem + ".toml";
  if (fs::exists(file))
    throw InputError(fmt::format("{}: exists already; choose another name", file.string()));
  const std::string text = scene_template(fs::path(stem).filename().string(), method);
  write_atomically(file, [&](FileWriter& writer) { writer.write(text); });
  say("{}: edit it, then phyxel run {}\n", file.string(), file.string());
  return 0;
}

}  // namespace

Command add_list(CLI::App& app) {
  CLI::App* command =
      app.add_subcommand("list", "what there is: scenes, methods, materials or benchmarks");
  auto what = std::make_shared<std::string>();
  command->add_option("what", *what, "scenes, methods, materials or benchmarks")
      ->required()
      ->check(CLI::IsMember({"scenes", "methods", "materials", "benchmarks"}));
  return {command, [what] { return list(*what); }};
}

Command add_new(CLI::App& app) {
  CLI::App* command = app.add_subcommand("new", "write NAME.toml, a commented scene to start from");
  auto name = std::make_shared<std::string>();
  auto method = std::make_shared<std::string>("lennard_jones");
  command->add_option("name", *name, "name of the scene")->type_name("NAME")->required();
  command->add_option("--method", *method, "method of its material (phyxel list methods)")
      ->type_name("METHOD");
  return {command, [name, method] { return new_scene(*name, *method); }};
}

Command add_schema(CLI::App& app) {
  return {app.add_subcommand("schema", "JSON schema of the scene file, for editors"), [] {
            say("{}", scene_schema());
            return 0;
          }};
}

}  // namespace phyxel::cli
