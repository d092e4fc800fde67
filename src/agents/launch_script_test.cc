// The scripts are run by the /bin/sh they are written for.
#include "agents/launch_script.h"

#include <doctest/doctest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <sstream>

#include "base/scratch_folder.h"

namespace sa {
namespace {

using Strings = std::vector<std::string>;

// A place with a program that writes down what it was started with, each word and variable ended by a NUL.
struct Place {
  Place() {
    folder.write(
        "a program's/it",
        "#!/bin/sh\nprintf '%s\\0' \"$@\" >'" + folder.at("args") + "'\n" + "/usr/bin/env -0 >'" + folder.at("env") + "'\n",
        0755);
  }
  std::string program() const { return folder.at("a program's/it"); }

  Strings split(const std::string& name) const {
    Strings words;
    std::istringstream in(folder.read(name));
    for (std::string word; std::getline(in, word, '\0');) words.push_back(word);
    return words;
  }
  // The script's own words reach the program; `environment` is all there is of that.
  void run(const LaunchScript& script, Strings words = {}, Strings environment = {}) const {
    folder.write("script", to_text(script), 0755);
    std::vector<char*> argv, env;
    std::string path = folder.at("script");
    argv.push_back(path.data());
    for (std::string& word : words) argv.push_back(word.data());
    for (std::string& variable : environment) env.push_back(variable.data());
    argv.push_back(nullptr);
    env.push_back(nullptr);
    const pid_t child = ::fork();
    if (child == 0) {
      ::execve(path.c_str(), argv.data(), env.data());
      ::_exit(127);
    }
    int status = -1;
    REQUIRE(::waitpid(child, &status, 0) == child);
    REQUIRE(status == 0);
  }
  Strings arguments() const { return split("args"); }
  std::string variable(const std::string& name) const {
    for (const std::string& variable : split("env"))
      if (variable.starts_with(name + "=")) return variable.substr(name.size() + 1);
    return "(unset)";
  }

  ScratchFolder folder;
};

const Strings hard_words = {"",           "a b", "it's",  "\"quoted\"", "$HOME",    "`id`",  "$(id)", "back\\slash",
                            "two\nlines", "-n",  "*",     "~",          "; exit 1", "'",     "''",    "\ttab",
                            "é",          "!x",  "a'b'c", "#no",        "\\",       "last\n"};

}  // namespace

TEST_CASE("a launcher hands its program every argument as it is") {
  const Place place;
  place.run({"X", place.program(), hard_words, {}, {}});
  CHECK(place.arguments() == hard_words);
}

TEST_CASE("arguments that are given are used instead of the launcher's own") {
  const Place place;
  place.run({"X", place.program(), {"own", "words"}, {}, {}}, hard_words);
  CHECK(place.arguments() == hard_words);
  place.run({"X", place.program(), {"own", "words"}, {}, {}}, {""});
  CHECK(place.arguments() == Strings{""});
  place.run({"X", place.program(), {}, {}, {}}, {"--version"});
  CHECK(place.arguments() == Strings{"--version"});
}

TEST_CASE("variables of a launcher are defaults: what is set stays, also when it is set to nothing") {
  const Place place;
  std::map<std::string, std::string> variables = {{"SET", "ours"}, {"EMPTY", "ours"}, {"UNSET", "ours"}};
  for (std::size_t i = 0; i < hard_words.size(); ++i) variables["V" + std::to_string(i)] = hard_words[i];
  place.run({"X", place.program(), {}, variables, {}}, {}, {"SET=theirs", "EMPTY="});
  CHECK(place.variable("SET") == "theirs");
  CHECK(place.variable("EMPTY").empty());
  CHECK(place.variable("UNSET") == "ours");
  for (std::size_t i = 0; i < hard_words.size(); ++i) CHECK(place.variable("V" + std::to_string(i)) == hard_words[i]);
}

TEST_CASE("a launcher's folders come first on PATH, which has a default") {
  const Place place;
  const LaunchScript script{"X", place.program(), {}, {}, {"/a b", "/c'd"}};
  place.run(script, {}, {"PATH=/usr/bin:/bin:/x"});
  CHECK(place.variable("PATH") == "/a b:/c'd:/usr/bin:/bin:/x");
  place.run(script, {}, {"PATH="});
  CHECK(place.variable("PATH") == "/a b:/c'd:/usr/bin:/bin");
  place.run(script);  // a shell may have a default of its own
  CHECK(place.variable("PATH").starts_with("/a b:/c'd:/"));
  place.run({"X", place.program(), {}, {}, {}}, {}, {"PATH=/only"});
  CHECK(place.variable("PATH") == "/only");
}

TEST_CASE("an agent's name stays in the comment of its launcher") {
  const Place place;
  place.run({"X\nexit 3\r\nexit 4", place.program(), {"ran"}, {}, {}});
  CHECK(place.arguments() == Strings{"ran"});
}

TEST_CASE("a launcher becomes its program: no shell stays between") {
  const Place place;
  CHECK(to_text({"X", "/p", {}, {}, {}}) ==
        "#!/bin/sh\n# Starts X. Made by sandbox-agent; an install replaces it.\nexec /p \"$@\"\n");
}

}  // namespace sa
