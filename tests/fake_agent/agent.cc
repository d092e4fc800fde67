#include "agent.h"

#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include "behaviours.h"

namespace fake {

Agent::Agent(std::string_view ledger_directory, std::vector<std::string> arguments)
    : mouth_(ledger_directory), arguments_(std::move(arguments)) {}

void Agent::answer(std::string_view raw_id, std::string_view raw_result) {
  if (raw_id.empty()) return;
  std::string line = R"({"jsonrpc":"2.0","id":)";
  line.append(raw_id).append(R"(,"result":)").append(raw_result.empty() ? "null" : raw_result).append("}");
  mouth_.say(line);
}

void Agent::notify(std::string_view method, std::string_view raw_params) {
  std::string line = R"({"jsonrpc":"2.0","method":)";
  line.append(quoted(method)).append(R"(,"params":)").append(raw_params).append("}");
  mouth_.say(line);
}

void Agent::perform(std::string_view method, std::string_view raw_params) {
  const Envelope envelope{.line = {}, .id = {}, .method = method, .params = raw_params};
  if (const Behaviour behaviour = find_behaviour(method)) behaviour(*this, envelope);
}

void Agent::run() {
  for (;;) {
    alarm(safety_seconds);
    const bool reading = !deaf_ && !at_eof_;
    pollfd input{.fd = reading ? STDIN_FILENO : -1, .events = POLLIN, .revents = 0};
    if (poll(&input, 1, milliseconds_to_next_timer()) < 0 && errno != EINTR) return;
    if (reading && input.revents != 0) read_some();
    fire_timers();
    if (at_eof_ && !staying_ && !deaf_) return;
  }
}

void Agent::read_some() {
  const std::size_t old_size = heard_.size();
  heard_.resize(old_size + 256 * 1024);
  const auto n = read(STDIN_FILENO, heard_.data() + old_size, 256 * 1024);
  heard_.resize(old_size + static_cast<std::size_t>(std::max<ssize_t>(n, 0)));
  if (n < 0 && errno == EINTR) return;
  if (n <= 0) {
    at_eof_ = true;
    return;
  }
  std::size_t start = 0;
  for (std::size_t end; !deaf_ && (end = heard_.find('\n', std::max(start, searched_))) != std::string::npos; start = end + 1) {
    hear(std::string_view(heard_).substr(start, end - start));
    searched_ = 0;
  }
  heard_.erase(0, start);
  searched_ = heard_.size();
}

void Agent::hear(std::string_view line) {
  const Envelope envelope = look_at(line);
  mouth_.note_heard(envelope.is_request() && !asked_.emplace(envelope.id).second);
  if (silent_) return;
  if (reporting_) {
    const auto params = R"({"line":)" + quoted(line) + "}";
    return envelope.is_request() ? answer(envelope.id, params) : notify("heard", params);
  }
  if (envelope.is_answer()) return notify("heard_answer", R"({"line":)" + quoted(line) + "}");
  if (const Behaviour behaviour = find_behaviour(envelope.method)) return behaviour(*this, envelope);
  std::string echo = R"({"echo":)";
  echo.append(envelope.params.empty() ? "null" : envelope.params).append("}");
  answer(envelope.id, echo);
}

void Agent::after(std::chrono::milliseconds delay, std::function<void()> action) {
  timers_.emplace(Clock::now() + delay, std::move(action));
}

int Agent::milliseconds_to_next_timer() const {
  if (timers_.empty()) return -1;
  const auto left = std::chrono::ceil<std::chrono::milliseconds>(timers_.begin()->first - Clock::now());
  return static_cast<int>(std::max<std::int64_t>(left.count(), 0));
}

void Agent::fire_timers() {
  for (const auto now = Clock::now(); !timers_.empty() && timers_.begin()->first <= now;) {
    timers_.extract(timers_.begin()).mapped()();
  }
}

}  // namespace fake
