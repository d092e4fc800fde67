#include "cli/api_request.h"

#include <doctest/doctest.h>

#include <algorithm>

#include "base/percent.h"
#include "base/scratch_folder.h"
#include "cli/api_output.h"
#include "client/api_call.h"
#include "daemon/places.h"

namespace sa {
namespace {

using Words = std::vector<std::string_view>;

const StopFlag never = false;

const Command& command_named(std::string_view name) { return *std::ranges::find(api_commands(), name, &Command::name); }

Outcome<ApiRequest> request_of(std::string_view command, const Words& words) {
  const Command& row = command_named(command);
  TRY(const Invocation given, Invocation::parse(row, words));
  return api_request(api_call_of(row), given, never);
}

// The request in a line, or why there is none.
std::string line_of(std::string_view command, const Words& words) {
  const auto request = request_of(command, words);
  if (!request) {
    CHECK(request.error().exit == Exit::usage);
    return request.error().what;
  }
  std::string line = request->method + " " + request->target;
  for (const auto& [name, value] : request->headers) line.append(" ").append(name).append(":").append(value);
  return request->body.empty() ? line : line + " " + request->body;
}

std::string all_of(const ApiRequest& request) {
  std::string all;
  for (auto piece = request.more_body(); piece && !piece->empty(); piece = request.more_body()) all += *piece;
  return all;
}

}  // namespace

TEST_CASE("names on the wire become options of one spelling") {
  CHECK(option_name("no_cache") == "--no-cache");
  CHECK(option_name("mcpName") == "--mcp-name");
  CHECK(option_name("Last-Event-ID") == "--last-event-id");
  CHECK(option_name("Acp-Instance-Id") == "--acp-instance-id");
  CHECK(option_name("bearerTokenEnvVar") == "--bearer-token-env-var");
}

TEST_CASE("arguments go into the path, options into query and headers, each as it has to be written there") {
  CHECK(line_of("api health", {}) == "GET /v1/health");
  CHECK(line_of("api acp close", {"my box/ä"}) == "DELETE /v1/acp/my%20box%2F%C3%A4");
  CHECK(line_of("api agents get", {"x", "--no-cache", "--config"}) == "GET /v1/agents/x?config=true&no_cache=true");
  CHECK(line_of("api fs delete", {"--path", "a&b", "--recursive"}) == "DELETE /v1/fs/entry?path=a%26b&recursive=true");
  CHECK(line_of("api acp stream", {"x", "--last-event-id", "7"}) == "GET /v1/acp/x Last-Event-ID:7 Accept:text/event-stream");
}

TEST_CASE("a directory is meant from here, wherever the daemon was started") {
  const std::string here = percent_encoded(absolute_path("a b"));
  CHECK(line_of("api config mcp get", {"--directory", "a b", "--mcp-name", "m"}) ==
        "GET /v1/config/mcp?directory=" + here + "&mcpName=m");
  CHECK(line_of("api config skills get", {"--directory", "/a", "--skill-name", "m"}) ==
        "GET /v1/config/skills?directory=%2Fa&skillName=m");
  CHECK(line_of("api fs stat", {"--path", "a"}) == "GET /v1/fs/stat?path=a");
}

TEST_CASE("members of a body are options by their type, and the body is the object of those given") {
  constexpr std::string_view type = " Content-Type:application/json ";
  CHECK(line_of("api fs move", {"--from", "a", "--to", "\"b\"", "--overwrite"}) ==
        "POST /v1/fs/move" + std::string(type) + R"({"from":"a","to":"\"b\"","overwrite":true})");
  CHECK(line_of("api agents install", {"x"}) == "POST /v1/agents/x/install");
  CHECK(line_of("api agents install", {"x", "--reinstall", "--agent-version", "1.0"}) ==
        "POST /v1/agents/x/install" + std::string(type) + R"({"reinstall":true,"agentVersion":"1.0"})");
  CHECK(line_of("api agents install", {"x", "--json"}) == "POST /v1/agents/x/install Accept:text/event-stream");
  const std::string put = "PUT /v1/config/mcp?directory=%2Fd&mcpName=m" + std::string(type);
  const Words entry{"--directory", "/d", "--mcp-name", "m", "--type", "local"};
  const auto with = [&entry](const Words& more) {
    Words words = entry;
    words.insert(words.end(), more.begin(), more.end());
    return words;
  };
  CHECK(
      line_of("api config mcp put", with({"--command", "npx", "--args", "[1e400]", "--timeout-ms", "12345678901234567890"})) ==
      put + R"({"type":"local","command":"npx","args":[1e400],"timeoutMs":12345678901234567890})");
  CHECK(line_of("api config mcp put", with({"--command", R"(["npx","x"])"})) ==
        put + R"({"type":"local","command":["npx","x"]})");
}

TEST_CASE("a message is an argument or --body, and reaches the daemon as it was given") {
  constexpr std::string_view message = R"({ "id":1.0, "method":"x" })";
  const std::string line = "POST /v1/acp/s?agent=mock Content-Type:application/json " + std::string(message);
  CHECK(line_of("api acp post", {"s", message, "--agent", "mock"}) == line);
  CHECK(line_of("api acp post", {"s", "--agent", "mock", "--body", message}) == line);
  const ScratchFolder folder;
  folder.write("message", message);
  CHECK(line_of("api acp post", {"s", "--agent=mock", "--body", "@" + folder.at("message")}) == line);
}

TEST_CASE("a file is sent piece by piece, with the length it has") {
  const ScratchFolder folder;
  const std::string path = folder.at("file");
  folder.write("file", std::string(200'000, 'x'));
  const auto request = request_of("api fs write", {"--path", "p", "--file", path});
  REQUIRE(request);
  CHECK(request->body_length == 200'000);
  CHECK(request->headers == FetchHeaders{{"Content-Type", "application/octet-stream"}});
  CHECK(all_of(*request) == std::string(200'000, 'x'));
  const auto missing = request_of("api fs write", {"--path", "p", "--file", path + "-not"});
  REQUIRE_FALSE(missing);
  CHECK(missing.error().exit == Exit::failure);
}

TEST_CASE("what is missing or contradicts itself is said before anything is sent") {
  CHECK(line_of("api acp post", {""}) ==
        "'api acp post' needs SERVER_ID: any name for the instance: 1 to 256 bytes of printable UTF-8");
  CHECK(line_of("api acp post", {"s"}) == "'api acp post' needs JSON: the message, unless --body gives it");
  CHECK(line_of("api fs stat", {}) == "'api fs stat' needs --path: a path below the file root, or an absolute one");
  CHECK(line_of("api fs move", {"--from", "a"}).starts_with("'api fs move' needs --to:"));
  CHECK(line_of("api fs move", {"--from", "a", "--body", "{}"}).starts_with("--body gives the whole body"));
  CHECK(line_of("api acp post", {"s", "{}", "--body", "{}"}).starts_with("--body gives the whole body"));
  CHECK(line_of("api acp stream", {"s", "--last-event-id", "x"}).starts_with("what --last-event-id is given is no JSON"));
  CHECK(line_of("api acp stream", {"s", "--last-event-id", "[]"}) == "--last-event-id takes a number, not '[]'");
}

TEST_CASE("a file that is read appears only when it is complete") {
  const ScratchFolder folder;
  const std::string path = folder.at("file");
  auto given = Invocation::parse(command_named("api fs read"), Words{"--path", "p", "--output", path});
  REQUIRE(given);
  {
    auto output = ApiOutput::begin(ApiAnswerKind::bytes, *given);
    REQUIRE(output);
    CHECK(output->take("half"));
  }
  CHECK(folder.names().empty());
  auto output = ApiOutput::begin(ApiAnswerKind::bytes, *given);
  REQUIRE(output);
  CHECK(output->take("who"));
  CHECK(output->take("le"));
  CHECK(output->end({.status = 200}) == Exit::success);
  CHECK(folder.read("file") == "whole");
}

}  // namespace sa
