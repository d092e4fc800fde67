#include <string>

#include "mock_agent/scenes/cast.h"
#include "mock_agent/tool_call.h"
#include "mock_agent/turn.h"

namespace sa::mock::scene {
namespace {

constexpr std::string_view file_name = "sandbox-agent-demo.txt";
constexpr std::string_view file_content = "The demo agent wrote this through its client. You can delete it.\n";

json::object file_call(std::string_view verb, std::string_view kind, std::string_view path) {
  json::array locations;
  locations.push_back({{"path", path}});
  return {{"title", std::string(verb) + " " + std::string(file_name)}, {"kind", kind}, {"locations", std::move(locations)}};
}

// A terminal of the client, given back when the scene is over, however it ends.
class LentTerminal {
 public:
  LentTerminal(Turn& turn, std::string_view id) : turn_(turn), id_(id) {}
  ~LentTerminal() { turn_.tell("terminal/release", params()); }
  LentTerminal(const LentTerminal&) = delete;
  LentTerminal& operator=(const LentTerminal&) = delete;

  json::object params() const { return {{"terminalId", id_}}; }

 private:
  Turn& turn_;
  std::string id_;
};

json::object echo_command(const Session& session) {
  json::array args;
  args.emplace_back("Hello from the demo agent.");
  return {{"command", "echo"}, {"args", std::move(args)}, {"cwd", session.cwd}, {"outputByteLimit", 65'536}};
}

// "exit code 0", "signal SIGKILL".
std::string end_in_words(const json::object& status) {
  const std::string_view signal = string_member(status, "signal");
  if (!signal.empty()) return "signal " + std::string(signal);
  const json::value* code = status.if_contains("exitCode");
  return "exit code " + (code && code->is_number() ? json::serialize(*code) : "unknown");
}

}  // namespace

Play fs(Turn& turn, Prompt) {
  const auto [can_read, can_write, can_run, has_forms] = turn.client();
  if (!can_read && !can_write) {
    turn.say("Your client offered no access to files (clientCapabilities.fs), so there is nothing to show.");
    co_return StopReason::end_turn;
  }
  if (turn.is_mode("plan")) {
    turn.say("In plan mode I change nothing. I would have written and read " + std::string(file_name) + ".");
    co_return StopReason::end_turn;
  }
  const std::string path = turn.session().path(file_name);
  if (can_write) {
    ToolCall call(turn, file_call("Write", "edit", path));
    call.start();
    const Response written = co_await turn.ask("fs/write_text_file", {{"path", path}, {"content", file_content}});
    if (!written.error.empty()) {
      call.fail({{"content", tool_text(written.error)}});
      turn.say("Your client could not write " + path + ": " + written.error);
      co_return StopReason::end_turn;
    }
    call.complete();
    turn.say("I wrote " + path + ".\n");
  }
  if (can_read) {
    ToolCall call(turn, file_call("Read", "read", path));
    call.start();
    const Response read = co_await turn.ask("fs/read_text_file", {{"path", path}});
    if (!read.error.empty()) {
      call.fail({{"content", tool_text(read.error)}});
      turn.say("Your client could not read " + path + ": " + read.error);
      co_return StopReason::end_turn;
    }
    const std::string_view content = string_member(read.result, "content");
    call.complete({{"content", tool_text(content)}});
    turn.say("I read " + std::to_string(content.size()) + " bytes from " + path + ".");
  }
  co_return StopReason::end_turn;
}

Play terminal(Turn& turn, Prompt) {
  if (!turn.client().terminals) {
    turn.say("Your client offered no terminal (clientCapabilities.terminal), so there is nothing to show.");
    co_return StopReason::end_turn;
  }
  if (turn.is_mode("plan")) {
    turn.say("In plan mode I run nothing. I would have run: echo.");
    co_return StopReason::end_turn;
  }
  ToolCall call(turn, {{"title", "echo Hello from the demo agent."}, {"kind", "execute"}});
  const Response created = co_await turn.ask("terminal/create", echo_command(turn.session()));
  if (!created.error.empty()) {
    call.fail({{"content", tool_text(created.error)}});
    turn.say("Your client could not start a terminal: " + created.error);
    co_return StopReason::end_turn;
  }
  const LentTerminal terminal(turn, string_member(created.result, "terminalId"));
  json::array content;
  content.push_back({{"type", "terminal"}, {"terminalId", string_member(created.result, "terminalId")}});
  call.start({{"content", std::move(content)}});

  const Response exited = co_await turn.ask("terminal/wait_for_exit", terminal.params());
  const Response output = co_await turn.ask("terminal/output", terminal.params());
  const std::string_view text = string_member(output.result, "output");
  call.complete({{"rawOutput", {{"output", text}}}});
  turn.say("It ended with " + end_in_words(exited.result) + " and said:\n" + std::string(text));
  co_return StopReason::end_turn;
}

}  // namespace sa::mock::scene
