// One large file, there and back.
#include "measures.h"
#include "requests.h"
#include "watched_server.h"

namespace bench {
namespace {

constexpr std::size_t piece_bytes = 256 * 1024;  // what the client sends at once
constexpr double time_limit = 1.25;              // 0.8 × the floor's throughput
constexpr double growth_limit_mib = 16;

double gib_of(std::uint64_t bytes) { return static_cast<double>(bytes) / (1024.0 * 1024 * 1024); }

WatchedServer start_watched_floor(const Programs& programs) {
  return WatchedServer(start_transfer_floor(programs), start_health(programs));
}

void report_turns(Report& report, const std::string& measure, const WorkFigures& floor, const WorkFigures& ours) {
  report.compare({measure + ": time per GiB", "ms", time_limit}, floor.ms, ours.ms);
  report.compare({measure + ": CPU of the server per GiB", "ms"}, floor.cpu_ms, ours.cpu_ms);
}

}  // namespace

void measure_download(const Setup& setup, Report& report) {
  const std::string path = setup.scratch / "large";
  make_file(path, setup.file_bytes);
  write_out(path);
  WatchedServer floor_server = start_watched_floor(setup.programs);
  WatchedServer daemon(start_daemon(setup.programs));
  auto take = [&](WatchedServer& server, WorkFigures& figures) {
    server.take(figures, gib_of(setup.file_bytes), [&](HttpClient& client, int port) {
      client.send(get(port, fs_target("file", path)));
      if (client.receive_away() != setup.file_bytes) give_up("a download of another length");
    });
  };
  WorkFigures warm_up, floor, ours;
  take(floor_server, warm_up);
  take(daemon, warm_up);
  for (int round = 0; round < setup.rounds; ++round) {
    take(floor_server, floor);
    take(daemon, ours);
  }
  remove_file(path, setup.file_bytes);
  const std::string measure = "GET of a large file";
  report_turns(report, measure, floor, ours);
  daemon.report_growth(report, measure, growth_limit_mib);
  report_health(report, measure, ours, &floor);
}

void measure_upload(const Setup& setup, Report& report) {
  const std::string path = setup.scratch / "uploaded";
  WatchedServer floor_server = start_watched_floor(setup.programs);
  WatchedServer daemon(start_daemon(setup.programs));
  // Sends the same piece until the file is complete, and removes that: nothing of it need ever reach the disk.
  auto take = [&](WatchedServer& server, WorkFigures& figures, std::string_view framing, std::string_view piece,
                  std::string_view end) {
    server.take(figures, gib_of(setup.file_bytes), [&](HttpClient& client, int port) {
      client.send(head_of_upload("PUT", port, fs_target("file", path), "application/octet-stream", framing));
      for (std::uint64_t at = 0; at < setup.file_bytes; at += piece_bytes) client.send(piece);
      client.send(end);
      client.receive();
    });
    remove_file(path, setup.file_bytes);
  };
  const std::string piece(piece_bytes, 'x');
  const std::string chunk = "40000\r\n" + piece + "\r\n";
  auto take_sized = [&](WatchedServer& server, WorkFigures& figures) {
    take(server, figures, sized(setup.file_bytes), piece, "");
  };
  auto take_chunked = [&](WorkFigures& figures) { take(daemon, figures, chunked, chunk, "0\r\n\r\n"); };
  WorkFigures warm_up, floor, ours, in_chunks;
  take_sized(floor_server, warm_up);
  take_sized(daemon, warm_up);
  take_chunked(warm_up);
  for (int round = 0; round < setup.rounds; ++round) {
    take_sized(floor_server, floor);
    take_sized(daemon, ours);
    take_chunked(in_chunks);
  }
  const std::string measure = "PUT of a large file";
  report_turns(report, measure, floor, ours);
  report.compare({measure + ", in chunks (the floor's has a length): time per GiB", "ms"}, floor.ms, in_chunks.ms);
  daemon.report_growth(report, measure, growth_limit_mib);
  report_health(report, measure, ours, &floor);
}

}  // namespace bench
