// Real processes under real supervisors: this test binary re-executes itself as theirs.
#include "io/processes.h"

#include <doctest/doctest.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <sstream>

#include "base/log.h"
#include "base/test_descriptors.h"
#include "base/unique_fd.h"
#include "io/process_tree.h"
#include "io/process_world.h"

namespace sa {
namespace {

using namespace std::chrono_literals;

struct World;
using Body = Task<> (*)(World&);

struct World : ProcessWorld {
  World() { log::set_level(log::Level::error); }  // killed supervisors are what these tests are about
  ~World() { log::set_level(log::Level::info); }

  Signal changed{loop};

  void run(Body body) { ProcessWorld::run(body(*this)); }
  std::shared_ptr<Child> start(std::vector<std::string> argv, std::vector<std::string> env = {"PATH=/usr/bin:/bin"}) {
    auto child = processes.start({std::move(argv), std::move(env)}).value();
    child->set_listener(&changed);
    return child;
  }
  std::shared_ptr<Child> shell(std::string script) { return start({"/bin/sh", "-c", std::move(script)}); }
};

Task<> until_running(World& world, Child& child) {
  while (child.pid() < 0 && !child.gone()) co_await world.changed.wait();
}

Task<> until_gone(World& world, Child& child) {
  while (!child.gone()) co_await world.changed.wait();
  child.set_listener(nullptr);
}

// Reads until `end` has come, or to the end of the pipe.
Task<std::string> read(World& world, AsyncFd& pipe, std::string_view end = {}) {
  std::string text;
  Signal readable(world.loop);
  while (end.empty() || !text.ends_with(end)) {
    char buffer[4096];
    const ssize_t n = ::read(pipe.get(), buffer, sizeof buffer);
    if (n == 0) break;
    if (n > 0) {
      text.append(buffer, static_cast<std::size_t>(n));
      continue;
    }
    pipe.arm_read(readable);
    co_await readable.wait();
  }
  co_return text;
}

std::vector<pid_t> pids_in(const std::string& text) {
  std::vector<pid_t> pids;
  std::istringstream in(text);
  for (pid_t pid = 0; in >> pid;) pids.push_back(pid);
  return pids;
}

bool is_alive(pid_t pid) { return ::kill(pid, 0) == 0 || errno != ESRCH; }

bool any_alive(const std::vector<pid_t>& pids) { return std::ranges::any_of(pids, is_alive); }

// Children that ignore SIGTERM: one in the agent's group, one in its own session, one whose parent is gone as well.
constexpr char stubborn_tree[] =
    "trap '' TERM; echo $$; sleep 300 & echo $!; setsid sleep 300 & echo $!; (setsid sleep 300 & echo $!); echo ready; wait; "
    "wait";

pid_t parent_of(pid_t pid) {
  for (pid_t ours : children_of(::getpid()).pids) {
    const auto below = children_of(ours).pids;
    if (std::ranges::find(below, pid) != below.end()) return ours;
  }
  return -1;
}

// Kills it, and with it the way by which the daemon ends a tree.
Task<> lose_supervisor(World& world, Child& child) {
  co_await until_running(world, child);
  const pid_t supervisor = parent_of(child.pid());
  CHECK(supervisor > 0);
  if (supervisor > 0) ::kill(supervisor, SIGKILL);
}

std::vector<UniqueFd> take_all_descriptors() {
  std::vector<UniqueFd> taken;
  for (int fd = 0; (fd = ::open("/", O_PATH | O_CLOEXEC)) >= 0;) taken.emplace_back(fd);
  return taken;
}

// The rights of nobody, as long as it lives.
struct FewRights {
  FewRights() { REQUIRE(::setresuid(nobody, nobody, 0) == 0); }
  ~FewRights() { ::setresuid(0, 0, 0); }
  static constexpr uid_t nobody = 65534;
};

// Something a shell has started before it became us: it says a line, and leaves an orphan behind when it is told to.
class Helper {
 public:
  Helper() {
    int in[2], out[2];
    REQUIRE(::pipe2(in, O_CLOEXEC) == 0);
    REQUIRE(::pipe2(out, O_CLOEXEC) == 0);
    in_ = UniqueFd(in[1]);
    out_ = UniqueFd(out[0]);
    const UniqueFd its_in(in[0]), its_out(out[1]);
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, in[0], 0);
    posix_spawn_file_actions_adddup2(&actions, out[1], 1);
    const char* argv[] = {"sh", "-c", "read go; (sleep 300 & echo $!); read go", nullptr};
    REQUIRE(::posix_spawn(&pid_, "/bin/sh", &actions, nullptr, const_cast<char**>(argv), environ) == 0);
    posix_spawn_file_actions_destroy(&actions);
  }
  ~Helper() {
    for (pid_t pid : {pid_, orphan_}) {
      if (pid <= 0) continue;
      ::kill(pid, SIGKILL);
      ::waitpid(pid, nullptr, 0);
    }
  }

  pid_t pid() const { return pid_; }
  pid_t leave_orphan() {
    char line[32] = {};
    CHECK(::write(in_.get(), "\n", 1) == 1);
    CHECK(::read(out_.get(), line, sizeof line - 1) > 0);
    orphan_ = std::atoi(line);
    for (int tries = 0; tries < 5'000 && !is_ours(); ++tries) ::usleep(1'000);
    CHECK(is_ours());
    return orphan_;
  }

 private:
  bool is_ours() const {
    const auto ours = children_of(::getpid()).pids;
    return std::ranges::find(ours, orphan_) != ours.end();
  }

  UniqueFd in_, out_;
  pid_t pid_ = -1;
  pid_t orphan_ = -1;
};

Task<> lose_a_tree_beside(World& world, Helper& helper) {
  const pid_t orphan = helper.leave_orphan();
  const auto child = world.start({"/bin/sh", "-c", stubborn_tree}, {"PATH=/usr/bin:/bin", "SANDBOX_AGENT_BIN=/bin/true"});
  const auto pids = pids_in(co_await read(world, child->out, "ready\n"));
  co_await lose_supervisor(world, *child);
  co_await until_gone(world, *child);
  CHECK(pids.size() == 4);
  CHECK_FALSE(any_alive(pids));
  CHECK(is_alive(helper.pid()));
  CHECK(is_alive(orphan));
}

// Each but the last, $1 below the first, waits for the next.
constexpr char generations[] =
    "echo $$; if [ $1 -gt 0 ]; then /bin/sh -c \"$0\" \"$0\" $(($1 - 1)); else echo ready; exec sleep 300; fi; exit";

}  // namespace

TEST_CASE("a program is started and its pipes are ours") {
  World().run([](World& world) -> Task<> {
    const auto child = world.start({"cat"});
    co_await until_running(world, *child);
    CHECK(child->running());
    CHECK(is_alive(child->pid()));
    CHECK(::write(child->in.get(), "hello\n", 6) == 6);
    const std::string echoed = co_await read(world, child->out, "\n");
    CHECK(echoed == "hello\n");
    child->in.close();
    co_await until_gone(world, *child);
    CHECK(child->exit()->code == 0);
    CHECK(child->exit()->success());
    CHECK_FALSE(child->running());
    CHECK_FALSE(child->supervisor_lost());
  });
}

TEST_CASE("arguments, environment and the three streams arrive as given") {
  World().run([](World& world) -> Task<> {
    const auto child = world.start({"/bin/sh", "-c", "echo \"$1|$2|$A|$HOME\"; echo oops >&2", "name", "a b", "--"}, {"A=x y"});
    const std::string out = co_await read(world, child->out);
    const std::string err = co_await read(world, child->err);
    CHECK(out == "a b|--|x y|\n");
    CHECK(err == "oops\n");
    co_await until_gone(world, *child);
  });
}

TEST_CASE("a program starts where it is told to") {
  World().run([](World& world) -> Task<> {
    const auto child = world.processes.start({{"/bin/pwd"}, {"PATH=/usr/bin:/bin"}, "/usr"}).value();
    child->set_listener(&world.changed);
    const std::string where = co_await read(world, child->out);
    CHECK(where == "/usr\n");
    co_await until_gone(world, *child);
  });
}

TEST_CASE("an exit code or a signal is reported as what it was") {
  World().run([](World& world) -> Task<> {
    const auto exits = world.shell("exit 7");
    co_await until_gone(world, *exits);
    CHECK(exits->exit()->code == 7);
    CHECK(exits->exit()->signal == 0);
    CHECK_FALSE(exits->exit()->success());
    const auto killed = world.shell("kill -SEGV $$");
    co_await until_gone(world, *killed);
    CHECK(killed->exit()->code == -1);
    CHECK(killed->exit()->signal == SIGSEGV);
    CHECK(signal_name(killed->exit()->signal) == "SIGSEGV");
  });
}

TEST_CASE("a program that cannot be started is an error number, and nothing is left") {
  World().run([](World& world) -> Task<> {
    const auto missing = world.start({"/no/such/program"});
    co_await until_gone(world, *missing);
    CHECK(missing->spawn_error() == ENOENT);
    CHECK(missing->pid() == -1);
    CHECK_FALSE(missing->exit().has_value());
    const auto forbidden = world.start({"/etc/passwd"});
    co_await until_gone(world, *forbidden);
    CHECK(forbidden->spawn_error() == EACCES);
  });
}

TEST_CASE("an agent gets its own session, default signals, the original descriptor limit and no descriptor but three") {
  rlimit original{};
  ::getrlimit(RLIMIT_NOFILE, &original);
  const rlimit lowered{500, original.rlim_max};
  ::setrlimit(RLIMIT_NOFILE, &lowered);
  const auto old_pipe = ::signal(SIGPIPE, SIG_IGN);
  const auto old_hup = ::signal(SIGHUP, SIG_IGN);
  World().run([](World& world) -> Task<> {
    rlimit raised{};
    ::getrlimit(RLIMIT_NOFILE, &raised);
    CHECK(raised.rlim_cur == raised.rlim_max);
    const auto child =
        world.start({"sh", "-c", "ls /proc/self/fd | wc -l; ulimit -n; exec cat /proc/self/stat /proc/self/status; "});
    co_await until_running(world, *child);
    const pid_t pid = child->pid();
    std::string adjusted;
    std::ifstream("/proc/" + std::to_string(pid) + "/oom_score_adj") >> adjusted;
    CHECK((adjusted == "500" || adjusted.empty()));
    const std::string facts = co_await read(world, child->out);
    CHECK(facts.starts_with("4\n500\n"));  // three and the folder that is listed
    std::istringstream stat(facts.substr(std::min(facts.size(), facts.rfind(") ") + 2)));
    std::string state, parent, group, session;
    stat >> state >> parent >> group >> session;
    CHECK(session == std::to_string(pid));
    CHECK(group == std::to_string(pid));
    CHECK(facts.find("SigBlk:\t0000000000000000\n") != std::string::npos);
    const std::size_t ignored = facts.find("SigIgn:\t");
    CHECK(ignored != std::string::npos);
    if (ignored != std::string::npos) CHECK((std::stoull(facts.substr(ignored + 8, 16), nullptr, 16) & 0x7fffffff) == 0);
    co_await until_gone(world, *child);
  });
  ::signal(SIGPIPE, old_pipe);
  ::signal(SIGHUP, old_hup);
  ::setrlimit(RLIMIT_NOFILE, &original);
}

TEST_CASE("stop ends an agent that listens with SIGTERM, long before its grace is over") {
  World().run([](World& world) -> Task<> {
    const auto child = world.start({"sleep", "300"});
    co_await until_running(world, *child);
    child->stop(60s);
    co_await until_gone(world, *child);
    CHECK(child->exit()->signal == SIGTERM);
  });
}

TEST_CASE("stop ends a whole tree that ignores SIGTERM, also what left the session or lost its parent") {
  World().run([](World& world) -> Task<> {
    const auto child = world.shell(stubborn_tree);
    const auto pids = pids_in(co_await read(world, child->out, "ready\n"));
    CHECK(pids.size() == 4);
    CHECK(std::ranges::all_of(pids, is_alive));
    child->stop(30ms);
    co_await until_gone(world, *child);
    CHECK_FALSE(any_alive(pids));
    CHECK(child->exit()->signal == SIGKILL);
  });
}

TEST_CASE("a second stop can shorten the grace of the first") {
  World().run([](World& world) -> Task<> {
    const auto child = world.shell(stubborn_tree);
    const auto pids = pids_in(co_await read(world, child->out, "ready\n"));
    child->stop(600s);
    child->stop(0ms);
    co_await until_gone(world, *child);
    CHECK_FALSE(any_alive(pids));
  });
}

TEST_CASE("what an agent leaves behind when it exits is ended after it") {
  World().run([](World& world) -> Task<> {
    const auto child = world.shell("trap '' TERM; sleep 300 & echo $!; setsid sleep 300 & echo $!; echo ready; exit 3");
    const auto pids = pids_in(co_await read(world, child->out, "ready\n"));
    while (!child->exit()) co_await world.changed.wait();
    CHECK(child->exit()->code == 3);
    co_await until_gone(world, *child);
    CHECK(pids.size() == 2);
    CHECK_FALSE(any_alive(pids));
  });
}

TEST_CASE("when a supervisor is killed, nothing it watched over is left, and others are not touched") {
  World().run([](World& world) -> Task<> {
    const auto other = world.start({"cat"});
    co_await until_running(world, *other);
    const auto child = world.shell(stubborn_tree);
    const auto pids = pids_in(co_await read(world, child->out, "ready\n"));
    co_await lose_supervisor(world, *child);
    co_await until_gone(world, *child);
    CHECK(child->supervisor_lost());
    CHECK(child->exit()->signal == SIGKILL);
    CHECK_FALSE(any_alive(pids));
    CHECK(is_alive(other->pid()));
    CHECK_FALSE(other->gone());
    CHECK(world.processes.alive() == 1);
    other->stop(0ms);
    co_await until_gone(world, *other);
  });
}

TEST_CASE("when a supervisor is killed and no descriptor is left, its tree is ended all the same") {
  World().run([](World& world) -> Task<> {
    const auto child = world.shell(stubborn_tree);
    const auto pids = pids_in(co_await read(world, child->out, "ready\n"));
    co_await lose_supervisor(world, *child);
    const FewDescriptors limit(200);
    const auto taken = take_all_descriptors();
    co_await until_gone(world, *child);
    CHECK(pids.size() == 4);
    CHECK_FALSE(any_alive(pids));
  });
}

TEST_CASE("a tree that could not be looked for is not gone, and is ended when it can") {
  World().run([](World& world) -> Task<> {
    const auto child = world.shell(stubborn_tree);
    const auto pids = pids_in(co_await read(world, child->out, "ready\n"));
    co_await lose_supervisor(world, *child);
    {
      const FewDescriptors limit(0);
      while (!child->supervisor_lost()) co_await world.changed.wait();
      CHECK_FALSE(child->gone());
      CHECK(std::ranges::all_of(pids, is_alive));
    }
    co_await until_gone(world, *child);
    CHECK_FALSE(any_alive(pids));
  });
}

TEST_CASE("what could not be killed, for it ran with other rights, is killed as soon as it can be") {
  if (::geteuid() != 0) return;  // nobody else can give rights up and take them back
  World().run([](World& world) -> Task<> {
    const auto child = world.shell(stubborn_tree);
    const auto pids = pids_in(co_await read(world, child->out, "ready\n"));
    co_await lose_supervisor(world, *child);
    {
      const FewRights rights;
      Signal later(world.loop);
      Timer timer(world.loop);
      timer.arm_in(Millis(50), [&later] { later.notify(); });
      co_await later.wait();
      CHECK_FALSE(child->gone());
      CHECK(std::ranges::all_of(pids, is_alive));
    }
    co_await until_gone(world, *child);
    CHECK_FALSE(any_alive(pids));
  });
}

TEST_CASE("what a helper that we were started with leaves behind is not killed with a lost tree") {
  Helper helper;
  World world;
  world.ProcessWorld::run(lose_a_tree_beside(world, helper));
}

TEST_CASE("a tree of many generations is ended with its supervisor, and soon") {
  World().run([](World& world) -> Task<> {
    const auto child = world.start({"/bin/sh", "-c", generations, generations, "200"});
    const auto pids = pids_in(co_await read(world, child->out, "ready\n"));
    CHECK(pids.size() == 201);
    co_await lose_supervisor(world, *child);
    const TimePoint lost = Clock::now();
    co_await until_gone(world, *child);
    CHECK_FALSE(any_alive(pids));
    CHECK(Clock::now() - lost < 5s);
  });
}

TEST_CASE("killing all ends everything at once") {
  World().run([](World& world) -> Task<> {
    const auto first = world.shell(stubborn_tree), second = world.shell(stubborn_tree);
    auto pids = pids_in(co_await read(world, first->out, "ready\n"));
    for (pid_t pid : pids_in(co_await read(world, second->out, "ready\n"))) pids.push_back(pid);
    world.processes.kill_all();
    while (world.processes.alive() > 0) co_await world.changed.wait();
    CHECK(pids.size() == 8);
    CHECK_FALSE(any_alive(pids));
    first->set_listener(nullptr);
    second->set_listener(nullptr);
  });
}

TEST_CASE("signals have names") {
  CHECK(signal_name(SIGKILL) == "SIGKILL");
  CHECK(signal_name(SIGTERM) == "SIGTERM");
  CHECK(signal_name(SIGRTMIN) == "SIGRTMIN");
  CHECK(signal_name(SIGRTMIN + 3) == "SIGRTMIN+3");
  CHECK(signal_name(SIGRTMAX + 1) == std::to_string(SIGRTMAX + 1));
  CHECK(signal_name(12345) == "12345");
}

}  // namespace sa
