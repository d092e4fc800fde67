#include "agents/catalog.h"

#include <doctest/doctest.h>
#include <unistd.h>

#include <algorithm>

#include "base/scratch_folder.h"

namespace sa {
namespace {

using Strings = std::vector<std::string>;

// A launcher folder of its own.
class Launchers {
 public:
  void add(const std::string& name, mode_t mode = 0755) const { folder_.write(name, "#!/bin/sh\n", mode); }
  const std::string& path() const { return folder_.path(); }

 private:
  ScratchFolder folder_;
};

Catalog catalog(const Launchers& launchers, std::vector<CustomAgent> custom = {}) {
  return Catalog({launchers.path(), "/opt/sandbox-agent", std::move(custom), {"A=1"}});
}

Strings ids(const Catalog& catalog) {
  Strings all;
  for (const KnownAgent& agent : catalog.agents()) all.push_back(agent.id);
  return all;
}

}  // namespace

TEST_CASE("the demo agent needs nothing and is our own binary") {
  const Launchers launchers;
  CHECK(ids(catalog(launchers)) == Strings{"mock"});
  CHECK(catalog(launchers).agents()[0].source == AgentSource::builtin);
  const auto spec = catalog(launchers).launch("mock");
  REQUIRE(spec.has_value());
  CHECK(spec->argv == Strings{"/opt/sandbox-agent", "mock-agent"});
  CHECK(spec->env == Strings{"A=1"});
  CHECK(ids(Catalog({"/no/such/folder", "/opt/x", {}, {}})) == Strings{"mock"});
}

TEST_CASE("a launcher wins over the demo agent, and an agent of the command line over both") {
  const Launchers launchers;
  launchers.add("mock-acp");
  launchers.add("claude-acp");
  const Catalog found = catalog(launchers, {{"claude", {"prog", "arg"}}});
  CHECK(found.launch("mock")->argv == Strings{launchers.path() + "/mock-acp"});
  CHECK(found.launch("claude")->argv == Strings{"prog", "arg"});
  const auto agents = found.agents();
  REQUIRE(agents.size() == 2);
  CHECK(agents[0].id == "claude");
  CHECK(agents[0].source == AgentSource::custom);
  CHECK(agents[1].source == AgentSource::local_path);
}

TEST_CASE("a launcher counts as soon as it is there, and only when it is an executable file") {
  const Launchers launchers;
  const Catalog found = catalog(launchers);
  CHECK_FALSE(found.launch("late").has_value());
  launchers.add("late-acp");
  CHECK(found.launch("late").has_value());
  launchers.add("data-acp", 0644);
  launchers.add("nosuffix");
  launchers.add("-acp");
  launchers.add(".hidden-acp");
  std::filesystem::create_directory(launchers.path() + "/folder-acp");
  CHECK(ids(found) == Strings{"late", "mock"});
  for (const char* id : {"data", "nosuffix", "", ".hidden", "folder"}) {
    CAPTURE(id);
    CHECK_FALSE(found.launch(id).has_value());
  }
}

TEST_CASE("an id never becomes a path outside the launcher folder") {
  const Launchers launchers;
  std::filesystem::create_directory(launchers.path() + "/sub");
  launchers.add("sub/evil-acp");
  launchers.add("evil-acp");
  const Catalog below({launchers.path() + "/sub", "/opt/x", {}, {}});
  CHECK(below.launch("evil").has_value());
  for (const std::string& id :
       {std::string("../evil"), std::string("sub/evil"), std::string("/bin/sh"), std::string(".."), std::string("-x"),
        std::string("a b"), std::string("evil\0", 5), std::string("é"), std::string(65, 'a'), std::string()}) {
    CAPTURE(id);
    for (const Catalog& found : {below, catalog(launchers)}) {
      const auto spec = found.launch(id);
      REQUIRE_FALSE(spec.has_value());
      CHECK(spec.error().code == ErrorCode::unsupported_agent);
    }
  }
}

TEST_CASE("an unknown agent is answered with the most similar ones, at most five") {
  const Launchers launchers;
  for (const char* name : {"claude-acp", "codex-acp", "gemini-acp", "goose-acp", "opencode-acp"}) launchers.add(name);
  const Error error = catalog(launchers).launch("cluade").error();
  CHECK(error.extra("agent") == "\"cluade\"");
  CHECK(error.extra("suggestions").starts_with("[\"claude\","));
  CHECK(std::ranges::count(error.extra("suggestions"), ',') == 4);
  CHECK(error.detail.find("'cluade'") != std::string::npos);
  const Error broken = catalog(launchers).launch("\xFF").error();
  CHECK(broken.extra("agent") == "\"\uFFFD\"");
}

TEST_CASE("agents of the command line are an id and words") {
  const auto agent = parse_custom_agent("my-agent=prog --flag 'a b'");
  REQUIRE(agent.has_value());
  CHECK(agent->id == "my-agent");
  CHECK(agent->argv == Strings{"prog", "--flag", "a b"});
  CHECK(parse_custom_agent("a=b=c")->argv == Strings{"b=c"});
  for (const char* text : {"", "=", "=prog", "prog", "a=", "a=  ", "a='open", "a b=prog", "../a=prog", "-a=prog", ".a=prog"}) {
    CAPTURE(text);
    const auto refused = parse_custom_agent(text);
    REQUIRE_FALSE(refused.has_value());
    CHECK(refused.error().code == ErrorCode::invalid_request);
  }
}

TEST_CASE("agents get our environment without the token, and where our binary is") {
  const char* variables[] = {
      "A=1",  "SANDBOX_AGENT_TOKEN=secret", "SANDBOX_AGENT_BIN=/old", "SANDBOX_AGENT_TOKENS=x", "B=SANDBOX_AGENT_TOKEN=y",
      nullptr};
  CHECK(agent_environment(const_cast<char**>(variables), "/new") ==
        Strings{"A=1", "SANDBOX_AGENT_TOKENS=x", "B=SANDBOX_AGENT_TOKEN=y", "SANDBOX_AGENT_BIN=/new"});
}

}  // namespace sa
