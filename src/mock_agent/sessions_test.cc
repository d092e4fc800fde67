#include "mock_agent/sessions.h"

#include <doctest/doctest.h>

#include <vector>

namespace sa::mock {
namespace {

std::vector<std::string> ids(const json::object& page) {
  std::vector<std::string> found;
  for (const json::value& info : page.at("sessions").as_array()) found.emplace_back(info.at("sessionId").as_string());
  return found;
}

}  // namespace

TEST_CASE("a list names folder and title, newest first, and only the folder asked for") {
  Sessions sessions(10, 1'000);
  for (const char* cwd : {"/a", "/b", "/a"}) REQUIRE(sessions.create(cwd));
  (*sessions.find("demo-1"))->title = "hello";
  CHECK(ids(*sessions.list("", "")) == std::vector<std::string>{"demo-3", "demo-2", "demo-1"});
  const auto page = sessions.list("/a", "");
  CHECK(ids(*page) == std::vector<std::string>{"demo-3", "demo-1"});
  CHECK(page->at("sessions").at(0) == json::value{{"sessionId", "demo-3"}, {"cwd", "/a"}});
  CHECK(page->at("sessions").at(1) == json::value{{"sessionId", "demo-1"}, {"cwd", "/a"}, {"title", "hello"}});
  CHECK_FALSE(page->contains("nextCursor"));
}

TEST_CASE("pages follow each other without gap or repetition, also when sessions come and go in between") {
  Sessions sessions(1'000, 1'000);
  for (int i = 0; i < 120; ++i) REQUIRE(sessions.create("/"));
  std::vector<std::string> all;
  std::string cursor;
  do {
    const auto page = sessions.list("/", cursor);
    REQUIRE(page);
    for (std::string& id : ids(*page)) all.push_back(std::move(id));
    cursor = string_member(*page, "nextCursor");
    REQUIRE(sessions.create("/"));
    if (const auto last = sessions.find(all.back())) sessions.erase(**last);
  } while (!cursor.empty());
  CHECK(all.size() == 120);
  CHECK(all.front() == "demo-120");
  CHECK(all.at(70) == "demo-50");
  CHECK(all.back() == "demo-1");
}

TEST_CASE("a page that is just full is the last one") {
  Sessions sessions(1'000, 1'000);
  for (int i = 0; i < 50; ++i) REQUIRE(sessions.create("/"));
  CHECK_FALSE(sessions.list("", "")->contains("nextCursor"));
}

TEST_CASE("a cursor that is none is refused") {
  Sessions sessions(10, 1'000);
  CHECK(sessions.list("", "page two").error().code == RpcError::invalid_params);
}

TEST_CASE("one session too many takes the place of the one unused for longest that is not busy") {
  Sessions sessions(3, 1'000);
  for (int i = 0; i < 3; ++i) REQUIRE(sessions.create("/"));
  (*sessions.find("demo-1"))->is_busy = true;
  REQUIRE(sessions.find("demo-2"));
  REQUIRE(sessions.create("/"));
  CHECK(ids(*sessions.list("", "")) == std::vector<std::string>{"demo-4", "demo-2", "demo-1"});
  CHECK(sessions.find("demo-3").error().message.contains("the last 3"));
}

TEST_CASE("when all sessions are busy there is no new one") {
  Sessions sessions(2, 1'000);
  for (int i = 0; i < 2; ++i) (*sessions.create("/"))->is_busy = true;
  CHECK(sessions.create("/").error().message.contains("busy"));
}

TEST_CASE("a fork may take the place of its own source") {
  Sessions sessions(1, 1'000);
  Session& source = **sessions.create("/");
  source.title = "hello";
  const auto fork = sessions.fork(source, "/b");
  REQUIRE(fork);
  CHECK((*fork)->title == "hello");
  CHECK(ids(*sessions.list("", "")) == std::vector<std::string>{"demo-2"});
}

TEST_CASE("a fork goes on counting tool calls and has the bonus, but nothing is allowed in it yet") {
  Sessions sessions(2, 1'000);
  Session& source = **sessions.create("/");
  source.tool_calls = 7;
  source.has_bonus = true;
  source.always_allowed = true;
  const Session& fork = **sessions.fork(source, "/");
  CHECK(fork.tool_calls == 7);
  CHECK(fork.has_bonus);
  CHECK_FALSE(fork.always_allowed);
}

TEST_CASE("a path below the folder of a session has one slash") {
  Sessions sessions(2, 1'000);
  CHECK((*sessions.create("/"))->path("x") == "/x");
  CHECK((*sessions.create("/a/b"))->path("x") == "/a/b/x");
}

}  // namespace sa::mock
