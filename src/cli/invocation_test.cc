#include "cli/invocation.h"

#include <doctest/doctest.h>

namespace sa {
namespace {

using Words = std::vector<std::string_view>;

constexpr Option options[] = {
    {"--agent", "-a", "ID", "an agent"},
    {"--force", "-f", "", "do it"},
};
constexpr Argument one_and_more[] = {{"ID", "the instance"}, {"FILE", "files", Argument::Count::any}};
constexpr Argument one_or_none[] = {{"ID", "the instance", Argument::Count::optional}};
constexpr Argument several[] = {{"ID", "the instances", Argument::Count::some}};

constexpr Command plain{.name = "plain", .arguments = one_or_none, .options = options};
constexpr Command many{.name = "many", .arguments = one_and_more, .options = options};
constexpr Command some{.name = "some", .arguments = several};
constexpr Command with_rest{.name = "rest", .arguments = one_or_none, .takes_rest = true};
constexpr Command serving{.name = "serve", .shared = Shared::settings};
constexpr Command asking{.name = "ask", .shared = Shared::server};

std::string refusal(const Command& command, const Words& words) {
  const auto given = Invocation::parse(command, words);
  if (given) return "";
  CHECK(given.error().exit == Exit::usage);
  CHECK(given.error().what_to_do == "sandbox-agent " + std::string(command.name) + " --help");
  return given.error().what;
}

}  // namespace

TEST_CASE("options are read in every spelling, the last one counts, and all are kept") {
  const auto given = Invocation::parse(plain, Words{"-a", "one", "--agent=two=2", "x", "--agent", "", "-f"});
  REQUIRE(given);
  CHECK(given->has("--agent"));
  CHECK(given->value("--agent").empty());
  CHECK(given->values("--agent") == std::vector<std::string>{"one", "two=2", ""});
  CHECK(given->has("--force"));
  CHECK(given->argument() == "x");
  CHECK(given->argument(1).empty());
  const auto bare = Invocation::parse(plain, {});
  REQUIRE(bare);
  CHECK_FALSE(bare->has("--force"));
  CHECK(bare->value("--agent").empty());
  CHECK(bare->values("--agent").empty());
}

TEST_CASE("a lone dash is an argument, and what follows two dashes is none of the options") {
  const auto given = Invocation::parse(many, Words{"-", "--", "--force", "-a"});
  REQUIRE(given);
  CHECK(given->arguments() == std::vector<std::string>{"-", "--force", "-a"});
  CHECK_FALSE(given->has("--force"));
  const auto rest = Invocation::parse(with_rest, Words{"id", "--", "program", "--acp", "--"});
  REQUIRE(rest);
  CHECK(rest->arguments() == std::vector<std::string>{"id"});
  CHECK(rest->rest() == std::vector<std::string>{"program", "--acp", "--"});
}

TEST_CASE("what cannot be read is refused in words that say what to write instead") {
  CHECK(refusal(plain, {"--agnet", "x"}) == "unknown option '--agnet'; is it --agent?");
  CHECK(refusal(plain, {"--qqqqqqqqqqqqqq"}) == "unknown option '--qqqqqqqqqqqqqq'");
  CHECK(refusal(plain, {"-x"}).starts_with("unknown option '-x'"));
  CHECK(refusal(plain, {"--force=yes"}) == "--force takes no value");
  CHECK(refusal(plain, {"--agent"}) == "--agent needs a value: --agent ID");
  CHECK(refusal(plain, {"--color", "pink"}) == "'pink' is not usable for --color; it is auto, always or never");
  CHECK(refusal(plain, {"--endpoint", "x"}).starts_with("unknown option '--endpoint'"));
}

TEST_CASE("a setting of the daemon leads to where it can be given") {
  constexpr Option starts[] = {{"--idle-exit", "", "SECONDS", "when it ends"}};
  const Command starting{.name = "start", .options = starts, .shared = Shared::server};
  const auto failure = [](const Command& command, const Words& words) { return Invocation::parse(command, words).error(); };
  CHECK(failure(starting, {"--port", "3000"}).what == "unknown option '--port'");
  CHECK(failure(starting, {"--port", "3000"}).what_to_do ==
        "set SANDBOX_AGENT_PORT   — or: sandbox-agent daemon start --port PORT");
  CHECK(failure(starting, {"-p", "3000"}).what_to_do == failure(starting, {"--port"}).what_to_do);
  CHECK(failure(starting, {"--no-token"}).what_to_do == "sandbox-agent daemon start --no-token");
  CHECK(failure(asking, {"--port=3000"}).what_to_do == "sandbox-agent daemon start --port PORT");
  CHECK(refusal(plain, {"--port"}) == "unknown option '--port'");
}

TEST_CASE("a command gets as many arguments as it wants") {
  CHECK(refusal(plain, {"a", "b"}) == "unexpected argument 'b'");
  CHECK(refusal(many, {}) == "'many' needs ID: the instance");
  CHECK(refusal(some, {}) == "'some' needs ID: the instances");
  CHECK(refusal(some, {"a", "b", "c"}).empty());
  CHECK(refusal(many, {"a", "b", "c"}).empty());
  CHECK(refusal(many, {"a"}).empty());
}

TEST_CASE("a command that is to be explained needs no arguments") {
  const auto given = Invocation::parse(many, Words{"-h"});
  REQUIRE(given);
  CHECK(given->wants_help());
}

TEST_CASE("how loud a command is follows from its options") {
  auto given = Invocation::parse(plain, Words{"--json", "-q", "-v", "--no-input", "--color=always"});
  REQUIRE(given);
  CHECK(given->console().json());
  CHECK(given->console().quiet());
  CHECK(given->console().verbose());
  CHECK_FALSE(given->console().may_ask());
  CHECK(given->console().paint(Ink::red, "x") == "\x1b[31mx\x1b[0m");
  auto never = Invocation::parse(plain, Words{"--color", "never"});
  REQUIRE(never);
  CHECK(never->console().paint_result(Ink::red, "x") == "x");
}

TEST_CASE("settings of the server are taken where a command shares them") {
  const auto given = Invocation::parse(serving, Words{"--port", "0", "--no-token", "--host=127.0.0.2", "--json"});
  REQUIRE(given);
  CHECK(given->setting_words() == std::vector<std::string>{"--port=0", "--no-token", "--host=127.0.0.2"});
  const auto settings = given->settings();
  REQUIRE(settings);
  CHECK(settings->port == 0);
  CHECK(settings->no_token);
  CHECK(settings->host == "127.0.0.2");
  CHECK(settings->json);
  const auto wrong = Invocation::parse(serving, Words{"--port", "many"});
  REQUIRE(wrong);
  const auto refused = wrong->settings();
  REQUIRE_FALSE(refused);
  CHECK(refused.error().exit == Exit::usage);
}

TEST_CASE("commands that talk to a daemon say which, and with which token") {
  const auto given = Invocation::parse(asking, Words{"--endpoint", "http://127.0.0.1:1", "--token-file", "f", "--token=t"});
  REQUIRE(given);
  CHECK(given->value("--endpoint") == "http://127.0.0.1:1");
  CHECK(given->value("--token-file") == "f");
  CHECK(given->value("--token") == "t");
}

}  // namespace sa
