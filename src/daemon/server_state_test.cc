#include "daemon/server_state.h"

#include <doctest/doctest.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>

#include <thread>

#include "base/scratch_folder.h"
#include "base/shape_read.h"
#include "io/process_tree.h"

namespace sa {
namespace {

// A process that lives until it is told otherwise.
struct OtherProcess {
  pid_t pid = ::fork();
  OtherProcess() {
    if (pid == 0)
      for (;;) ::pause();
  }
  OtherProcess(const OtherProcess&) = delete;
  ~OtherProcess() { end(); }

  void kill_only() const { ::kill(pid, SIGKILL); }
  void end() {
    if (pid <= 0) return;
    kill_only();
    ::waitpid(pid, nullptr, 0);
    pid = 0;
  }
};

ServerState state_of(pid_t pid, std::uint16_t port, std::int64_t started_at = 1) {
  return {.url = "http://127.0.0.1:" + std::to_string(port),
          .pid = pid,
          .start_ticks = start_ticks(pid),
          .version = "1.2.3",
          .started_at_ms = started_at};
}

void store(const ServerState& state, const ScratchFolder& folder) { REQUIRE(store_state(state, folder.path()).has_value()); }

struct TokenVariable {
  explicit TokenVariable(const char* value) { ::setenv("SANDBOX_AGENT_TOKEN", value, 1); }
  TokenVariable(const TokenVariable&) = delete;
  ~TokenVariable() { ::unsetenv("SANDBOX_AGENT_TOKEN"); }
};

}  // namespace

TEST_CASE("a server's state is read as it was written, by its user only") {
  const ScratchFolder home;
  const std::string folder = home.at("data/daemon");
  ServerState state = state_of(::getpid(), 4711, 99);
  state.background = true;
  state.token = "secret";
  state.token_file = "/x/y";
  state.no_token = true;
  state.agents = {"a=b c", "d=e"};
  state.idle_exit_ms = 5000;
  state.stop_grace_ms = 7000;
  const auto path = store_state(state, folder);
  REQUIRE(path.has_value());
  CHECK(*path == folder + "/server-4711.json");
  CHECK(home.mode("data/daemon") == 0700);
  CHECK(home.mode("data/daemon/server-4711.json") == 0600);
  CHECK(home.names("data/daemon") == std::vector<std::string>{"server-4711.json"});

  const auto servers = known_servers(folder);
  REQUIRE(servers.size() == 1);
  CHECK(to_json(servers[0]) == to_json(state));

  drop_state(*path);
  CHECK(known_servers(folder).empty());
  CHECK(home.names("data/daemon").empty());
}

TEST_CASE("a token the user chose is never stored, a generated one is") {
  Settings settings;
  settings.token_file = "relative/token";
  settings.agents = {"x=y"};
  settings.instances.stop_grace = Millis(7'000);
  const ServerState chosen = own_state(settings, {"mine", "from --token", false}, "http://127.0.0.1:1");
  CHECK_FALSE(chosen.token.has_value());
  CHECK(chosen.token_file == absolute_path("relative/token"));
  CHECK(chosen.agents == settings.agents);
  CHECK(chosen.stop_grace_ms == 7'000);
  CHECK_FALSE(chosen.no_token);
  CHECK(is_running(chosen));
  CHECK(own_state({}, {"random", "generated", true}, "u").token == "random");
  CHECK(own_state({}, {}, "u").no_token);
}

TEST_CASE("the state of a server that is gone is removed by whoever meets it") {
  const ScratchFolder folder;
  OtherProcess other;
  store(state_of(other.pid, 1), folder);
  CHECK(known_servers(folder.path()).size() == 1);
  other.end();
  CHECK(known_servers(folder.path()).empty());
  CHECK_FALSE(folder.has("server-1.json"));
}

TEST_CASE("a server that has ended and was not waited for is gone") {
  const ScratchFolder folder;
  const OtherProcess other;
  const ServerState state = state_of(other.pid, 1);
  store(state, folder);
  other.kill_only();
  siginfo_t ended{};
  REQUIRE(::waitid(P_PID, static_cast<id_t>(other.pid), &ended, WEXITED | WNOWAIT) == 0);
  CHECK(start_ticks(other.pid) == state.start_ticks);
  CHECK(known_servers(folder.path()).empty());
}

TEST_CASE("a process that got the pid of a dead server is not taken for it") {
  const ScratchFolder folder;
  ServerState state = state_of(::getpid(), 1);
  state.start_ticks -= 1;
  store(state, folder);
  CHECK(known_servers(folder.path()).empty());
  CHECK_FALSE(folder.has("server-1.json"));
}

TEST_CASE(
    "files that cannot be read as a state count for nothing and are left alone, as states of other namespaces and machines "
    "are") {
  const ScratchFolder folder;
  folder.write("server-1.json", "{\"url\":");
  folder.write("server-2.json", "");
  folder.write("server-3.json", R"({"url":"x","pid":"four"})");
  folder.write("server-4.json", std::string(3 << 20, ' '));
  folder.write("daemon.log", "hello");
  store(state_of(::getpid(), 5), folder);
  ServerState elsewhere = state_of(1, 6);
  elsewhere.world = "boot pid:[1]";
  store(elsewhere, folder);
  ServerState of_another_machine = state_of(1, 7);
  of_another_machine.world = "boot" + own_state({}, {}, "").world.substr(36);
  store(of_another_machine, folder);
  CHECK(known_servers(folder.path()).size() == 1);
  CHECK(folder.names().size() == 8);
}

TEST_CASE("a server on the same port of another address keeps its state, and a dead one's is taken over") {
  const ScratchFolder folder;
  OtherProcess other;
  store(state_of(other.pid, 1), folder);
  const auto second = store_state(state_of(::getpid(), 1), folder.path());
  REQUIRE(second.has_value());
  CHECK(known_servers(folder.path()).size() == 2);
  drop_state(folder.at("server-1.json"));  // not ours
  CHECK(known_servers(folder.path()).size() == 2);
  drop_state(*second);
  CHECK(folder.names() == std::vector<std::string>{"server-1.json"});

  other.end();
  store(state_of(::getpid(), 1), folder);
  CHECK(folder.names() == std::vector<std::string>{"server-1.json"});
  CHECK(known_servers(folder.path()).size() == 1);
}

TEST_CASE("the state of a server of a container or a machine that shares the folder is neither overwritten nor dropped") {
  const ScratchFolder folder;
  const ServerState here = own_state({}, {}, "");
  ServerState in_a_container = state_of(::getpid(), 1);
  in_a_container.machine = here.machine;
  in_a_container.world = here.world.substr(0, here.world.find(' ')) + " pid:[1]";
  ServerState of_a_machine = state_of(::getpid(), 2);
  of_a_machine.machine = "not-" + here.machine;
  of_a_machine.world = "another-boot" + here.world.substr(here.world.find(' '));
  for (const ServerState& elsewhere : {in_a_container, of_a_machine}) {
    const auto theirs = store_state(elsewhere, folder.path());
    const auto ours = store_state(state_of(::getpid(), static_cast<std::uint16_t>(elsewhere.url.back() - '0')), folder.path());
    REQUIRE(theirs.has_value());
    REQUIRE(ours.has_value());
    CHECK(*ours != *theirs);
    CHECK(known_servers(folder.path()).size() == 1);
    drop_state(*theirs);
    drop_state(*ours);
  }
  CHECK(folder.names() == std::vector<std::string>{"server-1.json", "server-2.json"});
}

TEST_CASE("what a server left before the machine was started anew is removed by whoever meets it") {
  const ScratchFolder folder;
  ServerState before = state_of(::getpid(), 1);
  before.machine = own_state({}, {}, "").machine;
  before.world = "another-boot pid:[1]";
  store(before, folder);
  CHECK(known_servers(folder.path()).empty());
  CHECK(folder.names().empty());
}

TEST_CASE("a file that names our pid at another time is not ours") {
  const ScratchFolder folder;
  ServerState before = state_of(::getpid(), 1);
  before.start_ticks += 1;
  store(before, folder);
  drop_state(folder.at("server-1.json"));
  CHECK(folder.has("server-1.json"));
}

TEST_CASE("a folder that cannot be written is an error with a reason") {
  const ScratchFolder folder;
  folder.write("file", "");
  const auto stored = store_state(state_of(::getpid(), 1), folder.at("file"));
  REQUIRE_FALSE(stored.has_value());
  CHECK(stored.error().detail.find("ENOTDIR") != std::string::npos);
  CHECK(known_servers(folder.at("nothing")).empty());
}

TEST_CASE("states that are written and repaired at once are neither lost nor mixed up") {
  const ScratchFolder folder;
  const pid_t self = ::getpid();
  ServerState dead = state_of(self, 1);
  dead.start_ticks -= 1;
  std::jthread writer([&] {
    for (int i = 0; i < 60; ++i) {
      CHECK(store_state(dead, folder.path()).has_value());
      CHECK(store_state(state_of(self, 1), folder.path()).has_value());
    }
  });
  for (int i = 0; i < 60; ++i) CHECK(known_servers(folder.path()).size() <= 1);
  writer.join();
  CHECK(known_servers(folder.path()).size() == 1);
}

TEST_CASE("the server to talk to is the background one, else that on the default port, else the newest") {
  const ScratchFolder folder;
  const OtherProcess one, two, three;
  const auto chosen = [&] {
    const auto server = local_server(folder.path());
    return server ? server->pid : 0;
  };

  const auto none = local_server(folder.path());
  REQUIRE_FALSE(none.has_value());
  CHECK(none.error().exit == Exit::unreachable);
  CHECK(none.error().what == "no sandbox-agent daemon is running");
  CHECK(none.error().what_to_do == "sandbox-agent up   — or, for one that stays: sandbox-agent daemon start");

  store(state_of(one.pid, 9001, 20), folder);
  CHECK(chosen() == one.pid);
  store(state_of(two.pid, 9002, 10), folder);
  CHECK(chosen() == one.pid);
  store(state_of(::getpid(), 2468, 5), folder);
  CHECK(chosen() == ::getpid());
  CHECK_FALSE(background_server(folder.path()).has_value());
  ServerState background = state_of(three.pid, 9003, 1);
  background.background = true;
  store(background, folder);
  CHECK(chosen() == three.pid);
  CHECK(background_server(folder.path())->pid == three.pid);
}

TEST_CASE("the token comes from the state, its token file or the environment") {
  const ScratchFolder folder;
  folder.write("token", "from file\n");
  ServerState state = state_of(::getpid(), 1);

  const auto unknown = address_of(state);
  REQUIRE_FALSE(unknown.has_value());
  CHECK(unknown.error().exit == Exit::token);

  const TokenVariable variable("from environment");
  CHECK(address_of(state)->token == "from environment");
  state.token_file = folder.at("missing");
  CHECK(address_of(state)->token == "from environment");
  state.token_file = folder.at("token");
  CHECK(address_of(state)->token == "from file");
  state.token = "generated";
  CHECK(address_of(state)->token == "generated");
  state.no_token = true;
  CHECK(address_of(state)->token.empty());
  CHECK(address_of(state)->url == state.url);
}

TEST_CASE("a token file that went away is the reason that is told") {
  ServerState state = state_of(::getpid(), 1);
  state.token_file = "/no/such/file";
  const auto address = address_of(state);
  REQUIRE_FALSE(address.has_value());
  CHECK(address.error().exit == Exit::token);
  CHECK(address.error().why.find("/no/such/file") != std::string::npos);
}

TEST_CASE("a server runs, whatever its process is called") {
  char before[16] = {};
  ::prctl(PR_GET_NAME, before);
  for (const char* name : {"x) Z 1", "x) Z \n", "\n) Z", "((("}) {
    CAPTURE(name);
    ::prctl(PR_SET_NAME, name);
    CHECK(is_running(state_of(::getpid(), 1)));
  }
  ::prctl(PR_SET_NAME, before);
}

}  // namespace sa
