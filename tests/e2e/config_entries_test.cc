#include <doctest/doctest.h>

#include "config_project.h"

using namespace rig;

namespace {

const std::string local = R"({"type":"local","command":"npx server"})";

// The problem and the field it names.
std::string field_of(const Response& response) { return problem_of(response) + ": " + text_at(response.body, "field"); }

}  // namespace

TEST_SUITE_BEGIN("config");

TEST_CASE("everything an entry may hold is read back as it was written") {
  Daemon daemon;
  TempDir folder;
  ConfigProject project(daemon, folder.path());
  for (
      const char* entry : {
          R"({"type":"local","command":["npx","-y","x"],"args":["--a",""],"env":{"A":"1","ü":"é"},"enabled":false,"timeoutMs":0,"cwd":"/w"})",
          R"({"type":"remote","url":"u","headers":{"X-A":"b"},"bearerTokenEnvVar":"T","envHeaders":{"X-B":"V"},"oauth":true,)"
          R"("enabled":true,"timeoutMs":30000,"transport":"sse"})",
          R"({"type":"remote","url":"u","oauth":{"clientId":"i","clientSecret":"s","scope":"a b"},"transport":"http"})",
      }) {
    REQUIRE_EQ(project.put(project.mcp("x"), entry).status, 204);
    CHECK_EQ(project.get(project.mcp("x")).body, entry);
  }
  const std::string sources =
      R"({"sources":[{"type":"git","source":"https://x/y.git","skills":["a","b"],"ref":"v1","subpath":"skills"},)"
      R"({"type":"local","source":"/p"}]})";
  REQUIRE_EQ(project.put(project.skills("x"), sources).status, 204);
  CHECK_EQ(project.get(project.skills("x")).body, sources);
}

TEST_CASE("other spellings are taken and read back in the canonical one, also from a file written by hand") {
  Daemon daemon;
  TempDir folder;
  ConfigProject project(daemon, folder.path());
  const std::pair<std::string, std::string> spellings[] = {
      {R"({"type":"stdio","command":"x","environment":{"A":"1"},"timeout":5})",
       R"({"type":"local","command":"x","env":{"A":"1"},"timeoutMs":5})"},
      {R"({"type":"http","url":"u","bearer_token_env_var":"T","env_http_headers":{"A":"B"},"timeout":0})",
       R"({"type":"remote","url":"u","bearerTokenEnvVar":"T","envHeaders":{"A":"B"},"timeoutMs":0,"transport":"http"})"},
      {R"({"type":"sse","url":"u"})", R"({"type":"remote","url":"u","transport":"sse"})"},
      {R"({"type":"local","command":"x","args":null,"unknown":{"a":1}})", R"({"type":"local","command":"x"})"},
  };
  for (const auto& [written, read] : spellings) {
    REQUIRE_EQ(project.put(project.mcp("x"), written).status, 204);
    CHECK_EQ(project.get(project.mcp("x")).body, read);
    CHECK_EQ(parse_json(read_file(config_file(folder.path()))).at("x"), parse_json(read));
    write_config(folder.path(), R"({"x":)" + written + "}");
    CHECK_EQ(project.get(project.mcp("x")).body, read);
  }
}

TEST_CASE("an entry of a wrong shape is a 422 that names the member as it was spelled, and nothing is written") {
  Daemon daemon;
  TempDir folder;
  ConfigProject project(daemon, folder.path());
  const std::pair<const char*, const char*> wrong[] = {
      {"[]", "body"},
      {"{}", "type"},
      {R"({"type":"ftp"})", "type"},
      {R"({"type":"local"})", "command"},
      {R"({"type":"local","command":" "})", "command"},
      {R"({"type":"local","command":[]})", "command"},
      {R"({"type":"local","command":["a",1]})", "command[1]"},
      {R"({"type":"local","command":"x","env":{"PATH":1}})", "env.PATH"},
      {R"({"type":"local","command":"x","timeoutMs":-1})", "timeoutMs"},
      {R"({"type":"local","command":"x","timeout":"5"})", "timeout"},
      {R"({"type":"local","command":"x","timeout":5,"timeoutMs":5})", "timeout"},
      {R"({"type":"remote","url":"\t"})", "url"},
      {R"({"type":"remote","url":"u","oauth":3})", "oauth"},
      {R"({"type":"http","url":"u","transport":"sse"})", "type"},
  };
  for (const auto& [entry, field] : wrong)
    CHECK_EQ(field_of(project.put(project.mcp("x"), entry)), "422 unprocessable: " + std::string(field));
  CHECK_EQ(field_of(project.put(project.skills("x"), "{}")), "422 unprocessable: sources");
  CHECK_EQ(field_of(project.put(project.skills("x"), R"({"sources":[{"source":"s"}]})")), "422 unprocessable: sources[0].type");
  CHECK(std::filesystem::is_empty(folder.path()));
}

TEST_CASE("a body that is not JSON is a 400, one of another type a 415") {
  Daemon daemon;
  TempDir folder;
  ConfigProject project(daemon, folder.path());
  for (const char* body : {"", "{", "{}{}", "nonsense", "\"\xff\"", "{\"type\":\"local\",}"})
    CHECK_EQ(problem_of(project.put(project.mcp("x"), body)), "400 invalid_request");
  CHECK_EQ(problem_of(project.put(project.mcp("x"), std::string(1'000'000, '['))), "400 invalid_request");
  CHECK_EQ(problem_of(project.api().request("PUT", project.mcp("x"), {{"Content-Type", "text/plain"}}, local)),
           "415 unsupported_media_type");
  CHECK_EQ(problem_of(project.api().request("PUT", project.mcp("x"), {}, local)), "415 unsupported_media_type");
  CHECK(std::filesystem::is_empty(folder.path()));
}

TEST_CASE("a missing, blank or undecodable parameter is a 400 that names it, for every verb") {
  Daemon daemon;
  Api api(daemon);
  const std::pair<const char*, const char*> wrong[] = {
      {"/v1/config/mcp?mcpName=a", "directory"},
      {"/v1/config/mcp?directory=&mcpName=a", "directory"},
      {"/v1/config/mcp?directory=+%09&mcpName=a", "directory"},
      {"/v1/config/mcp?directory=a%00b&mcpName=a", "directory"},
      {"/v1/config/mcp?directory=%2Ftmp", "mcpName"},
      {"/v1/config/mcp?directory=%2Ftmp&mcpName=%0A%20", "mcpName"},
      {"/v1/config/mcp?directory=%2Ftmp&mcpName=%FF", "mcpName"},
      {"/v1/config/mcp?directory=%2Ftmp&mcpName=%F", "mcpName"},
      {"/v1/config/skills?directory=%2Ftmp&mcpName=a", "skillName"},
      {"/v1/config/skills?directory=%2Ftmp&skillName=%20", "skillName"},
  };
  for (const auto& [target, field] : wrong)
    for (const char* verb : {"GET", "PUT", "DELETE"})
      CHECK_EQ(field_of(api.request(verb, target, as_json, std::string_view(verb) == "PUT" ? local : "")),
               "400 invalid_request: " + std::string(field));
}

TEST_CASE("any text is a name") {
  Daemon daemon;
  TempDir folder;
  ConfigProject project(daemon, folder.path());
  const std::string names[] = {"a/b", "../../x", "\"quoted\" 'name'", "ünï 中 😀", " padded ", "a\nb", "&=?#%+", "__proto__"};
  for (const auto& name : names) CHECK_EQ(project.put(project.mcp(name), local).status, 204);
  const auto file = parse_json(read_file(config_file(folder.path()))).as_object();
  CHECK_EQ(file.size(), std::size(names));
  for (const auto& name : names) {
    CHECK(file.contains(name));
    CHECK_EQ(project.get(project.mcp(name)).body, local);
    CHECK_EQ(project.remove(project.mcp(name)).status, 204);
  }
  CHECK_EQ(read_file(config_file(folder.path())), "{}\n");
}

TEST_SUITE_END();
