// Real programs under real supervisors: this test binary re-executes itself as theirs.
#include "io/run_program.h"

#include <doctest/doctest.h>
#include <signal.h>

#include <algorithm>
#include <functional>
#include <sstream>

#include "base/scratch_folder.h"
#include "io/process_world.h"

namespace sa {
namespace {

using namespace std::chrono_literals;

struct World : ProcessWorld {
  Result<ProgramResult> run(ProgramSpec spec) { return ProcessWorld::run(run_program(loop, processes, std::move(spec))); }
};

ProgramSpec program(std::vector<std::string> argv) { return {.child = {std::move(argv), {"PATH=/usr/bin:/bin"}}}; }
ProgramSpec shell(std::string script) { return program({"/bin/sh", "-c", std::move(script)}); }

ProgramResult run(ProgramSpec spec) { return World().run(std::move(spec)).value(); }

bool is_alive(pid_t pid) { return ::kill(pid, 0) == 0 || errno != ESRCH; }

// With a time limit that is longer the second time: others use the machine too, and who was not `ready` at the first limit had
// not begun.
ProgramResult run_to_limit(ProgramSpec spec, const std::function<bool(const ProgramResult&)>& ready) {
  spec.time_limit = 1s;
  ProgramResult result = run(spec);
  if (ready(result)) return result;
  spec.time_limit = 10s;
  return run(std::move(spec));
}

std::size_t count_alive(const std::string& pids) {
  std::istringstream in(pids);
  std::size_t alive = 0;
  for (pid_t pid = 0; in >> pid;) alive += is_alive(pid) ? 1 : 0;
  return alive;
}

}  // namespace

TEST_CASE("a program that ends well is a success with its last words") {
  const ProgramResult result = run(shell("echo out; echo err >&2"));
  CHECK(result.ok());
  CHECK(result.exit->code == 0);
  CHECK(result.spawn_error == 0);
  CHECK(result.out_tail == "out\n");
  CHECK(result.err_tail == "err\n");
}

TEST_CASE("a program has nothing to read") {
  const ProgramResult result = run(program({"cat"}));
  CHECK(result.ok());
  CHECK(result.out_tail.empty());
}

TEST_CASE("an exit code or a signal is no success") {
  const ProgramResult code = run(shell("echo why >&2; exit 7"));
  CHECK_FALSE(code.ok());
  CHECK(code.exit->code == 7);
  CHECK(code.err_tail == "why\n");
  CHECK(exit_text(code.exit) == "exited with code 7");
  const ProgramResult killed = run(shell("kill -SEGV $$"));
  CHECK_FALSE(killed.ok());
  CHECK(killed.exit->signal == SIGSEGV);
  CHECK(exit_text(killed.exit) == "was ended by SIGSEGV");
  CHECK(exit_text({}) == "ended");
}

TEST_CASE("a flood on both streams is taken to its end, and the tails are bounded") {
  ProgramSpec spec = shell(
      "head -c 5000000 /dev/zero | tr '\\0' x & head -c 5000000 /dev/zero | tr '\\0' y >&2; wait; echo end; echo END >&2");
  spec.tail_bytes = 100;
  const ProgramResult result = run(std::move(spec));
  CHECK(result.ok());
  CHECK(result.out_tail == std::string(96, 'x') + "end\n");
  CHECK(result.err_tail == std::string(96, 'y') + "END\n");
}

TEST_CASE("at the time limit the whole tree is ended, also what ignores SIGTERM in a session of its own") {
  ProgramSpec spec =
      shell("trap '' TERM; echo $$; setsid sleep 300 & echo $!; (setsid sleep 300 & echo $!); wait; wait; sleep 300");
  const auto tells_three = [](const ProgramResult& told) { return std::ranges::count(told.out_tail, '\n') == 3; };
  const ProgramResult result = run_to_limit(std::move(spec), tells_three);
  CHECK_FALSE(result.ok());
  CHECK(result.timed_out);
  CHECK_FALSE(result.stopped);
  CHECK(result.exit->signal == SIGKILL);
  CHECK(tells_three(result));
  CHECK(count_alive(result.out_tail) == 0);
}

TEST_CASE("a program that ends well when it is told to has timed out all the same") {
  ProgramSpec spec = shell("trap 'echo bye; exit 0' TERM; while :; do sleep 0.01; done");
  const auto ended_by_itself = [](const ProgramResult& told) { return told.exit && told.exit->signal == 0; };
  const ProgramResult result = run_to_limit(std::move(spec), ended_by_itself);
  REQUIRE(result.exit.has_value());
  CHECK(result.timed_out);
  CHECK_FALSE(result.ok());
  CHECK(result.exit->code == 0);
  CHECK(result.out_tail == "bye\n");
}

TEST_CASE("what a program leaves running is ended before the result is there") {
  const ProgramResult result = run(shell("trap '' TERM; sleep 300 & echo $!; setsid sleep 300 & echo $!; exit 3"));
  CHECK_FALSE(result.timed_out);
  CHECK(result.exit->code == 3);
  CHECK(std::ranges::count(result.out_tail, '\n') == 2);
  CHECK(count_alive(result.out_tail) == 0);
}

TEST_CASE("a program that cannot be started is an error number") {
  const ProgramResult missing = run(program({"/no/such/program"}));
  CHECK_FALSE(missing.ok());
  CHECK(missing.spawn_error == ENOENT);
  CHECK_FALSE(missing.exit.has_value());
  CHECK_FALSE(missing.timed_out);
  CHECK_FALSE(missing.stopped);
}

TEST_CASE("a stop ends the program and its tree") {
  const ScratchFolder folder;
  StopFlag stop = false;
  World world;
  Timer look(world.loop);
  const std::function<void()> stop_when_ready = [&] {
    stop = folder.has("ready");
    if (!stop) look.arm_in(5ms, stop_when_ready);
  };
  stop_when_ready();
  ProgramSpec spec = shell("trap '' TERM; echo $$; sleep 300 & echo $!; touch ready; wait");
  spec.child.cwd = folder.path();
  spec.stop = &stop;
  const ProgramResult result = world.run(std::move(spec)).value();
  CHECK(result.stopped);
  CHECK_FALSE(result.timed_out);
  CHECK_FALSE(result.ok());
  CHECK(std::ranges::count(result.out_tail, '\n') == 2);
  CHECK(count_alive(result.out_tail) == 0);
}

TEST_CASE("after a stop nothing is started") {
  const StopFlag stop = true;
  ProgramSpec spec = shell("echo started");
  spec.stop = &stop;
  const ProgramResult result = run(std::move(spec));
  CHECK(result.stopped);
  CHECK_FALSE(result.exit.has_value());
  CHECK(result.out_tail.empty());
}

TEST_CASE("a program starts in the directory it is given") {
  const ScratchFolder folder;
  folder.write("here.sh", "#!/bin/sh\npwd\n", 0755);
  ProgramSpec spec = program({"./here.sh"});
  spec.child.cwd = folder.path();
  const ProgramResult result = run(std::move(spec));
  CHECK(result.ok());
  CHECK(result.out_tail == folder.path() + "\n");
}

TEST_CASE("a directory that is not there is named") {
  const ScratchFolder folder;
  folder.write("file", "");
  for (const std::string& cwd : {folder.at("missing"), folder.at("file")}) {
    ProgramSpec spec = shell("echo started");
    spec.child.cwd = cwd;
    const auto refused = World().run(std::move(spec));
    REQUIRE_FALSE(refused.has_value());
    CHECK(refused.error().code == ErrorCode::agent_spawn_failed);
    CHECK(refused.error().detail.find("'" + cwd + "'") != std::string::npos);
  }
}

}  // namespace sa
