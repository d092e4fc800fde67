// For tests: a client that runs the demo agent in a thread over two real pipes, says lines and reads messages. The
// agent ends with the client. Every wait is bounded, so a silent agent fails the test instead of hanging it.
#pragma once

#include <doctest/doctest.h>
#include <fcntl.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <climits>
#include <future>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "mock_agent/mock_agent.h"
#include "mock_agent/rpc.h"

namespace sa::mock {

struct Pipe {
  int read_end;
  int write_end;

  Pipe() {
    std::array<int, 2> ends{};
    REQUIRE(::pipe2(ends.data(), O_CLOEXEC) == 0);
    read_end = ends[0];
    write_end = ends[1];
  }
  ~Pipe() {
    close_read();
    close_write();
  }
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;

  void close_read() { close_end(read_end); }
  void close_write() { close_end(write_end); }

 private:
  static void close_end(int& fd) {
    if (fd >= 0) ::close(fd);
    fd = -1;
  }
};

// All an agent said up to and including the reply to one request.
struct Heard {
  std::vector<json::object> messages;  // everything but the reply
  json::object reply;

  // The session/updates of one kind.
  std::vector<json::object> updates(std::string_view kind, std::string_view session = "demo-1") const {
    std::vector<json::object> found;
    for (const json::object& message : messages) {
      const json::object& params = object_member(message, "params");
      json::object update = object_member(params, "update");
      if (string_member(params, "sessionId") != session || string_member(update, "sessionUpdate") != kind) continue;
      found.push_back(std::move(update));
    }
    return found;
  }
  std::vector<json::object> chunks(std::string_view session = "demo-1") const {
    return updates("agent_message_chunk", session);
  }
  // What the agent said in `session`.
  std::string text(std::string_view session = "demo-1") const {
    std::string all;
    for (const json::object& chunk : chunks(session)) all += string_member(object_member(chunk, "content"), "text");
    return all;
  }
  // The `status` of each report on a tool call.
  std::vector<std::string> statuses(std::string_view session = "demo-1") const {
    std::vector<std::string> found;
    for (const json::object& update : updates("tool_call_update", session)) {
      found.emplace_back(string_member(update, "status"));
    }
    return found;
  }
  json::object result() const { return object_member(reply, "result"); }
  std::string stop_reason() const { return std::string(string_member(object_member(reply, "result"), "stopReason")); }
  std::int64_t error_code() const { return reply.at("error").at("code").to_number<std::int64_t>(); }
  std::string error_text() const { return std::string(string_member(object_member(reply, "error"), "message")); }
};

class ScriptedClient {
 public:
  explicit ScriptedClient(MockOptions options = {}) {
    std::packaged_task<int()> agent(
        [=, in = to_agent_.read_end, out = from_agent_.write_end] { return run_mock_agent(in, out, options); });
    exit_code_ = agent.get_future();
    agent_ = std::jthread(std::move(agent));
  }
  ~ScriptedClient() {
    end_input();
    stop_reading();
  }

  void say(std::string line) {
    line += '\n';
    for (std::string_view rest = line; !rest.empty();) {
      pollfd fd{to_agent_.write_end, POLLOUT, 0};
      REQUIRE(::poll(&fd, 1, patience_ms) == 1);
      // A pipe that polls writable takes PIPE_BUF bytes without blocking.
      const ssize_t count = ::write(fd.fd, rest.data(), std::min<std::size_t>(rest.size(), PIPE_BUF));
      REQUIRE(count > 0);
      rest.remove_prefix(static_cast<std::size_t>(count));
    }
  }
  void request(std::int64_t id, std::string_view method, json::object params = {}) {
    say(json::serialize(make_request(id, method, std::move(params))));
  }
  void notify(std::string_view method, json::object params) {
    say(json::serialize(make_notification(method, std::move(params))));
  }
  void prompt(std::int64_t id, std::string_view text, std::string_view session = "demo-1") {
    const json::array blocks = {{{"type", "text"}, {"text", text}}};
    request(id, "session/prompt", {{"sessionId", session}, {"prompt", blocks}});
  }
  void cancel(std::string_view session = "demo-1") { notify("session/cancel", {{"sessionId", session}}); }
  void answer(std::int64_t id, const json::object& result) { say(result_line(std::to_string(id), result)); }

  void answer_error(std::int64_t id, std::string_view message) {
    say(error_line(std::to_string(id), {RpcError::internal_error, std::string(message)}));
  }

  // Sends a request and hears everything up to its reply.
  Heard call(std::string_view method, json::object params = {}) {
    const std::int64_t id = ++last_call_;
    request(id, method, std::move(params));
    return until_reply(id);
  }
  Heard play(std::string_view text, std::string_view session = "demo-1") {
    const std::int64_t id = ++last_call_;
    prompt(id, text, session);
    return until_reply(id);
  }
  void initialize(const json::object& capabilities) {
    call("initialize", {{"protocolVersion", 1}, {"clientCapabilities", capabilities}});
  }

  // Opens demo-1, demo-2, … up to `count`, each with its list of commands.
  void open_sessions(int count = 1, std::string_view cwd = "/") {
    for (int i = 0; i < count; ++i) {
      call("session/new", {{"cwd", cwd}, {"mcpServers", json::array()}});
      next();
    }
  }

  json::object next() { return parsed(next_line()); }

  // The next message as it was spelled.
  std::string next_line() {
    auto line = line_if_any();
    REQUIRE_MESSAGE(line, "the agent closed its output");
    return *std::move(line);
  }

  // The next message that is a request, past any updates.
  json::object next_request() {
    while (true) {
      json::object message = next();
      if (message.contains("method") && message.contains("id")) return message;
    }
  }

  Heard until_reply(const json::value& id) {
    Heard heard;
    while (true) {
      json::object message = next();
      if (!message.contains("method") && message.at("id") == id) {
        heard.reply = std::move(message);
        return heard;
      }
      heard.messages.push_back(std::move(message));
    }
  }

  // Everything the agent said and nobody read yet; only after it ended.
  std::vector<json::object> last_words() {
    from_agent_.close_write();
    std::vector<json::object> messages;
    while (const auto line = line_if_any()) messages.push_back(parsed(*line));
    return messages;
  }

  // Until the agent cannot write any more because nobody reads.
  void wait_until_output_is_full() {
    const int capacity = ::fcntl(from_agent_.read_end, F_GETPIPE_SZ);
    const auto deadline = std::chrono::steady_clock::now() + std::chrono::milliseconds(patience_ms);
    for (int filled = 0; filled < capacity * 9 / 10; std::this_thread::yield()) {
      ::ioctl(from_agent_.read_end, FIONREAD, &filled);
      if (std::chrono::steady_clock::now() > deadline) FAIL("the agent did not fill its output");
    }
  }

  void end_input() { to_agent_.close_write(); }
  void stop_reading() { from_agent_.close_read(); }
  int exit_code() {
    REQUIRE(exit_code_.wait_for(std::chrono::milliseconds(patience_ms)) == std::future_status::ready);
    return exit_code_.get();
  }

 private:
  static constexpr int patience_ms = 10'000;

  static json::object parsed(std::string_view line) { return json::parse(line).as_object(); }

  std::optional<std::string> line_if_any() {
    std::size_t end = 0;
    while ((end = unread_.find('\n', read_)) == std::string::npos) {
      if (!read_more()) return std::nullopt;
    }
    std::string line = unread_.substr(read_, end - read_);
    read_ = end + 1;
    return line;
  }

  bool read_more() {
    unread_.erase(0, std::exchange(read_, 0));
    pollfd fd{from_agent_.read_end, POLLIN, 0};
    REQUIRE_MESSAGE(::poll(&fd, 1, patience_ms) == 1, "the agent says nothing");
    std::array<char, 65'536> bytes;
    const ssize_t count = ::read(fd.fd, bytes.data(), bytes.size());
    if (count > 0) unread_.append(bytes.data(), static_cast<std::size_t>(count));
    return count > 0;
  }

  std::int64_t last_call_ = 900;
  Pipe to_agent_;
  Pipe from_agent_;
  std::string unread_;
  std::size_t read_ = 0;  // bytes of unread_ already delivered
  std::future<int> exit_code_;
  std::jthread agent_;  // joined before the pipes close the agent's ends
};

}  // namespace sa::mock
