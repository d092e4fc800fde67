#include <doctest/doctest.h>

#include "support/acp.h"

using namespace rig;

namespace {

bool is_invalid_stdout(const StreamEvent& event) { return text_at(event.data, "method") == "_adapter/invalid_stdout"; }

}  // namespace

TEST_SUITE_BEGIN("sse");

TEST_CASE("a line that is not JSON becomes an invalid_stdout message and reading goes on") {
  Daemon daemon;
  Acp acp(daemon, "x");
  acp.post(utterance("Hello, I am not JSON\n{\"ok\":1}\n"));
  auto stream = acp.stream();
  const auto event = stream.next();
  REQUIRE(is_invalid_stdout(event));
  CHECK_EQ(text_at(event.data, "params.raw"), "Hello, I am not JSON");
  CHECK_NE(text_at(event.data, "params.error"), "");
  CHECK_EQ(stream.next().data, R"({"ok":1})");
}

TEST_CASE("every kind of nonsense leaves the stream whole") {
  Daemon daemon;
  Acp acp(daemon, "x");
  const auto response = acp.call("malformed");
  REQUIRE_EQ(response.status, 200);
  auto stream = acp.stream();
  const auto count = static_cast<std::uint64_t>(number_at(response.body, "result.nonsense"));
  for (std::uint64_t i = 1; i <= count; ++i) {
    const auto event = stream.next();
    INFO(event.data);
    CHECK_EQ(event.id, i);
    CHECK(is_invalid_stdout(event));
  }
  CHECK_EQ(stream.next().data, response.body);
}

TEST_CASE("the raw part of a long wrong line is cut to 4 KiB of valid UTF-8") {
  Daemon daemon;
  Acp acp(daemon, "x");
  std::string wrong = "x";
  while (wrong.size() < 10000) wrong += "\xe2\x82\xac";
  acp.post(utterance(wrong + "\n"));
  auto stream = acp.stream();
  const auto raw = text_at(stream.next().data, "params.raw");
  CHECK_LE(raw.size(), 4096 + 16);
  CHECK_GE(raw.size(), 4000);
}

TEST_CASE("a carriage return before the newline does not get into the stream") {
  Daemon daemon;
  Acp acp(daemon, "x");
  acp.post(utterance("{\"a\":\r1}\r\n{\"b\":2}\r\n"));
  auto stream = acp.stream();
  for (int i = 0; i < 2; ++i) {
    const auto event = stream.next();
    CHECK_EQ(event.data.find('\r'), std::string::npos);
    CHECK(event.mentions(i == 0 ? "\"a\"" : "\"b\""));
  }
}

TEST_CASE("an answer that ends in a carriage return still answers its request") {
  Daemon daemon;
  Acp acp(daemon, "x");
  auto waiting = acp.begin_call("never", "{}", "5");
  REQUIRE(eventually([&] { return acp.listed("pendingRequests") == 1; }));
  acp.post(utterance("{\"id\":5,\"result\":true}\r\n"));
  const auto response = waiting.read_response();
  CHECK_EQ(response.status, 200);
  CHECK_EQ(parse_json(response.body).at("result").as_bool(), true);
}

TEST_CASE("blank lines never break the stream") {
  Daemon daemon;
  Acp acp(daemon, "x");
  acp.post(utterance("\n\n   \n\r\n{\"after\":1}\n\n"));
  auto stream = acp.stream();
  CHECK_EQ(stream.until("after").data, R"({"after":1})");
}

TEST_CASE("an unfinished last line is not lost when the agent exits") {
  Daemon daemon;
  Acp acp(daemon, "x");
  acp.post(utterance("{\"whole\":1}\n{\"cut\":"));
  acp.notify("crash");
  auto stream = acp.stream();
  CHECK_EQ(stream.next().data, R"({"whole":1})");
  const auto second = stream.next();
  if (!second.mentions("agent_exited")) {
    CHECK(is_invalid_stdout(second));
    CHECK(stream.next().mentions("agent_exited"));
  }
}

TEST_CASE("a long line passes in one piece") {
  Daemon daemon;
  Acp acp(daemon, "x");
  REQUIRE_EQ(acp.notify("note").status, 202);
  auto stream = acp.stream();
  acp.notify("giant", R"({"bytes":8388608,"newline":true})");
  CHECK_EQ(stream.next().data.size(), 8388608);
}

TEST_CASE("a line over the limit ends the instance and says why") {
  Daemon daemon({"--max-line-bytes", "100000"});
  Acp acp(daemon, "x");
  auto waiting = acp.begin_call("never", "{}", "1");
  REQUIRE(eventually([&] { return acp.listed("pendingRequests") == 1; }));
  auto stream = acp.stream();
  acp.notify("giant", R"({"bytes":300000})");
  CHECK(is_invalid_stdout(stream.next()));
  CHECK(stream.next().mentions("_adapter/agent_exited"));
  CHECK_EQ(waiting.read_response().status, 502);
  CHECK_EQ(acp.listing().at("status").as_string(), "exited");
}

TEST_CASE("a line that never ends costs no more than the limit of 64 MiB") {
  Daemon daemon;
  Acp acp(daemon, "x");
  REQUIRE_EQ(acp.call("echo").status, 200);
  auto stream = acp.stream_after(1);
  acp.notify("giant", R"({"bytes":200000000})");
  CHECK(is_invalid_stdout(stream.next(milliseconds(20000))));
  CHECK(stream.next().mentions("_adapter/agent_exited"));
  CHECK_EQ(problem_of(acp.call("echo")), "502 agent_process_exited");
}

TEST_SUITE_END();
