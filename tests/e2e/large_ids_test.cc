// Ids are kept as long as a request is open; however long they are, what is kept is bounded.
#include <doctest/doctest.h>

#include "support/acp.h"

using namespace rig;

namespace {

// A sanitizer keeps 256 MiB of freed memory for a while.
std::int64_t limit_kib() { return (64 + (scaled(milliseconds(1)).count() > 1 ? 256 : 0)) * 1024; }

}  // namespace

TEST_SUITE_BEGIN("acp");

TEST_CASE("200 requests of an agent with ids of 1 MB do not fill the memory") {
  Daemon daemon({"--ring-bytes", "4000000"});
  Acp acp(daemon, "x");
  REQUIRE_EQ(acp.call("echo").status, 200);
  const auto before = daemon.resident_kib();
  auto asking = acp.begin_call("ask_at_length", R"({"count":200,"bytes":1000000})");
  CHECK_EQ(asking.read_response(false, milliseconds(30000)).status, 200);
  CHECK_LT(daemon.resident_kib() - before, limit_kib());
}

TEST_CASE("60 requests of a client with ids of 1 MB do not fill the memory: too many are 503") {
  Daemon daemon({"--ring-bytes", "4000000"});
  Acp acp(daemon, "x", "silent");
  REQUIRE_EQ(acp.notify("note").status, 202);
  const auto before = daemon.resident_kib();
  int taken = 0;
  Response last;
  for (int i = 0; i < 60; ++i) {
    const auto id = '"' + std::to_string(i) + std::string(1'000'000, 'y') + '"';
    last = acp.post(rpc_request(id, "m"), {{"Prefer", "respond-async"}});
    taken += last.status == 202 ? 1 : 0;
    if (last.status != 202) REQUIRE_EQ(problem_of(last), "503 overloaded");
  }
  CHECK_GT(taken, 0);
  CHECK_LT(taken, 60);
  CHECK_EQ(problem_of(last), "503 overloaded");
  CHECK_LT(daemon.resident_kib() - before, limit_kib());
}

TEST_SUITE_END();
