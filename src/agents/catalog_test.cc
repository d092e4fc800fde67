#include "agents/catalog.h"

#include <doctest/doctest.h>

#include <algorithm>

#include "base/scratch_folder.h"

namespace sa {
namespace {

using Strings = std::vector<std::string>;

// A data folder to put launchers into by hand.
struct Data {
  void add(const std::string& name, mode_t mode = 0755) const {
    folder.write("bin/agent_processes/" + name, "#!/bin/sh\n", mode);
  }
  Store store() const { return Store(folder.path()); }
  Catalog catalog(std::vector<Agent> agents = {}) const { return Catalog(std::move(agents), store()); }

  ScratchFolder folder;
};

Agent agent(const std::string& id, AgentOrigin origin, Strings aliases = {}, int order = 100) {
  Agent made{.origin = origin};
  made.manifest.id = id;
  made.manifest.name = id;
  made.manifest.aliases = std::move(aliases);
  made.manifest.order = order;
  return made;
}

Agent builtin(const std::string& id, Strings aliases = {}, int order = 100) {
  return agent(id, AgentOrigin::builtin, std::move(aliases), order);
}

Strings ids(const Catalog& catalog) {
  Strings all;
  for (const AgentPtr& found : catalog.agents()) all.push_back(found->manifest.id);
  return all;
}

}  // namespace

TEST_CASE("of one id the command line wins over the user's file, and that over what is built in") {
  const Data data;
  const Catalog catalog = data.catalog({builtin("a"), builtin("b"), builtin("c"), agent("b", AgentOrigin::user),
                                        agent("c", AgentOrigin::user), agent("c", AgentOrigin::command_line)});
  CHECK(ids(catalog) == Strings{"a", "b", "c"});
  CHECK(catalog.find("a").value()->origin == AgentOrigin::builtin);
  CHECK(catalog.find("b").value()->origin == AgentOrigin::user);
  CHECK(catalog.find("c").value()->origin == AgentOrigin::command_line);
}

TEST_CASE("agents stand in their order, and by id where that is the same") {
  const Data data;
  data.add("m-acp");
  const Catalog catalog = data.catalog({builtin("z", {}, 10), builtin("b"), builtin("a", {}, 200), builtin("c", {}, -1)});
  CHECK(ids(catalog) == Strings{"c", "z", "b", "m", "a"});
}

TEST_CASE("an agent is found by its aliases, but an id comes first") {
  const Data data;
  const Catalog catalog = data.catalog({builtin("a", {"b", "other"}), builtin("b"), builtin("c", {"other", "third"})});
  CHECK(catalog.find("third").value()->manifest.id == "c");
  CHECK(catalog.find("other").value()->manifest.id == "a");
  CHECK(catalog.find("b").value()->manifest.id == "b");
  data.add("third-acp");
  CHECK(catalog.find("third").value()->origin == AgentOrigin::launcher);
}

TEST_CASE("a launcher put there by hand is an agent as soon as it is there, and only when it is an executable file") {
  const Data data;
  const Catalog catalog = data.catalog({builtin("known")});
  CHECK_FALSE(catalog.find("late").has_value());
  data.add("late-acp");
  data.add("known-acp");
  const auto late = catalog.find("late");
  REQUIRE(late.has_value());
  CHECK((*late)->origin == AgentOrigin::launcher);
  CHECK((*late)->manifest.id == "late");
  CHECK((*late)->manifest.name == "late");
  CHECK(catalog.find("known").value()->origin == AgentOrigin::builtin);
  data.add("data-acp", 0644);
  data.add("nosuffix");
  data.add("-acp");
  data.add(".hidden-acp");
  data.folder.directory("bin/agent_processes/folder-acp");
  CHECK(ids(catalog) == Strings{"known", "late"});
  for (const char* id : {"data", "nosuffix", "", ".hidden", "folder"}) {
    CAPTURE(id);
    CHECK_FALSE(catalog.find(id).has_value());
  }
}

TEST_CASE("an id never becomes a path outside the launcher folder") {
  const Data data;
  data.add("sub/evil-acp");
  data.add("evil-acp");
  data.folder.write("evil-acp", "#!/bin/sh\n", 0755);
  const Catalog catalog = data.catalog();
  CHECK(catalog.find("evil").has_value());
  for (const std::string& id : {std::string("../../evil"), std::string("sub/evil"), std::string("./evil"),
                                std::string("/bin/sh"), std::string(".."), std::string("-x"), std::string("a b"),
                                std::string("evil\0", 5), std::string("é"), std::string(65, 'a'), std::string()}) {
    CAPTURE(id);
    const auto found = catalog.find(id);
    REQUIRE_FALSE(found.has_value());
    CHECK(found.error().code == ErrorCode::unsupported_agent);
  }
}

TEST_CASE("an unknown agent is answered with the most similar ones, at most five") {
  const Data data;
  data.add("goose-acp");
  const Catalog catalog =
      data.catalog({builtin("claude"), builtin("codex"), builtin("gemini"), builtin("opencode"), builtin("x")});
  const Error error = catalog.find("cluade").error();
  CHECK(error.code == ErrorCode::unsupported_agent);
  CHECK(error.extra("agent") == "\"cluade\"");
  CHECK(error.extra("suggestions").starts_with("[\"claude\","));
  CHECK(std::ranges::count(error.extra("suggestions"), ',') == 4);
  CHECK(error.detail.contains("There is no agent 'cluade'."));
  CHECK(error.detail.contains("--agent cluade=<command>"));
  const Error broken = catalog.find("\xFF").error();
  CHECK(broken.extra("agent") == "\"\uFFFD\"");
  CHECK(broken.detail.contains("--agent my-agent=<command>"));
  CHECK(catalog.find(std::string(100'000, 'a')).error().detail.size() < 500);
}

TEST_CASE("agents of the command line are an id and words") {
  const auto manifest = parse_agent_flag("my-agent=prog --flag 'a b'");
  REQUIRE(manifest.has_value());
  CHECK(manifest->id == "my-agent");
  CHECK(manifest->name == "my-agent");
  CHECK(manifest->command == Strings{"prog", "--flag", "a b"});
  CHECK(parse_agent_flag("a=b=c")->command == Strings{"b=c"});
  for (const char* text : {"", "=", "=prog", "prog", "a=", "a=  ", "a='open", "a b=prog", "../a=prog", "-a=prog", ".a=prog"}) {
    CAPTURE(text);
    const auto refused = parse_agent_flag(text);
    REQUIRE_FALSE(refused.has_value());
    CHECK(refused.error().code == ErrorCode::invalid_request);
  }
}

}  // namespace sa
