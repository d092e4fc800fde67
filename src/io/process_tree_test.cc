#include "io/process_tree.h"

#include <doctest/doctest.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>

namespace sa {
namespace {

using Pids = std::vector<pid_t>;

// A shell that runs `script`; the test reads what it prints.
class Shell {
 public:
  explicit Shell(const char* script) {
    int ends[2];
    REQUIRE(::pipe2(ends, O_CLOEXEC) == 0);
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, ends[1], 1);
    const char* argv[] = {"sh", "-c", script, nullptr};
    REQUIRE(::posix_spawn(&pid_, "/bin/sh", &actions, nullptr, const_cast<char**>(argv), environ) == 0);
    posix_spawn_file_actions_destroy(&actions);
    ::close(ends[1]);
    output_ = ::fdopen(ends[0], "r");
  }
  ~Shell() {
    for (pid_t below : descendants_of(pid_).pids) ::kill(below, SIGKILL);
    ::kill(pid_, SIGKILL);
    ::waitpid(pid_, nullptr, 0);
    std::fclose(output_);
  }

  pid_t pid() const { return pid_; }
  pid_t number() {
    int value = 0;
    CHECK(std::fscanf(output_, "%d", &value) == 1);
    return value;
  }

 private:
  pid_t pid_ = -1;
  std::FILE* output_ = nullptr;
};

Pids sorted(Pids pids) {
  std::ranges::sort(pids);
  return pids;
}

}  // namespace

TEST_CASE("children and grandchildren are found, in whatever session they are") {
  Shell shell("sleep 300 & echo $!; setsid sh -c 'sleep 300 & echo $!; wait' & echo $!; wait");
  Pids seen = {shell.number(), shell.number(), shell.number()};
  CHECK(sorted(descendants_of(shell.pid()).pids) == sorted(seen));
  CHECK(descendants_of(shell.pid()).complete);
  const Pids children = children_of(shell.pid()).pids;
  CHECK(children.size() == 2);
  for (pid_t child : children) CHECK(std::ranges::find(seen, child) != seen.end());
  const Pids ours = children_of(::getpid()).pids;
  CHECK(std::ranges::find(ours, shell.pid()) != ours.end());
}

TEST_CASE("a process without children, or none at all, has no descendants") {
  Shell shell("echo $$; exec sleep 300");
  CHECK(shell.number() == shell.pid());
  CHECK(descendants_of(shell.pid()).pids.empty());
  CHECK(descendants_of(0x3fffffff).pids.empty());
  CHECK(descendants_of(0x3fffffff).complete);  // that it is gone is an answer
}

TEST_CASE("a look for which there is no descriptor says that it is not complete") {
  Shell shell("sleep 300 & echo $!; wait");
  const pid_t child = shell.number();
  rlimit before{};
  ::getrlimit(RLIMIT_NOFILE, &before);
  const rlimit none{0, before.rlim_max};
  ::setrlimit(RLIMIT_NOFILE, &none);
  const Look children = children_of(shell.pid()), descendants = descendants_of(shell.pid());
  const std::optional<std::string> environment = environment_of(child);
  ::setrlimit(RLIMIT_NOFILE, &before);
  CHECK(children.pids.empty());
  CHECK_FALSE(children.complete);
  CHECK_FALSE(descendants.complete);
  CHECK_FALSE(environment.has_value());
  CHECK(children_of(shell.pid()).complete);
}

TEST_CASE("a look that may ask only so many shows the nearest") {
  Shell shell("sh -c 'sh -c \"sleep 300 & echo \\$!; wait\" & wait' & echo $!; wait");
  const Pids seen = {shell.number(), shell.number()};
  const pid_t first = children_of(shell.pid()).pids.at(0);
  CHECK(std::ranges::find(seen, first) != seen.end());
  CHECK(descendants_of(shell.pid(), 1).pids == Pids{first});
  CHECK(descendants_of(shell.pid(), 2).pids.size() == 2);
  CHECK(descendants_of(shell.pid()).pids.size() == 3);
  CHECK(below(Pids{shell.pid(), first}, 1).pids == Pids{first});
  CHECK(below(Pids{}, 1).pids.empty());
}

}  // namespace sa
