// How an instance comes to be: one start for all who ask, what it waits for, and who goes meanwhile.
#include <doctest/doctest.h>

#include "acp/instances_test_world.h"

namespace sa {
namespace {

using World = InstancesWorld;

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

// Somebody who waits for an instance and may hang up.
struct Visitor {
  explicit Visitor(Loop& loop) : wake(loop) {}

  static Task<> wait_for(Instances& instances, Visitor& self, bool starts) {
    Asker asker{self.wake, [&self](Signal&) { return self.hung_up; }};
    auto found = starts ? co_await instances.find_or_start("id", "slow", &asker) : co_await instances.find("id", &asker);
    self.found = std::move(found);
  }
  void hang_up() {
    hung_up = true;
    wake.notify();
  }

  Signal wake;
  bool hung_up = false;
  std::optional<Result<std::shared_ptr<Instance>>> found;
};

}  // namespace

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

TEST_CASE("who hangs up while an agent is got ready goes at once, and the start goes on for the others") {
  World().run([](World& world) -> Task<> {
    Visitor first(world.loop), second(world.loop), reader(world.loop), stays_on(world.loop);
    spawn(Visitor::wait_for(world.instances, first, true));
    spawn(Visitor::wait_for(world.instances, second, true));
    spawn(Visitor::wait_for(world.instances, reader, false));
    spawn(Visitor::wait_for(world.instances, stays_on, true));
    for (Visitor* visitor : {&first, &second, &reader}) visitor->hang_up();
    co_await Yield{world.loop};
    for (const Visitor* visitor : {&first, &second, &reader}) {
      CHECK((visitor->found && *visitor->found && **visitor->found == nullptr));
    }
    CHECK_FALSE(stays_on.found.has_value());
    CHECK(world.instances.list().size() == 1);
    world.slow->outcome = ChildSpec{{"/bin/cat"}, {}};
    world.slow->changed->notify();
    while (!stays_on.found) co_await Yield{world.loop};
    CHECK((*stays_on.found && **stays_on.found));
    CHECK(world.launches == 1);
  });
}

TEST_CASE("a start that nobody waits for any more goes on") {
  World().run([](World& world) -> Task<> {
    Visitor only(world.loop);
    spawn(Visitor::wait_for(world.instances, only, true));
    only.hang_up();
    co_await Yield{world.loop};
    CHECK(only.found.has_value());
    world.slow->outcome = ChildSpec{{"/bin/cat"}, {}};
    world.slow->changed->notify();
    while (world.instances.started() == 0) co_await Yield{world.loop};
    CHECK(world.instances.list().at(0).instance != nullptr);
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

TEST_CASE("an id is taken from the first request on, also while it is not known which agent is meant") {
  World().run([](World& world) -> Task<> {
    Starts starts(world);
    starts.begin("id", "unclear");
    CHECK(world.instances.list().at(0).agent == "unclear");
    Visitor reader(world.loop);
    spawn(Visitor::wait_for(world.instances, reader, false));
    starts.begin("id", "unclear");
    starts.begin("id", "other name");  // waits to learn whether that is the same
    CHECK(starts.open == 3);
    world.slow->agent = "echo";
    world.slow->changed->notify();
    while (world.instances.list().at(0).agent != "echo") co_await Yield{world.loop};
    const auto another = co_await world.instances.find_or_start("id", "deaf");  // known now, so nobody waits for the start
    CHECK(another.error().code == ErrorCode::conflict);
    CHECK(starts.open == 3);
    world.slow->outcome = ChildSpec{{"/bin/cat"}, {}};
    world.slow->changed->notify();
    co_await starts.finish();
    CHECK(starts.instances.size() == 3);
    while (!reader.found) co_await Yield{world.loop};
    for (const auto& instance : starts.instances) CHECK(instance == **reader.found);
    CHECK(world.launches == 1);
  });
}

TEST_CASE("deleted while it is not known which agent is meant, it is gone") {
  World().run([](World& world) -> Task<> {
    Starts starts(world);
    starts.begin("id", "unclear");
    starts.begin("id", "echo");
    co_await world.instances.close("id");
    co_await starts.finish();  // also the one that waited to learn whether that is the same
    CHECK(starts.failed == ErrorCode::conflict);
    CHECK(starts.instances.empty());
    world.slow->agent = "echo";
    world.slow->outcome = ChildSpec{{"/bin/cat"}, {}};
    CHECK(world.slow->changed == nullptr);
    CHECK(world.processes.alive() == 0);
  });
}

TEST_CASE("names that may mean no agent are waited for before there are too many") {
  World().run([](World& world) -> Task<> {
    Starts starts(world);
    starts.begin("first", "unclear");
    co_await start(world, "echo");
    starts.begin("third", "deaf");
    CHECK(starts.open == 2);
    world.slow->outcome = fail(ErrorCode::unsupported_agent, "There is no such agent.");
    world.slow->changed->notify();
    co_await starts.finish();
    CHECK(starts.failed == ErrorCode::unsupported_agent);
    CHECK(starts.instances.size() == 1);
    CHECK(world.instances.list().size() == 2);
  });
}

TEST_CASE("a name that means no agent leaves nothing, and is told before there are too many") {
  World().run([](World& world) -> Task<> {
    const auto unknown = co_await world.instances.find_or_start("id", "nobody");
    CHECK(unknown.error().code == ErrorCode::unsupported_agent);
    CHECK(world.instances.list().empty());
    co_await start(world, "echo");
    co_await start(world, "deaf");
    const auto still_unknown = co_await world.instances.find_or_start("id", "nobody");
    CHECK(still_unknown.error().code == ErrorCode::unsupported_agent);
  });
}

TEST_CASE("an instance deleted while it starts fails those who wait for it") {
  World().run([](World& world) -> Task<> {
    for (bool is_starting = false; !is_starting;) {
      Starts starts(world);
      starts.begin("id");
      is_starting = starts.open > 0;  // else it was quicker than we are: once more
      co_await world.instances.close("id");
      CHECK(world.instances.list().empty());
      co_await starts.finish();
      CHECK((!is_starting || starts.failed == ErrorCode::conflict));
    }
  });
}

TEST_CASE("who looks for an instance during the shutdown is not told that there was none") {
  World().run([](World& world) -> Task<> {
    co_await start(world, "echo");
    co_await world.instances.close_all();
    CHECK((co_await world.instances.find("echo")).error().code == ErrorCode::overloaded);
    CHECK((co_await world.instances.find_or_start("echo", "echo")).error().code == ErrorCode::overloaded);
    CHECK((co_await world.instances.find_or_start("echo", std::nullopt)).error().code == ErrorCode::overloaded);
  });
}

TEST_CASE("who waits for an instance that is being started when the shutdown comes is not told that there was none") {
  World().run([](World& world) -> Task<> {
    Starts starts(world);
    starts.begin("id", "slow");
    Visitor reader(world.loop);
    spawn(Visitor::wait_for(world.instances, reader, false));
    co_await world.instances.close_all();
    while (!reader.found) co_await Yield{world.loop};
    CHECK(reader.found->error().code == ErrorCode::overloaded);
    co_await starts.finish();
    CHECK(starts.failed == ErrorCode::overloaded);
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

TEST_CASE("a failed start leaves nothing behind, and is logged where it happens") {
  World().run([](World& world) -> Task<> {
    const auto missing = co_await world.instances.find_or_start("id", "missing");
    CHECK(missing.error().code == ErrorCode::agent_spawn_failed);
    CHECK(missing.error().detail.find("ENOENT") != std::string::npos);
    CHECK(missing.error().extra("agent") == "\"missing\"");
    CHECK(missing.error().logged);
    CHECK(world.instances.list().empty());
  });
}

TEST_CASE("what somebody said that left is sent when the agent is there, as much of it as an outbox holds") {
  InstanceLimits limits = small_limits();
  limits.outbox_bytes = 2 * sizeof(Envelope) + 100;
  World(limits).run([](World& world) -> Task<> {
    Visitor gone(world.loop);
    spawn(Visitor::wait_for(world.instances, gone, true));
    gone.hang_up();
    co_await Yield{world.loop};
    world.instances.send_when_ready("id", envelope(R"({"method":"said"})"));
    world.instances.send_when_ready("id", envelope(R"({"method":")" + std::string(90, 'x') + R"("})"));
    world.instances.send_when_ready("id", envelope(R"({"method":"last"})"));
    world.slow->outcome = ChildSpec{{"/bin/cat"}, {}};
    world.slow->changed->notify();
    const auto instance = co_await world.instances.find("id");
    const std::string heard = co_await read_until(world, **instance, "last");
    CHECK(heard == message(1, R"({"method":"said"})") + message(2, R"({"method":"last"})"));
  });
}

}  // namespace sa
