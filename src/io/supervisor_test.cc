// The supervisor alone, with the test in the daemon's place.
#include "io/supervisor.h"

#include <doctest/doctest.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fstream>
#include <string>
#include <string_view>
#include <vector>

#include "base/unique_fd.h"
#include "io/control_message.h"
#include "io/process_tree.h"

namespace sa {
namespace {

class Supervised {
 public:
  explicit Supervised(std::vector<std::string> arguments) {
    int control[2], out[2];
    REQUIRE(::socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, control) == 0);
    REQUIRE(::pipe2(out, O_CLOEXEC) == 0);
    control_ = UniqueFd(control[0]);
    out_ = UniqueFd(out[0]);
    const UniqueFd theirs(::fcntl(control[1], F_DUPFD_CLOEXEC, 20)), write_end(::fcntl(out[1], F_DUPFD_CLOEXEC, 20));
    ::close(control[1]);
    ::close(out[1]);
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, theirs.get(), control_fd);
    posix_spawn_file_actions_addopen(&actions, first_stdio_fd, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(&actions, write_end.get(), first_stdio_fd + 1);
    posix_spawn_file_actions_addopen(&actions, first_stdio_fd + 2, "/dev/null", O_WRONLY, 0);
    std::vector<char*> argv = {const_cast<char*>("sandbox-agent"), const_cast<char*>(supervisor_command)};
    for (std::string& argument : arguments) argv.push_back(argument.data());
    argv.push_back(nullptr);
    REQUIRE(::posix_spawn(&pid_, "/proc/self/exe", &actions, nullptr, argv.data(), environ) == 0);
    posix_spawn_file_actions_destroy(&actions);
  }
  ~Supervised() {
    if (pid_ < 0) return;
    ::kill(pid_, SIGKILL);
    ::waitpid(pid_, nullptr, 0);
  }

  ControlMessage next() {
    pollfd wait{control_.get(), POLLIN, 0};
    ControlMessage message;
    REQUIRE(::poll(&wait, 1, 10'000) == 1);
    REQUIRE(::recv(control_.get(), &message, sizeof message, 0) == sizeof message);
    CHECK(message.version == control_version);
    return message;
  }
  void leave() { control_.reset(); }
  void stop(int grace_ms) {
    const ControlMessage message{control_version, ControlType::stop, grace_ms, 0};
    CHECK(::send(control_.get(), &message, sizeof message, 0) == sizeof message);
  }
  // Of the agent's output, up to and with that.
  std::string read_to(std::string_view end) {
    std::string text;
    char byte = 0;
    while (!text.ends_with(end) && ::read(out_.get(), &byte, 1) == 1) text.push_back(byte);
    return text;
  }
  std::size_t children() const { return children_of(pid_).pids.size(); }
  // Calls of read(), its own and of those it has reaped.
  long long reads() const {
    std::ifstream counts("/proc/" + std::to_string(pid_) + "/io");
    std::string name;
    for (long long count = 0; counts >> name >> count;)
      if (name == "syscr:") return count;
    return 0;
  }
  // Waits for the end of every process that holds the agent's stdout.
  bool output_ends() {
    pollfd wait{out_.get(), POLLIN, 0};
    char byte = 0;
    return ::poll(&wait, 1, 10'000) == 1 && ::read(out_.get(), &byte, 1) == 0;
  }
  bool output_is_open() {
    pollfd wait{out_.get(), POLLIN, 0};
    return ::poll(&wait, 1, 0) == 0;
  }
  int exit_status() {
    int status = -1;
    ::waitpid(std::exchange(pid_, -1), &status, 0);
    return status;
  }

 private:
  UniqueFd control_;
  UniqueFd out_;
  pid_t pid_ = -1;
};

}  // namespace

TEST_CASE("a supervisor tells of the start, the agent's end and the tree's end, in this order") {
  Supervised supervised({"--grace-ms=100", "--", "sh", "-c", "exit 4"});
  const ControlMessage started = supervised.next();
  CHECK(started.type == ControlType::started);
  CHECK(started.first > 0);
  const ControlMessage exited = supervised.next();
  CHECK(exited.type == ControlType::exited);
  CHECK(exited.first == 4);
  CHECK(exited.second == 0);
  CHECK(supervised.next().type == ControlType::gone);
  CHECK(supervised.exit_status() == 0);
}

TEST_CASE("a supervisor tells why the agent could not be started") {
  Supervised supervised({"--", "/no/such/program"});
  const ControlMessage failed = supervised.next();
  CHECK(failed.type == ControlType::spawn_failed);
  CHECK(failed.first == ENOENT);
}

TEST_CASE("a supervisor whose daemon is gone takes the tree along") {
  Supervised supervised(
      {"--grace-ms=60000", "--on-daemon-loss=kill", "--", "sh", "-c", "trap '' TERM; setsid sleep 300 & sleep 300; sleep 300"});
  CHECK(supervised.next().type == ControlType::started);
  CHECK(supervised.output_is_open());
  supervised.leave();
  CHECK(supervised.output_ends());
  CHECK(supervised.exit_status() == 0);
}

TEST_CASE("a supervisor that is told to keep its agent keeps it without a daemon, until it ends by itself") {
  Supervised supervised({"--on-daemon-loss=keep", "--", "sleep", "300"});
  const ControlMessage started = supervised.next();
  supervised.leave();
  CHECK(supervised.output_is_open());
  REQUIRE(started.first > 0);
  CHECK(::kill(started.first, SIGKILL) == 0);
  CHECK(supervised.output_ends());
  CHECK(supervised.exit_status() == 0);
}

TEST_CASE("a supervisor does not look at the whole tree whenever one of it ends") {
  // Orphans, and so the supervisor's children: it sees the end of each.
  Supervised supervised({"--", "sh", "-c",
                         "pids=$(for i in $(seq 200); do (trap '' TERM; sleep 300 >/dev/null & echo $!); done); "
                         "trap 'for pid in $pids; do kill -9 $pid; /bin/true; done; echo ended' TERM; "
                         "echo ready; while :; do sleep 0.05; done"});
  CHECK(supervised.next().type == ControlType::started);
  CHECK(supervised.read_to("ready\n") == "ready\n");
  CHECK(supervised.children() >= 201);
  const long long before = supervised.reads();
  supervised.stop(60'000);
  CHECK(supervised.read_to("ended\n") == "ended\n");
  for (int tries = 0; tries < 5'000 && supervised.children() > 1; ++tries) ::usleep(1'000);
  CHECK(supervised.children() == 1);
  CHECK(supervised.reads() - before < 15'000);  // else 200 times 200, and more
  supervised.stop(0);
  CHECK(supervised.next().type == ControlType::exited);
  CHECK(supervised.next().type == ControlType::gone);
}

TEST_CASE("a supervisor without a program is a mistake") {
  CHECK(WEXITSTATUS(Supervised({"--grace-ms=1", "--"}).exit_status()) == 2);
  CHECK(WEXITSTATUS(Supervised({}).exit_status()) == 2);
}

}  // namespace sa
