#include "options.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <fmt/format.h>

#include "phyxel/app/scenes.h"
#include "phyxel/core/error.h"
#include "phyxel/io/points.h"
#include "phyxel/scene/read_scene.h"

namespace phyxel::cli {

CLI::Validator between(double low, double high) {
  const std::string range = fmt::format("[{} - {}]", low, high);
  return CLI::Validator(
      [=](std::string& text) {
        double value = 0;
        const bool known = CLI::detail::lexical_cast(text, value);
        if (known && value >= low && value <= high) return std::string();
        return fmt::format("Value {} not in range {}", text, range);
      },
      "FLOAT in " + range);
}

void add_set(CLI::App* command, Arguments& a) {
  command
      ->add_option("--set", a.set,
                   "change a value of the scene: key=value, e.g. material.wax.damping=2; may be "
                   "repeated")
      ->type_name("KEY=VALUE")
      ->allow_extra_args(false);
}

void add_scene(CLI::App* command, Arguments& a) {
  command
      ->add_option("scene", a.scene,
                   "scene file, or the name of a bundled scene (phyxel list scenes)")
      ->type_name("SCENE")
      ->required();
  add_set(command, a);
  command->add_option("--seed", a.seed, "start of all random numbers")
      ->check(CLI::Range(0, 2147483647));
}

void add_point_files(CLI::App* command, Arguments& a) {
  command
      ->add_option("files", a.files,
                   fmt::format("particle files of any program ({}), or patterns: points_{{}}.ply, "
                               "points_{{10..50}}.ply",
                               fmt::join(point_file_extensions(), " ")))
      ->type_name("FILE")
      ->required();
}

void add_frames(CLI::App* command, Arguments& a) {
  command->add_option("--frames", a.frames, "stop after this frame")
      ->check(CLI::Range(0, 100000000));
}

void add_threads(CLI::App* command, Arguments& a) {
  command->add_option("--threads", a.threads, "threads to use; all cores by default")
      ->check(CLI::Range(1, 1024));
}

void add_device(CLI::App* command, Arguments& a) {
  command->add_option("--device", a.device, "cpu or cuda")->check(CLI::IsMember({"cpu", "cuda"}));
}

void add_memory(CLI::App* command, Arguments& a) {
  command->add_option("--memory", a.memory,
                      "memory that particles may take, e.g. 2GB or 500MB; four fifths of what is "
                      "free by default");
}

void add_profiling(CLI::App* command, Arguments& a) {
  command->add_flag("--timings", a.timings, "print a tree of times at the end");
  command
      ->add_option("--trace", a.trace,
                   "write every stage to this file, in the Chrome trace format (Perfetto)")
      ->type_name("FILE");
}

Scene load(const Arguments& a) {
  std::vector<Override> overrides;
  for (const std::string& text : a.set) overrides.push_back(parse_override(text));
  if (a.seed >= 0) overrides.push_back({"seed", std::to_string(a.seed)});
  return read_scene(find_scene(a.scene), overrides);
}

double bytes_from(const std::string& option, const std::string& text) {
  if (text.empty()) return 0;
  double value = 0;
  const char* const last = text.data() + text.size();
  const auto [end, error] = std::from_chars(text.data(), last, value);
  std::string unit(end, last);
  std::erase(unit, ' ');
  const double factor = unit.empty() || unit == "GB" ? 1e9 : unit == "MB" ? 1e6 : 0;
  if (error == std::errc{} && factor > 0 && value > 0 && std::isfinite(value))
    return value * factor;
  throw InputError(
      fmt::format("{} {}: must be a number above 0 with GB or MB, as 2GB", option, text));
}

std::string option_name(const std::string& parameter) {
  std::string name = parameter;
  std::replace(name.begin(), name.end(), '_', '-');
  return "--" + name;
}

namespace {

/// Words are words; all else that can be given here is a number.
ParameterValue value_from(const Parameter& p, const std::string& text) {
  if (std::holds_alternative<Choice>(p.value) || std::holds_alternative<std::string*>(p.value))
    return text;
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  const bool is_number = error == std::errc{} && end == text.data() + text.size();
  return is_number ? ParameterValue(value) : ParameterValue(text);
}

void set(DescribedOptions& options, const Parameter& p, const std::string& text) {
  if (text == "auto") return;
  const std::string wrong = assign(p, value_from(p, text));
  if (!wrong.empty())
    throw InputError(fmt::format("{} {}: {}{}", option_name(p.name), text, wrong,
                                 value_text(p).empty() ? ", or auto" : ""));
  options.given.insert(p.name);
}

/// Meaning, unit, range and default.
std::string help_of(const Parameter& p) {
  std::vector<std::string> details;
  if (!p.unit.empty()) details.push_back(p.unit);
  if (p.range.min > -infinity || p.range.max < infinity) details.push_back(to_string(p.range));
  if (const std::string value = value_text(p); !value.empty())
    details.push_back(value + " by default");
  return p.help + (details.empty() ? "" : fmt::format(" ({})", fmt::join(details, "; ")));
}

}  // namespace

void add_described(CLI::App* command, DescribedOptions& options) {
  for (const Parameter& p : options.fields.list) {
    const std::string name = option_name(p.name);
    if (bool* const* flag = std::get_if<bool*>(&p.value)) {
      command->add_flag(name, **flag, p.help);
      continue;
    }
    CLI::Option* option = command->add_option_function<std::string>(
        name, [&options, &p](const std::string& text) { set(options, p, text); }, help_of(p));
    if (const auto* choice = std::get_if<Choice>(&p.value))
      option->check(CLI::IsMember(choice->words));
    else
      option->type_name("NUMBER");
  }
}

void check_flow(const DescribedOptions& options) {
  if (options.given.contains("alpha") && options.given.contains("longest_edge"))
    throw InputError("--alpha and --longest-edge: one follows from the other; leave one out");
}

}  // namespace phyxel::cli
