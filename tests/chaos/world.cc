#include "world.h"

#include <doctest/doctest.h>
#include <signal.h>
#include <sys/resource.h>

#include <algorithm>

#include "support/survivors.h"

namespace chaos {
namespace {

using namespace rig;

constexpr milliseconds patience{15000};
constexpr milliseconds on_its_way{1000};  // a request that is younger may not have reached the daemon when it stops

rig::DaemonSetup setup_of(const Flavour& flavour, SmallDisk& disk) {
  return {
      .flags = flavour.flags, .nofile = flavour.descriptors, .prepare = [&disk](const auto& home) { disk.mount_below(home); }};
}

std::size_t entries_in(const std::string& folder) {
  std::error_code failed;
  const std::filesystem::directory_iterator all(folder, failed);
  return static_cast<std::size_t>(std::distance(begin(all), end(all)));
}

constexpr milliseconds a_moment{100};
constexpr milliseconds long_pause{50'000};  // a reader that takes nothing for 60 s is cut off

// What a POST may be answered with when anything may have happened to the agent or there was no room.
constexpr int answers[] = {200, 202, 400, 404, 409, 413, 502, 503, 504};

}  // namespace

Vitals vitals_of(pid_t pid) {
  const auto process = "/proc/" + std::to_string(pid);
  const auto status = read_file(process + "/status");
  return {.resident_kib = std::atoll(status.c_str() + status.find("VmRSS:") + 6),
          .descriptors = entries_in(process + "/fd"),
          .threads = entries_in(process + "/task"),
          .children = children_of(pid).size()};
}

World::World(const Flavour& chosen, std::uint64_t seed)
    : flavour(chosen), daemon(setup_of(flavour, disk)), oracle(daemon), relay(daemon.port()), files(daemon) {
  note("seed " + std::to_string(seed) + ": " + flavour.words);
  places.reserve(slots);
  for (std::size_t i = 0; i < slots; ++i) places.emplace_back(daemon, "agent-" + std::to_string(i));
  REQUIRE_EQ(files.upload("kept", "as it was").status, 200);
  idle_descriptors_ = vitals_of(daemon.pid()).descriptors;
  eventually(  // the connection of the upload may be still there
      [&] {
        idle_descriptors_ = std::min(idle_descriptors_, vitals_of(daemon.pid()).descriptors);
        return false;
      },
      milliseconds(100));
}

void World::note(std::string words) { notes_.push_back(std::to_string(since(start_).count()) + " ms  " + std::move(words)); }

bool World::ensure(Slot& slot) {
  if (slot.is_dead) end(slot);
  if (!slot.instance.empty()) return true;
  const auto answer = slot.acp.call("echo");
  if (answer.status != 200) {
    const auto problem = problem_of(answer);
    note(slot.id + " was not made: " + problem);
    const bool was_no_room = problem.starts_with("503 ") || problem.starts_with("502 ");
    const bool was_no_time = flavour.short_patience && problem.starts_with("504 ");
    CHECK_MESSAGE(((may_be_refused() && was_no_room) || was_no_time), "an instance was not made: ", problem);
    if (was_no_time) slot.acp.remove();  // it was made, but did not answer
    return false;
  }
  slot.instance = answer.header("acp-instance-id");
  slot.agent = sighting_of(slot.acp.pid());
  slot.supervisor = sighting_of(parent_of(slot.agent.pid));
  slot.accepted = 1;
  oracle.know_agent(slot.instance, slot.agent.pid);
  return true;
}

void World::harm(Slot& slot) {
  const bool is_let_finish = slot.accepted % 2 == 0;  // some are to be harmed while they are busy
  if (is_let_finish && is_free(slot)) check_heard(slot);
  harmed_.insert(slot.instance);
  note_tree(slot);
}

// Nobody stops the agent, and no reader makes it wait.
bool World::is_free(const Slot& slot) {
  const auto is_of_slot = [&slot](const Sighting& seen) {
    return seen.pid == slot.agent.pid || seen.pid == slot.supervisor.pid;
  };
  return std::ranges::none_of(stopped, is_of_slot) &&
         std::ranges::none_of(watchers_of(slot), [](const Watcher* watcher) { return watcher->may_lag; });
}

bool World::is_well(const std::string& instance) const {
  return !may_be_refused() && !flavour.short_patience && !is_ending_ && !harmed_.contains(instance);
}

void World::note_tree(Slot& slot) {
  if (!lives(slot.supervisor)) return;
  for (const pid_t pid : descendants_of(slot.supervisor.pid)) slot.tree.push_back(sighting_of(pid));
}

void World::call(Slot& slot, std::string_view method, std::string_view params) {
  const auto id = ++next_id_;
  awaited_.push_back({.what = slot.id + " " + std::string(method),
                      .id = id,
                      .instance = slot.instance,
                      .connection = ask(slot, rpc_request(std::to_string(id), method, params))});
  ++slot.accepted;
}

// Without the agent's name: what a DELETE overtakes must not make the next instance.
Connection World::ask(const Slot& slot, std::string_view body, Headers headers) {
  headers.emplace_back("Content-Type", "application/json");
  return Api(daemon).begin("POST", slot.acp.target(), std::move(headers), body);
}

void World::tell(Slot& slot, std::string_view body, const Headers& headers) {
  const auto status = ask(slot, body, headers).read_response().status;
  const bool is_refused_rightly = !is_well(slot.instance) && (status == 502 || status == 503);
  CHECK_MESSAGE((status == 202 || is_refused_rightly), "a message to ", slot.id, " was answered with ", status);
  ++slot.accepted;
}

void World::check_answer(Awaited& awaited, milliseconds time) try {
  awaited.is_read = true;
  const auto answer = awaited.connection.read_response(false, time);
  CHECK_MESSAGE(std::ranges::find(answers, answer.status) != std::end(answers), awaited.what, " was answered with ",
                answer.status);
  if (is_well(awaited.instance)) CHECK_MESSAGE(answer.status == 200, awaited.what, ": its agent is well");
  if (answer.status == 200) {
    CHECK_MESSAGE(number_at(answer.body, "id") == awaited.id, awaited.what, " got another's answer");
    CHECK_MESSAGE(answer.header("acp-instance-id") == awaited.instance, awaited.what, " was answered by another instance");
    const auto event = std::strtoull(answer.header("acp-event-id").c_str(), nullptr, 10);
    const bool is_said = oracle.has_said(awaited.instance, event, answer.body);
    CHECK_MESSAGE(is_said, awaited.what, " was answered with what its agent did not say as ", event);
  }
  if (answer.status >= 400) {
    const auto problem = problem_of(answer);
    CHECK_MESSAGE(problem.starts_with(std::to_string(answer.status)), awaited.what, ": ", problem);
  }
} catch (const std::exception& error) {
  FAIL_CHECK(awaited.what << " was not answered: " << std::string(error.what()));
}

void World::take_answers() {
  for (Awaited& awaited : awaited_)
    if (awaited.connection.readable_unscaled(milliseconds(0))) check_answer(awaited, patience);
  std::erase_if(awaited_, [](const Awaited& awaited) { return awaited.is_read; });
  for (const auto& wrong : orphans_.look(daemon.pid())) FAIL_CHECK(wrong);
}

bool World::is_heard(milliseconds time) const {
  Connection connection(daemon.port());
  connection.send(http_request("GET", "/healthz"));
  return connection.readable_within(time);
}

void World::make_room() {
  if (!may_be_refused() || is_heard(a_moment)) return;
  note("some go, so that others are heard");
  release_held();
  for (const Slot& slot : places) {
    for (Watcher* watcher : watchers_of(slot)) leave(*watcher);
    if (is_heard(a_moment)) return;
  }
  CHECK_MESSAGE(is_heard(patience), "nobody is heard, although there is room");
}

void World::check_dead(const Slot& slot) {
  if (!slot.is_dead || lives(slot.agent) || !stopped.empty())
    return;  // it may be held, and not have heard yet that it is to die
  for (Awaited& awaited : awaited_)
    if (awaited.instance == slot.instance) check_answer(awaited, patience);
  std::erase_if(awaited_, [](const Awaited& awaited) { return awaited.is_read; });
}

void World::end(Slot& slot) {
  if (slot.instance.empty()) return;
  check_dead(slot);
  if (stopped.empty()) check_observers(slot);
  harm(slot);
  for (Watcher* watcher : watchers_of(slot)) {
    if (!watcher->may_lag && !watcher->is_away && oracle.report(watcher->reader).reading) continue;  // it sees the end
    leave(*watcher);
  }
  const auto start = Clock::now();
  const auto answer = slot.acp.remove();
  CHECK_EQ(answer.status, 204);
  const auto its_time = daemon.stop_grace() + milliseconds(400);
  const auto in_time = its_time + scaled(milliseconds(4000));  // on a machine that others use, too
  CHECK_LT(since(start), in_time);
  const auto is_gone = [&slot] { return std::ranges::none_of(slot.tree, lives); };
  const bool was_given_up = since(start) + a_moment >= its_time;  // somebody may have asked before us
  const bool is_ended = is_gone() || (was_given_up && eventually(is_gone, in_time));
  std::erase_if(slot.tree, [](const Sighting& seen) { return !lives(seen); });
  for (const Sighting& seen : slot.tree) CHECK_MESSAGE(is_ended, "left of ", slot.id, ": ", describe({seen.pid}));
  CHECK_MESSAGE(eventually([&] { return !lives(slot.supervisor); }, patience), "the supervisor of ", slot.id, " lives on");
  CHECK_MESSAGE(oracle.heard_twice_by(slot.instance) == 0, slot.id, " was asked something twice");
  slot.instance.clear();
  slot.agent = slot.supervisor = {};
  slot.tree.clear();
  slot.is_dead = false;
}

// What was accepted reaches an agent that nothing has happened to.
void World::check_heard(const Slot& slot) {
  if (slot.instance.empty() || !is_well(slot.instance)) return;
  std::uint64_t heard = 0;
  const bool has_all = eventually([&] { return (heard = oracle.heard_by(slot.instance)) >= slot.accepted; }, patience);
  CHECK_MESSAGE(has_all, slot.id, " has heard ", heard, " of ", slot.accepted);
}

// Whoever reads along knows of all that the agent has heard.
void World::check_observers(const Slot& slot) {
  if (slot.instance.empty()) return;
  for (const Watcher* watcher : watchers_of(slot)) {
    if (!watcher->hears_clients) continue;
    const auto heard = oracle.heard_by(slot.instance);
    std::uint64_t known = 0;
    const bool knows_all = eventually(
        [&] {
          const auto report = oracle.report(watcher->reader);
          known = report.client_events;
          for (const auto& gap : report.gaps) known += static_cast<std::uint64_t>(gap.client_messages);
          return known >= heard || !report.open || report.connections > 1;
        },
        patience);
    CHECK_MESSAGE(knows_all, "reader ", watcher->reader, " of ", slot.id, " knows of ", known, " messages of clients, of ",
                  heard);
  }
}

// What was not taken, or only half, leaves nothing.
void World::check_files() {
  static const std::set<std::string> usual = {"kept",   "small",  "data",   "config", "state",  "run",   "ledgers",
                                              "stdout", "stderr", "file-0", "file-1", "file-2", "file-3"};
  std::string left;
  const auto is_clean = [&] {
    left.clear();
    for (const auto& entry : std::filesystem::directory_iterator(daemon.home()))
      if (const std::string name = entry.path().filename(); !usual.contains(name)) left += name + " ";
    for (const auto& entry : std::filesystem::directory_iterator(daemon.home() / "small"))
      if (const std::string name = entry.path().filename(); !name.starts_with("ballast-")) left += name + " ";
    return left.empty();
  };
  CHECK_MESSAGE(eventually(is_clean), "left in the folder: ", left);
}

Watcher& World::join(Slot& slot, ReaderPlan plan, bool may_have_gaps) {
  plan.server_id = slot.id;
  const bool is_through_relay = plan.port != 0;
  plan.refusal_is_fine = may_be_refused() || is_through_relay;
  plan.ring_messages = flavour.small_memory ? 0 : flavour.ring_messages;
  plan.lines_may_be_lost = flavour.small_memory;
  const bool hears_clients = plan.query == "include=client";
  const auto reader = oracle.add_reader(std::move(plan));
  return watchers_.emplace_back(reader, &slot, slot.instance, may_have_gaps || flavour.small_rings() || flavour.small_memory,
                                is_through_relay, hears_clients);
}

void World::leave(Watcher& watcher) {
  oracle.leave(watcher.reader);
  watcher.is_gone = true;
}

std::vector<Watcher*> World::watchers_of(const Slot& slot) {
  std::vector<Watcher*> found;
  for (Watcher& watcher : watchers_)
    if (watcher.slot == &slot && watcher.instance == slot.instance && !watcher.is_gone) found.push_back(&watcher);
  return found;
}

void World::check_content(const std::string& name, std::string_view content) {
  const auto answer = files.download(name);
  if (may_be_refused() && answer.status == 503) return;
  CHECK_MESSAGE(answer.body == content, name, " is not what was uploaded");
}

void World::thaw() {
  for (const Sighting& seen : stopped)
    if (lives(seen)) ::kill(seen.pid, SIGCONT);
  stopped.clear();
}

void World::let_go() {
  note("all is let go");
  release_held();
  thaw();
  for (Watcher& watcher : watchers_) {
    if (watcher.is_gone) continue;
    oracle.slow_down(watcher.reader, 0);
    if (watcher.is_paused) oracle.resume(watcher.reader);
    if (watcher.is_away) oracle.come_back(watcher.reader);
    watcher.is_paused = watcher.is_away = false;
  }
}

void World::come_to_rest() {
  let_go();
  make_room();
  CHECK_EQ(Api(daemon).get("/v1/health").status, 200);
  CHECK_EQ(files.download("kept").body, "as it was");
  check_files();
  check_streams();
  for (const Slot& slot : places) {
    check_heard(slot);
    check_observers(slot);
  }
  end_all();
  check_leftovers();
}

void World::check_streams() {
  for (const auto& wrong : oracle.verdict(true, patience)) FAIL_CHECK(wrong);
  check_readers();
}

void World::check_readers() {
  const auto reports = oracle.reports();
  for (const Watcher& watcher : watchers_) {
    const auto& report = reports[watcher.reader];
    if (!watcher.may_have_gaps) check_gaps(watcher, report);
    if (!watcher.is_gone && !watcher.is_away && !report.refused) check_still_open(watcher, report);
  }
}

void World::check_gaps(const Watcher& watcher, const ReaderReport& report) {
  if (report.gaps.empty()) return;
  const auto& gap = report.gaps.front();
  const bool came_late = report.gaps.size() == 1 && gap.from == 1;
  if (!came_late)
    FAIL_CHECK("reader " << watcher.reader << " of " << watcher.slot->id << " was not hindered and has a gap, " << gap.from
                         << " to " << gap.to << " " << gap.reason);
}

// A stream lasts as long as its instance is there, and then has its end.
void World::check_still_open(const Watcher& watcher, const ReaderReport& report) {
  if (watcher.may_lag && since(start_) > long_pause) return;
  if (watcher.instance == watcher.slot->instance) {
    CHECK_MESSAGE(report.open, "the stream of reader ", watcher.reader, " of ", watcher.slot->id, " ended before its instance");
    return;
  }
  const bool is_over = eventually([&] { return !oracle.report(watcher.reader).open; }, patience);
  const auto after = oracle.report(watcher.reader);
  INFO("reader ", watcher.reader, " of ", watcher.slot->id, " has ", after.last_id, " of ", oracle.said_by(watcher.instance));
  CHECK(is_over);
  CHECK(after.ended);
  // The last one tells of the agent's end.
  CHECK((flavour.small_memory || after.last_id > oracle.said_by(watcher.instance)));
}

void World::end_all() {
  std::vector<Watcher*> reading;
  for (Slot& slot : places)
    for (Watcher* watcher : watchers_of(slot))
      if (oracle.report(watcher->reader).open) reading.push_back(watcher);
  for (Slot& slot : places) end(slot);
  for (const Watcher* watcher : reading) {
    if (watcher->is_gone) continue;
    const bool is_over = eventually([&] { return !oracle.report(watcher->reader).open; }, patience);
    const auto report = oracle.report(watcher->reader);
    const auto said = oracle.said_by(watcher->instance);
    INFO("reader ", watcher->reader, " of ", watcher->slot->id, " has ", report.last_id, " of ", said);
    CHECK(is_over);
    CHECK(report.ended);
    CHECK((flavour.small_memory || report.last_id > said));  // the last one tells of the agent's end
  }
  for (Awaited& awaited : awaited_) check_answer(awaited, patience);
  awaited_.clear();
}

void World::check_leftovers() {
  CHECK_MESSAGE(no_agents_within(daemon.mark(), milliseconds(10000)), describe(marked_agents(daemon.mark())));
  for (const Watcher& watcher : watchers_) oracle.leave(watcher.reader);
  Vitals left{};
  const bool is_clean = eventually([&] {
    left = vitals_of(daemon.pid());
    return left.descriptors <= idle_descriptors_ && left.children == 0;
  });
  CHECK_MESSAGE(is_clean, left.descriptors, " descriptors and ", left.children, " children are left; ", idle_descriptors_,
                " before");
}

void World::stop() {
  note("SIGTERM");
  is_ending_ = true;
  std::vector<const Watcher*> reading;
  for (const Watcher& watcher : watchers_) {
    const auto report = oracle.report(watcher.reader);
    if (report.open && !report.reading) oracle.leave(watcher.reader);  // it may be told that the daemon is ending
    if (report.reading && report.events > 0 && !watcher.may_have_gaps && !watcher.may_lag && !watcher.is_gone)
      reading.push_back(&watcher);
  }
  const auto stopped_at = Clock::now();
  daemon.stop(SIGTERM);
  for (const Watcher* watcher : reading) {
    const bool is_over = eventually([&] { return !oracle.report(watcher->reader).open; }, patience);
    const bool has_end = oracle.report(watcher->reader).ended;
    CHECK_MESSAGE((is_over && has_end), "reader ", watcher->reader, " of ", watcher->slot->id, " has no end of its stream");
  }
  if (may_be_refused()) return;  // a connection may have waited for a descriptor
  for (Awaited& awaited : awaited_)
    if (stopped_at - awaited.asked_at > on_its_way) check_answer(awaited, patience);
}

void World::kill() {
  note("SIGKILL");
  daemon.kill();
  check_all_gone();
}

void World::check_all_gone() {
  const bool is_empty = eventually([&] { return marked_processes(daemon.mark()).empty(); }, milliseconds(10000));
  CHECK_MESSAGE(is_empty, "left behind: ", describe(marked_processes(daemon.mark())));
}

std::vector<std::string> World::faults() {
  std::vector<std::string> all;
  for (const auto& report : oracle.reports()) all.insert(all.end(), report.faults.begin(), report.faults.end());
  return all;
}

void World::starve() {
  const rlimit nothing_more{.rlim_cur = 1 << 20, .rlim_max = 1 << 20};
  REQUIRE_EQ(prlimit(daemon.pid(), RLIMIT_AS, &nothing_more, nullptr), 0);
  release_held();
  const Headers headers = {
      {"Authorization", "Bearer " + daemon.token()}, {"Content-Length", "1000000"}, {"Content-Type", "application/json"}};
  const auto most_of_it = http_request("POST", "/v1/acp/hungry?agent=fake", headers) + std::string(990'000, ' ');
  const auto ask_for_more = [&] {
    try {
      hold(Connection(daemon.port()));
      held_.back().send(most_of_it);
      return true;
    } catch (const std::exception&) {
      return false;  // it has ended
    }
  };
  for (int i = 0; i < 400 && ask_for_more() && daemon.process().running(); ++i) daemon.process().wait(milliseconds(5));
  const auto ending = daemon.process().wait(milliseconds(2000));
  CHECK_MESSAGE((ending && ending->code == 1), "without memory the daemon must end with exit code 1");
  CHECK_MESSAGE(daemon.stderr_text().find("out of memory") != std::string::npos, "it must say why");
  check_all_gone();
}

}  // namespace chaos
