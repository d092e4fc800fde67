// The measures. Each starts its own servers, takes its figures in rounds (floor, daemon, floor, daemon, …) and adds its rows.
#pragma once

#include "report.h"
#include "scratch_folder.h"
#include "servers.h"

namespace bench {

struct Setup {
  Programs programs;
  int rounds;
  int burst_ms;              // of load per server and round
  std::uint64_t file_bytes;  // of a large file; whole MiB
  const ScratchFolder& scratch;
};

void measure_posts(const Setup& setup, Report& report);
void measure_one_connection(const Setup& setup, Report& report);
void measure_many_instances(const Setup& setup, Report& report);
void measure_events(const Setup& setup, Report& report);
void measure_memory(const Setup& setup, Report& report);
void measure_start(const Setup& setup, Report& report);
void measure_installed(const Setup& setup, Report& report);
void measure_commands(const Setup& setup, Report& report);
void measure_health(const Setup& setup, Report& report);
void measure_large_envelopes(const Setup& setup, Report& report);
void measure_download(const Setup& setup, Report& report);
void measure_upload(const Setup& setup, Report& report);
void measure_archive(const Setup& setup, Report& report);
void measure_listing(const Setup& setup, Report& report);

}  // namespace bench
