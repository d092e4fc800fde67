#include "cli/completion_candidates.h"

#include <doctest/doctest.h>

#include <algorithm>

namespace sa {
namespace {

const CompletionSources sources{[] { return std::vector<Candidate>{{"alpha", "Alpha"}, {"beta", "Beta"}}; },
                                [] { return std::vector<Candidate>{{"my box", "alpha"}}; }};

std::vector<std::string> words_for(std::vector<std::string_view> words) {
  std::vector<std::string> found;
  for (Candidate& candidate : complete_words(std::move(words), sources).words) found.push_back(std::move(candidate.word));
  return found;
}

using Words = std::vector<std::string>;

}  // namespace

TEST_CASE("the words of commands are completed one after the other") {
  CHECK(words_for({"ag"}) == Words{"agents"});
  CHECK(words_for({"api", "f"}) == Words{"fs"});
  CHECK(words_for({"api", "fs", "st"}) == Words{"stat"});
  CHECK(words_for({"api", "v1", "fs", "st"}) == Words{"stat"});
  CHECK(words_for({"api", "config", "mcp", ""}) == Words{"get", "put", "delete"});
  CHECK(words_for({"nonsense", ""}).empty());
  CHECK(words_for({"--v"}) == Words{"--version"});
  const auto all = words_for({});
  CHECK(std::ranges::find(all, "server") != all.end());
  CHECK(std::ranges::find(all, "complete") == all.end());
}

TEST_CASE("options are completed once each, and with their values") {
  CHECK(words_for({"version", "--col"}) == Words{"--color"});
  CHECK(words_for({"version", "--color", "a"}) == Words{"auto", "always"});
  CHECK(words_for({"version", "--color=n"}) == Words{"--color=never"});
  CHECK(words_for({"version", "--color", "=", "n"}) == Words{"never"});
  CHECK(words_for({"version", "--color", "="}) == Words{"auto", "always", "never"});
  CHECK(words_for({"version", "--json", "--js"}).empty());
  CHECK(words_for({"api", "acp", "post", "x", "--agent", "b"}) == Words{"beta"});
}

TEST_CASE("arguments are completed by what they are") {
  CHECK(words_for({"completion", "b"}) == Words{"bash"});
  CHECK(words_for({"completion", "bash", ""}).empty());
  CHECK(words_for({"api", "agents", "install", ""}) == Words{"alpha", "beta"});
  CHECK(words_for({"api", "acp", "stream", "m"}) == Words{"my box"});
  CHECK(words_for({"api", "acp", "stream", "--json", "--", "m"}) == Words{"my box"});
}

TEST_CASE("paths are left to the shell") {
  CHECK(complete_words({"api", "fs", "write", "--file", ""}, sources).paths == Completes::file);
  CHECK(complete_words({"api", "config", "mcp", "get", "--directory", ""}, sources).paths == Completes::folder);
  CHECK(complete_words({"version", ""}, sources).paths == Completes::nothing);
}

TEST_CASE("instances are those a daemon lists, but for what would be more than a word") {
  const auto ids_in = [](std::string_view answer) {
    Words ids;
    for (const Candidate& each : instances_in(answer)) ids.push_back(each.word + "|" + each.help);
    return ids;
  };
  CHECK(ids_in(R"({"servers":[{"serverId":"my box","agent":"alpha"},{"serverId":"b"}]})") == Words{"my box|alpha", "b|"});
  CHECK(ids_in(R"({"servers":[{"serverId":"a\n:files","agent":"x"},{"serverId":"b","agent":"\u001b[2J"},{"serverId":""},7]})")
            .empty());
  CHECK(ids_in(R"({"servers":7})").empty());
  CHECK(ids_in("<html>").empty());
}

}  // namespace sa
