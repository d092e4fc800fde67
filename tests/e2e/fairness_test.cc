#include <doctest/doctest.h>
#include <signal.h>

#include <atomic>
#include <thread>

#include "support/acp.h"

using namespace rig;

namespace {

// A client that asks without pause on one connection, and reads the answers.
class Pipeliner {
 public:
  explicit Pipeliner(std::uint16_t port, const Headers& headers = {})
      : connection_(port), thread_([this, headers] { run(http_request("GET", "/healthz", headers)); }) {}
  ~Pipeliner() { stopping_ = true; }
  bool under_way() const { return heard_ > 100'000; }

 private:
  void run(const std::string& request) {
    std::string requests;
    while (requests.size() < 200'000) requests += request;
    std::string_view rest = requests;
    while (!stopping_) {
      const auto sent = connection_.send_some(rest);
      rest.remove_prefix(sent);
      if (rest.empty()) rest = requests;
      if (!connection_.readable_unscaled(milliseconds(sent > 0 ? 0 : 1))) continue;
      if (!connection_.read_more()) return;
      heard_ += connection_.buffered().size();
      connection_.buffered().clear();
    }
  }

  Connection connection_;
  std::atomic<bool> stopping_ = false;
  std::atomic<std::size_t> heard_ = 0;
  std::jthread thread_;
};

Headers ten_thousand_fields() { return Headers(10'000, {"a", ""}); }

std::size_t descriptors_of(pid_t pid) {
  const std::filesystem::directory_iterator entries("/proc/" + std::to_string(pid) + "/fd");
  return static_cast<std::size_t>(std::distance(begin(entries), end(entries)));
}

}  // namespace

TEST_SUITE_BEGIN("http");

TEST_CASE("a client that pipelines without pause does not starve the others") {
  Daemon daemon;
  Pipeliner greedy(daemon.port());
  REQUIRE(eventually([&] { return greedy.under_way(); }));
  const auto limit = scaled(milliseconds(500));
  for (int i = 0; i < 5; ++i) {
    const auto took = best_of_three(limit, [&] {
      const auto start = Clock::now();
      Connection other(daemon.port());
      other.send(http_request("GET", "/healthz"));
      REQUIRE_EQ(other.read_response().body, "ok");
      return since(start);
    });
    CHECK_LT(took, limit);
  }
}

TEST_CASE("large heads without pause do not hold the others up" * doctest::test_suite("figures")) {
  Daemon daemon;
  Pipeliner greedy(daemon.port(), ten_thousand_fields());
  REQUIRE(eventually([&] { return greedy.under_way(); }));
  Connection other(daemon.port());
  std::vector<milliseconds> waits;
  for (int i = 0; i < 21; ++i) {
    const auto start = Clock::now();
    other.send(http_request("GET", "/healthz"));
    REQUIRE_EQ(other.read_response().body, "ok");
    waits.push_back(since(start));
  }
  std::ranges::nth_element(waits, waits.begin() + 10);
  CHECK_LT(waits[10], scaled(milliseconds(40)));
}

TEST_CASE("connections keep nothing of a large head") {
  Daemon daemon;
  const auto before = daemon.resident_kib();
  std::vector<std::unique_ptr<Connection>> parked;
  for (int i = 0; i < 100; ++i) {
    parked.push_back(std::make_unique<Connection>(daemon.port()));
    parked.back()->send(http_request("GET", "/healthz", ten_thousand_fields()));
    REQUIRE_EQ(parked.back()->read_response().body, "ok");
  }
  const auto limit_kib = (scaled(milliseconds(1)).count() > 1 ? 256 : 4) * 1024;  // a sanitizer keeps freed memory for a while
  CHECK_LT(daemon.resident_kib() - before, limit_kib);
}

TEST_CASE("a client that pipelines without pause does not delay a shutdown") {
  const auto limit = scaled(milliseconds(1500));
  const auto took = best_of_three(limit, [] {
    Daemon daemon;
    Pipeliner greedy(daemon.port());
    REQUIRE(eventually([&] { return greedy.under_way(); }));
    const auto start = Clock::now();
    daemon.stop(SIGTERM);
    return since(start);
  });
  CHECK_LT(took, limit);
}

TEST_CASE("a client that hangs up is noticed behind much that it pipelined") {
  Daemon daemon;
  Acp acp(daemon, "x");
  REQUIRE_EQ(acp.call("echo").status, 200);
  std::size_t before = 0;
  REQUIRE(eventually([&] { return descriptors_of(daemon.pid()) == std::exchange(before, descriptors_of(daemon.pid())); }));
  {
    std::vector<Connection> clients;
    for (int i = 0; i < 10; ++i) {
      clients.push_back(acp.begin_call("never"));
      clients.back().send("GET / HTTP/1.1\r\nX: " + std::string(70000, 'z'));
    }
    REQUIRE(eventually([&] { return acp.listed("pendingRequests") == 10; }));
    REQUIRE_GE(descriptors_of(daemon.pid()), before + 9);  // that of the echo may have been open still
  }
  CHECK(eventually([&] { return descriptors_of(daemon.pid()) <= before; }, milliseconds(3000)));
}

TEST_SUITE_END();
