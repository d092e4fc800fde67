#include "round_trips.h"

#include <unistd.h>

#include "requests.h"
#include "statistics.h"

namespace bench {
namespace {

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

}  // namespace

RoundTrips over_pipe(PipeAgent& agent, int milliseconds, std::string_view text) {
  return repeat(milliseconds, {agent.pid(), agent.pid()}, [&](std::uint64_t id) { agent.exchange(prompt(id, text) + "\n"); });
}

OverHttp::OverHttp(const Server& server) : server_(server), client_(server.port()) {
  exchange(first_id, "");
  agent_ = server.process().pid();
  for (auto below = children_of(agent_); !below.empty(); below = children_of(agent_)) agent_ = below.front();
}

RoundTrips OverHttp::run(int milliseconds, std::string_view text) {
  return repeat(milliseconds, {server_.process().pid(), agent_}, [&](std::uint64_t id) { exchange(id, text); });
}

void OverHttp::exchange(std::uint64_t id, std::string_view text) {
  const std::string body = prompt(id, text);
  const std::string_view answer = client_.exchange(post(server_.port(), acp_target("bench"), body));
  const std::size_t checked = id_goes_after.size() + 10;
  if (answer.substr(0, checked) != std::string_view(body).substr(0, checked) || answer.size() < body.size())
    give_up("an answer to another request");
}

}  // namespace bench
