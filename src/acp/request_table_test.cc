#include "acp/request_table.h"

#include <doctest/doctest.h>

#include <ctime>

namespace sa {

TEST_CASE("an id in flight is refused again until it is answered") {
  Loop loop;
  RequestTable table;
  Waiter first(loop), second(loop);
  CHECK(table.open("1", &first).has_value());
  const auto again = table.open("1", &second);
  REQUIRE_FALSE(again.has_value());
  CHECK(again.error().code == ErrorCode::conflict);
  CHECK(table.answered("1") == &first);
  CHECK(table.open("1", &second).has_value());
  CHECK(table.pending() == 1);
}

TEST_CASE("answers find their waiters in any order, and an unknown id finds nobody") {
  Loop loop;
  RequestTable table;
  Waiter a(loop), b(loop);
  REQUIRE(table.open("a", &a).has_value());
  REQUIRE(table.open("b", &b).has_value());
  CHECK(table.answered("c") == nullptr);
  CHECK(table.answered("b") == &b);
  CHECK(table.answered("b") == nullptr);
  CHECK(table.answered("a") == &a);
  CHECK(table.pending() == 0);
}

TEST_CASE("an id stays in flight when its waiter goes or never was") {
  Loop loop;
  RequestTable table;
  Waiter waiter(loop);
  REQUIRE(table.open("gone", &waiter).has_value());
  REQUIRE(table.open("async", nullptr).has_value());
  table.abandon("gone");
  CHECK(table.open("gone", nullptr).error().code == ErrorCode::conflict);
  CHECK(table.open("async", nullptr).error().code == ErrorCode::conflict);
  CHECK(table.answered("gone") == nullptr);
  CHECK(table.open("gone", nullptr).has_value());
  table.withdraw("async");
  CHECK(table.open("async", nullptr).has_value());
}

TEST_CASE("when nothing will be answered any more every waiter gets the error") {
  Loop loop;
  RequestTable table;
  Waiter a(loop), b(loop);
  REQUIRE(table.open("a", &a).has_value());
  REQUIRE(table.open("b", &b).has_value());
  REQUIRE(table.open("nobody", nullptr).has_value());
  table.agent_asked("q");
  table.fail_all({ErrorCode::agent_process_exited, "It ended.", {}});
  for (const Waiter* waiter : {&a, &b}) {
    REQUIRE(waiter->outcome.has_value());
    CHECK(waiter->outcome->error().code == ErrorCode::agent_process_exited);
  }
  CHECK(table.pending() == 0);
  CHECK(table.open_agent_requests() == 0);
}

TEST_CASE("requests that nobody answers are bounded") {
  RequestTable table;
  std::size_t opened = 0;
  while (opened < 1'000'000 && table.open(std::to_string(opened), nullptr)) ++opened;
  CHECK(opened == 65'536);
  CHECK(table.open("one more", nullptr).error().code == ErrorCode::overloaded);
  table.answered("0");
  CHECK(table.open("one more", nullptr).has_value());
}

TEST_CASE("of a client's answers the first goes to the agent, later ones do not") {
  RequestTable table;
  table.agent_asked("q");
  CHECK(table.open_agent_requests() == 1);
  CHECK(table.client_answers("q"));
  CHECK(table.open_agent_requests() == 0);
  CHECK_FALSE(table.client_answers("q"));
  CHECK_FALSE(table.client_answers("q"));
}

TEST_CASE("an id the agent uses again can be answered again") {
  RequestTable table;
  table.agent_asked("q");
  CHECK(table.client_answers("q"));
  table.agent_asked("q");
  CHECK(table.client_answers("q"));
  CHECK_FALSE(table.client_answers("q"));
}

TEST_CASE("answers to ids the agent never used are its own business, every time") {
  RequestTable table;
  CHECK(table.client_answers("never"));
  CHECK(table.client_answers("never"));
}

TEST_CASE("the two directions do not share their ids") {
  RequestTable table;
  REQUIRE(table.open("1", nullptr).has_value());
  table.agent_asked("1");
  CHECK(table.client_answers("1"));
  CHECK(table.pending() == 1);
  table.answered("1");
  CHECK_FALSE(table.client_answers("1"));
}

TEST_CASE("an agent that asks without end is forgotten oldest first") {
  RequestTable table;
  for (int i = 0; i < 50'000; ++i) table.agent_asked(std::to_string(i));
  CHECK(table.open_agent_requests() == 16'384);
  CHECK(table.client_answers("49999"));
  CHECK_FALSE(table.client_answers("49999"));
}

TEST_CASE("long ids cost no more than short ones when the set is full") {
  RecentIds ids(16'384);
  const std::clock_t begin = std::clock();
  for (int i = 0; i < 40'000; ++i) ids.insert(std::string(400, 'x') + std::to_string(i));
  CHECK(static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC < 3.0);
  CHECK(ids.size() > 10'000);
}

TEST_CASE("recent ids keep the newest, and one that comes again is new") {
  RecentIds ids(3);
  for (const char* id : {"a", "b", "c"}) ids.insert(id);
  ids.insert("a");
  CHECK(ids.size() == 3);
  ids.insert("d");
  CHECK(ids.contains("a"));
  CHECK_FALSE(ids.contains("b"));
  CHECK(ids.contains("c"));
  CHECK(ids.contains("d"));
  CHECK(ids.erase("c"));
  CHECK_FALSE(ids.erase("c"));
  ids.insert("e");
  CHECK(ids.size() == 3);
  ids.clear();
  CHECK(ids.size() == 0);
}

TEST_CASE("an id stays while the set is not full, however many came and went") {
  RecentIds ids(4);
  ids.insert("stays");
  for (int i = 0; i < 20; ++i) {
    ids.insert("x");
    ids.erase("x");
  }
  CHECK(ids.contains("stays"));
}

TEST_CASE("remembered ids are bounded in bytes, the newest stays") {
  RecentIds ids(1'000, 10'000);
  for (int i = 0; i < 100; ++i) ids.insert(std::string(1'000, 'x') + std::to_string(i));
  CHECK(ids.size() <= 10);
  CHECK(ids.contains(std::string(1'000, 'x') + "99"));
  ids.insert(std::string(50'000, 'y'));
  CHECK(ids.size() == 1);
}

TEST_CASE("the ids in flight are bounded in bytes, one of any size fits") {
  RequestTable table;
  const std::string large(10u << 20, 'x');
  CHECK(table.open(large, nullptr).has_value());
  const auto second = table.open(large + "2", nullptr);
  REQUIRE_FALSE(second.has_value());
  CHECK(second.error().code == ErrorCode::overloaded);
  table.answered(large);
  CHECK(table.open(large + "2", nullptr).has_value());
}

}  // namespace sa
