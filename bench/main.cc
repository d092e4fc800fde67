// Measures the daemon against floors of the same run, and beside another server, and prints Markdown tables. See README.md for
// the method.
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <string>
#include <string_view>

#include "measures.h"
#include "report_file.h"

namespace {

constexpr std::uint64_t mib = 1024 * 1024;

struct Measure {
  std::string_view name;
  void (*run)(const bench::Setup&, bench::Report&);
  bench::Cores cores = bench::Cores::one;
  bool needs_peer = false;
};

constexpr Measure measures[] = {
    {"posts", bench::measure_posts},
    {"one-connection", bench::measure_one_connection},
    {"instances", bench::measure_many_instances},
    {"events", bench::measure_events},
    {"memory", bench::measure_memory},
    {"start", bench::measure_start},
    {"installed", bench::measure_installed},
    {"commands", bench::measure_commands},
    {"health", bench::measure_health},
    {"large", bench::measure_large_envelopes},
    {"download", bench::measure_download, bench::Cores::all},
    {"upload", bench::measure_upload, bench::Cores::all},
    {"archive", bench::measure_archive, bench::Cores::all},
    {"listing", bench::measure_listing, bench::Cores::all},
    {"idle", bench::measure_idle},
    {"fan-out", bench::measure_fan_out},
    {"replay", bench::measure_replay},
    {"sizes", bench::measure_sizes},
    {"growing-instances", bench::measure_growing_instances},
    {"ring-fill", bench::measure_ring_fill},
    {"peer-start", bench::measure_peer_start, bench::Cores::one, true},
    {"peer-posts", bench::measure_peer_posts, bench::Cores::all, true},
    {"peer-posts-one-core", bench::measure_peer_posts_on_one_core, bench::Cores::one, true},
    {"peer-throughput", bench::measure_peer_throughput, bench::Cores::all, true},
    {"peer-events", bench::measure_peer_events, bench::Cores::one, true},
    {"peer-memory", bench::measure_peer_memory, bench::Cores::one, true},
    {"peer-idle", bench::measure_peer_idle, bench::Cores::one, true},
};

int say_usage() {
  std::fprintf(
      stderr,
      "usage: sandbox_bench --daemon PROGRAM [--peer PROGRAM] [--quick | --long] [--spread] [--json FILE] [--only MEASURE]…\n"
      "  --daemon   the sandbox-agent to measure\n"
      "  --peer     another server of the same contract, to measure beside it\n"
      "  --quick    fewer and shorter rounds, smaller files; the ratios are rougher\n"
      "  --long     more and longer rounds, for a profiler or a noisy machine\n"
      "  --spread   leave it to the kernel on which cores things run; otherwise all but the file measures stay on one\n"
      "  --json     write all figures and curves there, too\n"
      "  --only     one measure; repeatable. They are:");
  for (const Measure& measure : measures) std::fprintf(stderr, " %s", std::string(measure.name).c_str());
  std::fputc('\n', stderr);
  return 2;
}

// The programs built beside this one.
std::string own_directory() {
  char path[4096];
  const ssize_t n = ::readlink("/proc/self/exe", path, sizeof path);
  const std::string_view self(path, n > 0 ? static_cast<std::size_t>(n) : 0);
  return std::string(self.substr(0, self.rfind('/') + 1));
}

}  // namespace

int main(int argc, char** argv) {
  const std::string directory = own_directory();
  const bench::ScratchFolder scratch;
  bench::Setup setup{.programs = {.daemon = {},
                                  .echo_agent = directory + "echo_agent",
                                  .epoll_proxy = directory + "epoll_proxy",
                                  .epoll_health = directory + "epoll_health",
                                  .transfer_floor = directory + "transfer_floor",
                                  .epoll_fan_out = directory + "epoll_fan_out"},
                     .rounds = 7,
                     .burst_ms = 500,
                     .point_ms = 150,
                     .file_bytes = 1024 * mib,
                     .scratch = scratch};
  std::vector<std::string_view> only;
  std::string file;
  bool spread = false;
  for (int at = 1; at < argc; ++at) {
    const std::string_view word = argv[at];
    if (word == "--quick") {
      setup.rounds = 3;
      setup.burst_ms = 200;
      setup.point_ms = 80;
      setup.file_bytes = 128 * mib;
    } else if (word == "--long") {
      setup.rounds = 15;
      setup.burst_ms = 1000;
      setup.point_ms = 500;
    } else if (word == "--spread") {
      spread = true;
    } else if (word == "--daemon" && at + 1 < argc) {
      setup.programs.daemon = argv[++at];
    } else if (word == "--peer" && at + 1 < argc) {
      setup.programs.peer = argv[++at];
    } else if (word == "--json" && at + 1 < argc) {
      file = argv[++at];
    } else if (word == "--only" && at + 1 < argc) {
      only.emplace_back(argv[++at]);
    } else {
      return say_usage();
    }
  }
  if (setup.programs.daemon.empty()) return say_usage();

  auto wanted = [&](std::string_view name) {
    for (const std::string_view one : only)
      if (one == name) return true;
    return only.empty();
  };
  bench::raise_descriptor_limit();
  bench::Report report;
  for (const Measure& measure : measures) {
    if (!wanted(measure.name) || (measure.needs_peer && setup.programs.peer.empty())) continue;
    std::fprintf(stderr, "measuring: %s\n", std::string(measure.name).c_str());
    bench::run_on(spread ? bench::Cores::all : measure.cores);
    report.begin(std::string(measure.name));
    measure.run(setup, report);
    errno = 0;
  }
  report.print();
  std::fflush(stdout);  // removing the scratch folder may take a while
  if (!file.empty()) bench::write_report_file(file, setup, report);
  return report.all_hold() ? 0 : 1;
}
