#include "agents/credentials.h"

#include <doctest/doctest.h>
#include <unistd.h>

#include "base/scratch_folder.h"

namespace sa {
namespace {

using Strings = std::vector<std::string>;

Manifest manifest(CredentialPlaces places) {
  Manifest made;
  made.credentials = std::move(places);
  return made;
}

Environment environment(std::map<std::string, std::string, std::less<>> variables) {
  return [variables = std::move(variables)](std::string_view name) -> std::optional<std::string> {
    const auto found = variables.find(name);
    return found == variables.end() ? std::nullopt : std::optional(found->second);
  };
}

std::string word(const CredentialState& state) { return to_json(state.state); }

std::string place(const CredentialState& state) {
  return state.place ? to_json(state.place->kind) + " " + state.place->name : "none";
}

Strings handed_over(const Manifest& agent, Strings variables) {
  hand_over_credentials(agent, variables);
  return variables;
}

const CredentialPlaces keys{.variables = {{"AGENT_KEY", {"PUBLIC_KEY", "OLD_KEY"}}, {"AGENT_TOKEN", {}}}, .files = {}};

}  // namespace

TEST_CASE("an agent whose places are not known has unknown credentials, one that needs none says so") {
  const Environment none = environment({});
  CHECK(word(find_credentials(Manifest{}, none, "/home/x")) == "\"unknown\"");
  CHECK(word(find_credentials(manifest({}), none, "/home/x")) == "\"unknown\"");
  CredentialPlaces not_needed = keys;
  not_needed.needed = false;
  CHECK(word(find_credentials(manifest(not_needed), environment({{"AGENT_KEY", "k"}}), "/home/x")) == "\"not_needed\"");
}

TEST_CASE("a key in a variable is found under the name of the variable that has it") {
  const Manifest agent = manifest(keys);
  const auto found = [&](std::map<std::string, std::string, std::less<>> variables) {
    return place(find_credentials(agent, environment(std::move(variables)), ""));
  };
  CHECK(found({{"AGENT_KEY", "k"}, {"OLD_KEY", "k"}}) == "\"env\" AGENT_KEY");
  CHECK(found({{"OLD_KEY", "k"}, {"AGENT_TOKEN", "t"}}) == "\"env\" OLD_KEY");
  CHECK(found({{"AGENT_TOKEN", "t"}}) == "\"env\" AGENT_TOKEN");
  CHECK(word(find_credentials(agent, environment({{"AGENT_TOKEN", "t"}}), "")) == "\"found\"");
}

TEST_CASE("blank variables are missing") {
  const CredentialState state =
      find_credentials(manifest(keys), environment({{"AGENT_KEY", ""}, {"PUBLIC_KEY", " \t"}, {"OTHER", "x"}}), "");
  CHECK(word(state) == "\"missing\"");
  CHECK(place(state) == "none");
}

TEST_CASE("a file is found below the home directory or a variable's, under the name the manifest gives it") {
  const ScratchFolder folder;
  folder.write("home/.agent/key.json", "{\"key\":1}");
  folder.write("other/key.json", "{\"key\":1}");
  const auto found = [&](const std::string& file, const std::string& home) {
    return place(find_credentials(manifest({.variables = {}, .files = {"~/missing", file}}),
                                  environment({{"AGENT_HOME", folder.at("other")}, {"BLANK", " "}}), home));
  };
  CHECK(found("~/.agent/key.json", folder.at("home")) == "\"file\" ~/.agent/key.json");
  CHECK(found("~/.agent/key.json", folder.at("other")) == "none");
  CHECK(found("$AGENT_HOME/key.json", "") == "\"file\" $AGENT_HOME/key.json");
  CHECK(found(folder.at("other/key.json"), "") == "\"file\" " + folder.at("other/key.json"));
}

TEST_CASE("a file whose directory is not known is skipped") {
  const ScratchFolder folder;
  folder.write("key.json", "{\"key\":1}");
  const auto found = [&](const std::string& file) {
    return word(find_credentials(manifest({.variables = {}, .files = {file}}), environment({{"BLANK", " "}}), ""));
  };
  for (const std::string& file :
       {"~" + folder.at("key.json"), "$UNSET" + folder.at("key.json"), "$BLANK" + folder.at("key.json"),
        std::string("key.json"), std::string("CMakeLists.txt/.."), std::string()}) {
    CAPTURE(file);
    CHECK(found(file) == "\"missing\"");
  }
}

TEST_CASE("only a regular file with something readable in it counts") {
  const ScratchFolder folder;
  folder.write("empty", "");
  folder.write("signed-out", "{ }\n");
  folder.write("secret", "x", 0);
  folder.directory("directory");
  folder.write("real", "x");
  folder.write("late", std::string(100, '\n') + "x");
  folder.link("link", "real");
  folder.link("dangling", "nothing");
  const auto found = [&](const std::string& name) {
    const Manifest agent = manifest({.variables = {}, .files = {"~/" + name}});
    return find_credentials(agent, environment({}), folder.path()).state == CredentialStatus::found;
  };
  CHECK(found("real"));
  CHECK(found("link"));
  CHECK(found("late"));
  for (const char* name : {"empty", "signed-out", "directory", "dangling", "real/below"}) {
    CAPTURE(name);
    CHECK_FALSE(found(name));
  }
  CHECK(found("secret") == (::geteuid() == 0));
}

TEST_CASE("variables come before files") {
  const ScratchFolder folder;
  folder.write("key", "x");
  CredentialPlaces places = keys;
  places.files = {"~/key"};
  CHECK(place(find_credentials(manifest(places), environment({{"AGENT_TOKEN", "t"}}), folder.path())) == "\"env\" AGENT_TOKEN");
  CHECK(place(find_credentials(manifest(places), environment({}), folder.path())) == "\"file\" ~/key");
}

TEST_CASE("a key under another name is handed over under the agent's, and stays") {
  const Manifest agent = manifest(keys);
  CHECK(handed_over(agent, {"A=1", "PUBLIC_KEY=k=1"}) == Strings{"A=1", "PUBLIC_KEY=k=1", "AGENT_KEY=k=1"});
  CHECK(handed_over(agent, {"OLD_KEY=old", "PUBLIC_KEY= "}) == Strings{"OLD_KEY=old", "PUBLIC_KEY= ", "AGENT_KEY=old"});
  CHECK(handed_over(agent, {"AGENT_KEY= ", "OLD_KEY=old", "PUBLIC_KEY=new"}) ==
        Strings{"AGENT_KEY=new", "OLD_KEY=old", "PUBLIC_KEY=new"});
}

TEST_CASE("what is there already is not replaced, and nothing is made up") {
  const Manifest agent = manifest(keys);
  const Strings own = {"AGENT_KEY=own", "PUBLIC_KEY=other"};
  CHECK(handed_over(agent, own) == own);
  const Strings blank = {"AGENT_KEY=", "PUBLIC_KEY=\t", "AGENT_KEYS=x"};
  CHECK(handed_over(agent, blank) == blank);
  CHECK(handed_over(Manifest{}, own) == own);
  CHECK(handed_over(agent, {}).empty());
}

}  // namespace sa
