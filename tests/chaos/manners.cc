// How clients behave: they come with any position, read slowly or not at all, and hang up in the middle of anything.
#include <utility>

#include "world.h"

namespace chaos {
namespace {

using namespace rig;

constexpr std::size_t most_watchers = 12;  // of one instance

void join(World& world, Slot& slot, Dice&) {
  if (!world.ensure(slot) || world.watchers_of(slot).size() >= most_watchers) return;
  world.join(slot, {}, slot.is_dead);
}

// Where it was before, or nowhere it can have been.
void join_somewhere(World& world, Slot& slot, Dice& dice) {
  if (!world.ensure(slot) || world.watchers_of(slot).size() >= most_watchers) return;
  ReaderPlan plan;
  switch (dice.between(0, 3)) {
    case 0: plan.from = dice.between(1, 50); break;                    // an old position, or one that is none yet
    case 1: plan.from = dice.between(10'000'000, 20'000'000); break;   // the future
    case 2: plan.from = 1, plan.instance = "of-somebody-else"; break;  // another instance's
    default: plan.query = "include=client"; break;
  }
  world.join(slot, std::move(plan), true);
}

void join_through_relay(World& world, Slot& slot, Dice&) {
  if (!world.ensure(slot) || world.watchers_of(slot).size() >= most_watchers) return;
  world.join(slot, {.returns_when_lost = true, .port = world.relay.port()}, true);
}

void join_narrow(World& world, Slot& slot, Dice& dice) {
  if (!world.ensure(slot) || world.watchers_of(slot).size() >= most_watchers) return;
  auto& watcher = world.join(slot, {.receive_buffer = 4096}, true);
  watcher.may_lag = true;
  if (dice.one_in(2)) {
    world.oracle.pause(watcher.reader);
    watcher.is_paused = true;
  } else {
    world.oracle.slow_down(watcher.reader, dice.between(1'000, 100'000));
  }
}

// More is said than a ring holds, and this one reads all of it, in its time: the agent waits. Fast enough that it does not take
// the 5 s after which nobody is waited for.
void read_on(World& world, Slot& slot, Dice&) {
  if (!world.ensure(slot) || world.watchers_of(slot).size() >= most_watchers) return;
  auto& watcher = world.join(slot, {.receive_buffer = 65536, .bytes_per_second = 2'000'000}, false);
  watcher.may_lag = true;
  watcher.may_have_gaps = slot.is_dead;
  world.call(slot, "burst", R"({"count":4000,"bytes":300})");
}

void wake(World& world, Slot& slot, Dice&) {
  for (Watcher* watcher : world.watchers_of(slot)) {
    if (!watcher->is_paused) continue;
    watcher->is_paused = false;
    world.oracle.resume(watcher->reader);
  }
}

void cut(World& world, Slot& slot, Dice&) {
  for (Watcher* watcher : world.watchers_of(slot)) {
    if (watcher->is_paused || !world.oracle.report(watcher->reader).open) continue;
    watcher->may_have_gaps = true;
    world.oracle.cut(watcher->reader);
  }
}

void go_away(World& world, Slot& slot, Dice&) {
  for (Watcher* watcher : world.watchers_of(slot)) {
    if (watcher->is_paused || watcher->is_away || !world.oracle.report(watcher->reader).open) continue;
    watcher->may_have_gaps = watcher->is_away = true;
    world.oracle.leave(watcher->reader);
  }
}

void come_back(World& world, Slot& slot, Dice&) {
  for (Watcher* watcher : world.watchers_of(slot))
    if (std::exchange(watcher->is_away, false)) world.oracle.come_back(watcher->reader);
}

void leave(World& world, Slot& slot, Dice& dice) {
  const auto watchers = world.watchers_of(slot);
  if (watchers.empty()) return;
  world.leave(*dice.pick(watchers));
}

void cut_relay(World& world, Slot&, Dice&) { world.relay.cut_all(); }

// Half a request, then nothing any more.
void vanish_in_post(World& world, Slot& slot, Dice& dice) {
  const auto whole = http_request("POST", slot.acp.target("agent=fake"),
                                  {{"Authorization", "Bearer " + world.daemon.token()}, {"Content-Type", "application/json"}},
                                  rpc_request("\"vanishing\"", "burst", R"({"count":100})"));
  Connection connection(world.daemon.port());
  connection.send(std::string_view(whole).substr(0, dice.between(1, whole.size() - 1)));
  if (dice.one_in(2)) return connection.reset();
  world.hold(std::move(connection));
}

// The whole request, and gone before the answer.
void vanish_before_answer(World& world, Slot& slot, Dice& dice) {
  if (!world.ensure(slot)) return;
  static std::uint64_t next_id = 2'000'000;
  auto connection = world.ask(slot, rpc_request(std::to_string(++next_id), "burst", R"({"count":200})"));
  if (dice.one_in(2)) connection.reset();
}

void vanish_in_upload(World& world, Slot&, Dice& dice) {
  auto connection = world.files.begin_upload("kept", 1'000'000, std::string(dice.between(0, 200'000), 'x'));
  connection.reset();
}

void mumble(World& world, Slot&, Dice& dice) {
  static constexpr std::string_view words[] = {"GET /v1/health HT", "\r\n\r\n", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
                                               "\x16\x03\x01\x02", "GET / HTTP/1.1\r\nHost: x\r\nHost: y\r\n\r\n"};
  Connection connection(world.daemon.port());
  connection.send(dice.pick(words));
  world.hold(std::move(connection));
}

void end_instance(World& world, Slot& slot, Dice&) { world.end(slot); }

void end_and_hang_up(World& world, Slot& slot, Dice&) {
  if (slot.instance.empty()) return;
  world.harm(slot);
  for (Watcher* watcher : world.watchers_of(slot)) world.leave(*watcher);
  Api(world.daemon).begin("DELETE", slot.acp.target()).reset();
  world.end(slot);  // and again, as one does who was not answered
}

constexpr Act rows[] = {
    {"a reader joins", 8, join},
    {"a reader joins with a position", 5, join_somewhere},
    {"a reader joins through the relay", 4, join_through_relay},
    {"a reader joins that hardly reads", 4, join_narrow},
    {"a reader reads on", 4, read_on, [](const Flavour& flavour) { return flavour.makes_agents_wait(); }},
    {"readers wake up", 4, wake},
    {"readers are cut and come back", 5, cut},
    {"readers go away", 4, go_away},
    {"readers come back", 6, come_back},
    {"a reader leaves", 2, leave},
    {"the relay cuts all", 4, cut_relay},
    {"a client vanishes in its request", 4, vanish_in_post},
    {"a client vanishes before the answer", 4, vanish_before_answer},
    {"a client vanishes in its upload", 3, vanish_in_upload},
    {"a client mumbles", 3, mumble},
    {"an instance is ended", 3, end_instance},
    {"an instance is ended by a client that hangs up", 2, end_and_hang_up},
};

}  // namespace

std::span<const Act> manners() { return rows; }

}  // namespace chaos
