#include "agents/store.h"

#include <doctest/doctest.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>

#include "base/scratch_folder.h"

namespace sa {
namespace {

using Strings = std::vector<std::string>;
using Found = Store::Found;

constexpr char processes[] = "bin/agent_processes/";

struct Data {
  void write(const std::string& name, mode_t mode = 0755) const { folder.write(processes + name, "#!/bin/sh\n", mode); }
  void link(const std::string& name, const std::string& text) const {
    folder.directory(processes);
    folder.link(processes + name, text);
  }
  Found found(const std::string& agent) const { return store.look(agent).found; }

  ScratchFolder folder;
  Store store{folder.path()};
};

}  // namespace

TEST_CASE("the places of an agent are where the picture says") {
  const Store store("/d");
  CHECK(store.launcher("x") == "/d/bin/agent_processes/x-acp");
  CHECK(store.folder("x") == "/d/bin/agent_processes/x.d");
  CHECK(store.native("tool") == "/d/bin/tool");
  CHECK(store.processes() == "/d/bin/agent_processes");
  CHECK(store.native_directory() == "/d/bin");
  CHECK(store.registry_copy() == "/d/registry.json");
}

TEST_CASE("where there is no launcher there is nothing") {
  const Data data;
  CHECK(data.found("a") == Found::nothing);
  CHECK(data.store.launched().empty());
  CHECK(Store("/no/such/folder").launched().empty());
}

TEST_CASE("our own link is an install, with its tree") {
  const Data data;
  data.write("a.d/1.0-xyz/launch");
  data.link("a-acp", "a.d/1.0-xyz/launch");
  const auto there = data.store.look("a");
  CHECK(there.found == Found::installed);
  CHECK(there.tree == "1.0-xyz");
}

TEST_CASE("a link that names the folder itself, or what is above it, names no tree") {
  CHECK(tree_in_link("a.d/1.0-xyz/launch", "a") == "1.0-xyz");
  CHECK(tree_in_link("a.d/../launch", "a") == "");
  CHECK(tree_in_link("a.d/./launch", "a") == "");
  CHECK(tree_in_link("a.d//launch", "a") == "");
  CHECK(tree_in_link("a.d/x/y/launch", "a") == "");
  CHECK(tree_in_link("b.d/x/launch", "a") == "");
}

TEST_CASE("everything else that can be started was put there by hand") {
  const Data data;
  data.write("file-acp");
  data.write("own/program");
  data.link("link-acp", "own/program");
  data.link("absolute-acp", "/bin/sh");
  data.write("b.d/1.0/launch");
  data.link("other-acp", "b.d/1.0/launch");  // another agent's
  data.write("c.d/1.0/other");
  data.link("c-acp", "c.d/1.0/other");
  data.write("d.d/launch");
  data.link("d-acp", "d.d/launch");
  data.write("e.d/1.0/deep/launch");
  data.link("e-acp", "e.d/1.0/deep/launch");
  for (const char* id : {"file", "link", "absolute", "other", "c", "d", "e"}) {
    CAPTURE(id);
    CHECK(data.found(id) == Found::by_hand);
    CHECK(data.store.look(id).tree.empty());
  }
}

TEST_CASE("what cannot be started counts as nothing") {
  const Data data;
  data.link("dangling-acp", "/no/such/file");
  data.link("gone-acp", "gone.d/1.0/launch");
  data.folder.directory(std::string(processes) + "folder-acp");
  data.write("plain-acp", 0644);
  data.link("loop-acp", "loop-acp");
  data.write("weak.d/1.0/launch", 0644);
  data.link("weak-acp", "weak.d/1.0/launch");
  for (const char* id : {"dangling", "gone", "folder", "plain", "loop", "weak"}) {
    CAPTURE(id);
    CHECK(data.found(id) == Found::nothing);
  }
  CHECK(data.store.launched().empty());
}

TEST_CASE("the launchers there are: ours and those put there by hand") {
  const Data data;
  data.write("hand-acp");
  data.write("ours.d/1/launch");
  data.link("ours-acp", "ours.d/1/launch");
  data.write("-acp");
  data.write(".x-acp");
  data.write("a b-acp");
  data.write("noacp");
  Strings launched = data.store.launched();
  std::ranges::sort(launched);
  CHECK(launched == Strings{"hand", "ours"});
}

TEST_CASE("an install's record is read back as it was written") {
  const Data data;
  InstallRecord record{.agent = "a", .registry = RegistryState::listed};
  record.artifacts.push_back({.path = "/p", .source = ArtifactSource::registry, .version = "1", .sha256 = "abc"});
  record.artifacts.push_back({.kind = ArtifactKind::native_agent, .path = "/n", .source = ArtifactSource::fallback});
  record.launch = {"files/p", {"acp"}, {{"A", "1"}}, {"node_modules/.bin"}};
  record.native = LaunchRecord{.program = "n"};
  record.native_program = "n";
  record.verified = true;
  record.verified_at_ms = 1'700'000'000'123;
  record.registry_copy_of = "then";
  data.folder.write(std::string(processes) + "a.d/t/install.json", to_json(record));
  const auto read = data.store.record("a", "t");
  REQUIRE(read.has_value());
  CHECK(to_json(*read) == to_json(record));
  CHECK(read->artifacts.at(1).kind == ArtifactKind::native_agent);
  CHECK(read->verified_at_ms == 1'700'000'000'123);
}

TEST_CASE("a record that is missing or broken is an error") {
  const Data data;
  CHECK_FALSE(data.store.record("a", "t").has_value());
  for (const char* json : {"", "{}", "[]", R"({"agent":"a","registry":"perhaps"})"}) {
    CAPTURE(json);
    data.folder.write(std::string(processes) + "a.d/t/install.json", json);
    CHECK_FALSE(data.store.record("a", "t").has_value());
  }
}

TEST_CASE("a program is found along PATH, and a path is taken as it is") {
  const ScratchFolder folder;
  folder.write("one/tool", "", 0755);
  folder.write("two/tool", "", 0755);
  folder.write("two/more", "", 0755);
  folder.write("weak/tool", "", 0644);
  folder.directory("folder/tool");
  const std::string one = folder.at("one"), two = folder.at("two");
  CHECK(find_program("tool", one + ":" + two) == one + "/tool");
  CHECK(find_program("more", one + ":" + two) == two + "/more");
  CHECK(find_program("tool", folder.at("weak") + ":" + folder.at("folder") + ":/no/such:" + two) == two + "/tool");
  CHECK(find_program("tool", folder.at("weak")).empty());
  CHECK(find_program("tool", "").empty());
  CHECK(find_program(one + "/tool", "") == one + "/tool");
  CHECK(find_program(one + "/none", one).empty());
}

TEST_CASE("a tool on PATH that is our own install is none of somebody else's, however it is spelled") {
  const Data data;
  data.write("b.d/t/native");
  data.folder.link("bin/tool", "agent_processes/b.d/t/native");
  const ScratchFolder others;
  others.link("data", data.folder.path());
  others.directory("links");
  others.link("links/tool", data.folder.at("bin/tool"));
  const std::string bin = data.folder.at("bin");
  const std::string ours = fmt::format("{0}:{0}/:{1}:{2}", bin, others.at("data/bin"), others.at("links"));
  CHECK(data.store.find_foreign_tool("tool", ours).empty());
  CHECK(Store(others.at("data")).find_foreign_tool("tool", ours).empty());
  others.write("theirs/tool", "#!/bin/sh\n", 0755);
  CHECK(data.store.find_foreign_tool("tool", ours + ":" + others.at("theirs")) == others.at("theirs/tool"));
  std::filesystem::remove(data.folder.at("bin/tool"));
  data.folder.write("bin/tool", "#!/bin/sh\n", 0755);
  CHECK(data.store.find_foreign_tool("tool", others.at("theirs")) == data.store.native("tool"));
}

TEST_CASE("an empty element of PATH is the current directory") {
  const ScratchFolder folder;
  folder.write("tool", "", 0755);
  const std::string before = std::filesystem::current_path();
  std::filesystem::current_path(folder.path());
  CHECK(find_program("tool", ":/no/such") == "./tool");
  CHECK(find_program("tool", "/no/such::/bin") == "./tool");
  CHECK(find_program("tool", "/no/such:") == "./tool");
  CHECK(find_program("none", ":/no/such").empty());
  std::filesystem::current_path(before);
}

}  // namespace sa
