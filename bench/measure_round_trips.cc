// One request at a time, small and large.
#include <unistd.h>

#include <utility>

#include "http_client.h"
#include "measures.h"
#include "pipe_agent.h"
#include "requests.h"
#include "statistics.h"

namespace bench {
namespace {

constexpr std::size_t envelope_bytes = 1024 * 1024;

// Microseconds, per exchange.
struct RoundTrips {
  double p50;
  double server_cpu;
  double total_cpu;  // of everybody: client, server, agent
};

struct Parties {
  pid_t server;
  pid_t agent;
};

std::int64_t total_cpu_ns(const Parties& parties) {
  std::int64_t sum = cpu_ns(::getpid()) + cpu_ns(parties.agent);
  if (parties.server != parties.agent) sum += cpu_ns(parties.server);
  return sum;
}

// Calls `exchange(id)` again and again.
template <class Exchange>
RoundTrips repeat(int milliseconds, const Parties& parties, Exchange exchange) {
  static std::uint64_t next_id = first_id;
  std::vector<std::int64_t> times;
  const std::int64_t server_before = cpu_ns(parties.server);
  const std::int64_t total_before = total_cpu_ns(parties);
  const std::int64_t end = now_ns() + milliseconds * 1'000'000LL;
  for (std::int64_t begin = 0; (begin = now_ns()) < end;) {
    exchange(next_id++);
    times.push_back(now_ns() - begin);
  }
  const double thousands = static_cast<double>(times.size()) * 1e3;
  const double server_cpu = static_cast<double>(cpu_ns(parties.server) - server_before) / thousands;
  const double total_cpu = static_cast<double>(total_cpu_ns(parties) - total_before) / thousands;
  return {median(std::move(times)) / 1e3, server_cpu, total_cpu};
}

RoundTrips over_pipe(PipeAgent& agent, int milliseconds, std::string_view text) {
  return repeat(milliseconds, {agent.pid(), agent.pid()}, [&](std::uint64_t id) { agent.exchange(prompt(id, text) + "\n"); });
}

// A server, the connection to it and, after the first exchange, the agent behind it.
class OverHttp {
 public:
  explicit OverHttp(const Server& server) : server_(server), client_(server.port()) {
    exchange(first_id, "");
    agent_ = server.process().pid();
    for (auto below = children_of(agent_); !below.empty(); below = children_of(agent_)) agent_ = below.front();
  }

  RoundTrips run(int milliseconds, std::string_view text) {
    return repeat(milliseconds, {server_.process().pid(), agent_}, [&](std::uint64_t id) { exchange(id, text); });
  }

 private:
  void exchange(std::uint64_t id, std::string_view text) {
    const std::string body = prompt(id, text);
    const std::string_view answer = client_.exchange(post(server_.port(), acp_target("bench"), body));
    const std::size_t checked = id_goes_after.size() + 10;
    if (answer.substr(0, checked) != std::string_view(body).substr(0, checked) || answer.size() < body.size())
      give_up("an answer to another request");
  }

  const Server& server_;
  HttpClient client_;
  pid_t agent_ = -1;
};

}  // namespace

void measure_one_connection(const Setup& setup, Report& report) {
  PipeAgent agent(setup.programs.echo_agent);
  const Server proxy = start_proxy(setup.programs);
  const Server daemon = start_daemon(setup.programs);
  OverHttp to_proxy(proxy);
  OverHttp to_daemon(daemon);
  to_proxy.run(setup.burst_ms / 2, "hello");
  to_daemon.run(setup.burst_ms / 2, "hello");
  std::vector<double> pipe_p50, floor_p50, floor_cpu, p50, cpu;
  for (int round = 0; round < setup.rounds; ++round) {
    pipe_p50.push_back(over_pipe(agent, setup.burst_ms / 2, "hello").p50);
    const RoundTrips floor = to_proxy.run(setup.burst_ms, "hello");
    const RoundTrips ours = to_daemon.run(setup.burst_ms, "hello");
    floor_p50.push_back(floor.p50);
    floor_cpu.push_back(floor.server_cpu);
    p50.push_back(ours.p50);
    cpu.push_back(ours.server_cpu);
  }
  report.compare({"POST, one connection: p50", "µs", 1.5}, floor_p50, p50);
  report.compare({"POST, one connection: CPU per request", "µs", 1.5}, floor_cpu, cpu);
  report.compare({"POST, one connection, against the pipe alone: p50", "µs"}, pipe_p50, p50);
}

void measure_large_envelopes(const Setup& setup, Report& report) {
  PipeAgent agent(setup.programs.echo_agent);
  const Server proxy = start_proxy(setup.programs);
  const Server daemon = start_daemon(setup.programs);
  OverHttp to_proxy(proxy);
  OverHttp to_daemon(daemon);
  const std::string text(envelope_bytes, 'x');
  over_pipe(agent, setup.burst_ms / 2, text);
  to_proxy.run(setup.burst_ms / 2, text);
  to_daemon.run(setup.burst_ms / 2, text);
  std::vector<double> pipe_cpu, pipe_p50, floor_cpu, cpu, total, p50;
  for (int round = 0; round < setup.rounds; ++round) {
    const RoundTrips alone = over_pipe(agent, setup.burst_ms, text);
    const RoundTrips floor = to_proxy.run(setup.burst_ms, text);
    const RoundTrips ours = to_daemon.run(setup.burst_ms, text);
    pipe_cpu.push_back(alone.total_cpu);
    pipe_p50.push_back(alone.p50);
    floor_cpu.push_back(floor.server_cpu);
    cpu.push_back(ours.server_cpu);
    total.push_back(ours.total_cpu);
    p50.push_back(ours.p50);
  }
  report.compare({"1 MiB both ways, against the pipe alone: CPU of all parties", "µs", 4}, pipe_cpu, total);
  report.compare({"1 MiB both ways, against the pipe alone: p50", "µs"}, pipe_p50, p50);
  report.compare({"1 MiB both ways, against the proxy: CPU per request", "µs"}, floor_cpu, cpu);
}

}  // namespace bench
