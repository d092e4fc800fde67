#include "mock_agent/history.h"

#include <doctest/doctest.h>

#include <vector>

namespace sa::mock {
namespace {

json::object chunk(std::string_view kind, std::string_view text) {
  return {{"sessionUpdate", kind}, {"content", {{"type", "text"}, {"text", text}}}};
}

json::object agent(std::string_view text) { return chunk("agent_message_chunk", text); }
json::object user(std::string_view text) { return chunk("user_message_chunk", text); }

std::vector<json::object> replayed(const History& history) {
  std::vector<json::object> updates;
  history.replay([&](const json::object& update) { updates.push_back(update); });
  return updates;
}

std::size_t bytes(const std::vector<json::object>& updates) {
  std::size_t sum = 0;
  for (const json::object& update : updates) sum += json::serialize(update).size();
  return sum;
}

}  // namespace

TEST_CASE("what one speaker says in pieces is replayed in one, a user's blocks are not joined") {
  History history(100'000);
  for (const json::object& update :
       {user("a"), user("b"), agent("c"), agent("d"), chunk("agent_thought_chunk", "e"), agent("f")}) {
    history.add(update);
  }
  const std::vector<json::object> expected = {user("a"), user("b"), agent("cd"), chunk("agent_thought_chunk", "e"), agent("f")};
  CHECK(replayed(history) == expected);
  CHECK(history.total_bytes() == 6);
}

TEST_CASE("updates that are no part of the conversation are not kept") {
  History history(100'000);
  for (const char* kind : {"usage_update", "available_commands_update", "current_mode_update", "session_info_update"}) {
    history.add({{"sessionUpdate", kind}});
  }
  CHECK(replayed(history).empty());
}

TEST_CASE("a million chunks cost no more than the bound, and the loss of the beginning is said") {
  History history(50'000);
  history.add(user("/flood 1000000"));
  for (int i = 1; i <= 1'000'000; ++i) history.add(agent("token " + std::to_string(i) + " "));
  const auto updates = replayed(history);
  CHECK(bytes(updates) < 60'000);
  CHECK(bytes(updates) > 40'000);
  CHECK(json::serialize(updates.front()).contains("no longer kept"));
  CHECK(std::string_view(updates.back().at("content").at("text").as_string()).ends_with("token 1000000 "));
}

TEST_CASE("one entry above the bound is not kept at all") {
  History history(10'000);
  history.add(user("before"));
  history.add(user(std::string(20'000, 'x')));
  history.add(agent("after"));
  const auto updates = replayed(history);
  REQUIRE(updates.size() == 2);
  CHECK(updates.at(1) == agent("after"));
}

TEST_CASE("reports on a tool call go together with the call") {
  History history(1'000);
  history.add({{"sessionUpdate", "tool_call"}, {"toolCallId", "call-1"}, {"title", "x"}});
  history.add({{"sessionUpdate", "tool_call_update"}, {"toolCallId", "call-1"}, {"status", "completed"}});
  history.add(user(std::string(300, 'x')));
  const auto updates = replayed(history);
  REQUIRE(updates.size() == 2);
  CHECK(updates.at(1) == user(std::string(300, 'x')));
}

}  // namespace sa::mock
