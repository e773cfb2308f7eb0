#include "phyxel/app/bench/bench.h"

#include <cstdio>
#include <fmt/format.h>
#include <memory>

#include "commands.h"
#include "options.h"
#include "phyxel/app/bench/bench_sweep.h"
#include "phyxel/app/device.h"
#include "phyxel/core/file.h"
#include "phyxel/surfaces/field.h"
#include "profile.h"
#include "terminal.h"

namespace phyxel::cli {

namespace {

struct BenchArguments : Arguments {
  std::vector<std::string> names;  // none: all
  std::string particles;           // "": each benchmark's own size
  std::vector<std::string> sizes;  // more than one makes a table
  int repeats = 5;
  std::string field = "blobs";
  std::string json, plot;  // files
};

std::vector<const BenchInfo*> chosen_benchmarks(const BenchArguments& a) {
  std::vector<const BenchInfo*> chosen;
  for (const std::string& name : a.names) chosen.push_back(&find_benchmark(name));
  if (chosen.empty())
    for (const BenchInfo& info : benchmarks()) chosen.push_back(&info);
  return chosen;
}

/// The sizes to measure; none: each benchmark's own.
std::vector<std::size_t> chosen_sizes(const BenchArguments& a) {
  std::vector<std::size_t> sizes;
  for (const std::string& text : a.sizes) sizes.push_back(parse_count(text));
  if (!a.particles.empty()) sizes.push_back(parse_count(a.particles));
  return sizes;
}

void print(const BenchResult& r) {
  say("{:<16} {:>9} particles  {} threads  {:>8.2f} M updates/s  {:.4f} s for {} steps, {:.4g} ms "
      "each  {:.0f} bytes per particle\n",
      r.name, r.particles, r.threads, r.updates_per_second / 1e6, r.seconds, r.steps,
      1e3 * r.seconds / r.steps, r.bytes_per_particle);
  std::fflush(stdout);
}

Sweep measure_sizes(const BenchInfo& info, const std::vector<std::size_t>& sizes,
                    BenchOptions options) {
  Sweep sweep{info.name, {}};
  for (const std::size_t size : sizes.empty() ? info.particles : sizes) {
    options.particles = size;
    sweep.results.push_back(measure(info, options));
    print(sweep.results.back());
  }
  return sweep;
}

void write_results(const BenchArguments& a, const std::vector<std::size_t>& sizes,
                   const std::vector<Sweep>& sweeps) {
  std::vector<BenchResult> results;
  for (const Sweep& sweep : sweeps)
    results.insert(results.end(), sweep.results.begin(), sweep.results.end());
  if (sizes.size() > 1) say("\n{}", sweep_table(sizes, sweeps));
  if (!a.json.empty())
    write_atomically(a.json, [&](FileWriter& writer) { writer.write(to_json(results)); });
  if (!a.plot.empty()) write_png(sweep_plot(sweeps), a.plot);
}

int bench(const BenchArguments& a) {
  exec_on(a.device);
  const ThreadLimit limit(a.threads);
  const std::vector<const BenchInfo*> chosen = chosen_benchmarks(a);
  const std::vector<std::size_t> sizes = chosen_sizes(a);
  for (const std::string& file : {a.json, a.plot})  // one that cannot be written is found at once
    if (!file.empty()) check_writable(file);
  return profiled(a, [&](Timers* timers) {
    std::vector<Sweep> sweeps;
    for (const BenchInfo* info : chosen)
      sweeps.push_back(measure_sizes(*info, sizes, {0, a.repeats, a.device, a.field, timers}));
    write_results(a, sizes, sweeps);
    return 0;
  });
}

}  // namespace

Command add_bench(CLI::App& app) {
  auto a = std::make_shared<BenchArguments>();
  CLI::App* bench = app.add_subcommand("bench", "measure speed: whole steps, best of several");
  bench->add_option("names", a->names, "benchmarks to run; all by default (phyxel list benchmarks)")
      ->type_name("BENCHMARK");
  CLI::Option* particles =
      bench->add_option("--particles", a->particles, "size instead of the default, e.g. 256k");
  bench
      ->add_option("--sizes", a->sizes,
                   "several sizes, e.g. 10k,100k,1M,4M: ends with a table of the cost per particle")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->excludes(particles);
  bench->add_option("--repeats", a->repeats, "repetitions, of which the best counts")
      ->capture_default_str()
      ->check(CLI::Range(1, 1000));
  bench->add_option("--method", a->field, "field of surface; blobs by default")
      ->check(CLI::IsMember(field_names()));
  bench->add_option("--json", a->json, "write the results to this file")->type_name("FILE");
  bench->add_option("--plot", a->plot, "draw cost per particle against size: a PNG file")
      ->type_name("FILE");
  add_threads(bench, *a);
  add_device(bench, *a);
  add_profiling(bench, *a);
  return {bench, [a] { return cli::bench(*a); }};
}

}  // namespace phyxel::cli
