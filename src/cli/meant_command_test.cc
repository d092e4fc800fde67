#include "cli/meant_command.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

namespace sa {
namespace {

std::string meant(std::initializer_list<std::string_view> words) {
  return fmt::format("{}", fmt::join(meant_commands(std::vector<std::string_view>(words)), " or "));
}

}  // namespace

TEST_CASE("a command that does not exist leads to the one that was meant, with what follows it") {
  CHECK(meant({"agent", "list"}) == "agents list");
  CHECK(meant({"agent", "info", "claude"}) == "agents info claude");
  CHECK(meant({"agnets"}) == "agents");
  CHECK(meant({"deamon", "start"}) == "daemon start");
  CHECK(meant({"daemon", "stat"}) == "daemon start");
  CHECK(meant({"log", "x1"}) == "logs x1");
  CHECK(meant({"api", "fs", "sat"}) == "api fs stat");
}

TEST_CASE("words of other programs are understood") {
  CHECK(meant({"install", "claude"}) == "agents install claude");
  CHECK(meant({"status"}) == "daemon status or ps");
  CHECK(meant({"chat", "hello"}) == "run hello");
  CHECK(meant({"login"}) == "credentials status");
  CHECK(meant({"login", "claude"}) == "credentials status");
  CHECK(meant({"install", "--all"}) == "agents install");
  CHECK(meant({"stauts"}) == "daemon status or ps");
  CHECK(meant({"instal", "claude"}) == "agents install claude");
}

TEST_CASE("what is near to nothing leads nowhere") {
  CHECK(meant({"quxquuxcorge"}) == "");
  for (const std::string_view word : {"nope", "x", "abc", "hello"}) CHECK(meant({word}) == "");
  CHECK(meant({"--list"}) == "");
  CHECK(meant({}) == "");
}

}  // namespace sa
