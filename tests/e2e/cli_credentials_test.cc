#include <doctest/doctest.h>

#include <boost/json.hpp>
#include <fstream>

#include "command_run.h"
#include "support/acp.h"

using namespace rig;

namespace {

const std::string secret = "sk-test-0123456789-it's \"odd\" $HOME `x` \\ end";

boost::json::object object(const std::string& text) { return boost::json::parse(text).as_object(); }

bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

void write_file(const std::filesystem::path& path, const std::string& text) {
  std::filesystem::create_directories(path.parent_path());
  std::ofstream(path) << text;
}

// An agent of the test's own, with a variable that has an alias, and a file with a key in it.
void put_manifest(const std::filesystem::path& home) {
  write_file(home / "config/sandbox-agent/agents/tin.json",
             R"({"id":"tin","name":"Tin","command":["true"],"credentials":{)"
             R"("variables":[{"name":"TIN_KEY","aliases":["PEWTER_KEY"]},{"name":"LEAD_KEY"}],"files":["~/.tin/auth.json"],)"
             R"("values":[{"file":"~/.tin/auth.json","pointer":"/lead/key","variable":"LEAD_KEY"}]}})");
}

void put_key_file(const std::filesystem::path& home) {
  put_manifest(home);
  write_file(home / ".tin/auth.json", R"({"lead":{"key":"lead-key-from-a-file-42"}})");
}

}  // namespace

TEST_SUITE_BEGIN("cli");

TEST_CASE("credentials status says where keys are and who reads them, and never what they are") {
  for (const bool json : {false, true}) {
    std::vector<std::string> words = {"credentials", "status"};
    if (json) words.emplace_back("--json");
    CommandRun run(words, {"PEWTER_KEY=" + secret}, put_key_file);
    REQUIRE_EQ(run.code(), 0);
    for (const char* part : {"TIN_KEY", "PEWTER_KEY", "LEAD_KEY", "~/.tin/auth.json", "found", "missing", "tin"})
      CHECK_MESSAGE(contains(run.out(), part), part);
    CHECK_FALSE(contains(run.all(), "0123456789"));
    CHECK_FALSE(contains(run.all(), "lead-key"));
    CHECK_FALSE(contains(run.all(), "\x1b["));
  }
}

TEST_CASE("credentials extract shows enough to recognise a key by, and all of it only with --reveal") {
  CommandRun hidden({"credentials", "extract", "--agent", "tin"}, {"TIN_KEY=" + secret}, put_key_file);
  REQUIRE_EQ(hidden.code(), 0);
  CHECK(contains(hidden.out(), "TIN_KEY"));
  CHECK(contains(hidden.out(), "LEAD_KEY"));
  CHECK(contains(hidden.out(), "sk-t…"));
  CHECK_FALSE(contains(hidden.all(), "0123456789"));
  CHECK_FALSE(contains(hidden.all(), "lead-key"));
  CommandRun revealed({"credentials", "extract", "--reveal", "--json"}, {"TIN_KEY=" + secret}, put_key_file);
  REQUIRE_EQ(revealed.code(), 0);
  const auto found = object(revealed.out()).at("credentials").as_array();
  REQUIRE_EQ(found.size(), 2);
  CHECK_EQ(found.at(0).at("value").as_string(), secret);
  CHECK_EQ(found.at(0).at("redacted").as_bool(), false);
  CHECK_EQ(found.at(1).at("value").as_string(), "lead-key-from-a-file-42");
  CHECK_EQ(found.at(1).at("place").as_string(), "~/.tin/auth.json");
}

TEST_CASE("what credentials extract-env prints gives a shell the values back") {
  for (const bool exported : {false, true}) {
    std::vector<std::string> words = {"credentials", "extract-env", "-a", "tin"};
    if (exported) words.emplace_back("--export");
    CommandRun run(words, {"TIN_KEY=" + secret}, put_key_file);
    REQUIRE_EQ(run.code(), 0);
    CHECK_EQ(run.out().starts_with("export TIN_KEY="), exported);
    CHECK_EQ(run.err(), "");
    const auto seen = run.folder.path() / "seen";
    Launch shell;
    shell.argv = {"/bin/sh", "-c", ". ./out; printf '%s|%s' \"$TIN_KEY\" \"$LEAD_KEY\""};
    shell.cwd = run.folder.path();
    shell.stdout_file = seen;
    shell.stderr_file = run.folder.path() / "shell-errors";
    REQUIRE(Process(shell).wait(milliseconds(5000)));
    CHECK_EQ(read_file(seen), secret + "|lead-key-from-a-file-42");
  }
  CommandRun json({"credentials", "extract-env", "--json"}, {"TIN_KEY=" + secret}, put_manifest);
  REQUIRE_EQ(json.code(), 0);
  CHECK_EQ(object(json.out()).at("variables").at("TIN_KEY").as_string(), secret);
}

TEST_CASE("without a key extract and extract-env exit 9 and say what to do") {
  for (const char* word : {"extract", "extract-env"}) {
    CommandRun run({"credentials", word, "--agent", "tin"}, {}, put_manifest);
    CHECK_EQ(run.code(), 9);
    CHECK_EQ(run.out(), "");
    CHECK(contains(run.err(), "error: no credentials of 'tin' were found\n"));
    CHECK(contains(run.err(), "try: export TIN_KEY="));
  }
}

TEST_CASE("credentials of an agent that does not exist are exit 5 with suggestions") {
  CommandRun run({"credentials", "extract", "--agent", "tni"}, {}, put_manifest);
  CHECK_EQ(run.code(), 5);
  CHECK(contains(run.err(), "error: there is no agent 'tni'\n"));
  CHECK(contains(run.err(), "tin"));
}

TEST_SUITE_END();
