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

// What a POST may be answered with when anything may have happened to the agent or there was no room.
constexpr std::uint64_t ring_messages = 16'384;  // the daemon's default: who comes later misses the first
constexpr int answers[] = {200, 202, 404, 409, 413, 502, 503, 504};

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
    return false;
  }
  slot.instance = answer.header("acp-instance-id");
  slot.agent = slot.acp.pid();
  oracle.know_agent(slot.instance, slot.agent);
  return true;
}

void World::call(Slot& slot, std::string_view method, std::string_view params) {
  const auto id = ++next_id_;
  awaited_.push_back({.what = slot.id + " " + std::string(method),
                      .id = id,
                      .instance = slot.instance,
                      .connection = slot.acp.begin_call(method, params, std::to_string(id))});
}

void World::check_answer(Awaited& awaited, milliseconds time) try {
  awaited.is_read = true;
  const auto answer = awaited.connection.read_response(false, time);
  CHECK_MESSAGE(std::ranges::find(answers, answer.status) != std::end(answers), awaited.what, " was answered with ",
                answer.status);
  if (answer.status == 200) CHECK_MESSAGE(number_at(answer.body, "id") == awaited.id, awaited.what, " got another's answer");
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
}

void World::check_dead(const Slot& slot) {
  if (!slot.is_dead || alive(slot.agent) || !stopped.empty())
    return;  // it may be held, and not have heard yet that it is to die
  for (Awaited& awaited : awaited_)
    if (awaited.instance == slot.instance) check_answer(awaited, patience);
  std::erase_if(awaited_, [](const Awaited& awaited) { return awaited.is_read; });
}

void World::end(Slot& slot) {
  if (slot.instance.empty()) return;
  check_dead(slot);
  for (Watcher* watcher : watchers_of(slot)) {
    if (!watcher->is_hindered) continue;  // it may still have much to read; the others see the end
    oracle.leave(watcher->reader);
    watcher->is_gone = true;
  }
  const pid_t supervisor = alive(slot.agent) ? parent_of(slot.agent) : 0;
  const auto tree = supervisor > 1 && supervisor != daemon.pid() ? descendants_of(supervisor) : std::vector<pid_t>{};
  const auto start = Clock::now();
  const auto answer = slot.acp.remove();
  CHECK_EQ(answer.status, 204);
  const auto in_time = daemon.stop_grace() + milliseconds(400) + scaled(milliseconds(1000));
  CHECK_LT(since(start), in_time);
  const bool is_ended = eventually([&] { return std::ranges::none_of(tree, alive); }, in_time);
  CHECK_MESSAGE(is_ended, "left of ", slot.id, ": ", describe(tree));
  slot.instance.clear();
  slot.agent = 0;
  slot.is_dead = false;
}

Watcher& World::join(Slot& slot, ReaderPlan plan, bool is_hindered) {
  plan.server_id = slot.id;
  plan.refusal_is_fine = may_be_refused() || plan.port != 0;
  const auto reader = oracle.add_reader(std::move(plan));
  return watchers_.emplace_back(reader, &slot, slot.instance, is_hindered || flavour.small_rings || flavour.small_memory);
}

std::vector<Watcher*> World::watchers_of(const Slot& slot) {
  std::vector<Watcher*> found;
  for (Watcher& watcher : watchers_)
    if (watcher.slot == &slot && watcher.instance == slot.instance && !watcher.is_gone) found.push_back(&watcher);
  return found;
}

void World::let_go() {
  note("all is let go");
  release_held();
  for (const pid_t pid : stopped) ::kill(pid, SIGCONT);
  stopped.clear();
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
  CHECK_EQ(Api(daemon).get("/v1/health").status, 200);
  CHECK_EQ(files.download("kept").body, "as it was");
  check_streams();
  end_all();
  check_leftovers();
}

void World::check_streams() {
  for (const auto& wrong : oracle.verdict(true, patience)) FAIL_CHECK(wrong);
  const auto reports = oracle.reports();
  for (const Watcher& watcher : watchers_) {
    const auto& report = reports[watcher.reader];
    if (watcher.is_hindered) continue;
    check_gaps(watcher, report);
    if (!watcher.is_gone && !report.refused) check_still_open(watcher, report);
  }
}

void World::check_gaps(const Watcher& watcher, const ReaderReport& report) {
  if (report.gaps.empty()) return;
  const auto& gap = report.gaps.front();
  const bool came_late = report.gaps.size() == 1 && gap.from == 1 && gap.to + ring_messages <= report.last_id;
  if (came_late) return;
  FAIL_CHECK("reader " << watcher.reader << " of " << watcher.slot->id << " was not hindered and has a gap, " << gap.from
                       << " to " << gap.to << " " << gap.reason);
}

// A stream lasts as long as its instance is there, and then has its end.
void World::check_still_open(const Watcher& watcher, const ReaderReport& report) {
  if (watcher.instance == watcher.slot->instance) {
    CHECK_MESSAGE(report.open, "the stream of reader ", watcher.reader, " of ", watcher.slot->id, " ended before its instance");
    return;
  }
  const bool is_over = eventually([&] { return !oracle.report(watcher.reader).open; }, patience);
  const auto after = oracle.report(watcher.reader);
  INFO("reader ", watcher.reader, " of ", watcher.slot->id, " has ", after.last_id, " of ", oracle.said_by(watcher.instance));
  CHECK(is_over);
  CHECK(after.ended);
  CHECK(after.last_id > oracle.said_by(watcher.instance));  // the last one tells of the agent's end
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
    CHECK((report.ended || watcher->is_hindered));
    CHECK((report.last_id > said || watcher->is_hindered));  // the last one tells of the agent's end
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
  std::vector<const Watcher*> reading;
  for (const Watcher& watcher : watchers_) {
    const auto report = oracle.report(watcher.reader);
    if (report.open && report.events > 0 && !watcher.is_hindered && !watcher.is_gone) reading.push_back(&watcher);
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
