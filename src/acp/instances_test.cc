// Instances with real processes: agents are a few lines of shell.
#include "acp/instances.h"

#include <doctest/doctest.h>
#include <signal.h>

#include "io/time_limit.h"

namespace sa {
namespace {

using namespace std::chrono_literals;

// Agents by name. `answer` answers every line with the result of request 1; the others misbehave.
const std::map<std::string, std::string> scripts = {
    {"answer", R"(while read -r line; do echo '{"jsonrpc":"2.0","id":1,"result":"ok"}'; done)"},
    {"echo", "cat"},
    {"deaf", "echo started; sleep 300"},
    {"dies", "read -r line; echo last words >&2; exit 7"},
    {"dies-answering", R"(read -r line; printf '{"id":1,"result":"at the end"}'; exit 0)"},
    {"asks", R"(echo '{"id":"q","method":"ask"}'; cat)"},
    {"babbles", R"(echo Hello; echo; printf '{"a":\r1}\r\n'; printf '\377\n'; cat)"},
    {"long-line", "head -c 5000 /dev/zero | tr '\\0' x; sleep 300"},
    {"floods-and-deaf", R"(exec 0<&-; trap '' TERM; while :; do echo '{"method":"x"}'; done)"},
    {"floods-politely", R"(trap 'exit 7' TERM; while :; do echo '{"method":"x"}'; done)"},
    {"stops-its-supervisor", "sleep 0.2; kill -STOP $PPID; exit 3"},
    {"long-line-and-deaf", "trap '' TERM; head -c 5000 /dev/zero | tr '\\0' x; while :; do sleep 1; done"},
};

InstanceLimits small_limits() {
  InstanceLimits limits;
  limits.stop_grace = 50ms;
  limits.max_line_bytes = 1'000;
  limits.max_instances = 2;
  return limits;
}

struct World;
using Body = Task<> (*)(World&);

struct World {
  explicit World(const InstanceLimits& limits = small_limits())
      : processes(loop, 50ms), instances(loop, processes, limits, source()) {
    ::signal(SIGPIPE, SIG_IGN);
  }

  // "slow" stays in preparation until the test says what became of it; "other name" means "echo".
  AgentSource source() {
    return {.resolve = [](const std::string& name) -> Result<std::string> {
              if (name == "other name") return "echo";
              if (name == "missing" || name == "slow" || scripts.contains(name)) return name;
              return fail(ErrorCode::unsupported_agent, "There is no such agent.");
            },
            .prepare =
                [this](const std::string& agent, std::shared_ptr<Preparation> preparation) {
                  ++launches;
                  if (agent == "slow") {
                    slow = std::move(preparation);
                  } else if (agent == "missing") {
                    preparation->outcome = ChildSpec{{"/no/such/program"}, {}};
                  } else {
                    preparation->outcome = ChildSpec{{"/bin/sh", "-c", scripts.at(agent)}, {"PATH=/usr/bin:/bin"}};
                  }
                }};
  }

  void run(Body body) {
    patience.arm_in(20s, [this] {
      FAIL_CHECK("the test did not end");
      processes.kill_all();
      loop.stop();
    });
    spawn(body_then_end(body));
    loop.run();
    CHECK(processes.alive() == 0);
  }
  Task<> body_then_end(Body body) {
    co_await body(*this);
    co_await instances.close_all();
    while (processes.alive() > 0) co_await Yield{loop};
    loop.stop();
  }

  Loop loop;
  Processes processes;
  Instances instances;
  Timer patience{loop};
  int launches = 0;
  std::shared_ptr<Preparation> slow;
};

Envelope envelope(std::string text) { return parse_envelope(std::move(text)).value(); }
Envelope request_1() { return envelope(R"({"id":1,"method":"m"})"); }

bool stays(Signal&) { return false; }

// Starts an agent under its own name as id. A failure fails the test by exception, which ends the process.
Task<std::shared_ptr<Instance>> start(World& world, std::string agent) {
  auto started = co_await world.instances.find_or_start(agent, agent);
  co_return std::move(started.value());
}

// Everything a reader gets until it has seen `end` or the stream has ended.
Task<std::string> read_until(World& world, Instance& instance, std::string end, ReaderStart from = {}) {
  Signal wake(world.loop);
  const auto reader = instance.read(from);
  reader->set_wake(&wake);
  std::string text;
  for (;;) {
    std::vector<SharedBytes> batch;
    reader->take(batch, 1u << 20);
    for (const SharedBytes& piece : batch) text += piece.bytes;
    if (text.find(end) != std::string::npos || reader->ended()) break;
    co_await wake.wait();
  }
  co_return text;
}

std::string message(int id, std::string_view data) {
  return "event: message\nid: " + std::to_string(id) + "\ndata: " + std::string(data) + "\n\n";
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

namespace {

Task<> request_into(std::shared_ptr<Instance> instance, std::optional<ErrorCode>& code) {
  const auto reply = co_await instance->request(request_1(), stays);
  if (!reply) code = reply.error().code;
}

// Several starts at once, and what became of them.
struct Starts {
  explicit Starts(World& the_world) : world(the_world), done(the_world.loop) {}

  void begin(const std::string& id, const std::string& agent = "echo") {
    ++open;
    spawn(run(id, agent));
  }
  Task<> run(std::string id, std::string agent) {
    auto started = co_await world.instances.find_or_start(std::move(id), std::move(agent));
    if (started) instances.push_back(*started);
    if (!started) failed = started.error().code;
    --open;
    done.notify();
  }
  Task<> finish() {
    while (open > 0) co_await done.wait();
  }

  World& world;
  Signal done;
  int open = 0;
  std::vector<std::shared_ptr<Instance>> instances;
  std::optional<ErrorCode> failed;
};

}  // namespace

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

TEST_CASE("concurrent first calls start one process") {
  World().run([](World& world) -> Task<> {
    Starts starts(world);
    starts.begin("id");
    starts.begin("id");
    const auto found = co_await world.instances.find("id");
    co_await starts.finish();
    CHECK(starts.instances.size() == 2);
    for (const auto& instance : starts.instances) CHECK(instance == *found);
    CHECK(world.launches == 1);
    CHECK(world.processes.alive() == 1);
  });
}

TEST_CASE("an agent that has to be got ready shows its phase, and then starts") {
  World().run([](World& world) -> Task<> {
    Starts starts(world);
    starts.begin("id", "slow");
    world.slow->phase = "downloading";
    CHECK(world.instances.list().at(0).phase == "downloading");
    world.slow->outcome = ChildSpec{{"/bin/cat"}, {}};
    world.slow->changed->notify();
    co_await starts.finish();
    CHECK(starts.instances.size() == 1);
  });
}

TEST_CASE("an agent that cannot be got ready fails the start and leaves nothing") {
  World().run([](World& world) -> Task<> {
    Starts starts(world);
    starts.begin("id", "slow");
    world.slow->outcome = fail(ErrorCode::install_failed, "There is no network.");
    world.slow->changed->notify();
    co_await starts.finish();
    CHECK(starts.failed == ErrorCode::install_failed);
    CHECK(world.instances.list().empty());
  });
}

TEST_CASE("an instance deleted while its agent is got ready is gone at once") {
  World().run([](World& world) -> Task<> {
    Starts starts(world);
    starts.begin("id", "slow");
    co_await world.instances.close("id");
    co_await starts.finish();
    CHECK(starts.failed == ErrorCode::conflict);
    CHECK(world.slow->changed == nullptr);
    world.slow->outcome = ChildSpec{{"/bin/cat"}, {}};
    CHECK(world.processes.alive() == 0);
  });
}

TEST_CASE("two names of one agent are the same agent") {
  World().run([](World& world) -> Task<> {
    const auto first = co_await world.instances.find_or_start("id", "other name");
    const auto second = co_await world.instances.find_or_start("id", "echo");
    const auto third = co_await world.instances.find_or_start("id", "other name");
    CHECK(*first == *second);
    CHECK(*first == *third);
    CHECK(world.instances.list().at(0).agent == "echo");
  });
}

TEST_CASE("an instance deleted while it starts fails those who wait for it") {
  World().run([](World& world) -> Task<> {
    Starts starts(world);
    starts.begin("id");
    co_await world.instances.close("id");
    CHECK(world.instances.list().empty());
    co_await starts.finish();
    CHECK(starts.failed == ErrorCode::conflict);
  });
}

TEST_CASE("an id belongs to one agent, a new one needs an agent, and there is a most of them") {
  World().run([](World& world) -> Task<> {
    co_await start(world, "echo");
    const auto other = co_await world.instances.find_or_start("echo", "deaf");
    CHECK(other.error().code == ErrorCode::conflict);
    const auto same = co_await world.instances.find_or_start("echo", std::nullopt);
    CHECK(same.has_value());
    const auto unknown_before_conflict = co_await world.instances.find_or_start("echo", "nobody");
    CHECK(unknown_before_conflict.error().code == ErrorCode::unsupported_agent);
    const auto nameless = co_await world.instances.find_or_start("new", std::nullopt);
    CHECK(nameless.error().code == ErrorCode::invalid_request);
    co_await start(world, "deaf");
    const auto too_many = co_await world.instances.find_or_start("third", "echo");
    CHECK(too_many.error().code == ErrorCode::overloaded);
    const auto rows = world.instances.list();
    CHECK(rows.size() == 2);
    CHECK(rows.front().server_id == "deaf");
  });
}

TEST_CASE("a failed start leaves nothing behind") {
  World().run([](World& world) -> Task<> {
    const auto missing = co_await world.instances.find_or_start("id", "missing");
    CHECK(missing.error().code == ErrorCode::agent_spawn_failed);
    CHECK(missing.error().detail.find("ENOENT") != std::string::npos);
    CHECK(missing.error().extra("agent") == "\"missing\"");
    CHECK(world.instances.list().empty());
  });
}

}  // namespace sa
