// What the daemon and the published server hold for streams and instances that rest. Each figure is of a server of its own:
// what an earlier one gave back would serve the next.
#include "http_client.h"
#include "idle_streams.h"
#include "measures.h"
#include "peer.h"
#include "requests.h"
#include "statistics.h"

namespace bench {
namespace {

constexpr int stream_count = 500;
constexpr int instance_count = 20;
constexpr double kib = 1024;

double kib_of(const Server& server) { return static_cast<double>(resident_bytes(server.process().pid())) / kib; }

// KiB for each stream of an agent that has said so many messages of 200 bytes.
double stream_memory(const Server& server, int said) {
  start_contest_instance(server, "bench");
  HttpClient(server.port()).exchange(post(server.port(), contest_target("bench"), notify(first_id + 1, said, 200)));
  const double before = kib_of(server);
  const std::vector<HttpClient> streams = open_streams(server.port(), "/v1/acp/bench", stream_count);
  return (kib_of(server) - before) / stream_count;
}

struct Instances {
  double kib_each;
  double first_answer_ms;
};

// The daemon has a supervisor between itself and each agent, which counts too; the agents do not.
Instances start_instances(const Server& server) {
  start_contest_instance(server, "first");
  const double before = kib_of(server);
  std::vector<double> times;
  for (int at = 0; at < instance_count; ++at) {
    const std::int64_t begin = now_ns();
    start_contest_instance(server, "idle-" + std::to_string(at));
    times.push_back(static_cast<double>(now_ns() - begin) / 1e6);
  }
  const double grown = (kib_of(server) - before) / instance_count;
  std::vector<double> supervisors{0};
  for (const pid_t child : children_of(server.process().pid()))
    if (!children_of(child).empty()) supervisors.push_back(static_cast<double>(private_bytes(child)) / kib);
  return {grown + median(supervisors), median(times)};
}

}  // namespace

void measure_peer_memory(const Setup& setup, Report& report) {
  const Contest contest(setup);
  for (const int said : {0, 1000}) {
    const double ours = stream_memory(contest.start_daemon(), said);
    const double theirs = stream_memory(contest.start_peer(), said);
    const std::string name =
        said == 0 ? "an idle stream (of 500)" : "an idle stream (of 500) of an agent that said 1,000 messages";
    report.compare_peer({name + ": resident in the server", "KiB", said == 0 ? 30.0 : 0.0}, theirs, ours);
  }
  const Instances ours = start_instances(contest.start_daemon());
  const Instances theirs = start_instances(contest.start_peer());
  report.compare_peer({"an idle instance, its supervisor included: memory", "KiB"}, theirs.kib_each, ours.kib_each);
  report.compare_peer({"first answer of a new instance: time", "ms"}, theirs.first_answer_ms, ours.first_answer_ms);
}

}  // namespace bench
