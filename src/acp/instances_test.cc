// What goes through an instance, and how it ends.
#include "acp/instances.h"

#include <doctest/doctest.h>

#include "acp/instances_test_world.h"
#include "io/time_limit.h"

namespace sa {
namespace {

using namespace std::chrono_literals;
using World = InstancesWorld;

Task<> request_into(std::shared_ptr<Instance> instance, std::optional<ErrorCode>& code) {
  const auto reply = co_await instance->request(request_1(), stays);
  if (!reply) code = reply.error().code;
}

Task<> close_noting(World& world, std::string& order, char name) {
  co_await world.instances.close("stubborn");
  order += name;
}

Task<> start_stubborn(World& world) {
  const auto instance = co_await start(world, "stubborn");
  co_await read_until(world, *instance, "{}");  // it ignores SIGTERM from now on
}

}  // namespace

TEST_CASE("a request gets the agent's own bytes and the number they have on the stream") {
  World().run([](World& world) -> Task<> {
    const auto instance = co_await start(world, "answer");
    const auto reply = co_await instance->request(request_1(), stays);
    CHECK(reply.has_value());
    if (!reply) co_return;
    CHECK((*reply)->bytes.bytes == R"({"jsonrpc":"2.0","id":1,"result":"ok"})");
    CHECK((*reply)->event == 1);
    CHECK(instance->pending_requests() == 0);
    const std::string stream = co_await read_until(world, *instance, "ok");
    CHECK(stream == message(1, R"({"jsonrpc":"2.0","id":1,"result":"ok"})"));
    CHECK(instance->readers() == 0);
  });
}

TEST_CASE("messages reach the agent byte for byte and in order, and observers see them") {
  World().run([](World& world) -> Task<> {
    const auto instance = co_await start(world, "echo");
    const auto sent_1 = co_await instance->send(envelope(R"({"method":"a", "n":1.00})"));
    CHECK(sent_1.has_value());
    const auto sent_2 = co_await instance->request_async(envelope(R"({"id":1,"method":"b"})"));
    CHECK(sent_2.has_value());
    const auto sent_3 = co_await instance->request_async(envelope(R"({"id":1.0,"method":"b"})"));
    CHECK(sent_3.error().code == ErrorCode::conflict);
    const std::string all = co_await read_until(world, *instance, "id: 2", {.after = {}, .include_client = true});
    CHECK(all.find(message(1, R"({"method":"a", "n":1.00})")) != std::string::npos);
    CHECK(all.find(message(2, R"({"id":1,"method":"b"})")) != std::string::npos);
    CHECK(all.find("event: client\ndata: {\"method\":\"a\", \"n\":1.00}\n\n") != std::string::npos);
    CHECK(instance->pending_requests() == 1);
  });
}

TEST_CASE("of two answers to the agent's question only the first is forwarded") {
  World().run([](World& world) -> Task<> {
    const auto instance = co_await start(world, "asks");
    co_await read_until(world, *instance, "ask");
    CHECK(instance->open_agent_requests() == 1);
    const auto sent_4 = co_await instance->send(envelope(R"({"id":"q","result":"first"})"));
    CHECK(sent_4.has_value());
    const auto sent_5 = co_await instance->send(envelope(R"({"id":"\u0071","result":"second"})"));
    CHECK(sent_5.has_value());
    const auto sent_6 = co_await instance->send(envelope(R"({"method":"done"})"));
    CHECK(sent_6.has_value());
    CHECK(instance->open_agent_requests() == 0);
    const std::string stream = co_await read_until(world, *instance, "done");
    CHECK(stream == message(1, R"({"id":"q","method":"ask"})") + message(2, R"({"id":"q","result":"first"})") +
                        message(3, R"({"method":"done"})"));
  });
}

TEST_CASE("what is not JSON is wrapped, blank lines and carriage returns do not break the stream") {
  World().run([](World& world) -> Task<> {
    const auto instance = co_await start(world, "babbles");
    const std::string stream = co_await read_until(world, *instance, "id: 3");
    CHECK(stream.find("\"_adapter/invalid_stdout\",\"params\":{\"error\":\"not JSON: ") != std::string::npos);
    CHECK(stream.find(R"("raw":"Hello"}})") != std::string::npos);
    CHECK(stream.find(message(2, "{\"a\": 1}")) != std::string::npos);
    CHECK(stream.find("\"raw\":\"\uFFFD\"}}") != std::string::npos);
  });
}

TEST_CASE("a request pending when the agent dies fails with its exit code and last words") {
  World().run([](World& world) -> Task<> {
    const auto instance = co_await start(world, "dies");
    const auto reply = co_await instance->request(request_1(), stays);
    CHECK_FALSE(reply.has_value());
    if (reply) co_return;
    CHECK(reply.error().code == ErrorCode::agent_process_exited);
    CHECK(reply.error().extra("agent") == "\"dies\"");
    CHECK(reply.error().extra("exitCode") == "7");
    CHECK(reply.error().extra("stderr") == "\"last words\\n\"");
    CHECK(instance->exited());
    const auto sent_7 = co_await instance->send(envelope(R"({"method":"m"})"));
    CHECK(sent_7.error().code == ErrorCode::agent_process_exited);
    const std::string stream = co_await read_until(world, *instance, "exited");
    CHECK(
        stream ==
        message(1, R"({"jsonrpc":"2.0","method":"_adapter/agent_exited","params":{"success":false,"code":7,"signal":null}})"));
    CHECK(world.instances.list().size() == 1);
  });
}

TEST_CASE("an answer in an agent's last words still counts, without a newline too") {
  World().run([](World& world) -> Task<> {
    const auto instance = co_await start(world, "dies-answering");
    const auto reply = co_await instance->request(request_1(), stays);
    CHECK(reply.has_value());
    if (reply) CHECK((*reply)->bytes.bytes == R"({"id":1,"result":"at the end"})");
    const std::string stream = co_await read_until(world, *instance, "exited");
    CHECK(stream.find("\"success\":true,\"code\":0") > stream.find("at the end"));
  });
}

TEST_CASE("a line over the limit ends the instance with that reason") {
  World().run([](World& world) -> Task<> {
    const auto instance = co_await start(world, "long-line");
    const auto reply = co_await instance->request(request_1(), stays);
    CHECK_FALSE(reply.has_value());
    if (!reply) CHECK(reply.error().detail.find("longer than 1000 bytes") != std::string::npos);
    const std::string stream = co_await read_until(world, *instance, "agent_exited");
    CHECK(stream.find("_adapter/invalid_stdout") != std::string::npos);
    const auto sent_8 = co_await instance->send(request_1());
    CHECK(sent_8.error().detail.find("longer than 1000 bytes") != std::string::npos);
  });
}

TEST_CASE("a line over the limit ends the instance also when it comes with its end") {
  World().run([](World& world) -> Task<> {
    const auto instance = co_await start(world, "whole-long-line");
    const auto reply = co_await instance->request(request_1(), stays);
    CHECK_FALSE(reply.has_value());
    if (!reply) CHECK(reply.error().detail.find("longer than 1000 bytes") != std::string::npos);
    const std::string stream = co_await read_until(world, *instance, "agent_exited");
    CHECK(stream.find("_adapter/invalid_stdout") != std::string::npos);
    CHECK(stream.find("\ndata: {\"a\"") == std::string::npos);
    CHECK(
        stream.find(R"("reason":"The agent was stopped because it wrote a line longer than 1000 bytes (--max-line-bytes). )") !=
        std::string::npos);
  });
}

TEST_CASE("a line over the limit is no message among an agent's last words either") {
  World().run([](World& world) -> Task<> {
    const auto instance = co_await start(world, "long-last-words");
    const std::string stream = co_await read_until(world, *instance, "agent_exited");
    CHECK(stream.find("_adapter/invalid_stdout") != std::string::npos);
    CHECK(stream.find("\ndata: {\"a\"") == std::string::npos);
  });
}

TEST_CASE("an agent that closes its input and lives on is ended, though nobody says more to it") {
  World().run([](World& world) -> Task<> {
    const auto instance = co_await start(world, "closes-its-input");
    const auto reply = co_await instance->request(request_1(), stays);
    CHECK(reply.error().code == ErrorCode::agent_io_failed);
    CHECK(reply.error().detail.find("closed its input") != std::string::npos);
    co_await read_until(world, *instance, "_adapter/agent_exited");
  });
}

TEST_CASE("what comes while an instance is being ended for its output is told why, too") {
  World().run([](World& world) -> Task<> {
    const auto instance = co_await start(world, "long-line-and-deaf");
    co_await read_until(world, *instance, "_adapter/invalid_stdout");
    const auto late = co_await instance->send(request_1());
    CHECK_FALSE(instance->exited());
    CHECK(late.error().code == ErrorCode::agent_io_failed);
    CHECK(late.error().detail.find("longer than 1000 bytes") != std::string::npos);
  });
}

TEST_CASE("an agent that is ended while a slow reader holds its output is ended properly") {
  InstanceLimits limits = small_limits();
  limits.ring.max_messages = 50;
  limits.stop_grace = 500ms;
  World(limits).run([](World& world) -> Task<> {
    const auto instance = co_await start(world, "floods-and-deaf");
    const auto reader = instance->read({});
    while (instance->last_event() < 50) co_await Yield{world.loop};  // now the reader holds the agent
    const auto sent = co_await instance->request(request_1(), stays);
    CHECK_FALSE(sent.has_value());
    Timer look(world.loop);
    Signal later(world.loop);
    while (!instance->exited()) {
      std::vector<SharedBytes> batch;
      reader->take(batch, 100);
      reader->on_progress();
      look.arm_in(5ms, [&later] { later.notify(); });
      co_await later.wait();
    }
  });
}

TEST_CASE("an agent that is asked to end while a slow reader holds its output can still end by itself") {
  InstanceLimits limits = small_limits();
  limits.ring.max_messages = 50;
  limits.stop_grace = 5s;
  World(limits).run([](World& world) -> Task<> {
    const auto instance = co_await start(world, "floods-politely");
    const auto reader = instance->read({});
    while (instance->last_event() < 50) co_await Yield{world.loop};  // now the reader holds the agent
    Signal later(world.loop);
    const TimeLimit pipe_is_full(world.loop, 500ms, later);
    while (!pipe_is_full.over()) co_await later.wait();
    co_await world.instances.close("floods-politely");
    REQUIRE(instance->child().exit().has_value());
    CHECK(instance->child().exit()->code == 7);
  });
}

TEST_CASE("an agent whose supervisor does not say its end has ended all the same") {
  World().run([](World& world) -> Task<> {
    const auto instance = co_await start(world, "stops-its-supervisor");
    while (!instance->exited() || !instance->child().gone()) co_await Yield{world.loop};
    CHECK(instance->child().exit()->code == 3);
  });
}

TEST_CASE("what an agent left behind ends with it, also when it stops the supervisor") {
  InstanceLimits limits = small_limits();
  limits.stop_grace = 500ms;
  World(limits).run([](World& world) -> Task<> {
    const auto instance = co_await start(world, "leaves-one-that-stops-its-supervisor");
    while (!instance->exited() || !instance->child().gone()) co_await Yield{world.loop};
    CHECK(instance->child().exit()->code == 4);
  });
}

TEST_CASE("an agent that closes its output when it is asked to end needs no other reason") {
  InstanceLimits limits = small_limits();
  limits.stop_grace = 5s;
  World(limits).run([](World& world) -> Task<> {
    const auto instance = co_await start(world, "mute-when-it-ends");
    while (instance->last_event() < 1) co_await Yield{world.loop};
    co_await world.instances.close("mute-when-it-ends");
    const std::string events = co_await read_until(world, *instance, "agent_exited");
    CHECK(events.find(R"("success":true)") != std::string::npos);
    CHECK(events.find("reason") == std::string::npos);
  });
}

TEST_CASE("a timed out or abandoned request stays in flight, its answer would still be streamed") {
  InstanceLimits limits = small_limits();
  limits.request_timeout = 20ms;
  World(limits).run([](World& world) -> Task<> {
    const auto instance = co_await start(world, "deaf");
    const auto late = co_await instance->request(request_1(), stays);
    CHECK(late.error().code == ErrorCode::timeout);
    const auto gone = co_await instance->request(envelope(R"({"id":2,"method":"m"})"), [](Signal&) { return true; });
    CHECK(gone.has_value());
    CHECK_FALSE(gone->has_value());
    CHECK(instance->pending_requests() == 2);
    const auto sent_9 = co_await instance->request_async(request_1());
    CHECK(sent_9.error().code == ErrorCode::conflict);
  });
}

TEST_CASE("who closes again waits for what is ending, and not for what comes after it") {
  InstanceLimits limits = small_limits();
  limits.stop_grace = Millis(300);
  World(limits).run([](World& world) -> Task<> {
    std::string order;
    co_await start_stubborn(world);
    spawn(close_noting(world, order, 'a'));
    spawn(close_noting(world, order, 'b'));
    co_await start_stubborn(world);
    CHECK(order.empty());
    spawn(close_noting(world, order, 'c'));
    while (order.size() < 3) co_await Yield{world.loop};
    CHECK(order == "abc");
  });
}

TEST_CASE("closing fails what is pending at once, frees the id, ends the readers, and leaves no process") {
  World().run([](World& world) -> Task<> {
    const auto instance = co_await start(world, "deaf");
    const pid_t pid = instance->child().pid();
    std::optional<ErrorCode> failed;
    spawn(request_into(instance, failed));
    CHECK_FALSE(failed.has_value());
    const auto reader = instance->read({});
    co_await world.instances.close("deaf");
    CHECK(failed == ErrorCode::agent_process_exited);
    CHECK(world.instances.list().empty());
    CHECK(::kill(pid, 0) != 0);
    std::vector<SharedBytes> rest;
    reader->take(rest, 1u << 20);
    CHECK(reader->ended());
    CHECK(rest.back().bytes.find(R"("signal":"SIGTERM")") != std::string_view::npos);
    const auto missing = co_await world.instances.find("deaf");
    CHECK(missing.error().code == ErrorCode::not_found);
    co_await world.instances.close("deaf");
    const auto again = co_await start(world, "deaf");
    CHECK(again->id() != instance->id());
  });
}

}  // namespace sa
