#include "client/trace_check.h"

#include <doctest/doctest.h>

namespace sa {
namespace {

// A trace as it grows, and what is found in it: "error 2 params.cwd: …" per finding.
class Checked {
 public:
  Checked& agent(std::string_view envelope) { return line(TraceMessage{Speaker::agent, ++seq_, envelope}); }
  Checked& client(std::string_view envelope) { return line(TraceMessage{.direction = Speaker::client, .envelope = envelope}); }
  Checked& gap(std::uint64_t from, std::uint64_t to) {
    seq_ = to;
    return line(TraceGap{from, to, 0});
  }
  Checked& numbered(std::uint64_t seq, std::string_view envelope) {
    return line(TraceMessage{Speaker::agent, seq_ = seq, envelope});
  }
  Checked& raw(std::string_view text) {
    keep(checker_.feed(text));
    return *this;
  }
  // What was found since the last time.
  std::vector<std::string> found() { return std::exchange(found_, {}); }
  std::vector<std::string> end() {
    keep(checker_.end());
    return found();
  }

 private:
  Checked& line(const TraceLine& line) {
    std::string text;
    append_trace_line(text, line);
    text.pop_back();
    return raw(text);
  }
  void keep(const std::vector<Finding>& findings) {
    for (const Finding& each : findings)
      found_.push_back(fmt::format("{} {} {}: {}", Words<FindingLevel>::all[static_cast<std::size_t>(each.level)], each.line,
                                   each.path, each.sentence));
  }

  TraceChecker checker_;
  std::uint64_t seq_ = 0;
  std::vector<std::string> found_;
};

using Strings = std::vector<std::string>;

constexpr std::string_view hello = R"({"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":1}})";
constexpr std::string_view hello_back = R"({"jsonrpc":"2.0","id":0,"result":{"protocolVersion":1}})";

Checked greeted() {
  Checked trace;
  trace.client(hello).agent(hello_back);
  return trace;
}

std::string update(std::string_view inside) {
  return fmt::format(R"({{"jsonrpc":"2.0","method":"session/update","params":{{"sessionId":"s","update":{{{}}}}}}})", inside);
}

// What is found in one message of the agent after the greeting, without level and line.
Strings in_agent(std::string_view envelope) {
  Strings all = greeted().agent(envelope).found();
  for (std::string& each : all) each = each.substr(each.find(" 3 ") + 3);
  return all;
}

}  // namespace

TEST_CASE("the first line of a file of the inspector is no message, and a filtered one may skip events") {
  Checked whole;
  whole.raw(R"({"sandboxAgentTrace":1,"serverId":"a"})").agent(R"({"jsonrpc":"2.0","method":"_a"})");
  CHECK(whole.found().empty());
  CHECK(whole.numbered(3, R"({"jsonrpc":"2.0","method":"_a"})").found() ==
        std::vector<std::string>{"error 3 seq: Events 2 to 2 are missing, and no gap says so."});
  Checked filtered;
  filtered.raw(R"({"sandboxAgentTrace":1,"filtered":true})").agent(R"({"jsonrpc":"2.0","method":"_a"})");
  CHECK(filtered.numbered(3, R"({"jsonrpc":"2.0","method":"_a"})").found().empty());
}

TEST_CASE("a turn by the book has no findings") {
  Checked trace = greeted();
  trace.client(R"({"jsonrpc":"2.0","id":1,"method":"session/new","params":{"cwd":"/","mcpServers":[]}})")
      .agent(R"({"jsonrpc":"2.0","id":1,"result":{"sessionId":"s"}})")
      .client(
          R"({"jsonrpc":"2.0","id":"a","method":"session/prompt","params":{"sessionId":"s","prompt":[{"type":"text","text":"x"}]}})")
      .agent(update(R"("sessionUpdate":"agent_message_chunk","content":{"type":"text","text":"x"})"))
      .agent(
          R"({"jsonrpc":"2.0","id":1,"method":"session/request_permission","params":{"sessionId":"s","toolCall":{"toolCallId":"c"},)"
          R"("options":[{"optionId":"o","name":"Yes","kind":"allow_once"}]}})")
      .client(R"({"jsonrpc":"2.0","id":1,"result":{"outcome":{"outcome":"selected","optionId":"o"}}})")
      .agent(R"({"jsonrpc":"2.0","method":"_adapter/invalid_stdout","params":{"error":"x"}})")
      .client(R"({"jsonrpc":"2.0","method":"session/cancel","params":{"sessionId":"s"}})")
      .client(R"({"jsonrpc":"2.0","method":"$/cancel_request","params":{"requestId":null}})")
      .raw("")
      .agent(R"({"jsonrpc":"2.0","id":"a","result":{"stopReason":"cancelled"}})")
      .agent(R"({"jsonrpc":"2.0","method":"_adapter/agent_exited","params":{"success":true,"code":0,"signal":null}})");
  CHECK(trace.found() == Strings{});
  CHECK(trace.end() == Strings{});
}

TEST_CASE("a finding says where it is and what it belongs to") {
  TraceChecker checker;
  CHECK(checker.feed(R"({"direction":"client","envelope":{"jsonrpc":"2.0","id":1,"method":"session/list"}})").empty());
  const auto found =
      checker.feed(R"({"seq":1,"direction":"agent","envelope":{"jsonrpc":"2.0","id":1,"result":{"sessions":[{"cwd":"/"}]}}})");
  REQUIRE(found.size() == 1);
  CHECK(
      to_json(found[0]) ==
      R"({"level":"error","line":2,"seq":1,"direction":"agent","method":"session/list","path":"result.sessions[0].sessionId",)"
      R"("sentence":"'result.sessions[0].sessionId' must be given: a string."})");
  CHECK(checker.messages() == 2);
}

TEST_CASE("what is no JSON-RPC is found") {
  CHECK(in_agent("[]") == Strings{": The message is a batch; ACP has none."});
  CHECK(in_agent("1") == Strings{": The message must be an object."});
  CHECK(in_agent(R"({"method":"_x"})") == Strings{"jsonrpc: 'jsonrpc' must be '2.0'."});
  CHECK(in_agent(R"({"jsonrpc":2.0,"method":"_x"})") == Strings{"jsonrpc: 'jsonrpc' must be '2.0'."});
  const Strings one_of{": The message must have one of 'method', 'result' and 'error', and no second of them."};
  CHECK(in_agent(R"({"jsonrpc":"2.0","id":5})") == one_of);
  CHECK(in_agent(R"({"jsonrpc":"2.0","method":"_x","result":1})") == one_of);
  CHECK(in_agent(R"({"jsonrpc":"2.0","method":1})") == Strings{"method: 'method' must be a string."});
  CHECK(in_agent(R"({"jsonrpc":"2.0","method":"_x","params":"p"})") ==
        Strings{"params: 'params' must be an object or a list."});
  for (const char* id : {"1.5", "true", "{}", "[1]"})
    CHECK(in_agent(fmt::format(R"({{"jsonrpc":"2.0","id":{},"method":"_x"}})", id)) ==
          Strings{"id: 'id' must be a string or a whole number."});
}

TEST_CASE("an answer with both result and error is found, and an error needs a code and a message") {
  Checked trace;
  trace.client(hello).agent(R"({"jsonrpc":"2.0","id":0,"result":{"protocolVersion":1},"error":{"code":1.5}})");
  CHECK(trace.found() ==
        Strings{"error 2 : The message must have one of 'method', 'result' and 'error', and no second of them.",
                "error 2 error.code: 'error.code' must be a whole number.",
                "error 2 error.message: 'error.message' must be given: a string."});
}

TEST_CASE("an answer nobody asked for, a second answer and an id in use are found") {
  Checked trace = greeted();
  trace.agent(R"({"jsonrpc":"2.0","id":7,"result":{}})");
  CHECK(trace.found() == Strings{"error 3 id: It answers the id '7', which nobody asked."});
  trace.agent(hello_back);
  CHECK(trace.found() == Strings{"error 4 id: The id '0' was answered before, in line 2."});
  trace.client(hello).found();
  trace.client(R"({"jsonrpc":"2.0","id":0.0,"method":"logout"})");
  CHECK(trace.found() == Strings{"error 6 id: 'id' must be a string or a whole number.",
                                 "error 6 id: The id '0.0' is in use: the request of line 5 is still open."});
  trace.agent(R"({"jsonrpc":"2.0","result":{}})");
  CHECK(trace.found() == Strings{"error 7 id: An answer must have the id of its request."});
}

TEST_CASE("an id may be used again after its answer, and by the other side at any time") {
  Checked trace = greeted();
  trace.client(hello).agent(R"({"jsonrpc":"2.0","id":0,"method":"_ask"})").agent(hello_back);
  trace.client(R"({"jsonrpc":"2.0","id":0,"result":null})");
  CHECK(trace.found() == Strings{});
  CHECK(trace.end() == Strings{});
}

TEST_CASE("requests without an answer are noted at the end, in the order they were asked") {
  Checked trace = greeted();
  trace.agent(R"({"jsonrpc":"2.0","id":9,"method":"_ask"})").client(R"({"jsonrpc":"2.0","id":"z","method":"logout"})");
  CHECK(trace.end() == Strings{"note 3 : The request was not answered before the trace ended.",
                               "note 4 : The request was not answered before the trace ended."});
}

TEST_CASE("methods the protocol does not know are noted, extensions are not") {
  CHECK(greeted().agent(R"({"jsonrpc":"2.0","method":"session/gossip"})").found() ==
        Strings{"note 3 method: 'session/gossip' is not a method of ACP version 1; extensions begin with '_'."});
  CHECK(in_agent(R"({"jsonrpc":"2.0","method":"_vendor/gossip"})") == Strings{});
  CHECK(in_agent(R"({"jsonrpc":"2.0","method":"a\u001b[31m"})") ==
        Strings{"method: 'a?[31m' is not a method of ACP version 1; extensions begin with '_'."});
}

TEST_CASE("a method in the wrong mouth or form is found") {
  CHECK(in_agent(R"({"jsonrpc":"2.0","method":"session/cancel","params":{"sessionId":"s"}})") ==
        Strings{"method: 'session/cancel' is not for the agent to call."});
  Checked trace = greeted();
  trace.client(update(R"("sessionUpdate":"session_info_update")"));
  CHECK(trace.found() == Strings{"error 3 method: 'session/update' is not for clients to call."});
  trace.client(R"({"jsonrpc":"2.0","method":"logout"})");
  CHECK(trace.found() == Strings{"error 4 id: 'logout' is a request: it must have an id."});
  trace.client(R"({"jsonrpc":"2.0","id":4,"method":"session/cancel","params":{"sessionId":"s"}})");
  CHECK(trace.found() == Strings{"error 5 id: 'session/cancel' is a notification: it must not have an id."});
}

TEST_CASE("members that are missing or of the wrong type are found, however deep") {
  CHECK(in_agent(R"({"jsonrpc":"2.0","method":"session/update"})") == Strings{"params: 'params' must be given: an object."});
  CHECK(in_agent(R"({"jsonrpc":"2.0","method":"session/update","params":[]})") ==
        Strings{"params: 'params' must be an object."});
  CHECK(in_agent(R"({"jsonrpc":"2.0","method":"session/update","params":{"sessionId":1,"update":null}})") ==
        Strings{"params.sessionId: 'params.sessionId' must be a string.", "params.update: 'params.update' must be an object."});
  CHECK(in_agent(update(R"("sessionUpdate":"agent_message_chunk","content":{"type":"text"})")) ==
        Strings{"params.update.content.text: 'params.update.content.text' must be given: a string."});
  CHECK(in_agent(update(R"("sessionUpdate":"plan","entries":[{"content":"x","priority":"low","status":"pending"},1])")) ==
        Strings{"params.update.entries[1]: 'params.update.entries[1]' must be an object."});
  CHECK(in_agent(update(R"("content":{})"))
            .front()
            .starts_with("params.update.sessionUpdate: 'params.update.sessionUpdate' must be"));
}

TEST_CASE("words the protocol does not know are warnings, those of extensions are not") {
  CHECK(greeted()
            .agent(update(R"("sessionUpdate":"song")"))
            .found()
            .front()
            .starts_with("warning 3 params.update.sessionUpdate: 'params.update.sessionUpdate' is 'song', which ACP version 1 "
                         "does not know. It knows user_message_chunk, "));
  CHECK(in_agent(update(R"("sessionUpdate":"_song")")) == Strings{});
  Checked trace = greeted();
  trace.client(R"({"jsonrpc":"2.0","id":1,"method":"session/prompt","params":{"sessionId":"s","prompt":[]}})")
      .agent(R"({"jsonrpc":"2.0","id":1,"result":{"stopReason":"done"}})");
  CHECK(trace.found() ==
        Strings{"warning 4 result.stopReason: 'result.stopReason' is 'done', which ACP version 1 does not know. "
                "It knows end_turn, max_tokens, max_turn_requests, refusal, cancelled."});
}

TEST_CASE("event numbers are dense, or a gap says why not") {
  constexpr std::string_view any = R"({"jsonrpc":"2.0","method":"_x"})";
  Checked trace = greeted();
  trace.numbered(5, any);
  CHECK(trace.found() == Strings{"error 3 seq: Events 2 to 4 are missing, and no gap says so."});
  trace.numbered(5, any);
  CHECK(trace.found() == Strings{"error 4 seq: Event 5 comes after event 5: numbers only grow."});
  trace.gap(6, 9).agent(any);
  CHECK(trace.found() == Strings{});
  trace.gap(12, 13);
  CHECK(trace.found() == Strings{"error 7 gap.from: The gap begins at event 12, but the event before it is 10."});
  trace.raw(R"({"direction":"agent","envelope":{"jsonrpc":"2.0","method":"_x"}})");
  CHECK(trace.found() == Strings{"error 8 seq: A message of the agent must have its event number."});
  CHECK(Checked().numbered(4, any).found() ==
        Strings{"note 1 seq: The trace begins with event 4; what came before is not known."});
}

TEST_CASE("after a gap an answer to an unknown id is only noted") {
  Checked trace;
  trace.client(hello).gap(1, 4).agent(R"({"jsonrpc":"2.0","id":7,"result":{}})");
  CHECK(trace.found() ==
        Strings{"note 3 id: It answers the id '7', which nobody asked; the request may be in what is missing."});
}

TEST_CASE("a trace without the clients' messages is checked without them, which is said once") {
  Checked trace;
  trace.agent(hello_back).agent(R"({"jsonrpc":"2.0","id":1,"result":{}})");
  CHECK(trace.found() ==
        Strings{"note 1 id: The trace has none of the clients' messages up to here: answers to them are not matched."});
}

TEST_CASE("an unreadable line is one finding, and the check goes on") {
  Checked trace;
  trace.raw("oops").client(hello).agent(hello_back);
  CHECK(trace.found() == Strings{"error 1 : Line 1 is not JSON: expected a value at byte 1."});
}

TEST_CASE("a message that only tolerant programs read is noted and passed over") {
  const std::string deep = std::string(300, '[') + std::string(300, ']');
  const Strings found = in_agent(fmt::format(R"({{"jsonrpc":"2.0","method":"_x","params":{}}})", deep));
  REQUIRE(found.size() == 1);
  CHECK(found[0].starts_with(": The message is not looked into"));
}

TEST_CASE("one message gives a bounded number of findings") {
  std::string entries;
  for (int i = 0; i < 1000; ++i) entries += "1,";
  CHECK(in_agent(update(fmt::format(R"("sessionUpdate":"plan","entries":[{}1])", entries))).size() == 20);
}

}  // namespace sa
