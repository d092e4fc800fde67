// Many files at once: an archive unpacked, a long listing.
#include <algorithm>
#include <filesystem>

#include "measures.h"
#include "requests.h"
#include "statistics.h"
#include "watched_server.h"

namespace bench {
namespace {

constexpr int archived_folders = 100;
constexpr int files_in_each = 100;
constexpr int listed_entries = 100'000;

void make_archive_of_many(const ScratchFolder& scratch, const std::string& archive) {
  const std::string tree = scratch.make_folder();
  for (int folder = 0; folder < archived_folders; ++folder) {
    const std::string path = tree + "/folder-" + std::to_string(folder);
    std::filesystem::create_directory(path);
    for (int file = 0; file < files_in_each; ++file)
      make_file(path + "/file-" + std::to_string(file), 200 + static_cast<std::uint64_t>(folder * 31 + file * 17) % 1801);
  }
  run_to_end({"tar", "-c", "-f", archive, "-C", tree, "."});
}

void make_archive_of_one(const ScratchFolder& scratch, const std::string& archive, std::uint64_t bytes) {
  make_file(scratch / "one", bytes);
  run_to_end({"tar", "-c", "-f", archive, "-C", scratch / "", "one"});
  remove_file(scratch / "one", bytes);
}

void check_many(const std::string& folder) {
  using std::filesystem::recursive_directory_iterator;
  if (std::distance(recursive_directory_iterator(folder), {}) != archived_folders * (1 + files_in_each))
    give_up("not all of the archive was unpacked");
}

void post_archive(HttpClient& client, int port, const std::string& archive, const std::string& folder) {
  const std::string length = sized(std::filesystem::file_size(archive));
  client.send(head_of_upload("POST", port, fs_target("upload-batch", folder), "application/x-tar", length));
  client.send_file(archive);
  client.receive();
}

}  // namespace

void measure_archive(const Setup& setup, Report& report) {
  const ScratchFolder& scratch = setup.scratch;
  const std::string many = scratch / "many.tar";
  const std::string one = scratch / "one.tar";
  const std::uint64_t member_bytes = setup.file_bytes / 2;
  make_archive_of_many(scratch, many);
  make_archive_of_one(scratch, one, member_bytes);
  const Server floor_health = start_health(setup.programs);
  WatchedServer daemon(start_daemon(setup.programs));
  auto take_tar = [&](WorkFigures& figures) {
    const std::string folder = scratch.make_folder();
    {
      const HealthWatch watch(floor_health, figures.health_ns);
      const std::int64_t begin = now_ns();
      run_to_end({"tar", "-x", "-f", many, "-C", folder});
      figures.ms.push_back(static_cast<double>(now_ns() - begin) / 1e6);
    }
    check_many(folder);
  };
  auto take = [&](WorkFigures& figures, const std::string& archive) {
    const std::string folder = scratch.make_folder();
    daemon.take(figures, 1, [&](HttpClient& client, int port) { post_archive(client, port, archive, folder); });
    return folder;
  };
  WorkFigures warm_up, floor, ours, large;
  take_tar(warm_up);
  check_many(take(warm_up, many));
  for (int round = 0; round < setup.rounds; ++round) {
    take_tar(floor);
    check_many(take(ours, many));
  }
  remove_file(take(large, one) + "/one", member_bytes);
  std::filesystem::remove(one);

  const std::string measure = "tar of 10,000 small files, unpacked";
  report.compare({measure + " (floor: tar -x): time", "ms", 1.5}, floor.ms, ours.ms);
  report.state({measure + ": CPU", "ms"}, median(ours.cpu_ms));
  report_health(report, measure, ours, &floor);
  const std::string large_measure = "tar of one large file, unpacked";
  report.state({large_measure + ": time", "ms"}, median(large.ms));
  daemon.report_growth(report, large_measure, 16);
  report_health(report, large_measure, large);
}

void measure_listing(const Setup& setup, Report& report) {
  const std::string folder = setup.scratch.make_folder();
  for (int at = 0; at < listed_entries; ++at) make_file(folder + "/entry-" + std::to_string(at), 0);
  WatchedServer daemon(start_daemon(setup.programs));
  WorkFigures ours;
  std::vector<double> first_byte_ms;
  for (int round = 0; round < setup.rounds; ++round) {
    std::string_view answer;
    daemon.take(ours, 1, [&](HttpClient& client, int port) {
      const std::int64_t begin = now_ns();
      client.send(get(port, fs_target("entries", folder)));
      client.receive_head();
      first_byte_ms.push_back(static_cast<double>(now_ns() - begin) / 1e6);
      answer = client.receive();
    });
    if (std::ranges::count(answer, '{') != listed_entries) give_up("a listing of another length");
  }
  const std::string measure = "listing of 100,000 entries";
  report.state({measure + ": time to the first byte", "ms"}, median(first_byte_ms));
  report.state({measure + ": time", "ms"}, median(ours.ms));
  report.state({measure + ": CPU", "ms"}, median(ours.cpu_ms));
  daemon.report_growth(report, measure, 64);
  report_health(report, measure, ours);
}

}  // namespace bench
