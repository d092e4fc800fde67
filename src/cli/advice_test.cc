#include "cli/advice.h"

#include <doctest/doctest.h>

#include "cli/commands.h"

namespace sa {
namespace {

const Command& advised(std::string_view name) {
  const std::string_view words[] = {name};
  return *find_command(words).command;
}

std::string what_of(std::string what) { return at_command_line({.what = std::move(what)}, advised("run")).what; }

std::string advice_of(std::string_view command, std::string what_to_do) {
  return at_command_line({.what = "x", .what_to_do = std::move(what_to_do)}, advised(command)).what_to_do;
}

}  // namespace

TEST_CASE("advice for HTTP becomes advice for the command line") {
  CHECK(what_of("The agent process exited with code 1. DELETE the instance and POST with ?agent= to start a new one.") ==
        "The agent process exited with code 1. The same command again starts a new one.");
  CHECK(what_of("The agent does not take input any more: Broken pipe. DELETE the instance and start a new one.") ==
        "The agent does not take input any more: Broken pipe. The same command again starts a new one.");
  CHECK(what_of("The instance was deleted. POST with ?agent= to start a new one.") ==
        "The instance was deleted. The same command again starts a new one.");
  CHECK(what_of("There is no agent 'x'. The nearest names: a. Others can be offered with --agent x=<command>.") ==
        "There is no agent 'x'. The nearest names: a. Others can be offered with 'sandbox-agent up -- <command>'.");
  CHECK(what_of("256 instances exist already. DELETE some, or raise --max-instances.")
            .starts_with("256 instances exist already. End some with 'sandbox-agent stop'"));
  CHECK(what_of("What an agent says of DELETE and POST stays.") == "What an agent says of DELETE and POST stays.");
}

TEST_CASE("a setting is named by its variable where it is no option") {
  CHECK(advice_of("run", "pick another with --port") == "pick another with SANDBOX_AGENT_PORT");
  CHECK(advice_of("up", "another --host or --port") == "another SANDBOX_AGENT_HOST or SANDBOX_AGENT_PORT");
  CHECK(advice_of("server", "pick another with --port") == "pick another with --port");
  CHECK(advice_of("run", "another --token-file, or --ports") == "another --token-file, or --ports");
}

TEST_CASE("commands of the API keep the words of HTTP") {
  const std::string what = "The instance was deleted. POST with ?agent= to start a new one.";
  const std::string_view words[] = {"api", "acp", "post"};
  CHECK(at_command_line({.what = what}, *find_command(words).command).what == what);
}

}  // namespace sa
