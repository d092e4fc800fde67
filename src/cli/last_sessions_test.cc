#include "cli/last_sessions.h"

#include <doctest/doctest.h>
#include <sys/wait.h>

#include <cstdlib>
#include <optional>
#include <vector>

#include "base/scratch_folder.h"

namespace sa {
namespace {

// A data folder of the test's own.
struct DataHome {
  ScratchFolder folder;
  std::optional<std::string> before;

  DataHome() {
    if (const char* given = std::getenv("XDG_DATA_HOME")) before = given;
    ::setenv("XDG_DATA_HOME", folder.at("new/data").c_str(), 1);
  }
  DataHome(const DataHome&) = delete;
  ~DataHome() {
    if (before) {
      ::setenv("XDG_DATA_HOME", before->c_str(), 1);
    } else {
      ::unsetenv("XDG_DATA_HOME");
    }
  }
};

}  // namespace

TEST_CASE("the last session of an agent in a folder is kept, for this user only") {
  const DataHome home;
  CHECK(last_session("a", "/x").empty());
  REQUIRE(remember_session("a", "/x", "first").has_value());
  REQUIRE(remember_session("b", "/x", "other").has_value());
  REQUIRE(remember_session("a", "/x", "second").has_value());
  CHECK(last_session("a", "/x") == "second");
  CHECK(last_session("b", "/x") == "other");
  CHECK(last_session("a", "/y").empty());
  CHECK(home.folder.mode("new/data/sandbox-agent/last-sessions.json") == 0600);
  CHECK(home.folder.names("new/data/sandbox-agent") == std::vector<std::string>{"last-sessions.json"});
}

TEST_CASE("sessions that are remembered by several commands at once are all kept") {
  const DataHome home;
  constexpr int commands = 8;
  constexpr int each = 10;
  std::vector<pid_t> children;
  for (int command = 0; command < commands; ++command) {
    const pid_t child = ::fork();
    if (child == 0) {
      bool kept = true;
      for (int at = 0; at < each; ++at)
        kept = remember_session(std::to_string(command), std::to_string(at), "s").has_value() && kept;
      ::_exit(kept ? 0 : 1);
    }
    children.push_back(child);
  }
  for (const pid_t child : children) {
    int status = -1;
    CHECK(::waitpid(child, &status, 0) == child);
    CHECK(status == 0);
  }
  int found = 0;
  for (int command = 0; command < commands; ++command)
    for (int at = 0; at < each; ++at) found += last_session(std::to_string(command), std::to_string(at)) == "s";
  CHECK(found == commands * each);
}

}  // namespace sa
