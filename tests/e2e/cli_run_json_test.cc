#include <doctest/doctest.h>

#include "support/cli_home.h"

using namespace rig;

namespace {

std::string text_of(const boost::json::object& event, std::string_view name) {
  return text_at(boost::json::serialize(event), name);
}

std::string said_in(const std::vector<boost::json::object>& events) {
  std::string said;
  for (const auto& event : events)
    if (text_of(event, "type") == "text") said += text_of(event, "text");
  return said;
}

}  // namespace

TEST_SUITE_BEGIN("cli_run");

TEST_CASE("--json is one event per line, from start to end, and its text events are the answer") {
  CliHome home;
  const auto ended = home.run({"run", "--json", "purple elephants"});
  INFO(ended.all());
  REQUIRE_EQ(ended.code, 0);
  REQUIRE(ended.out.ends_with('\n'));
  const auto events = json_lines(ended.out);
  REQUIRE_GE(events.size(), 3);
  CHECK_EQ(text_of(events.front(), "type"), "start");
  CHECK_EQ(text_of(events.front(), "agent"), "mock");
  CHECK_NE(text_of(events.front(), "serverId"), "");
  CHECK_NE(text_of(events.front(), "sessionId"), "");
  CHECK_EQ(said_in(events), demo_answer(home.daemon().api(), "purple elephants"));
  CHECK_EQ(text_of(events.back(), "type"), "end");
  CHECK_EQ(text_of(events.back(), "stopReason"), "end_turn");
  for (const auto& event : events) CHECK_NE(text_of(event, "type"), "");
}

TEST_CASE("with --json a failure is the last document too") {
  CliHome home;
  const auto unknown = home.run({"run", "--json", "-a", "no-such-agent", "hello"});
  CHECK_EQ(unknown.code, 5);
  const auto documents = json_lines(unknown.out);
  REQUIRE_GE(documents.size(), 1);
  CHECK_EQ(number_at(boost::json::serialize(documents.back()), "error.exitCode"), 5);
  CHECK(contains(text_of(documents.back(), "error.what"), "no-such-agent"));

  const auto crashed = home.run({"run", "--json", "/crash 3"});
  CHECK_EQ(crashed.code, 6);
  const auto events = json_lines(crashed.out);
  CHECK_EQ(text_of(events.front(), "type"), "start");
  CHECK(contains(said_in(events), "about to crash"));
  CHECK_EQ(number_at(boost::json::serialize(events.back()), "error.exitCode"), 6);
}

TEST_CASE("with --json a conversation without an answer still has its beginning and its end") {
  CliHome home;
  home.start_daemon();
  const auto denied = home.run({"run", "--json", "--deny", "/permission"});
  CHECK_EQ(denied.code, 7);
  const auto events = json_lines(denied.out);
  CHECK_EQ(text_of(events.front(), "type"), "start");
  CHECK(contains(denied.out, "\"permission\""));
}

TEST_SUITE_END();
