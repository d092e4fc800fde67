#include "http_load.h"

#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <string_view>

#include "http_client.h"
#include "requests.h"
#include "statistics.h"

namespace bench {
namespace {

constexpr std::string_view id_key = "\"id\":";
static_assert(id_goes_after.ends_with(id_key));

}  // namespace

HttpLoad::HttpLoad(const Server& server, std::size_t connections, const std::vector<std::string>& targets)
    : server_(server), epoll_(::epoll_create1(EPOLL_CLOEXEC)), next_id_(first_id), connections_(connections) {
  for (std::size_t at = 0; at < connections; ++at) {
    Connection& connection = connections_[at];
    const std::string& target = targets[at % targets.size()];
    connection.fd = connect_to(server.port());
    if (target.starts_with("/v1/acp/")) {
      connection.request = post(server.port(), target, prompt(first_id));
      connection.id_at = connection.request.find(id_goes_after) + id_goes_after.size();
    } else {
      connection.request = get(server.port(), target);
    }
    epoll_event event{};
    event.events = EPOLLIN;
    event.data.ptr = &connection;
    if (::epoll_ctl(epoll_, EPOLL_CTL_ADD, connection.fd, &event) != 0) give_up("epoll_ctl");
  }
}

HttpLoad::~HttpLoad() {
  for (const Connection& connection : connections_) ::close(connection.fd);
  ::close(epoll_);
}

void HttpLoad::send_next(Connection& connection) {
  if (connection.id_at > 0) {
    char* digits = connection.request.data() + connection.id_at;
    std::to_chars(digits, digits + 10, next_id_++);
  }
  connection.sent_at_ns = now_ns();
  const ssize_t n = ::send(connection.fd, connection.request.data(), connection.request.size(), MSG_NOSIGNAL);
  if (n != static_cast<ssize_t>(connection.request.size())) give_up("send");
}

// Whether the answer is complete.
bool HttpLoad::take_answer(Connection& connection) {
  char scratch[16 * 1024];
  const ssize_t n = ::recv(connection.fd, scratch, sizeof scratch, 0);
  if (n <= 0) give_up("the server closed a connection");
  connection.in.append(scratch, static_cast<std::size_t>(n));
  const AnswerSpan span = find_answer(connection.in);
  if (!span.complete) return false;
  if (connection.id_at > 0) {
    // A server may write the answer anew, with its members in another order.
    const std::string_view body = std::string_view(connection.in).substr(span.head_size, span.body_size);
    const std::string_view id =
        std::string_view(connection.request).substr(connection.id_at - id_key.size(), id_key.size() + 10);
    if (body.find(id) == std::string_view::npos) give_up("an answer to another request");
  }
  connection.in.clear();
  latencies_ns_.push_back(static_cast<std::uint32_t>(now_ns() - connection.sent_at_ns));
  return true;
}

LoadResult HttpLoad::run(int milliseconds) {
  latencies_ns_.clear();
  const std::int64_t cpu_before = server_.cpu_ns();
  const std::int64_t begin = now_ns();
  const std::int64_t end = begin + milliseconds * 1'000'000LL;
  for (Connection& connection : connections_) send_next(connection);
  std::size_t in_flight = connections_.size();
  while (in_flight > 0) {
    epoll_event events[256];
    const int count = ::epoll_wait(epoll_, events, 256, 10'000);
    if (count <= 0) give_up("no answer within 10 s");
    for (int at = 0; at < count; ++at) {
      Connection& connection = *static_cast<Connection*>(events[at].data.ptr);
      if (!take_answer(connection)) continue;
      if (connection.sent_at_ns < end && now_ns() < end) {
        send_next(connection);
      } else {
        --in_flight;
      }
    }
  }
  const double requests = static_cast<double>(latencies_ns_.size());
  LoadResult result;
  result.per_second = requests * 1e9 / static_cast<double>(now_ns() - begin);
  result.cpu_us = static_cast<double>(server_.cpu_ns() - cpu_before) / 1e3 / requests;
  result.p50_us = quantile(latencies_ns_, 0.50) / 1e3;
  result.p99_us = quantile(latencies_ns_, 0.99) / 1e3;
  return result;
}

}  // namespace bench
