#include <doctest/doctest.h>

#include "support/acp.h"

using namespace rig;

namespace {

std::string json_quoted(std::string_view text) { return boost::json::serialize(boost::json::string(text.data(), text.size())); }

// Asks with one spelling of an id, has it answered with another.
int asked_and_answered_as(Acp& acp, std::string_view asked, std::string_view answered) {
  return acp.call("respell", R"({"as":)" + json_quoted(answered) + "}", asked).status;
}

}  // namespace

TEST_SUITE_BEGIN("acp");

TEST_CASE("an answer finds its request whatever the spelling of the id") {
  Daemon daemon({"--request-timeout-ms", "8000"});
  Acp acp(daemon, "x");
  const std::pair<const char*, const char*> pairs[] = {
      {"1", "1.0"},
      {"1.0", "1"},
      {"100", "1e2"},
      {"1E+2", "100"},
      {"10e-1", "1"},
      {"0.5", "5e-1"},
      {"-0", "0"},
      {"0e5", "0"},
      {R"("a")", R"("\u0061")"},
      {R"("\u0061")", R"("a")"},
      {R"("/")", R"("\/")"},
      {R"("\n")", R"("\u000A")"},
      {R"("\u00e9")", "\"\xc3\xa9\""},
      {R"("\ud83d\ude00")", "\"\xf0\x9f\x98\x80\""},
      {R"("\uD800")", R"("\ud800")"},
      {"123456789012345678901234567890", "123456789012345678901234567890.0"},
      {"1e999999999", "10e999999998"},
      {"-1.50", "-15e-1"},
  };
  for (const auto& [asked, answered] : pairs) {
    INFO(asked, " answered as ", answered);
    CHECK_EQ(asked_and_answered_as(acp, asked, answered), 200);
  }
}

TEST_CASE("ids that differ in value or type are different") {
  Daemon daemon;
  Acp acp(daemon, "x");
  const std::string_view ids[] = {
      "1",
      R"("1")",
      "-1",
      "1.5",
      "true",
      "null",
      R"("null")",
      R"("")",
      "0",
      "9007199254740992",
      "9007199254740993",
      "0.1",
      "0.10000000000000001",
      "1e999999999",
      "1e999999998",
      "-1e999999999",
      R"("a")",
      R"("A")",
      R"("a\u0000")",
  };
  std::vector<Connection> waiting;
  for (const auto id : ids) waiting.push_back(acp.begin_call("hold", R"({"release":1000})", id));
  REQUIRE(eventually([&] { return acp.listed("pendingRequests") == static_cast<std::int64_t>(std::size(ids)); }));
  for (std::size_t i = 0; i < std::size(ids); ++i) {
    INFO(ids[i]);
    acp.post(utterance(R"({"id":)" + std::string(ids[i]) + R"(,"result":)" + std::to_string(i) + "}\n"));
    CHECK_EQ(number_at(waiting[i].read_response().body, "result"), static_cast<std::int64_t>(i));
  }
}

TEST_CASE("an absurd number costs nothing") {
  Daemon daemon;
  Acp acp(daemon, "x");
  const auto limit = scaled(milliseconds(1000));
  const auto took = best_of_three(limit, [&] {
    const auto start = Clock::now();
    CHECK_EQ(asked_and_answered_as(acp, "1e999999999", "1e999999999"), 200);
    CHECK_EQ(asked_and_answered_as(acp, "1e-999999999999999999999", "1e-999999999999999999999"), 200);
    return since(start);
  });
  CHECK_LT(took, limit);
}

TEST_CASE("many requests are in flight and answered in any order") {
  Daemon daemon;
  Acp acp(daemon, "x");
  std::vector<Connection> waiting;
  for (int i = 0; i < 50; ++i) {
    waiting.push_back(acp.begin_call("hold", R"({"release":50,"i":)" + std::to_string(i) + "}", std::to_string(100 + i)));
  }
  for (int i = 0; i < 50; ++i) {
    const auto response = waiting[static_cast<std::size_t>(i)].read_response();
    CHECK_EQ(number_at(response.body, "id"), 100 + i);
    CHECK_EQ(number_at(response.body, "result.i"), i);
  }
}

TEST_CASE("an id in flight is a conflict, the first is undisturbed, and it is free after its answer") {
  Daemon daemon;
  Acp acp(daemon, "x");
  auto first = acp.begin_call("hold", R"({"release":2,"who":"first"})", "1");
  REQUIRE(eventually([&] { return acp.listed("pendingRequests") == 1; }));
  CHECK_EQ(problem_of(acp.call("echo", "{}", "1")), "409 conflict");
  CHECK_EQ(problem_of(acp.call("echo", "{}", "1.0")), "409 conflict");
  auto second = acp.begin_call("hold", R"({"release":2})", R"("1")");
  CHECK_EQ(text_at(first.read_response().body, "result.who"), "first");
  CHECK_EQ(second.read_response().status, 200);
  CHECK_EQ(acp.call("echo", "{}", "1").status, 200);
}

TEST_CASE("a request whose id was refused is not forwarded") {
  Daemon daemon;
  Acp acp(daemon, "x");
  auto first = acp.begin_call("never", "{}", "1");
  REQUIRE(eventually([&] { return acp.listed("pendingRequests") == 1; }));
  CHECK_EQ(problem_of(acp.call("burst", "{}", "1")), "409 conflict");
  acp.post(utterance("{\"id\":1,\"result\":{}}\n"));
  CHECK_EQ(first.read_response().header("acp-event-id"), "1");
}

TEST_SUITE_END();
