#include <doctest/doctest.h>
#include <signal.h>
#include <sys/stat.h>

#include "support/acp.h"

using namespace rig;

namespace {

Response health(const Daemon& daemon, const std::string& authorization) {
  Connection connection(daemon.port());
  Headers headers;
  if (!authorization.empty()) headers.emplace_back("Authorization", authorization);
  connection.send(http_request("GET", "/v1/health", headers));
  return connection.read_response();
}

// The one file below the home that holds this text and only its owner may touch.
std::filesystem::path private_file_with(const std::filesystem::path& home, const std::string& text) {
  for (const auto& entry : std::filesystem::recursive_directory_iterator(home)) {
    if (!entry.is_regular_file() || entry.path().filename() == "stderr" || entry.path().filename() == "stdout") continue;
    if (read_file(entry.path()).find(text) == std::string::npos) continue;
    struct stat info{};
    stat(entry.path().c_str(), &info);
    if ((info.st_mode & 0777U) == 0600U) return entry.path();
  }
  return {};
}

std::string generated_token(const Daemon& daemon) {
  const auto text = daemon.stdout_text() + daemon.stderr_text();
  const auto at = text.find("#token=");
  if (at == std::string::npos) return "";
  const auto end = text.find_first_of(" \n\r\t", at);
  return text.substr(at + 7, end - at - 7);
}

}  // namespace

TEST_SUITE_BEGIN("http");

TEST_CASE("a missing token is a 401 problem token_missing that asks for Bearer") {
  Daemon daemon;
  const auto response = health(daemon, "");
  CHECK_EQ(problem_of(response), "401 token_missing");
  CHECK_EQ(response.header("www-authenticate").substr(0, 6), "Bearer");
}

TEST_CASE("a wrong token is a 401 problem token_invalid that asks for Bearer") {
  Daemon daemon;
  for (const std::string& wrong : {std::string("wrong"), daemon.token() + "x", daemon.token().substr(1), std::string("x")}) {
    const auto response = health(daemon, "Bearer " + wrong);
    CHECK_EQ(problem_of(response), "401 token_invalid");
    CHECK_EQ(response.header("www-authenticate").substr(0, 6), "Bearer");
  }
}

TEST_CASE("the schemes Bearer and Token are taken in any case, others are not") {
  Daemon daemon;
  for (const char* scheme : {"Bearer", "bearer", "BEARER", "Token", "token", "tOkEn"}) {
    CHECK_EQ(health(daemon, std::string(scheme) + " " + daemon.token()).status, 200);
  }
  for (const char* scheme : {"Basic", "Digest"}) {
    CHECK_EQ(health(daemon, std::string(scheme) + " " + daemon.token()).status, 401);
  }
  CHECK_EQ(health(daemon, daemon.token()).status, 401);
}

TEST_CASE("every /v1 route needs the token") {
  Daemon daemon;
  Api api(daemon);
  const std::pair<const char*, const char*> routes[] = {
      {"GET", "/v1/health"},   {"GET", "/v1/acp"},          {"POST", "/v1/acp/x"}, {"GET", "/v1/acp/x"},
      {"DELETE", "/v1/acp/x"}, {"GET", "/v1/acp/x/stderr"}, {"POST", "/v1/rpc"}};
  for (const auto& [method, path] : routes) {
    INFO(method, " ", path);
    CHECK_EQ(problem_of(api.request(method, path, {{"Authorization", ""}})), "401 token_missing");
  }
}

TEST_CASE("OPTIONS is answered before the token is asked for") {
  Daemon daemon;
  CHECK_LT(Api(daemon).request("OPTIONS", "/v1/health", {{"Authorization", ""}}).status, 300);
}

TEST_CASE("the token comes from a file when told so") {
  TempDir folder;
  write_file(folder.path() / "token", "secret-from-file\n");
  Daemon daemon(DaemonSetup{.flags = {"--token-file", (folder.path() / "token").string()}, .with_token = false});
  CHECK_EQ(health(daemon, "Bearer secret-from-file").status, 200);
  CHECK_EQ(health(daemon, "Bearer other").status, 401);
}

TEST_CASE("the token comes from the environment, and flags beat it") {
  Daemon from_environment(DaemonSetup{.env = {"SANDBOX_AGENT_TOKEN=from-environment"}, .with_token = false});
  CHECK_EQ(health(from_environment, "Bearer from-environment").status, 200);
  CHECK_EQ(health(from_environment, "Bearer x").status, 401);
  Daemon from_flag(DaemonSetup{.env = {"SANDBOX_AGENT_TOKEN=from-environment"}});
  CHECK_EQ(health(from_flag, "Bearer from-environment").status, 401);
  CHECK_EQ(health(from_flag, "Bearer " + from_flag.token()).status, 200);
}

TEST_CASE("--no-token switches auth off") {
  Daemon daemon(DaemonSetup{.flags = {"--no-token"}, .with_token = false});
  CHECK_EQ(health(daemon, "").status, 200);
  CHECK_EQ(health(daemon, "Bearer anything").status, 200);
}

TEST_CASE("without any token source one is generated, shown once in the link and kept in a private file") {
  Daemon daemon(DaemonSetup{.with_token = false});
  CHECK_EQ(problem_of(health(daemon, "")), "401 token_missing");
  std::string token;
  REQUIRE(eventually([&] { return !(token = generated_token(daemon)).empty(); }));
  CHECK_GE(token.size(), 32);
  CHECK_EQ(health(daemon, "Bearer " + token).status, 200);
  CHECK_FALSE(private_file_with(daemon.home(), token).empty());
  const auto text = daemon.stdout_text() + daemon.stderr_text();
  CHECK_EQ(text.find(token), text.rfind(token));
}

TEST_CASE("two generated tokens differ") {
  Daemon one(DaemonSetup{.with_token = false});
  Daemon other(DaemonSetup{.with_token = false});
  REQUIRE(eventually([&] { return !generated_token(one).empty() && !generated_token(other).empty(); }));
  CHECK_NE(generated_token(one), generated_token(other));
}

TEST_CASE("a token given by the user is never printed or logged") {
  Daemon daemon(DaemonSetup{.env = {"SANDBOX_AGENT_TOKEN=very-secret-word"}, .with_token = false});
  health(daemon, "Bearer very-secret-word");
  health(daemon, "Bearer wrong-but-secret-too");
  daemon.stop(SIGTERM);
  const auto text = daemon.stdout_text() + daemon.stderr_text() + daemon.ready_line();
  CHECK_EQ(text.find("very-secret-word"), std::string::npos);
  CHECK_EQ(text.find("wrong-but-secret-too"), std::string::npos);
}

TEST_CASE("no token reaches an agent") {
  Daemon daemon(
      DaemonSetup{.flags = {"--token", "flag-secret"}, .env = {"SANDBOX_AGENT_TOKEN=variable-secret"}, .with_token = false});
  Api api(daemon);
  const auto response = api.request("POST", "/v1/acp/x?agent=fake",
                                    {{"Authorization", "Bearer flag-secret"}, {"Content-Type", "application/json"}},
                                    rpc_request("1", "surroundings"));
  REQUIRE_EQ(response.status, 200);
  CHECK_EQ(response.body.find("flag-secret"), std::string::npos);
  CHECK_EQ(response.body.find("variable-secret"), std::string::npos);
  CHECK_EQ(response.body.find("SANDBOX_AGENT_TOKEN"), std::string::npos);
}

TEST_SUITE_END();
