#include "mock_agent/mock_agent.h"

#include <poll.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdint>
#include <optional>

#include "mock_agent/agent.h"
#include "mock_agent/line_input.h"
#include "mock_agent/line_output.h"

namespace sa {
namespace {

constexpr short gone = POLLERR | POLLHUP | POLLNVAL;

int poll_timeout(std::optional<mock::Clock::time_point> wake_at) {
  if (!wake_at) return -1;
  const auto left = std::chrono::ceil<std::chrono::milliseconds>(*wake_at - mock::Clock::now()).count();
  return static_cast<int>(std::clamp<std::int64_t>(left, 0, 60'000));
}

// Hands over what is still queued, unless the reader left or stands still.
void drain(mock::LineOutput& output, int out_fd, std::chrono::milliseconds patience) {
  while (output.flush() && output.queued() > 0) {
    pollfd out{out_fd, POLLOUT, 0};
    const int ready = ::poll(&out, 1, static_cast<int>(patience.count()));
    if (ready == 0 || (ready < 0 && errno != EINTR)) return;
  }
}

}  // namespace

int run_mock_agent(int in_fd, int out_fd, const MockOptions& options) {
  std::signal(SIGPIPE, SIG_IGN);
  mock::LineInput input(in_fd, options.max_line);
  mock::LineOutput output(out_fd);
  mock::Agent agent(options, output);

  bool more = true;
  while (more) {
    agent.advance();
    if (agent.exit_code()) break;
    if (!output.flush()) return 0;

    const short out_events = output.queued() > 0 ? POLLOUT : 0;
    pollfd fds[] = {{in_fd, POLLIN, 0}, {out_fd, out_events, 0}};
    if (::poll(fds, 2, poll_timeout(agent.wake_at())) < 0) continue;
    if (fds[1].revents & gone) return 0;
    if (fds[0].revents == 0) continue;

    more = input.fill();
    while (const auto line = input.next()) agent.handle(*line);
  }
  drain(output, out_fd, options.drain_patience);
  return agent.exit_code().value_or(0);
}

}  // namespace sa
