#include <doctest/doctest.h>

#include "config_project.h"

using namespace rig;

namespace {

const std::string local = R"({"type":"local","command":"npx server"})";
const std::string remote = R"({"type":"remote","url":"https://mcp.example/"})";
const std::string skill_set = R"({"sources":[{"type":"github","source":"a/b"}]})";

unsigned mode_of(const std::filesystem::path& path) {
  struct stat info{};
  stat(path.c_str(), &info);
  return info.st_mode & 07777U;
}

// The field a 422 or 400 names.
std::string field_of(const Response& response) { return problem_of(response) + ": " + text_at(response.body, "field"); }

}  // namespace

TEST_SUITE_BEGIN("config");

TEST_CASE("an entry is put with 204, got with 200, deleted with 204, and then is 404") {
  Daemon daemon;
  TempDir folder;
  ConfigProject project(daemon, folder.path());
  for (const auto& [target, entry] : {std::pair(project.mcp("a"), local), std::pair(project.skills("a"), skill_set)}) {
    CHECK_EQ(problem_of(project.get(target)), "404 not_found");
    const auto put = project.put(target, entry);
    CHECK_EQ(put.status, 204);
    CHECK_EQ(put.body, "");
    const auto got = project.get(target);
    CHECK_EQ(got.status, 200);
    CHECK_EQ(got.header("content-type"), "application/json");
    CHECK_EQ(got.body, entry);
    CHECK_EQ(project.remove(target).status, 204);
    CHECK_EQ(project.remove(target).status, 204);
    CHECK_EQ(problem_of(project.get(target)), "404 not_found");
  }
}

TEST_CASE("what is missing is named") {
  Daemon daemon;
  TempDir folder;
  ConfigProject project(daemon, folder.path() / "never/made");
  const auto mcp = project.get(project.mcp("some \"name\"")).body;
  CHECK_EQ(text_at(mcp, "resource"), "mcp server");
  CHECK_EQ(text_at(mcp, "id"), "some \"name\"");
  CHECK_EQ(text_at(project.get(project.skills("x")).body, "resource"), "skill");
  CHECK_EQ(project.remove(project.mcp("x")).status, 204);
  CHECK_FALSE(std::filesystem::exists(folder.path() / "never"));
}

TEST_CASE("a put replaces its entry and leaves the others alone") {
  Daemon daemon;
  TempDir folder;
  ConfigProject project(daemon, folder.path());
  REQUIRE_EQ(project.put(project.mcp("a"), local).status, 204);
  REQUIRE_EQ(project.put(project.mcp("b"), local).status, 204);
  REQUIRE_EQ(project.put(project.mcp("a"), remote).status, 204);
  CHECK_EQ(project.get(project.mcp("a")).body, remote);
  CHECK_EQ(project.get(project.mcp("b")).body, local);
}

TEST_CASE("entries are kept in one pretty-printed file per kind that only its owner may read") {
  Daemon daemon;
  TempDir folder;
  ConfigProject project(daemon, folder.path());
  REQUIRE_EQ(project.put(project.mcp("b"), local).status, 204);
  REQUIRE_EQ(project.put(project.mcp("a"), remote).status, 204);
  REQUIRE_EQ(project.put(project.skills("s"), R"({"sources":[]})").status, 204);
  CHECK_EQ(read_file(config_file(folder.path())),
           "{\n  \"b\": {\n    \"type\": \"local\",\n    \"command\": \"npx server\"\n  },\n"
           "  \"a\": {\n    \"type\": \"remote\",\n    \"url\": \"https://mcp.example/\"\n  }\n}\n");
  CHECK_EQ(read_file(config_file(folder.path(), "skills.json")), "{\n  \"s\": {\n    \"sources\": []\n  }\n}\n");
  CHECK_EQ(mode_of(config_file(folder.path())), 0600U);
  CHECK_EQ(std::distance(std::filesystem::directory_iterator(config_file(folder.path()).parent_path()), {}), 2);
}

TEST_CASE("an existing file keeps its mode and what others wrote into it") {
  Daemon daemon;
  TempDir folder;
  ConfigProject project(daemon, folder.path());
  const std::string by_hand = R"({"z":{"type":"local","command":"x","note":[1.5,{}]},"a":{}})";
  write_config(folder.path(), by_hand);
  chmod(config_file(folder.path()).c_str(), 0644);
  REQUIRE_EQ(project.put(project.mcp("new"), local).status, 204);
  REQUIRE_EQ(project.remove(project.mcp("new")).status, 204);
  CHECK_EQ(parse_json(read_file(config_file(folder.path()))), parse_json(by_hand));
  CHECK_EQ(mode_of(config_file(folder.path())), 0644U);
}

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

TEST_CASE("a relative directory counts from where the daemon was started") {
  Daemon daemon(DaemonSetup{.prepare = [](const auto& home) { std::filesystem::create_directory(home / "elsewhere"); }});
  for (const char* directory : {"project", "./elsewhere", "elsewhere/../other"})
    CHECK_EQ(ConfigProject(daemon, directory).put(ConfigProject(daemon, directory).mcp("x"), local).status, 204);
  for (const char* directory : {"project", "elsewhere", "other"})
    CHECK(std::filesystem::exists(config_file(daemon.home() / directory)));
}

TEST_CASE("with a file root, directories outside of it are forbidden") {
  TempDir root;
  TempDir outside;
  Daemon daemon({"--fs-root", root.path().string()});
  ConfigProject inside(daemon, root.path() / "p");
  CHECK_EQ(inside.put(inside.mcp("x"), local).status, 204);
  std::filesystem::create_directory_symlink(outside.path(), root.path() / "link");
  for (const auto& directory :
       {outside.path().string(), (root.path() / "..").string(), (root.path() / "link").string(), std::string("p")}) {
    ConfigProject project(daemon, directory);
    CHECK_EQ(problem_of(project.put(project.mcp("x"), local)), "403 forbidden");
    CHECK_EQ(problem_of(project.get(project.mcp("x"))), "403 forbidden");
    CHECK_EQ(problem_of(project.remove(project.mcp("x"))), "403 forbidden");
  }
  CHECK(std::filesystem::is_empty(outside.path()));
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

TEST_CASE("a corrupt file is a 409 with its path for every verb, and stays as it is") {
  Daemon daemon;
  TempDir folder;
  ConfigProject project(daemon, folder.path());
  for (const std::string text : {"", "{", "[]", "null", R"({"a":3})", R"({"other":"x"})", "{}x"}) {
    write_config(folder.path(), text);
    for (const auto& response :
         {project.get(project.mcp("a")), project.put(project.mcp("a"), local), project.remove(project.mcp("a"))}) {
      CHECK_EQ(problem_of(response), "409 config_corrupt");
      CHECK_EQ(text_at(response.body, "path"), config_file(folder.path()).string());
    }
    CHECK_EQ(read_file(config_file(folder.path())), text);
  }
  CHECK_EQ(project.put(project.skills("a"), skill_set).status, 204);
}

TEST_CASE("fifty puts at once lose none") {
  Daemon daemon;
  TempDir folder;
  ConfigProject project(daemon, folder.path());
  std::vector<Connection> puts;
  for (int i = 0; i < 50; ++i) puts.push_back(project.begin_put(project.mcp("n" + std::to_string(i)), local));
  for (auto& put : puts) CHECK_EQ(put.read_response().status, 204);
  CHECK_EQ(parse_json(read_file(config_file(folder.path()))).as_object().size(), 50);
}

TEST_CASE("two daemons that write the same file at once lose nothing") {
  Daemon one;
  Daemon other;
  TempDir folder;
  const ConfigProject projects[] = {{one, folder.path()}, {other, folder.path()}};
  std::vector<Connection> puts;
  for (int i = 0; i < 60; ++i) {
    const ConfigProject& project = projects[i % 2];
    puts.push_back(project.begin_put(project.mcp("n" + std::to_string(i)), local));
  }
  for (auto& put : puts) CHECK_EQ(put.read_response().status, 204);
  CHECK_EQ(parse_json(read_file(config_file(folder.path()))).as_object().size(), 60);
  CHECK_EQ(projects[0].get(projects[0].mcp("n59")).body, local);
}

TEST_SUITE_END();
