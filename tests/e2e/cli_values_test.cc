#include <doctest/doctest.h>

#include "command_run.h"

using namespace rig;

namespace {

struct Misuse {
  std::vector<std::string> arguments;
  std::string named;  // what the message must mention
};

bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

}  // namespace

TEST_SUITE_BEGIN("cli");

TEST_CASE("a value that cannot be meant is refused and named") {
  const std::string start[] = {"server", "--port", "0"};
  const Misuse misuses[] = {
      {{"--token=t", "--log-level", "loud"}, "loud"},
      {{"--token="}, "--token"},
      {{"--token=t", "--ring-messages", "0"}, "--ring-messages"},
      {{"--token=t", "-O", "evil"}, "evil"},
      {{"--token=t", "--agent", "twin=cat", "--agent", "twin=ls"}, "twin"},
      {{"--token=t", "--ready-fd", "99"}, "99"},
      {{"--token=t", "--end-with-stdin"}, "--end-with-stdin needs a pipe"},
  };
  for (const auto& misuse : misuses) {
    INFO(misuse.named);
    std::vector<std::string> arguments(std::begin(start), std::end(start));
    arguments.insert(arguments.end(), misuse.arguments.begin(), misuse.arguments.end());
    CommandRun run(arguments);
    const int code = run.code();
    CHECK((code == 2 || (misuse.named == "loud" && code == 1)));
    CHECK(run.err().starts_with("error: "));
    CHECK_MESSAGE(contains(run.err(), misuse.named), run.err());
    CHECK_EQ(run.out(), "");
  }
}

TEST_CASE("version refuses and names a flag that it does not know") {
  CommandRun run({"version", "--foo"});
  CHECK_EQ(run.code(), 2);
  CHECK_MESSAGE(contains(run.err(), "--foo"), run.err());
  CHECK_EQ(run.out(), "");
}

TEST_CASE("a server on every address says so") {
  CommandRun run({"server", "--host", "0.0.0.0", "--port", "0", "--token", "t"});
  REQUIRE(eventually([&] { return contains(run.all(), "listening on"); }));
  CHECK(eventually([&] { return contains(run.all(), "every other address"); }));
}

TEST_SUITE_END();
