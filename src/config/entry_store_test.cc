#include "config/entry_store.h"

#include "config/skills_entry.h"
#include "config/test_project.h"

namespace sa {

using namespace std::literals;

TEST_CASE("what is put is got, until it is removed") {
  const Project project;
  REQUIRE(project.put("a", entry));
  REQUIRE(project.put("b", other_entry));
  CHECK(project.get("a") == std::string(entry));
  CHECK(project.get("b") == std::string(other_entry));
  REQUIRE(project.put("a", other_entry));
  CHECK(project.get("a") == std::string(other_entry));
  REQUIRE(project.remove("a"));
  CHECK(code_of(project.get("a")) == ErrorCode::not_found);
  CHECK(project.get("b") == std::string(other_entry));
}

TEST_CASE("the file is one pretty-printed object that keeps the order of its entries") {
  const Project project;
  REQUIRE(project.put("z", entry));
  REQUIRE(project.put("a", entry));
  REQUIRE(project.put("m", entry));
  REQUIRE(project.put("z", other_entry));
  REQUIRE(project.remove("a"));
  CHECK(project.text() ==
        "{\n  \"z\": {\n    \"type\": \"remote\",\n    \"url\": \"u\"\n  },\n"
        "  \"m\": {\n    \"type\": \"local\",\n    \"command\": \"x\"\n  }\n}\n");
}

TEST_CASE("other entries are left as they are, whatever is in them") {
  const Project project;
  const auto before = boost::json::parse(R"({"odd":{"type":7,"x":[1.5,1e22,null,{"deep":{}}]},"":{},"late":{"timeout":1}})");
  project.write(boost::json::serialize(before));
  REQUIRE(project.put("a", entry));
  REQUIRE(project.remove("a"));
  CHECK(boost::json::parse(project.text()) == before);
}

TEST_CASE("other entries keep the text of their numbers") {
  const Project project;
  const std::string_view numbers = "[12345678901234567890123, -0, 1.50, 1e400, -1E+999, 0e999, 0.1000000000000000055, 7]";
  project.write(R"({"odd":{"a\"1":"12 \\","x":)" + std::string(numbers) + R"(,"deep":{"y":18446744073709551616}}})");
  REQUIRE(project.put("a", entry));
  REQUIRE(project.remove("a"));
  CHECK(project.text() == "{\n  \"odd\": {\n    \"a\\\"1\": \"12 \\\\\",\n    \"x\": " + std::string(numbers) +
                              ",\n    \"deep\": {\n      \"y\": 18446744073709551616\n    }\n  }\n}\n");
  for (const char* broken : {R"({"a":{"x":01}})", R"({"a":{"x":1.}})", R"({"a":{"x":+1}})", R"({"a":{"x":1-2}})"}) {
    project.write(broken);
    CHECK(code_of(project.put("b", entry)) == ErrorCode::config_corrupt);
    CHECK(project.text() == broken);
  }
}

TEST_CASE("a directory that is none has no entries, and none can be put there") {
  const Project project;
  project.write("{}");
  const GuardedPath file = project.directory(".sandbox-agent/config/mcp.json");
  CHECK(code_of(project.store.get(file, "a")) == ErrorCode::not_found);
  CHECK(project.store.remove(file, "a", project.stop));
  CHECK(code_of(project.store.put(file, "a", boost::json::parse(entry), project.stop)) == ErrorCode::conflict);
}

TEST_CASE("a new file is for its owner only, an existing one keeps its mode") {
  const Project project;
  REQUIRE(project.put("a", entry));
  CHECK(project.mode() == 0600);
  ::chmod(project.file().c_str(), 0640);
  REQUIRE(project.put("b", entry));
  CHECK(project.mode() == 0640);
}

TEST_CASE("nothing but the file is left behind, and nothing at all by looking or removing") {
  const Project project;
  CHECK(code_of(project.get("a")) == ErrorCode::not_found);
  REQUIRE(project.remove("a"));
  CHECK(code_of(project.store.get(project.directory("no/such"), "a")) == ErrorCode::not_found);
  REQUIRE(project.store.remove(project.directory("no/such"), "a", project.stop));
  CHECK_FALSE(std::filesystem::exists(project.folder().parent_path()));
  CHECK_FALSE(std::filesystem::exists(project.folder() / "no"));

  std::filesystem::create_directories(project.folder());
  REQUIRE(project.remove("a"));
  CHECK(std::filesystem::is_empty(project.folder()));

  REQUIRE(project.put("a", entry));
  CHECK(std::ranges::distance(std::filesystem::directory_iterator(project.folder())) == 1);
}

TEST_CASE("what is no directory, and what is below it, holds nothing") {
  const Project project;
  std::filesystem::create_directories(project.folder());
  std::ofstream(project.folder() / "file") << "words";
  const std::string file = ".sandbox-agent/config/file";
  for (const std::string& path : {file, file + "/below", file + "/far/below"}) {
    CHECK(code_of(project.store.get(project.directory(path), "a")) == ErrorCode::not_found);
    CHECK(project.store.remove(project.directory(path), "a", project.stop));
  }
}

TEST_CASE("a missing entry is named, with what it is") {
  const Project project;
  const auto result = project.get("a \"b\"");
  REQUIRE_FALSE(result);
  CHECK(result.error().extras[0].json == "\"mcp server\"");
  CHECK(result.error().extras[1].json == R"("a \"b\"")");
  CHECK(EntryStore(skills_entries).get(project.directory(), "x").error().extras[0].json == "\"skill\"");
}

TEST_CASE("MCP servers and skills live in files of their own") {
  const Project project;
  const EntryStore skills(skills_entries);
  REQUIRE(project.put("same", entry));
  REQUIRE(skills.put(project.directory(), "same", boost::json::parse(R"({"sources":[]})"), project.stop));
  CHECK(project.get("same") == std::string(entry));
  CHECK(skills.get(project.directory(), "same") == R"({"sources":[]})");
  CHECK(std::filesystem::exists(project.folder() / "skills.json"));
}

TEST_CASE("any text is a name") {
  const Project project;
  const std::string_view names[] = {"a/b", "../x", "\"quoted\"", "ünï 中 😀", "__proto__", "a\nb", " x ", "a\0b"sv, "\\"};
  for (std::string_view name : names) REQUIRE(project.put(name, entry));
  for (std::string_view name : names) CHECK(project.get(name) == std::string(entry));
  for (std::string_view name : names) REQUIRE(project.remove(name));
  CHECK(project.text() == "{}\n");
}

TEST_CASE("a corrupt file is told by every verb and never written") {
  const Project project;
  const std::string large = R"({"a":{"x":")" + std::string(16U << 20U, 'x') + "\"}}";
  for (std::string_view text : {""sv, "{"sv, "[]"sv, "null"sv, "{\"a\":3}"sv, "{\"b\":[]}"sv, "{}{}"sv,
                                "{\"a\":{\"x\":\"\xff\"}}"sv, std::string_view(large)}) {
    project.write(text);
    const Error told[] = {error_of(project.get("a")), error_of(project.put("a", entry)), error_of(project.remove("a"))};
    for (const Error& error : told) {
      CHECK(error.code == ErrorCode::config_corrupt);
      CHECK(error.extras.at(0).json == "\"" + project.file().string() + "\"");
    }
    CHECK(project.text() == text);
  }
}

TEST_CASE("something else than a file in its place is corrupt, and nobody waits for it") {
  const Project project;
  std::filesystem::create_directories(project.folder());
  REQUIRE(::mkfifo(project.file().c_str(), 0600) == 0);
  CHECK(code_of(project.get("a")) == ErrorCode::config_corrupt);
  CHECK(code_of(project.put("a", entry)) == ErrorCode::config_corrupt);
  CHECK(code_of(project.remove("a")) == ErrorCode::config_corrupt);
}

TEST_CASE("an entry written by hand in another spelling is got in canonical spelling") {
  const Project project;
  project.write(R"({"a":{"type":"stdio","command":"x","environment":{"A":"1"},"note":"mine"}})");
  CHECK(project.get("a") == R"({"type":"local","command":"x","env":{"A":"1"}})");
}

TEST_CASE("an entry written by hand in a wrong shape is corrupt by name, and can be replaced or removed") {
  const Project project;
  project.write(R"({"good":{"type":"local","command":"x"},"bad":{"type":"local"},"worse":{}})");
  const auto bad = project.get("bad");
  CHECK(code_of(bad) == ErrorCode::config_corrupt);
  CHECK(bad.error().detail.find("entry 'bad' of a wrong shape: 'command' must be given") != std::string::npos);
  CHECK(project.get("good") == std::string(entry));
  REQUIRE(project.put("bad", other_entry));
  CHECK(project.get("bad") == std::string(other_entry));
  REQUIRE(project.remove("worse"));
  CHECK(code_of(project.get("worse")) == ErrorCode::not_found);
}

TEST_CASE("a wrong entry is refused before anything is made") {
  const Project project;
  CHECK(code_of(project.put("a", "{}")) == ErrorCode::unprocessable);
  CHECK_FALSE(std::filesystem::exists(project.folder().parent_path()));
}

TEST_CASE("a file is not let grow beyond what would be read again") {
  const Project project;
  project.write(R"({"big":{"x":")" + std::string((16U << 20U) - 20, 'x') + "\"}}");
  const std::uintmax_t before = std::filesystem::file_size(project.file());
  CHECK(code_of(project.put("a", entry)) == ErrorCode::payload_too_large);
  CHECK(std::filesystem::file_size(project.file()) == before);
}

TEST_CASE("a file that is a link is written where it leads, within the root") {
  const Project project;
  project.write("{}", "real.json");
  std::filesystem::create_symlink("real.json", project.file());
  REQUIRE(project.put("a", entry));
  CHECK(project.get("a") == std::string(entry));
  CHECK(std::filesystem::is_symlink(project.file()));

  std::filesystem::remove(project.file());
  std::filesystem::create_symlink("/etc/passwd", project.file());
  CHECK(code_of(project.get("a")) == ErrorCode::forbidden);
  CHECK(code_of(project.put("a", entry)) == ErrorCode::forbidden);
}

}  // namespace sa
