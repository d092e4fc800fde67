// With shell scripts in place of the server: they get ready, fail or hang as a test wants it.
#include "daemon/background.h"

#include <doctest/doctest.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>

#include <algorithm>
#include <filesystem>
#include <thread>

#include "base/scratch_folder.h"
#include "daemon/background_lock.h"
#include "daemon/detached_server.h"
#include "daemon/startup_text.h"

namespace sa {
namespace {

constexpr std::string_view beginning = R"script(#!/bin/sh
cd "${0%/*}"
echo start >> starts
trap '' PIPE
listen() {
  printf '{"url":"http://127.0.0.1:1","pid":%d,"startTicks":%s,"version":"x","startedAtMs":1,"background":true,' \
    $$ "$(cut -d' ' -f22 /proc/$$/stat)" > new
  printf '"noToken":true,"agents":[],"idleExitMs":0}' >> new
  mv new state/server-1.json
  echo ready >&4
}
stay() { exec sleep 1000 4>&-; }
)script";

// What stays in the folder.
std::vector<std::string> after_an_end() { return {background_lock_file("").substr(1), "daemon.log"}; }

constexpr std::string_view well_behaved = "listen; stay\n";

// A state folder, a script as the server, and an end for whatever was started.
struct BackgroundScene {
  ScratchFolder home;
  std::string folder = home.at("state");

  explicit BackgroundScene(std::string_view script = well_behaved) { set(script); }
  BackgroundScene(const BackgroundScene&) = delete;
  ~BackgroundScene() {
    CHECK(stop_background(Millis(0), folder).has_value());
    while (::waitpid(-1, nullptr, WNOHANG) > 0) {
    }
  }

  void set(std::string_view script) const { home.write("server", std::string(beginning) + std::string(script), 0755); }
  BackgroundStart start() const { return {.setting_words = {}, .program = home.at("server"), .folder = folder}; }
  std::size_t starts() const { return static_cast<std::size_t>(std::ranges::count(home.read("starts"), '\n')); }
  bool is_locked() const {
    const auto lock = try_background_lock(folder);
    REQUIRE(lock.has_value());
    return !lock->has_value();
  }
  // What starters get that come at the same time.
  std::vector<Outcome<StartedServer>> race(std::size_t count) const {
    std::vector<Outcome<StartedServer>> outcomes(count, failed({.what = "did not run"}));
    std::vector<std::jthread> starters;
    starters.reserve(count);
    for (auto& outcome : outcomes) starters.emplace_back([&] { outcome = start_background(start()); });
    for (std::jthread& starter : starters) starter.join();
    return outcomes;
  }
  StartedServer begin() const {
    auto started = start_background(start());
    REQUIRE_MESSAGE(started.has_value(), started.error().what << ": " << started.error().why);
    return *started;
  }
};

template <class Condition>
bool eventually(Condition condition) {
  const TimePoint deadline = Clock::now() + std::chrono::seconds(20);
  while (!condition()) {
    if (Clock::now() > deadline) return false;
    std::this_thread::sleep_for(Millis(1));
  }
  return true;
}

}  // namespace

TEST_CASE("a background daemon is started once, found again, and stopped") {
  const BackgroundScene scene;
  const StartedServer first = scene.begin();
  CHECK(first.fresh);
  CHECK(scene.home.read(background_pid_file("state")) == std::to_string(first.state.pid) + "\n");
  CHECK(scene.home.mode("state/daemon.log") == 0600);
  CHECK(scene.home.mode(background_lock_file("state")) == 0600);
  CHECK(scene.is_locked());

  const StartedServer second = scene.begin();
  CHECK_FALSE(second.fresh);
  CHECK(second.state.pid == first.state.pid);
  CHECK(scene.starts() == 1);

  CHECK(stop_background(std::chrono::seconds(20), scene.folder) == true);
  CHECK_FALSE(is_running(first.state));
  CHECK_FALSE(scene.is_locked());
  CHECK(scene.home.names("state") == after_an_end());
  CHECK(stop_background(std::chrono::seconds(20), scene.folder) == false);
}

TEST_CASE("of starters that race exactly one starts, and all get the same daemon") {
  const BackgroundScene scene("sleep 0.1; listen; stay\n");
  const auto outcomes = scene.race(8);
  std::size_t fresh = 0;
  for (const auto& outcome : outcomes) {
    REQUIRE(outcome.has_value());
    CHECK(outcome->state.pid == outcomes[0]->state.pid);
    fresh += outcome->fresh;
  }
  CHECK(fresh == 1);
  CHECK(scene.starts() == 1);
}

TEST_CASE("a starter that loses to one whose daemon fails starts its own") {
  const BackgroundScene scene(
      "[ $(wc -l < starts) -gt 1 ] || { sleep 0.05; echo 'error: bad luck' >&2; exit 1; }\nlisten; stay\n");
  const auto outcomes = scene.race(2);
  CHECK(outcomes[0].has_value() != outcomes[1].has_value());
  CHECK(scene.starts() == 2);
}

TEST_CASE("a starter that is killed before its daemon is ready leaves a daemon to use") {
  const BackgroundScene scene("until [ -e go ]; do sleep 0.01; done\nlisten; stay\n");
  const pid_t starter = ::fork();
  if (starter == 0) {
    const auto never = start_background(scene.start());
    ::_exit(never ? 0 : 1);
  }
  REQUIRE(eventually([&] { return scene.starts() == 1; }));
  ::kill(starter, SIGKILL);
  REQUIRE(::waitpid(starter, nullptr, 0) == starter);
  CHECK(scene.is_locked());
  scene.home.write("go", "");
  const StartedServer found = scene.begin();
  CHECK_FALSE(found.fresh);
  CHECK(scene.starts() == 1);
  CHECK(is_running(found.state));
  CHECK(stop_background(std::chrono::seconds(20), scene.folder) == true);
}

TEST_CASE("after a crash everything is repaired and a new daemon started") {
  const BackgroundScene scene;
  const StartedServer first = scene.begin();
  ::kill(static_cast<pid_t>(first.state.pid), SIGKILL);
  REQUIRE(eventually([&] { return !is_running(first.state); }));
  CHECK(scene.home.has("state/server-1.json"));
  const StartedServer second = scene.begin();
  CHECK(second.fresh);
  CHECK(second.state.pid != first.state.pid);
  CHECK(scene.home.read(background_pid_file("state")) == std::to_string(second.state.pid) + "\n");
}

TEST_CASE("stopping after a crash says that none ran, and removes what is left") {
  const BackgroundScene scene;
  const StartedServer started = scene.begin();
  ::kill(static_cast<pid_t>(started.state.pid), SIGKILL);
  REQUIRE(eventually([&] { return !is_running(started.state); }));
  CHECK(stop_background(std::chrono::seconds(20), scene.folder) == false);
  CHECK(scene.home.names("state") == after_an_end());
}

TEST_CASE("a daemon that fails at its start is quoted, and only what it said this time") {
  const BackgroundScene scene("printf 'a log line\\nerror: no such thing\\n  for a reason\\n  try: another\\n' >&2; exit 2\n");
  scene.home.write("state/daemon.log", "error: of yesterday\n");
  const auto refused = start_background(scene.start());
  REQUIRE_FALSE(refused.has_value());
  CHECK(refused.error().exit == Exit::usage);
  CHECK(refused.error().what == "no such thing");
  CHECK(refused.error().why == "for a reason");
  CHECK(refused.error().what_to_do == "another");
  CHECK_FALSE(scene.is_locked());
  CHECK_FALSE(scene.home.has(background_pid_file("state")));

  scene.set("echo Segmentation fault >&2; kill -SEGV $$\n");
  const auto crashed = start_background(scene.start());
  REQUIRE_FALSE(crashed.has_value());
  CHECK(crashed.error().exit == Exit::failure);
  CHECK(crashed.error().why == "Segmentation fault");
}

TEST_CASE("a program that is not there is told") {
  const BackgroundScene scene;
  BackgroundStart start = scene.start();
  start.program = scene.home.at("missing");
  const auto refused = start_background(start);
  REQUIRE_FALSE(refused.has_value());
  CHECK(refused.error().why.find("ENOENT") != std::string::npos);
  CHECK_FALSE(scene.is_locked());
}

TEST_CASE("a daemon that does not become ready in time is killed") {
  const BackgroundScene scene("stay 5>&4\n");
  BackgroundStart start = scene.start();
  start.patience = Millis(100);
  const auto refused = start_background(start);
  REQUIRE_FALSE(refused.has_value());
  CHECK(refused.error().why.find("daemon.log") != std::string::npos);
  CHECK_FALSE(scene.is_locked());
}

TEST_CASE("a default port that is taken is replaced by a free one, if that is wanted and no port was named") {
  const std::string taken = port_taken_sentence(Settings{}.port);
  const BackgroundScene scene("case \"$*\" in *'--port 0'*) listen; stay;; esac\necho 'error: " + taken + "' >&2; exit 1\n");
  BackgroundStart start = scene.start();
  const auto as_given = start_background(start);
  REQUIRE_FALSE(as_given.has_value());
  CHECK(as_given.error().what == taken);

  start.port = PortChoice::free_when_taken;
  start.setting_words = {"--port", "2468"};
  CHECK_FALSE(start_background(start).has_value());
  CHECK(scene.starts() == 2);

  start.setting_words = {"--no-token"};
  const auto started = start_background(start);
  REQUIRE(started.has_value());
  CHECK(started->fresh);
  CHECK(scene.starts() == 4);
}

TEST_CASE("a successor gets the port of the one before it, and its token by a file that is gone afterwards") {
  const BackgroundScene scene("echo \"$*\" > words; cp state/kept-token* kept; listen; stay\n");
  BackgroundStart start = scene.start();
  start.kept_port = 1234;
  start.kept_token = "secret";
  start.for_command = true;
  REQUIRE(start_background(start).has_value());
  CHECK(scene.home.read("words") == "server --background --for-command --port 1234 --ready-fd 4\n");
  CHECK(scene.home.read("kept") == "secret\n");
  CHECK_FALSE(scene.home.has(kept_token_file("state")));
}

TEST_CASE("what is left of a start that was cut short is no token for the next one") {
  const BackgroundScene scene("for file in state/kept-token*; do test -e $file && touch found; done; listen; stay\n");
  scene.home.write(kept_token_file("state"), "old\n");
  REQUIRE(start_background(scene.start()).has_value());
  CHECK_FALSE(scene.home.has("found"));
}

TEST_CASE("a token that is handed over is gone when the server cannot even be started") {
  const BackgroundScene scene;
  REQUIRE(std::filesystem::create_directories(scene.folder + "/daemon.log"));
  BackgroundStart start = scene.start();
  start.kept_token = "secret";
  CHECK_FALSE(start_background(start).has_value());
  CHECK_FALSE(scene.home.has(kept_token_file("state")));
}

TEST_CASE("a successor whose port somebody took meanwhile gets another one") {
  const std::string taken = port_taken_sentence(1234);
  const BackgroundScene scene("case \"$*\" in *'--port 1234'*) echo 'error: " + taken + "' >&2; exit 1;; esac\nlisten; stay\n");
  BackgroundStart start = scene.start();
  start.kept_port = 1234;
  CHECK(start_background(start).has_value());
  CHECK(scene.starts() == 2);
}

TEST_CASE("a kept token is taken once") {
  const ScratchFolder folder;
  CHECK(take_kept_token(folder.path()).empty());
  folder.write(kept_token_file("").substr(1), "secret\n");
  CHECK(take_kept_token(folder.path()) == "secret");
  CHECK(take_kept_token(folder.path()).empty());
}

TEST_CASE("a daemon gets its words, a home to work in, and of our descriptors only the lock and the pipe") {
  const UniqueFd ours(::fcntl(STDERR_FILENO, F_DUPFD, 20));
  const BackgroundScene scene(
      "echo \"$*\" > words; ls /proc/self/fd > descriptors; readlink /proc/$$/fd/0 > input\n"
      "cut -d' ' -f6 /proc/$$/stat > group; echo \"$OLDPWD\" > folder; listen; stay\n");
  BackgroundStart start = scene.start();
  start.setting_words = {"--agent", "x=y z", "--fs-root", "work"};
  start.idle_exit = Millis(5000);
  const auto started = start_background(start);
  REQUIRE(started.has_value());
  CHECK(scene.home.read("words") ==
        "server --idle-exit-ms 5000 --agent x=y z --fs-root " + absolute_path("work") + " --background --ready-fd 4\n");
  CHECK(scene.home.read("descriptors") == "0\n1\n2\n3\n4\n5\n");  // 5: the folder being listed
  CHECK(scene.home.read("input") == "/dev/null\n");
  CHECK(scene.home.read("group") == std::to_string(started->state.pid) + "\n");
  CHECK(scene.home.read("folder") == home_directory() + "\n");
}

TEST_CASE("a log that has grown large makes room for a new one") {
  const BackgroundScene scene;
  scene.home.write("state/daemon.log", "");
  REQUIRE(::truncate(background_log(scene.folder).c_str(), (8 << 20) + 1) == 0);
  scene.begin();
  CHECK(scene.home.has("state/daemon.log.1"));
  CHECK(scene.home.read("state/daemon.log").empty());
}

TEST_CASE("a daemon that does not heed the signal is killed when patience is over") {
  const BackgroundScene scene("trap '' TERM; listen; stay\n");
  const StartedServer started = scene.begin();
  CHECK(stop_background(Millis(50), scene.folder) == true);
  CHECK_FALSE(is_running(started.state));
  CHECK_FALSE(scene.is_locked());
}

TEST_CASE("a daemon that grants its agents a longer grace than our patience is not killed within it") {
  const BackgroundScene scene("trap 'sleep 0.3; echo done > ended; exit 0' TERM; listen; while :; do sleep 0.01; done\n");
  const StartedServer started = scene.begin();
  ServerState state = started.state;
  state.stop_grace_ms = 20'000;
  REQUIRE(store_state(state, scene.folder).has_value());
  CHECK(stop_background(Millis(50), scene.folder) == true);
  CHECK(scene.home.has("ended"));
  CHECK_FALSE(is_running(started.state));
}

TEST_CASE("a daemon that is not ready yet can be stopped") {
  const BackgroundScene scene("stay 5>&4\n");
  Outcome<StartedServer> outcome = failed({.what = "did not run"});
  std::jthread starter([&] { outcome = start_background(scene.start()); });
  REQUIRE(eventually([&] { return scene.starts() == 1; }));
  const TimePoint asked = Clock::now();
  CHECK(stop_background(std::chrono::seconds(20), scene.folder) == true);
  starter.join();
  CHECK(Clock::now() - asked < scene.start().patience / 2);  // it was ended by us, not by the patience of its starter
  CHECK_FALSE(outcome.has_value());
  CHECK_FALSE(scene.is_locked());
}

TEST_CASE("a daemon whose state file was lost can be stopped, and another one started") {
  const BackgroundScene scene;
  const StartedServer first = scene.begin();
  REQUIRE(::unlink(scene.home.at("state/server-1.json").c_str()) == 0);
  CHECK(stop_background(std::chrono::seconds(20), scene.folder) == true);
  CHECK_FALSE(is_running(first.state));
  CHECK_FALSE(scene.is_locked());
  CHECK_FALSE(scene.home.has(background_pid_file("state")));
  CHECK(scene.begin().fresh);
}

TEST_CASE("who stops a daemon that is ending already waits for its end, too") {
  const BackgroundScene scene("trap 'rm state/server-1.json; sleep 3; exit 0' TERM; listen; while :; do sleep 0.01; done\n");
  const StartedServer started = scene.begin();
  ::kill(static_cast<pid_t>(started.state.pid), SIGTERM);
  REQUIRE(eventually([&] { return !scene.home.has("state/server-1.json"); }));
  CHECK(is_running(started.state));
  CHECK(stop_background(std::chrono::seconds(20), scene.folder) == true);
  CHECK_FALSE(is_running(started.state));
  CHECK_FALSE(scene.is_locked());
}

TEST_CASE("who stops a daemon that is ending already grants its agents the same time") {
  const BackgroundScene scene(
      "trap 'rm state/server-1.json; sleep 0.3; echo done > ended; exit 0' TERM\nlisten; while :; do sleep 0.01; done\n");
  BackgroundStart start = scene.start();
  start.setting_words = {"--stop-grace-ms", "20000"};
  const auto started = start_background(start);
  REQUIRE(started.has_value());
  ::kill(static_cast<pid_t>(started->state.pid), SIGTERM);
  REQUIRE(eventually([&] { return !scene.home.has("state/server-1.json"); }));
  CHECK(stop_background(Millis(50), scene.folder) == true);
  CHECK(scene.home.has("ended"));
}

TEST_CASE("a pid file that names a foreign process harms nobody") {
  const BackgroundScene scene;
  scene.home.write(background_pid_file("state"), std::to_string(::getpid()));
  CHECK(stop_background(std::chrono::seconds(20), scene.folder) == false);
  CHECK_FALSE(scene.home.has(background_pid_file("state")));
}

TEST_CASE("stopping where nothing ever ran makes no folder") {
  const ScratchFolder home;
  CHECK(stop_background(std::chrono::seconds(1), home.at("state")) == false);
  CHECK(home.names().empty());
}

TEST_CASE("output without an error line gives its last line as the reason") {
  const Failure failure = failure_said_in("one\ntwo\n\n", Exit::failure);
  CHECK(failure.what == "the background daemon ended at its start");
  CHECK(failure.why == "two");
  CHECK(failure_said_in("", Exit::failure).why.empty());
}

}  // namespace sa
