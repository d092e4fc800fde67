#include "agents/bundle.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "agents/registry_document.h"

namespace sa {
namespace {

std::string index_of(int format, std::string_view platform, std::string_view agent) {
  return fmt::format(
      R"({{"format":{},"platform":"{}","agents":[{{"digest":"d","record":{{"agent":"{}","registry":"listed",)"
      R"("artifacts":[{{"kind":"agent_process","path":"/x","source":"registry"}}],)"
      R"("launch":{{"program":"bin/x","args":[],"env":{{}},"path":[]}},"verified":true,"verifiedAtMs":1,"installedAtMs":2}}}}]}})",
      format, platform, agent);
}

InstallRecord record_with(std::string program) {
  InstallRecord record;
  record.launch.program = std::move(program);
  return record;
}

}  // namespace

TEST_CASE("an index is read when it is of our format and platform and its agents have ids") {
  const auto index = read_bundle_index(index_of(1, this_platform(), "claude"));
  REQUIRE(index);
  CHECK(index->agents.at(0).record.agent == "claude");
  for (const std::string& wrong : {index_of(2, this_platform(), "claude"), index_of(1, "other", "claude"),
                                   index_of(1, this_platform(), "../x"), std::string("{}"), std::string("no JSON")}) {
    const auto refused = read_bundle_index(wrong);
    REQUIRE_FALSE(refused);
    CHECK(refused.error().code == ErrorCode::install_failed);
  }
}

TEST_CASE("a record from elsewhere must not lead out of its tree") {
  CHECK(stays_in_its_tree(record_with("bin/..x/y")));
  for (const char* program : {"", "/bin/sh", "..", "../x", "a/../../x", "a/.."})
    CHECK_FALSE(stays_in_its_tree(record_with(program)));
  InstallRecord record = record_with("x");
  record.launch.path = {"/usr/bin"};
  CHECK_FALSE(stays_in_its_tree(record));
  record.launch.path = {"node/bin"};
  record.launch.env = {{"A B", "1"}};
  CHECK_FALSE(stays_in_its_tree(record));
  record.launch.env = {{"A", "1"}};
  record.native_program = "../x";
  CHECK_FALSE(stays_in_its_tree(record));
  record.native_program = "x";
  CHECK(stays_in_its_tree(record));
}

}  // namespace sa
