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
  int point_ms;              // the same, for one point of a curve
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
void measure_idle(const Setup& setup, Report& report);
void measure_fan_out(const Setup& setup, Report& report);
void measure_replay(const Setup& setup, Report& report);
void measure_sizes(const Setup& setup, Report& report);
void measure_growing_instances(const Setup& setup, Report& report);
void measure_ring_fill(const Setup& setup, Report& report);

// Beside another server of the same contract; only with Programs::peer.
void measure_peer_start(const Setup& setup, Report& report);
void measure_peer_posts(const Setup& setup, Report& report);
void measure_peer_posts_on_one_core(const Setup& setup, Report& report);
void measure_peer_throughput(const Setup& setup, Report& report);
void measure_peer_events(const Setup& setup, Report& report);
void measure_peer_memory(const Setup& setup, Report& report);
void measure_peer_idle(const Setup& setup, Report& report);

}  // namespace bench
