#include "agents/credential_values.h"

#include <doctest/doctest.h>
#include <sys/stat.h>
#include <unistd.h>

#include "agents/catalog.h"
#include "base/scratch_folder.h"

namespace sa {
namespace {

using Strings = std::vector<std::string>;

Manifest manifest(std::string id, CredentialPlaces places) {
  Manifest made;
  made.id = std::move(id);
  made.credentials = std::move(places);
  return made;
}

Environment environment(std::map<std::string, std::string, std::less<>> variables) {
  return [variables = std::move(variables)](std::string_view name) -> std::optional<std::string> {
    const auto found = variables.find(name);
    return found == variables.end() ? std::nullopt : std::optional(found->second);
  };
}

// "AGENT_KEY=value (env PUBLIC_KEY)" for each.
Strings found(const Manifest& agent, const Environment& variables, const std::string& home = "") {
  Strings all;
  for (const CredentialValue& each : read_credentials(agent, variables, home)) {
    CHECK(each.agent == agent.id);
    all.push_back(fmt::format("{}={} ({} {})", each.variable, each.value, word_of(each.kind), each.place));
  }
  return all;
}

const CredentialPlaces places{.variables = {{"AGENT_KEY", {"PUBLIC_KEY"}}, {"AGENT_TOKEN", {}}},
                              .files = {"~/auth.json"},
                              .values = {{"~/auth.json", "/key", "AGENT_KEY"}, {"~/auth.json", "/login/token", "AGENT_TOKEN"}}};

}  // namespace

TEST_CASE("a key of the environment is read under the name the agent reads") {
  const Manifest agent = manifest("a", places);
  CHECK(found(agent, environment({{"AGENT_KEY", "k"}, {"PUBLIC_KEY", "p"}})) == Strings{"AGENT_KEY=k (env AGENT_KEY)"});
  CHECK(found(agent, environment({{"AGENT_KEY", " "}, {"PUBLIC_KEY", "p"}, {"AGENT_TOKEN", "t"}})) ==
        Strings{"AGENT_KEY=p (env PUBLIC_KEY)", "AGENT_TOKEN=t (env AGENT_TOKEN)"});
  CHECK(found(agent, environment({})) == Strings{});
}

TEST_CASE("what the environment does not have is read from the agent's files") {
  const ScratchFolder home;
  home.write("auth.json", R"({"key":"fk","login":{"token":"ft"}})");
  const Manifest agent = manifest("a", places);
  CHECK(found(agent, environment({}), home.path()) ==
        Strings{"AGENT_KEY=fk (file ~/auth.json)", "AGENT_TOKEN=ft (file ~/auth.json)"});
  CHECK(found(agent, environment({{"PUBLIC_KEY", "p"}}), home.path()) ==
        Strings{"AGENT_KEY=p (env PUBLIC_KEY)", "AGENT_TOKEN=ft (file ~/auth.json)"});
}

TEST_CASE("of several files the first that has the key counts") {
  const ScratchFolder home;
  home.write("one.json", R"({"key":""})");
  home.write("two.json", R"({"key":"2"})");
  home.write("three.json", R"({"key":"3"})");
  const Manifest agent = manifest("a", {.values = {{"$UNSET/one.json", "/key", "K"},
                                                   {"~/one.json", "/key", "K"},
                                                   {"~/two.json", "/key", "K"},
                                                   {"~/three.json", "/key", "K"}}});
  CHECK(found(agent, environment({}), home.path()) == Strings{"K=2 (file ~/two.json)"});
}

TEST_CASE("only a string that is not blank, in a small regular JSON file, is a key") {
  const ScratchFolder home;
  const auto key_in = [&](std::string_view content) {
    home.write("auth.json", content);
    return !found(manifest("a", {.values = {{"~/auth.json", "/key", "K"}}}), environment({}), home.path()).empty();
  };
  CHECK(key_in(R"({"key":"k"})"));
  for (const char* content : {"", "{", "[]", "null", R"({"key":null})", R"({"key":1})", R"({"key":" \n"})",
                              R"({"key":{"key":"k"}})", R"({"Key":"k"})", R"({"key":"a\u0000b"})"}) {
    CAPTURE(content);
    CHECK_FALSE(key_in(content));
  }
  const std::string filler(std::size_t{1} << 20, ' ');
  CHECK_FALSE(key_in(R"({"key":"k"})" + filler));
}

TEST_CASE("a folder, a FIFO and a file we may not read have no key, and nobody waits for one") {
  const ScratchFolder home;
  home.directory("folder");
  REQUIRE(::mkfifo(home.at("fifo").c_str(), 0600) == 0);
  home.write("secret", R"({"key":"k"})", 0);
  const auto has = [&](const std::string& name) {
    return !found(manifest("a", {.values = {{"~/" + name, "/key", "K"}}}), environment({}), home.path()).empty();
  };
  CHECK_FALSE(has("folder"));
  CHECK_FALSE(has("fifo"));
  CHECK(has("secret") == (::geteuid() == 0));
}

TEST_CASE("an agent that needs no key, or of which nothing is known, gives none") {
  CredentialPlaces not_needed = places;
  not_needed.needed = false;
  CHECK(found(manifest("a", not_needed), environment({{"AGENT_KEY", "k"}})) == Strings{});
  CHECK(found(Manifest{}, environment({{"AGENT_KEY", "k"}})) == Strings{});
}

TEST_CASE("the built-in agents' keys are where these agents keep them") {
  const ScratchFolder home;
  home.write(".codex/auth.json", R"({"OPENAI_API_KEY":"o1","tokens":{"access_token":"x"}})");
  home.write(".claude.json", R"({"primaryApiKey":"a1"})");
  home.write(".claude/.credentials.json", R"({"claudeAiOauth":{"accessToken":"c1","refreshToken":"r"}})");
  home.write("data/opencode/auth.json",
             R"({"anthropic":{"type":"api","key":"a2"},"openai":{"type":"oauth","access":"x"},"openrouter":{"key":"r2"}})");
  std::map<std::string, Strings> all;
  for (const Agent& agent : builtin_agents())
    all[agent.manifest.id] = found(agent.manifest, environment({{"XDG_DATA_HOME", home.at("data")}}), home.path());
  CHECK(all["codex"] == Strings{"OPENAI_API_KEY=o1 (file ~/.codex/auth.json)"});
  CHECK(all["claude"] ==
        Strings{"ANTHROPIC_API_KEY=a1 (file ~/.claude.json)", "CLAUDE_CODE_OAUTH_TOKEN=c1 (file ~/.claude/.credentials.json)"});
  CHECK(all["opencode"] == Strings{"ANTHROPIC_API_KEY=a2 (file $XDG_DATA_HOME/opencode/auth.json)",
                                   "OPENROUTER_API_KEY=r2 (file $XDG_DATA_HOME/opencode/auth.json)"});
}

TEST_CASE("a manifest's value must name a file, a pointer into it and a variable") {
  const auto complaint = [](std::string_view value) {
    const auto read =
        read_manifest(fmt::format(R"({{"id":"a","name":"A","command":["x"],"credentials":{{"values":[{}]}}}})", value));
    return read ? "" : read.error().detail;
  };
  CHECK(complaint(R"({"file":"~/a.json","pointer":"/k","variable":"K"})").empty());
  CHECK(complaint(R"({"pointer":"/k","variable":"K"})") == "'credentials.values[0].file' must be given: the path of a file.");
  CHECK(complaint(R"({"file":"~/a.json","pointer":"k","variable":"K"})") ==
        "'credentials.values[0].pointer' must be given: a JSON pointer that begins with '/'.");
  CHECK(complaint(R"({"file":"~/a.json","pointer":"/k","variable":"A=B"})") ==
        "'credentials.values[0].variable' must be named with letters, digits and '_'.");
}

TEST_CASE("a key is shown by its beginning and length, a short one by its length only") {
  CHECK(redacted("sk-ant-api03-0123456789") == "sk-a… (23 characters)");
  CHECK(redacted("0123456789abcdefghi") == "… (19 characters)");
  CHECK(redacted("x") == "… (1 character)");
  CHECK(redacted("") == "… (0 characters)");
  CHECK(redacted("ééééééééééééé") == "… (13 characters)");
  CHECK(redacted("a\x1b[31m-------------------") == "… (25 characters)");
}

TEST_CASE("providers are the variables agents read, with where a key is and never the key") {
  const ScratchFolder home;
  home.write("auth.json", R"({"key":"secret-value","login":{"token":"secret-value"}})");
  const Manifest first = manifest("first", {.variables = {{"ZED_KEY", {}}, {"AGENT_KEY", {}}}});
  const Manifest second = manifest("second", places);
  const Manifest none = manifest("none", {.needed = false, .variables = {{"OTHER_KEY", {}}}});
  const Manifest* agents[] = {&none, &first, &second};
  const auto states = providers(agents, environment({{"ZED_KEY", "secret-value"}}), home.path());
  CHECK(to_json(states) ==
        R"([{"variable":"AGENT_KEY","state":"found","kind":"file","place":"~/auth.json","agents":["first","second"]},)"
        R"({"variable":"ZED_KEY","state":"found","kind":"env","place":"ZED_KEY","agents":["first"]},)"
        R"({"variable":"AGENT_TOKEN","state":"found","kind":"file","place":"~/auth.json","agents":["second"]}])");
  const auto without = providers(agents, environment({}), "");
  CHECK(to_json(without[0]) == R"({"variable":"AGENT_KEY","state":"missing","agents":["first","second"]})");
}

}  // namespace sa
