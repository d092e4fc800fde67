#include <doctest/doctest.h>
#include <fmt/format.h>
#include <unistd.h>

#include "agents/catalog.h"
#include "base/scratch_folder.h"

namespace sa {
namespace {

using Strings = std::vector<std::string>;

std::string manifest(const std::string& id) { return fmt::format(R"({{"id":"{}","name":"N","command":["p"]}})", id); }

// What a folder gives, and what was said about the rest.
struct Read {
  Strings ids;
  Strings complaints;
};

Read read(const std::string& folder) {
  Read result;
  const auto complain = [&](const std::string& sentence) { result.complaints.push_back(sentence); };
  for (const Agent& agent : user_agents(folder, complain)) {
    CHECK(agent.origin == AgentOrigin::user);
    result.ids.push_back(agent.manifest.id);
  }
  return result;
}

}  // namespace

TEST_CASE("a folder for manifests need not exist") {
  const Read found = read("/no/such/folder");
  CHECK(found.ids.empty());
  CHECK(found.complaints.empty());
}

TEST_CASE("a user's manifests are the files that end in .json, in the order of their names") {
  const ScratchFolder folder;
  folder.write("2.json", manifest("first"));
  folder.write("10.json", manifest("second"));
  folder.write("b.json", manifest("last"));
  for (const char* name : {"x.json.bak", "README.md", "json", ".hidden.json", "x.JSON"}) folder.write(name, "not JSON");
  folder.directory("sub");
  folder.write("sub/deep.json", manifest("deep"));
  const Read found = read(folder.path());
  CHECK(found.ids == Strings{"second", "first", "last"});
  CHECK(found.complaints.empty());
}

TEST_CASE("a manifest file that cannot be used is told with its name and field, and the others count") {
  const ScratchFolder folder;
  folder.write("a.json", "{\"id\":");
  folder.write("b.json", R"({"id":"b","name":"B","command":["p"],"order":"x"})");
  folder.write("c.json", manifest("c"));
  folder.write("d.json", manifest("c"));
  folder.directory("e.json");
  folder.link("f.json", "/no/such/file");
  folder.write("g.json", std::string(2'000'000, ' '));
  folder.write("h.json", manifest("h"));
  const Read found = read(folder.path());
  CHECK(found.ids == Strings{"c", "h"});
  REQUIRE(found.complaints.size() == 6);
  const char* files[] = {"a", "b", "d", "e", "f", "g"};
  for (std::size_t i = 0; i < found.complaints.size(); ++i) {
    const std::string start = fmt::format("the agent manifest {} is not used: ", folder.at(files[i]) + ".json");
    CAPTURE(found.complaints[i]);
    CHECK(found.complaints[i].starts_with(start));
    CHECK(found.complaints[i].size() > start.size());
  }
  CHECK(found.complaints[0].ends_with("not used: it must be one JSON value; at byte 6 it ends too early."));
  CHECK(found.complaints[1].contains("'order' must be a whole number"));
  CHECK(found.complaints[2].ends_with("another file gives 'c' already"));
}

TEST_CASE("a manifest may be a link, and a pipe in its place holds nobody up") {
  const ScratchFolder folder;
  folder.write("kept/one", manifest("one"));
  folder.link("one.json", "kept/one");
  REQUIRE(::mkfifo(folder.at("pipe.json").c_str(), 0644) == 0);
  const Read found = read(folder.path());
  CHECK(found.ids == Strings{"one"});
  CHECK(found.complaints.size() == 1);
}

}  // namespace sa
