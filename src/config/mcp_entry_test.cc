#include "config/mcp_entry.h"

#include <doctest/doctest.h>

#include <boost/json.hpp>

namespace sa {
namespace {

Result<std::string> canonical(std::string_view text) { return mcp_entries.canonical(boost::json::parse(text)); }

// The `field` of the 422, as JSON.
std::string field_at_fault(std::string_view text) {
  const auto result = canonical(text);
  if (result) return "none";
  CHECK(result.error().code == ErrorCode::unprocessable);
  return result.error().extras.at(0).json;
}

}  // namespace

TEST_CASE("an MCP entry in canonical spelling stays as it is") {
  for (
      std::string_view text : {
          R"({"type":"local","command":"npx server"})",
          R"({"type":"local","command":[" npx","","-y"],"args":["a",""],"env":{"A":"1","B":""},"enabled":false,"timeoutMs":0,"cwd":""})",
          R"({"type":"remote","url":"https://x.example/mcp"})",
          R"({"type":"remote","url":"u","headers":{"X":"y"},"bearerTokenEnvVar":"T","envHeaders":{"Y":"V"},"oauth":false})",
          R"({"type":"remote","url":"u","enabled":true,"timeoutMs":18446744073709551615,"transport":"sse"})",
          R"({"type":"remote","url":"u","oauth":{}})",
          R"({"type":"remote","url":"u","oauth":{"clientId":"i","clientSecret":"s","scope":"a b"},"transport":"http"})",
      })
    CHECK(canonical(text) == std::string(text));
}

TEST_CASE("other spellings of an MCP entry become the canonical ones") {
  CHECK(canonical(R"({"timeout":5,"environment":{"A":"1"},"command":"x","type":"stdio"})") ==
        R"({"type":"local","command":"x","env":{"A":"1"},"timeoutMs":5})");
  CHECK(canonical(R"({"type":"http","url":"u","bearer_token_env_var":"T","env_http_headers":{"Y":"V"},"timeout":7})") ==
        R"({"type":"remote","url":"u","bearerTokenEnvVar":"T","envHeaders":{"Y":"V"},"timeoutMs":7,"transport":"http"})");
  CHECK(canonical(R"({"type":"sse","url":"u"})") == R"({"type":"remote","url":"u","transport":"sse"})");
  CHECK(canonical(R"({"type":"sse","url":"u","transport":"sse"})") == R"({"type":"remote","url":"u","transport":"sse"})");
  CHECK(canonical(R"({"type":"http","url":"u","transport":null})") == R"({"type":"remote","url":"u","transport":"http"})");
}

TEST_CASE("unknown members of an MCP entry are dropped, also those of its other kind") {
  CHECK(canonical(R"({"type":"local","command":"x","url":3,"note":"y"})") == R"({"type":"local","command":"x"})");
  CHECK(canonical(R"({"type":"remote","url":"u","command":3,"environment":4})") == R"({"type":"remote","url":"u"})");
}

TEST_CASE("an MCP entry of a wrong shape is refused by the name of the member, as it was spelled") {
  CHECK(field_at_fault("[]") == "\"body\"");
  CHECK(field_at_fault("{}") == "\"type\"");
  CHECK(field_at_fault(R"({"type":"ftp"})") == "\"type\"");
  CHECK(field_at_fault(R"({"type":null,"command":"x"})") == "\"type\"");
  CHECK(field_at_fault(R"({"type":"local"})") == "\"command\"");
  CHECK(field_at_fault(R"({"type":"stdio","command":5})") == "\"command\"");
  CHECK(field_at_fault(R"({"type":"local","command":["a",1]})") == "\"command[1]\"");
  CHECK(field_at_fault(R"({"type":"local","command":"x","args":"y"})") == "\"args\"");
  CHECK(field_at_fault(R"({"type":"local","command":"x","env":{"A":1}})") == "\"env.A\"");
  CHECK(field_at_fault(R"({"type":"local","command":"x","environment":{"A":1}})") == "\"environment.A\"");
  CHECK(field_at_fault(R"({"type":"local","command":"x","enabled":"yes"})") == "\"enabled\"");
  CHECK(field_at_fault(R"({"type":"local","command":"x","timeoutMs":-1})") == "\"timeoutMs\"");
  CHECK(field_at_fault(R"({"type":"local","command":"x","timeout":1.5})") == "\"timeout\"");
  CHECK(field_at_fault(R"({"type":"remote"})") == "\"url\"");
  CHECK(field_at_fault(R"({"type":"remote","url":"u","oauth":"yes"})") == "\"oauth\"");
  CHECK(field_at_fault(R"({"type":"remote","url":"u","oauth":{"scope":[]}})") == "\"oauth.scope\"");
  CHECK(field_at_fault(R"({"type":"remote","url":"u","transport":"tcp"})") == "\"transport\"");
  CHECK(field_at_fault(R"({"type":"http","url":"u","env_http_headers":[]})") == "\"env_http_headers\"");
}

TEST_CASE("a command and a URL must not be blank") {
  CHECK(field_at_fault(R"({"type":"local","command":" \t\n"})") == "\"command\"");
  CHECK(field_at_fault(R"({"type":"local","command":[]})") == "\"command\"");
  CHECK(field_at_fault(R"({"type":"local","command":[""]})") == "\"command[0]\"");
  CHECK(field_at_fault(R"({"type":"remote","url":"  "})") == "\"url\"");
}

TEST_CASE("spellings that contradict each other are refused by the name of the alias") {
  CHECK(field_at_fault(R"({"type":"local","command":"x","env":{},"environment":{}})") == "\"environment\"");
  CHECK(field_at_fault(R"({"type":"local","command":"x","timeout":1,"timeoutMs":1})") == "\"timeout\"");
  CHECK(field_at_fault(R"({"type":"remote","url":"u","bearerTokenEnvVar":"a","bearer_token_env_var":"b"})") ==
        "\"bearer_token_env_var\"");
  CHECK(field_at_fault(R"({"type":"http","url":"u","transport":"sse"})") == "\"type\"");
  CHECK(field_at_fault(R"({"type":"sse","url":"u","transport":"http"})") == "\"type\"");
}

}  // namespace sa
