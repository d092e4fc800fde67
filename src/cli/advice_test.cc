#include "cli/advice.h"

#include <doctest/doctest.h>

#include "cli/commands.h"

namespace sa {
namespace {

const Command& advised(std::string_view name) {
  const std::string_view words[] = {name};
  return *find_command(words).command;
}

std::string advice_of(std::string_view command, std::string what_to_do) {
  return at_command_line({.what = "x", .what_to_do = std::move(what_to_do)}, advised(command)).what_to_do;
}

}  // namespace

TEST_CASE("advice for HTTP becomes advice for the command line") {
  const auto check = [](std::string what, std::string_view left, std::string_view advice) {
    const Failure failure = at_command_line({.what = std::move(what)}, advised("run"));
    CHECK(failure.what == left);
    CHECK(failure.what_to_do == advice);
  };
  constexpr std::string_view again = "the same command again: it starts a new one";
  check("The agent process exited with code 1. DELETE the instance and POST with ?agent= to start a new one.",
        "The agent process exited with code 1.", again);
  check("The agent does not take input any more: Broken pipe. DELETE the instance and start a new one.",
        "The agent does not take input any more: Broken pipe.", again);
  check("The instance was deleted. POST with ?agent= to start a new one.", "The instance was deleted.", again);
  check("There is no agent 'x'. The nearest names: a. Others can be offered with --agent x=<command>.",
        "There is no agent 'x'. The nearest names: a.",
        "sandbox-agent agents list   — or any other: sandbox-agent up -- <command>");
  check("256 instances exist already. DELETE some, or raise --max-instances.", "256 instances exist already.",
        "sandbox-agent stop, to end some — or a daemon with a larger --max-instances: sandbox-agent daemon start");
  check("What an agent says of DELETE and POST stays.", "What an agent says of DELETE and POST stays.", "");
}

TEST_CASE("advice that is there already stays") {
  const Failure failure = at_command_line(
      {.what = "The instance was deleted. POST with ?agent= to start a new one.", .what_to_do = "sandbox-agent doctor"},
      advised("run"));
  CHECK(failure.what == "The instance was deleted.");
  CHECK(failure.what_to_do == "sandbox-agent doctor");
}

TEST_CASE("a setting is named by its variable where it is no option") {
  CHECK(advice_of("run", "pick another with --port") == "pick another with SANDBOX_AGENT_PORT");
  CHECK(advice_of("up", "another --host or --port") == "another SANDBOX_AGENT_HOST or SANDBOX_AGENT_PORT");
  CHECK(advice_of("server", "pick another with --port") == "pick another with --port");
  CHECK(advice_of("run", "another --token-file, or --ports") == "another --token-file, or --ports");
  CHECK(advice_of("run", "--ports, --port and --port") == "--ports, SANDBOX_AGENT_PORT and SANDBOX_AGENT_PORT");
}

TEST_CASE("a command line that is advised stays as it is") {
  const std::string server =
      "sandbox-agent daemon stop, then again — or: sandbox-agent server --port 0 --agent 'node=node x.js'";
  CHECK(advice_of("up", server) == server);
  CHECK(advice_of("ps", "sandbox-agent daemon start --port 0") == "sandbox-agent daemon start --port 0");
  CHECK(advice_of("up", "sandbox-agent ui   — or pick another with --port") ==
        "sandbox-agent ui   — or pick another with SANDBOX_AGENT_PORT");
  CHECK(advice_of("server", "sandbox-agent ui   — or pick another with --port") ==
        "sandbox-agent ui   — or pick another with --port");
}

TEST_CASE("commands of the API keep the words of HTTP") {
  const std::string what = "The instance was deleted. POST with ?agent= to start a new one.";
  const std::string_view words[] = {"api", "acp", "post"};
  CHECK(at_command_line({.what = what}, *find_command(words).command).what == what);
}

}  // namespace sa
